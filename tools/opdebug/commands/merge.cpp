// opdebug merge: merges reports of shards and hosts to one report.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include <fmt/format.h>

#include <opdebug/report.hpp>

#include "command_line/command_line.hpp"
#include "command_line/options.hpp"
#include "commands/commands.hpp"
#include "commands/scan_parts.hpp"
#include "output/messages.hpp"
#include "output/output.hpp"
#include "system/system.hpp"

namespace opdebug::tool {
namespace {

struct MergeSettings {
    std::vector<MergeInput> inputs;
    std::optional<std::string> output;
    WriteReport write = nullptr;
    MergeOptions options;
    bool fail_on_overflow = false, quiet = false;
};

MergeSettings read_merge_settings(const ParsedArguments& arguments) {
    MergeSettings settings;
    ScanReportOptions& report = settings.options.report;
    for (const std::string& path : arguments.positionals) {
        settings.inputs.push_back({path, path == kStandardInput ? sentence("merge.standard_input") : path});
    }
    if (std::count(arguments.positionals.begin(), arguments.positionals.end(), kStandardInput) > 1) {
        throw UsageError(sentence("merge.twice"));
    }
    settings.output = output_path(arguments);
    report.ties.traces = arguments.texts("trace");
    report.ties.stop = interrupted;
    settings.write = writer_of(arguments.form, report);
    if (arguments.has("first")) {
        report.first = read_count(arguments, "first", "usage.number_of_dumps");
    }
    settings.fail_on_overflow = arguments.has("fail-on");
    settings.quiet = arguments.has("quiet");
    report.temporary_folder = temporary_folder();
    report.report = read_report_options(arguments);
    report.report.utc_offset_minutes = local_time_of(std::nullopt);
    read_page_options(arguments, report);
    return settings;
}

/// The content of standard input in an unnamed file, because reports are read twice.
class StoredInput {
public:
    StoredInput() = default;
    ~StoredInput() {
        if (descriptor_ >= 0) {
            ::close(descriptor_);
        }
    }
    StoredInput(const StoredInput&) = delete;
    StoredInput& operator=(const StoredInput&) = delete;

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
    const bool damaged = counts.unusable + counts.cut + counts.missing + merge.scan.damage.not_read != 0 ||
                         has_damage(merge.scan, merge.report.api_diagnostics()) || has_errors(merge.scan.diagnostics) ||
                         !merge.scan.complete;
    const bool misses_traces = !merge.scan.api && !missing_traces(settings.options.report.ties.traces).empty();
    return settings.fail_on_overflow && has_overflow(merge.scan) ? kOverflowFound
           : damaged || misses_traces                            ? kSomethingDamaged
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

int merge_command(const ParsedArguments& arguments) {
    catch_interrupts();
    MergeSettings settings = read_merge_settings(arguments);
    StoredInput standard_input;
    if (const auto message = standard_input.take_place(settings)) {
        say(*message);
        return interrupted() ? interrupted_status() : kSomethingDamaged;
    }
    return merge_and_write(settings);
}

}  // namespace opdebug::tool
