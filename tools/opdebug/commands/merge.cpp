// opdebug merge: merges reports of shards and hosts to one report.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include <fmt/format.h>

#include <opdebug/report.hpp>

#include "command_line/command_line.hpp"
#include "command_line/options.hpp"
#include "commands/commands.hpp"
#include "commands/scan_summary.hpp"
#include "output/messages.hpp"
#include "output/output.hpp"
#include "system/system.hpp"

namespace opdebug::tool {
namespace {

constexpr const char* kMergeUsage = "opdebug merge REPORT... [options]";

struct MergeSettings {
    std::vector<MergeInput> inputs;
    std::optional<std::string> output;
    WriteReport write = nullptr;
    MergeOptions options;
    bool fail_on_overflow = false, quiet = false;
};

std::optional<std::string> read_settings(const ParsedArguments& arguments, MergeSettings& settings) {
    if (arguments.positionals.empty()) {
        return sentence("merge.expected");
    }
    for (const std::string& path : arguments.positionals) {
        settings.inputs.push_back({path, path == kStandardInput ? sentence("merge.standard_input") : path});
    }
    if (std::count(arguments.positionals.begin(), arguments.positionals.end(), kStandardInput) > 1) {
        return sentence("merge.twice");
    }
    settings.output = output_path(arguments);
    settings.options.report.partial = arguments.has("partial");
    settings.options.report.ties.traces = arguments.texts("trace");
    settings.options.report.ties.stop = interrupted;
    settings.write = writer_of(arguments.form, settings.options.report);
    if (arguments.has("partial") && !settings.options.report.partial) {
        return sentence("merge.partial_form");
    }
    if (arguments.has("partial") && arguments.has("trace")) {
        return sentence("merge.partial_trace");
    }
    if (arguments.has("first")) {
        settings.options.report.first = parse_count(arguments.text("first"));
        if (!settings.options.report.first) {
            return sentence("usage.number_of_dumps", {{"value", arguments.text("first")}});
        }
    }
    settings.fail_on_overflow = arguments.has("fail-on");
    settings.quiet = arguments.has("quiet");
    settings.options.report.temporary_folder = temporary_folder();
    read_report_options(arguments, settings.options.report.report);
    settings.options.report.report.utc_offset_minutes = local_time_of(std::nullopt);
    return read_page_options(arguments, settings.options.report);
}

/// The content of standard input in an unnamed file, because reports are read twice.
class KeptInput {
public:
    KeptInput() = default;
    ~KeptInput() {
        if (descriptor_ >= 0) {
            ::close(descriptor_);
        }
    }
    KeptInput(const KeptInput&) = delete;
    KeptInput& operator=(const KeptInput&) = delete;

