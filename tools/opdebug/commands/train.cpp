// opdebug train: loss, gradient norm, loss scale and skipped steps of training logs, and a verdict.
#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "command_line/command_line.hpp"
#include "command_line/options.hpp"
#include "commands/commands.hpp"
#include "commands/path_kinds.hpp"
#include "output/messages.hpp"
#include "output/output.hpp"
#include "report/pages/pages.hpp"
#include "system/system.hpp"
#include "training/training.hpp"

namespace opdebug::tool {
namespace {

bool has_verdict(const report::TrainingReport& report, const std::string& word) {
    const bool of_bench = report.comparison && to_string(report.comparison->rule) == word;
    const training::Run* const decides = training::deciding_run(report.logs);
    return of_bench || (decides != nullptr && std::any_of(decides->findings.begin(), decides->findings.end(),
                                                          [&word](const training::Finding& finding) {
                                                              return to_string(finding.verdict) == word;
                                                          }));
}

void print_each(const std::vector<training::Failure>& failures) {
    for (const training::Failure& failure : failures) {
        print_message({Severity::error, std::string(to_string(failure.error.code)), failure.text.en, failure.text.zh});
    }
}

/// Logs without steps are normal: Megatron-LM prints them on the last rank only.
void print_remarks_on(const training::TrainingLogs& logs) {
    print_each(logs.failures);
    if (!logs.without_steps.empty()) {
        const std::size_t others = logs.without_steps.size() - 1;
        print_message(sentence(others == 0 ? "train.one_without_steps" : "train.without_steps",
                               {{"path", logs.without_steps.front()}, {"count", others}}));
    }
}

/// The exit status for logs of which none could be read.
int print_unread(const training::TrainingLogs& logs) {
    const ErrorCode code = logs.failures.front().error.code;
    const std::string& file = logs.failures.front().error.file;
    const bool is_one = logs.failures.size() == 1;
    const auto other = is_one ? other_command_for(file, "train") : std::nullopt;
    if (other) {
        print_message(*other);
    } else {
        print_each(logs.failures);
    }
    return code == ErrorCode::file_not_found || code == ErrorCode::log_unreadable ? kUsage : kSomethingDamaged;
}

bool is_unread(const training::TrainingLogs& logs) {
    return logs.runs.empty() && !logs.failures.empty();
}

}  // namespace

int train_command(const ParsedArguments& parsed) {
    catch_interrupts();
    const ReportOptions options = read_report_options(parsed);
    training::TrainingLogs logs = training::read_training_logs(parsed.positionals, interrupted);
    training::TrainingLogs bench = training::read_training_logs(parsed.texts("bench"), interrupted);
    if (interrupted()) {
        print_phrase("train.stopped");
        return interrupted_status();
    }
    if (is_unread(logs) || is_unread(bench)) {
        return print_unread(is_unread(logs) ? logs : bench);
    }
    print_remarks_on(logs);
    print_remarks_on(bench);
    const bool complete = logs.failures.empty() && bench.failures.empty();
    const report::TrainingReport report =
        report::training_report(std::move(logs), parsed.has("bench") ? std::optional(std::move(bench)) : std::nullopt);
    const int status = parsed.has("fail-on") && has_verdict(report, parsed.text("fail-on")) ? kOverflowFound
                       : complete                                                           ? kEverythingHandled
                                                                                            : kSomethingDamaged;
    return show_result(parsed.output,
                       parsed.form == "json" ? report::training_to_json(report, parsed.has("all")) + "\n"
                                             : report::training_to_text(report, options),
                       status);
}

}  // namespace opdebug::tool
