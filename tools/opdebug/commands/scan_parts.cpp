#include "commands/scan_parts.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <opdebug/report.hpp>
#include <opdebug/scan.hpp>

#include "command_line/command_line.hpp"
#include "command_line/options.hpp"
#include "output/messages.hpp"
#include "output/output.hpp"
#include "system/system.hpp"

namespace opdebug::tool {
namespace {

/// "I/N", from 0/N to N-1/N. Empty for other texts.
std::optional<ScanShard> parse_shard(const std::string& text) {
    const std::size_t slash = text.find('/');
    const std::optional<std::uint64_t> index = parse_count(text.substr(0, slash));
    const std::optional<std::uint64_t> count = parse_count(slash == std::string::npos ? "" : text.substr(slash + 1));
    return index && count ? std::optional(ScanShard{*index, *count}) : std::nullopt;
}

[[noreturn]] void refuse_launcher(const std::string& reason) {
    throw UsageError(sentence("usage.shard_auto", {{"reason", reason}}));
}

/// Environment variables of a launcher with the rank of the process.
struct Launcher {
    const char* rank;
    const char* size;
    bool is_slurm = false;
};
// Sources: srun(1) of Slurm; mpirun(1) of Open MPI 4; the PMI-1 environment of MPICH's Hydra, and "Job completion
// index" of the Kubernetes documentation. The manifest sets JOB_COMPLETIONS.
// Slurm comes last: mpirun keeps the variables of the Slurm job.
constexpr std::array<Launcher, 4> kLaunchers{{
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
    {"PMI_RANK", "PMI_SIZE"},
    {"JOB_COMPLETION_INDEX", "JOB_COMPLETIONS"},
    {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", true},
}};

/// The value of an environment variable; empty if it is not set.
std::string variable(const char* name) {
    const char* text = std::getenv(name);
    return text != nullptr ? text : "";
}

/// Whether srun started this process. Batch scripts (0xfffffffb), interactive steps (0xfffffffa), external processes
/// (0xfffffffc) and pending steps (0xfffffffd) have ids above. Source: SLURM_MAX_NORMAL_STEP_ID in
/// src/common/slurm_protocol_defs.h of Slurm.
bool is_slurm_step() {
    constexpr std::uint64_t kMostNormalStep = 0xfffffff0;
    const std::optional<std::uint64_t> step = parse_count(variable("SLURM_STEP_ID"));
    return step && *step <= kMostNormalStep;
}

/// The shard of this process by the variables of the first launcher in the table that set them.
std::optional<ScanShard> shard_of_process() {
    for (const Launcher& launcher : kLaunchers) {
        const std::string rank = variable(launcher.rank), size = variable(launcher.size);
        if (rank.empty() || (launcher.is_slurm && !is_slurm_step())) {
            continue;
        }
        const std::optional<ScanShard> shard = parse_shard(fmt::format("{}/{}", rank, size));
        if (!shard || shard->index >= shard->count) {
            refuse_launcher(
                sentence("shard.numbers",
                         {{"rank_name", launcher.rank}, {"rank", rank}, {"size_name", launcher.size}, {"size", size}}));
        }
        return shard;
    }
    return std::nullopt;
}

/// The element of a Slurm job array (sbatch(1)): its index in the order of ids, which may not start at 0.
std::optional<ScanShard> shard_of_array() {
    if (variable("SLURM_ARRAY_TASK_ID").empty()) {
        return std::nullopt;
    }
    const auto number = [](const char* name) { return parse_count(variable(name)).value_or(0); };
    const std::uint64_t id = number("SLURM_ARRAY_TASK_ID"), least = number("SLURM_ARRAY_TASK_MIN"),
                        most = number("SLURM_ARRAY_TASK_MAX"), count = number("SLURM_ARRAY_TASK_COUNT");
    const std::uint64_t step = std::max<std::uint64_t>(number("SLURM_ARRAY_TASK_STEP"), 1);
    const bool regular = id >= least && id <= most && (id - least) % step == 0 && (most - least) / step + 1 == count;
    if (!regular) {
        refuse_launcher(
            sentence("shard.uneven", {{"id", id}, {"least", least}, {"most", most}, {"step", step}, {"count", count}}));
    }
    return ScanShard{(id - least) / step, count};
}

/// A job array with several processes per job has as many shards as processes in total.
ScanShard shard_of_launcher() {
    const std::optional<ScanShard> process = shard_of_process(), array = shard_of_array();
    if (!process && !array) {
        std::string names = "SLURM_ARRAY_TASK_ID";
        for (const Launcher& launcher : kLaunchers) {
            names += fmt::format(", {}", launcher.rank);
        }
        refuse_launcher(sentence("shard.no_launcher", {{"names", names}}));
    }
    const ScanShard inner = process.value_or(ScanShard{}), outer = array.value_or(ScanShard{});
    return {outer.index * inner.count + inner.index, outer.count * inner.count};
}

ScanShard read_shard(const std::string& text) {
    if (text == "auto") {
        return shard_of_launcher();
    }
    const std::optional<ScanShard> shard = parse_shard(text);
    if (!shard || shard->index >= shard->count) {
        throw UsageError(sentence(shard ? "usage.shard_range" : "usage.shard", {{"value", text}}));
    }
    return *shard;
}

/// Reads --shard and --host. With either, JSON lines can be merged.
void read_share(const ParsedArguments& arguments, ScanSettings& settings) {
    if (arguments.has("shard")) {
        settings.scan.shard = read_shard(arguments.text("shard"));
    }
    std::string& host = settings.report.report.host;
    if (arguments.has("host")) {
        host = arguments.text("host") == "auto" ? host_name() : arguments.text("host");
        if (host.empty()) {
            throw UsageError(sentence("usage.host"));
        }
        if (const std::string shown = printable(host); shown != host) {
            throw UsageError(sentence("usage.host_characters", {{"value", shown}}));
        }
    }
    settings.report.partial = arguments.has("shard") || arguments.has("host");
    for (const auto& [option, refusal] :
         {std::pair("trace", "usage.shard_trace"), std::pair("train-log", "usage.shard_train_log")}) {
        if (settings.report.partial && arguments.has(option)) {
            throw UsageError(sentence(refusal));
        }
    }
}

}  // namespace

ScanSettings read_scan_settings(const ParsedArguments& arguments) {
    ScanSettings settings;
    ScanReportOptions& report = settings.report;
    settings.paths = arguments.positionals;
    settings.output = arguments.output;
    report.report = read_report_options(arguments);
    read_share(arguments, settings);
    settings.write = writer_of(arguments.form, report);
    settings.quiet = arguments.has("quiet");
    settings.fail_on_overflow = arguments.has("fail-on");  // its only word is overflow
    settings.scan.tensors = report.report.tensors = arguments.has("tensors");
    report.all = arguments.has("all");
    report.first = arguments.number("first");
    settings.scan.threads = read_threads(arguments);
    settings.scan.decode.limits = report.ties.limits = read_limits(arguments);
    report.ties.traces = arguments.texts("trace");
    settings.training_logs = arguments.texts("train-log");
    settings.logs = read_log_settings(arguments, settings.scan.decode.limits);
    settings.logs.reading.threads = settings.scan.threads;
    report.report.utc_offset_minutes = local_time_of(settings.logs.utc_offset_minutes);
    settings.scan.locate.utc_offset_minutes = settings.logs.utc_offset_minutes;  // also without logs
    read_page_options(arguments, report);
    report.temporary_folder = temporary_folder();
    return settings;
}

namespace {

const ApiReport* api_report_of(const Scan& scanned) {
    return scanned.api ? scanned.api->report.get() : nullptr;
}

/// ", 8 API dumps with 1 first culprit".
std::string api_findings_of(const Scan& scanned) {
    const ApiReport* const report = api_report_of(scanned);
    if (report == nullptr) {
        return {};
    }
    const auto files = report->counts.files, failed = report->counts.failed;
    const std::size_t first = report->first.size();
    std::string text = sentence("scan.api_dumps", {{"count", files}});
    text += first == 0 ? std::string() : sentence("scan.api_first", {{"count", first}});
    return failed == 0 ? text : text + sentence("scan.api_failed", {{"count", failed}});
}

}  // namespace

std::string scan_summary(const Scan& scanned, std::uint64_t damaged, bool is_whole) {
    const ScanCounts& counts = scanned.counts;
    const std::string dumps = scanned.complete || !is_whole
                                  ? sentence("scan.dumps", {{"count", counts.dumps}})
                                  : sentence("scan.stopped", {{"done", counts.dumps}, {"count", scanned.dumps_found}});
    std::string text = is_whole ? dumps : sentence("merge.incomplete", {{"dumps", dumps}});
    text += sentence("scan.overflowed", {{"count", counts.overflowed}});
    const auto add = [&text](std::uint64_t count, std::string_view id) {
        text += count != 0 ? sentence(id, {{"count", count}}) : std::string();
    };
    add(scanned.damage.clean_with_warning, "scan.clean_with_warning");
    add(counts.failed, "scan.failed");
    add(damaged, "scan.damaged");
    add(scanned.failures.size(), "scan.not_read");
    return text + api_findings_of(scanned);
}

void print_summary(const std::optional<std::string>& output, const std::string& summary) {
    print_message(output ? sentence("report.of_file", {{"file", *output}, {"summary", summary}}) : summary);
}

std::optional<int> write_report(const ScanReport& report, WriteReport write, const std::optional<std::string>& output,
                                const std::function<bool()>& is_stopped) {
    Output file(output);
    std::optional<Error> error =
        (report.*write)([&](std::string_view text) { return !is_stopped() && file.write(text); });
    if (is_stopped()) {
        print_message(output ? sentence("report.stopped", {{"file", *output}}) : sentence("report.stopped_output"));
        return interrupted_status();
    }
    error = error ? error : file.finish();
    return error ? std::optional(print_not_written(*error)) : std::nullopt;
}

bool has_damage(const Scan& scanned, const std::vector<Diagnostic>& remarks) {
    const ApiReport* const report = api_report_of(scanned);
    return scanned.damage.damaged + scanned.damage.unmeasured + scanned.counts.failed + scanned.failures.size() != 0 ||
           (report != nullptr && !report->failures.empty()) || has_errors(remarks);
}

bool has_overflow(const Scan& scanned) {
    const ApiReport* const report = api_report_of(scanned);
    return scanned.counts.overflowed != 0 || (report != nullptr && !report->first.empty());
}

std::vector<Error> missing_traces(const Scan& scanned, const std::vector<std::string>& traces) {
    std::vector<Error> missing;
    for (const std::string& trace : scanned.api ? std::vector<std::string>() : traces) {
        std::error_code absent;
        if (!std::filesystem::exists(trace, absent)) {
            missing.push_back({ErrorCode::file_not_found, "not found: expected trace_view.json of the PyTorch profiler",
                               trace, std::nullopt});
        }
    }
    return missing;
}

void print_unused_traces(const Scan& scanned, const std::vector<std::string>& traces, std::string_view phrase) {
    if (!traces.empty() && !scanned.api) {
        print_phrase(phrase);
        print_failures(missing_traces(scanned, traces));
    }
}

void print_failures(const Scan& scanned) {
    print_failures(scanned.failures);
    if (const ApiReport* const report = api_report_of(scanned)) {
        print_failures(report->failures);
    }
}

void print_missing(const Scan& scanned, const std::vector<Diagnostic>& said) {
    print_failures(scanned);
    for (const Diagnostic& remark : scanned.diagnostics) {
        const bool is_said = std::any_of(said.begin(), said.end(), [&remark](const Diagnostic& one) {
            return one.code == remark.code && one.message == remark.message;
        });
        if (!is_said) {
            print_message(remark);
        }
    }
}

void print_csv_omissions(const Scan& scanned) {
    const ApiReport* const report = api_report_of(scanned);
    const std::size_t findings = report == nullptr ? 0 : report->findings.size();
    if (findings != 0) {
        print_phrase("scan.csv_findings", {{"count", findings}});
    }
}

}  // namespace opdebug::tool