    /// Replaces "-" with its path. Returns a message on failure.
    std::optional<std::string> take_place(MergeSettings& settings) {
        for (MergeInput& input : settings.inputs) {
            if (input.path != kStandardInput) {
                continue;
            }
            const Result<int> kept = copy_of_standard_input(settings.options.report.temporary_folder);
            if (!kept) {
                return sentence(kept.error());
            }
            descriptor_ = *kept;
            input.path = fmt::format("/proc/self/fd/{}", descriptor_);
            return std::nullopt;  // only one "-" exists
        }
        return std::nullopt;
    }

private:
    int descriptor_ = -1;
};

std::string summary_of(const Merge& merge) {
    const MergeCounts& counts = merge.counts;
    const ScanDamage& damage = merge.scan.damage;
    const bool is_stopped = damage.not_read != 0 || !damage.every_folder_searched;
    std::string text = scan_summary(merge.scan, damage.damaged, merge.scan.complete || is_stopped);
    const auto add = [&text](std::uint64_t count, std::string_view id) {
        text += count != 0 ? sentence(id, {{"count", count}}) : std::string();
    };
    add(counts.missing, "merge.missing");
    add(counts.cut, "merge.cut");
    add(counts.unusable, "merge.unusable");
    for (const Diagnostic& diagnostic : merge.scan.diagnostics) {
        text += diagnostic.code == "trees_differ" ? sentence("merge.trees_differ") : "";
    }
    add(counts.repeated, "merge.repeated");
    return sentence("merge.merged", {{"merged", counts.merged}, {"count", counts.given}, {"rest", text}});
}

int exit_status_of(const Merge& merge, const MergeSettings& settings) {
    const MergeCounts& counts = merge.counts;
    const ScanDamage& damage = merge.scan.damage;
    const bool damaged = counts.unusable + counts.cut + counts.missing + merge.scan.counts.failed + damage.damaged +
                             damage.unmeasured + damage.not_read !=
                         0;
    const bool told =
        has_errors(merge.scan.diagnostics) || has_damaged_api_dumps(merge.scan, merge.report.api_diagnostics());
    const bool misses_traces = !merge.scan.api && !missing_traces(settings.options.report.ties.traces).empty();
    const bool found = merge.scan.counts.overflowed != 0 || has_api_culprit(merge.scan);
    return found && settings.fail_on_overflow ? kOverflowFound
           : damaged || told || misses_traces || !merge.scan.failures.empty() || !merge.scan.complete
               ? kSomethingDamaged
               : kEverythingHandled;
}

int merge_and_write(const MergeSettings& settings) {
    const Result<Merge> merge = merge_reports(settings.inputs, settings.options);
    if (!merge) {
        say(merge.error());
        return merge.error().code == ErrorCode::invalid_argument ? kUsage : kSomethingDamaged;
    }
    Output output(settings.output);
    std::optional<Error> error = (merge->report.*settings.write)(
        [&output](std::string_view text) { return !interrupted() && output.write(text); });
    if (interrupted()) {
        say_stopped_writing(settings.output);
        return interrupted_status();
    }
    error = error ? error : output.finish();
    if (error) {
        return say_not_written(*error);
    }
    const int status = exit_status_of(*merge, settings);
    if (settings.write == &ScanReport::write_csv) {
        say_what_is_missing(merge->scan);
        say_errors(merge->report.api_diagnostics());
        say_what_csv_leaves_out(merge->scan);
    }
    if (!settings.options.report.ties.traces.empty() && !merge->scan.api) {
        say(sentence("merge.trace_unused"));
        say_failures(missing_traces(settings.options.report.ties.traces));
    }
    if (!settings.quiet && (settings.output || status != kEverythingHandled)) {
        say_summary(settings.output, summary_of(*merge));
    }
    return status;
}

}  // namespace

CommandLine merge_command_line() {
    CommandLine line;
    line.usage = kMergeUsage;
    line.summary =
        "Combines reports of 'opdebug scan --format jsonl' into the report that one scan of everything gives. REPORT:\n"
        "a file, plain, .gz or .zst; - is standard input. Write it with --shard or --host, so that it lists all\n"
        "dumps. Parts that are missing, cut or not usable are named, and the others merged.";
    line.positionals = {repeated(file_value("REPORT"))};
    line.options = {form_option(kReportForms),
                    {"first", number_value("N"), "only the N earliest dumps in the timeline"},
                    advanced({"partial", {}, "the result will be merged again: with --format jsonl"}),
                    trace_option(),
                    {"fail-on", word_value("WHAT", {"overflow"}),
                     "overflow: exit status 3 when there is an overflow, or API dumps have a culprit"},
                    quiet_option("no closing line")};
    add_filter_options(line);
    add_list_options(line);
    add_report_options(line);
    line.examples = {
        {"opdebug merge parts/*.jsonl -o report.html", "one page of the reports of all shards"},
        {"opdebug merge part0.jsonl part1.jsonl --partial -o sum.jsonl", "a report that can be merged again"}};
    return line;
}

int merge_command(const std::vector<std::string>& arguments) {
    catch_interrupts();
    const ParsedArguments parsed = parse_arguments(merge_command_line(), arguments);
    if (parsed.exit_status) {
        return *parsed.exit_status;
    }
    MergeSettings settings;
    if (const auto message = read_settings(parsed, settings)) {
        return usage_error(kMergeUsage, *message);
    }
    KeptInput standard_input;
    if (const auto message = standard_input.take_place(settings)) {
        say(*message);
        return interrupted() ? interrupted_status() : kSomethingDamaged;
    }
    return merge_and_write(settings);
}

}  // namespace opdebug::tool
