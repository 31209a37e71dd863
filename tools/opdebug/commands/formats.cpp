// opdebug formats: shows the known log lines, and checks definitions of the user.
#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include <opdebug/log_lines.hpp>
#include <opdebug/logs.hpp>
#include <opdebug/report.hpp>

#include "command_line/command_line.hpp"
#include "command_line/options.hpp"
#include "commands/commands.hpp"
#include "output/messages.hpp"
#include "output/output.hpp"
#include "report/json/json_parts.hpp"

namespace opdebug::tool {
namespace {

struct FormatsCall {
    const ParsedArguments& arguments;
    std::vector<std::string> names;  ///< arguments of the action
    Limits limits = read_limits(arguments);
    std::vector<NamedText> files = read_log_formats(arguments, limits);
    ReportOptions report = read_report_options(arguments);

    bool json() const { return arguments.form == "json"; }
    int show(const std::string& text, int status = kEverythingHandled) const {
        return show_result(arguments.output, text, status);
    }
};

std::string joined(const std::vector<std::string>& items) {
    return fmt::format("{}", fmt::join(items, ", "));
}

int list(const FormatsCall& call, const std::vector<LogFormatInfo>& formats) {
    return call.show(call.json() ? log_formats_to_json(formats, call.report) + "\n"
                                 : log_formats_to_text(formats, call.report));
}

int show(const FormatsCall& call, const std::vector<LogFormatInfo>& formats) {
    const std::string& name = call.names.front();
    const std::vector<LogFormatInfo> named = log_formats_named(formats, name);
    if (named.empty()) {
        const std::vector<std::string> near = near_log_format_names(formats, name);
        const std::string hint =
            near.empty() ? sentence("formats.all_names") : sentence("formats.near_names", {{"names", joined(near)}});
        throw UsageError(sentence("formats.no_format", {{"name", name}, {"hint", hint}}));
    }
    if (call.json()) {
        return call.show(log_formats_to_json(named, call.report) + "\n");
    }
    std::string text;
    for (const LogFormatInfo& format : named) {
        text += (text.empty() ? "" : "\n") + log_format_to_text(format, call.report);
    }
    return call.show(text);
}

/// Checks a file, or each file of a folder, as --log-formats accepts both.
std::vector<LogFormatCheck> check_path(const std::string& path, const FormatsCall& call) {
    const Result<std::vector<NamedText>> files = read_log_format_files(path, call.limits);
    if (!files) {
        return {{path, files.error()}};
    }
    std::vector<LogFormatCheck> checks;
    checks.reserve(files->size());
    for (const NamedText& file : *files) {
        checks.push_back({file.name, check_log_format_file(file, call.files, call.limits)});
    }
    return checks;
}

int check(const FormatsCall& call) {
    std::vector<LogFormatCheck> checks;
    for (const std::string& path : call.names) {
        std::vector<LogFormatCheck> further = check_path(path, call);
        std::move(further.begin(), further.end(), std::back_inserter(checks));
    }
    std::string text;
    bool sound = true, found_any = false;
    for (const LogFormatCheck& item : checks) {
        text += call.json() ? "" : log_format_check_to_text(item);
        sound = sound && item.result.ok();
        found_any = found_any || item.result.ok() || item.result.error().code != ErrorCode::file_not_found;
    }
    return call.show(call.json() ? log_format_checks_to_json(checks, call.report) + "\n" : text,
                     sound       ? kEverythingHandled
                     : found_any ? kSomethingDamaged
                                 : kUsage);
}

int try_on_log(const FormatsCall& call) {
    const std::string& log = call.names.back();
    const Result<std::vector<NamedText>> files = read_log_format_files(call.names.front(), call.limits);
    if (!files || files->size() != 1) {
        print_message(files ? sentence("formats.one_file", {{"file", call.names.front()}}) : sentence(files.error()));
        return kUsage;
    }
    const Result<LogFormatTrial> trial = try_log_formats(files->front(), log, call.limits);
    if (!trial) {
        print_message(trial.error());
        return trial.error().code == ErrorCode::file_not_found ? kUsage : kSomethingDamaged;
    }
    return call.show(call.json() ? report::format_trial_to_json(files->front(), log, *trial, call.report) + "\n"
                                 : report::format_trial_to_text(log, *trial));
}

}  // namespace

int formats_command(const ParsedArguments& arguments) {
    const std::vector<std::string>& words = arguments.positionals;
    const std::string action = words.empty() ? "list" : words.front();
    if (action != "list" && action != "show" && action != "check" && action != "try") {
        throw UsageError(sentence("formats.action", {{"action", action}}));
    }
    const FormatsCall call{arguments, words.empty() ? words : std::vector(words.begin() + 1, words.end())};
    if (action == "check" || action == "try") {
        return action == "check" ? check(call) : try_on_log(call);
    }
    const Result<std::vector<LogFormatInfo>> formats = list_log_formats(call.files, call.limits);
    if (!formats) {  // cannot fail: checked before
        print_message(formats.error());
        return kUsage;
    }
    return action == "show" ? show(call, *formats) : list(call, *formats);
}

}  // namespace opdebug::tool
