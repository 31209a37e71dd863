#include "commands/scan_settings.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>

#include <fmt/format.h>

#include <opdebug/report.hpp>
#include <opdebug/scan.hpp>

#include "command_line/command_line.hpp"
#include "command_line/options.hpp"
#include "commands/commands.hpp"
#include "output/messages.hpp"
#include "system/system.hpp"

namespace opdebug::tool {
namespace {

/// A shard, or an error message.
struct ChosenShard {
    std::optional<ScanShard> shard;
    std::string message;
};

/// "I/N", from 0/N to N-1/N.
ChosenShard parse_shard(const std::string& text) {
    const std::size_t slash = text.find('/');
    const std::optional<std::uint64_t> index = parse_count(text.substr(0, slash));
    const std::optional<std::uint64_t> count = parse_count(slash == std::string::npos ? "" : text.substr(slash + 1));
    if (!index || !count) {
        return {std::nullopt, sentence("usage.shard", {{"value", text}})};
    }
    if (*index >= *count) {
        return {std::nullopt, sentence("usage.shard_range", {{"value", text}})};
    }
    return {ScanShard{*index, *count}, {}};
}

/// Environment variables of a launcher with the rank of the process.
struct Launcher {
    const char* name;
    const char* rank;
    const char* size;
    bool only_alone;  ///< only without other launchers: mpirun keeps variables of the Slurm job
};
// Sources: srun(1) of Slurm; mpirun(1) of Open MPI 4; the PMI-1 environment of MPICH's Hydra, and "Job completion
// index" of the Kubernetes documentation. The manifest sets JOB_COMPLETIONS.
constexpr std::array<Launcher, 4> kLaunchers{{
    {"Open MPI", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", false},
    {"PMI", "PMI_RANK", "PMI_SIZE", false},
    {"Kubernetes", "JOB_COMPLETION_INDEX", "JOB_COMPLETIONS", false},
    {"Slurm", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", true},
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

/// The shard of this process by launcher variables. Different answers are a contradiction.
ChosenShard shard_of_process() {
    const Launcher* source = nullptr;
    ChosenShard chosen;
    for (const Launcher& launcher : kLaunchers) {
        const std::string rank = variable(launcher.rank), size = variable(launcher.size);
        if (rank.empty() || (launcher.only_alone && (source != nullptr || !is_slurm_step()))) {
            continue;
        }
        const ChosenShard said = parse_shard(fmt::format("{}/{}", rank, size));
        if (!said.shard) {
            return {
                std::nullopt,
                sentence("shard.numbers",
                         {{"rank_name", launcher.rank}, {"rank", rank}, {"size_name", launcher.size}, {"size", size}})};
        }
        if (source != nullptr &&
            (said.shard->index != chosen.shard->index || said.shard->count != chosen.shard->count)) {
            return {std::nullopt, sentence("shard.differ", {{"one", source->name},
                                                            {"one_name", source->rank},
                                                            {"other", launcher.name},
                                                            {"other_name", launcher.rank}})};
        }
        source = &launcher;
        chosen = said;
    }
    return chosen;
}

/// The element of a Slurm job array (sbatch(1)): its index in the order of ids, which may not start at 0.
ChosenShard shard_of_array() {
    if (variable("SLURM_ARRAY_TASK_ID").empty()) {
        return {};
    }
    const auto number = [](const char* name) { return parse_count(variable(name)).value_or(0); };
    const std::uint64_t id = number("SLURM_ARRAY_TASK_ID"), least = number("SLURM_ARRAY_TASK_MIN"),
                        most = number("SLURM_ARRAY_TASK_MAX"), count = number("SLURM_ARRAY_TASK_COUNT");
    const std::uint64_t step = std::max<std::uint64_t>(number("SLURM_ARRAY_TASK_STEP"), 1);
    const bool regular = id >= least && id <= most && (id - least) % step == 0 && (most - least) / step + 1 == count;
    if (!regular) {
        return {
            std::nullopt,
            sentence("shard.uneven", {{"id", id}, {"least", least}, {"most", most}, {"step", step}, {"count", count}})};
    }
    return {ScanShard{(id - least) / step, count}, {}};
}

/// A job array with several processes per job has as many shards as processes in total.
ChosenShard shard_of_launcher() {
    const ChosenShard process = shard_of_process(), array = shard_of_array();
    const std::string& fault = process.message.empty() ? array.message : process.message;
    if (!fault.empty()) {
        return {std::nullopt, sentence("usage.shard_auto", {{"reason", fault}})};
    }
    if (!process.shard && !array.shard) {
        std::string names = "SLURM_ARRAY_TASK_ID";
        for (const Launcher& launcher : kLaunchers) {
            names += fmt::format(", {}", launcher.rank);
        }
        return {std::nullopt,
                sentence("usage.shard_auto", {{"reason", sentence("shard.no_launcher", {{"names", names}})}})};
    }
    const ScanShard inner = process.shard.value_or(ScanShard{}), outer = array.shard.value_or(ScanShard{});
    return {ScanShard{outer.index * inner.count + inner.index, outer.count * inner.count}, {}};
}

/// Reads --shard and --host. With either, JSON lines can be merged.
std::optional<std::string> read_share(const ParsedArguments& arguments, ScanSettings& settings) {
    if (arguments.has("shard")) {
        const std::string value = arguments.text("shard");
        const ChosenShard chosen = value == "auto" ? shard_of_launcher() : parse_shard(value);
        if (!chosen.shard) {
            return chosen.message;
        }
        settings.scan.shard = chosen.shard;
    }
    if (arguments.has("host")) {
        settings.report.report.host = arguments.text("host") == "auto" ? host_name() : arguments.text("host");
        if (settings.report.report.host.empty()) {
            return sentence("usage.host");
        }
        if (const std::string shown = printable(settings.report.report.host); shown != settings.report.report.host) {
            return sentence("usage.host_characters", {{"value", shown}});
        }
    }
    settings.report.partial = arguments.has("shard") || arguments.has("host");
    if (settings.report.partial && arguments.has("trace")) {
        return sentence("usage.shard_trace");
    }
    if (settings.report.partial && arguments.has("train-log")) {
        return sentence("usage.shard_train_log");
    }
    return std::nullopt;
}

std::optional<std::string> read_numbers(const ParsedArguments& arguments, ScanSettings& settings) {
    settings.report.all = arguments.has("all");
    settings.quiet = arguments.has("quiet");
    settings.scan.tensors = settings.report.report.tensors = arguments.has("tensors");
    if (arguments.has("first")) {
        settings.report.first = parse_count(arguments.text("first"));
        if (!settings.report.first) {
            return sentence("usage.number_of_dumps", {{"value", arguments.text("first")}});
        }
    }
    settings.fail_on_overflow = arguments.has("fail-on");  // its only word is overflow
    return read_threads(arguments, settings.scan.threads);
}

}  // namespace

CommandLine scan_command_line() {
    CommandLine line;
    line.usage = kScanUsage;
    line.summary =
        "Decodes every overflow dump below the paths and writes one report: what overflowed first, where, why, how\n"
        "often. Nothing is written into the folders that are read.";
    line.positionals = {repeated(file_or_folder_value("PATH"))};
    line.options = {
        form_option(kReportForms),
        {"first", number_value("N"), "only the N earliest dumps in the timeline"},
        {"all", {}, "clean dumps in the timeline, and all findings of API dumps"},
        {"tensors", {}, kTensorsHelp},
        advanced({"shard", text_value("I/N"),
                  "only shard I of N, from 0 to N-1, of the dumps; auto: from Slurm, Open MPI, PMI or Kubernetes. "
                  "'opdebug merge' makes one report of all N, written with --format jsonl"}),
        advanced(
            {"host", text_value("NAME"), "the machine that holds the dumps, for every record; auto: this one's name"}),
        {"fail-on", word_value("WHAT", {"overflow"}),
         "overflow: exit status 3 when there is an overflow, or API dumps have a culprit"},
        jobs_option(),
        quiet_option()};
    add_filter_options(line);
    add_list_options(line);
    add_log_options(line);
    line.options.push_back({"train-log", repeated(file_value("LOG")),
                            "log of the training run: its verdict, and whether the step of each overflow was skipped"});
    line.options.push_back(trace_option());
    line.options.push_back(limit_option());
    add_report_options(line);
    line.examples = {
        {"opdebug scan ~/dump_path --logs ~/ascend/log", "what overflowed first, where and why"},
        {"opdebug scan ~/dump_path --logs ~/ascend/log -o report.html", "the same as one page for the browser"}};
    return line;
}

std::optional<std::string> read_scan_settings(const ParsedArguments& arguments, ScanSettings& settings) {
    settings.paths = arguments.positionals;
    if (settings.paths.empty()) {
        return sentence("scan.expected");
    }
    settings.output = output_path(arguments);
    std::optional<std::string> message = read_share(arguments, settings);
    settings.write = writer_of(arguments.form, settings.report);
    message = message ? message : read_numbers(arguments, settings);
    read_report_options(arguments, settings.report.report);
    message = message ? message : read_limit_option(arguments, settings.scan.decode.limits);
    settings.logs.reading.limits = settings.scan.decode.limits;
    settings.report.ties.limits = settings.scan.decode.limits;
    settings.report.ties.traces = arguments.texts("trace");
    settings.training_logs = arguments.texts("train-log");
    message = message ? message : read_log_settings(arguments, settings.logs);
    settings.report.report.utc_offset_minutes = local_time_of(settings.logs.utc_offset_minutes);
    message = message ? message : read_page_options(arguments, settings.report);
    settings.logs.reading.threads = settings.scan.threads;
    settings.report.temporary_folder = temporary_folder();
    return message;
}

}  // namespace opdebug::tool
