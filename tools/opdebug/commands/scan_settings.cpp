#include "commands/scan_settings.hpp"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include <opdebug/report.hpp>
#include <opdebug/scan.hpp>

#include "command_line/arguments.hpp"
#include "command_line/input_files.hpp"
#include "command_line/options.hpp"
#include "commands/commands.hpp"
#include "output/output.hpp"
#include "system/environment.hpp"

namespace opdebug::tool {
namespace {

/// The value of an environment variable; nothing when it is not set or empty.
using Variables = std::function<std::optional<std::string>(const char* name)>;

/// A shard, or a message why there is none.
struct ChosenShard {
    std::optional<ScanShard> shard;
    std::string message;
};

/// Where a launcher tells which of its processes this one is.
struct Launcher {
    const char* name;
    const char* rank;
    const char* size;  ///< null: it tells none
};
// Sources: sbatch(1) and srun(1) of Slurm, mpirun(1) of Open MPI 4, the PMI-1 environment of MPICH's Hydra, OpenPMIx,
// and "Job completion index" of the Kubernetes documentation, where JOB_COMPLETIONS is the manifest's to set.
constexpr std::array<Launcher, 3> kMpi{{{"Open MPI", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                        {"PMI", "PMI_RANK", "PMI_SIZE"},
                                        {"PMIx", "PMIX_RANK", nullptr}}};
// srun(1): SLURM_PROCID counts in the step, and SLURM_STEP_NUM_TASKS is the step's; SLURM_NTASKS can be the job's.
constexpr Launcher kSlurmStep{"Slurm", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS"};
constexpr Launcher kSlurmJob{"Slurm", "SLURM_PROCID", "SLURM_NTASKS"};
/// Ids above are those of batch scripts (0xfffffffb), interactive steps (0xfffffffa), external processes (0xfffffffc)
/// and pending steps (0xfffffffd). Source: SLURM_MAX_NORMAL_STEP_ID in src/common/slurm_protocol_defs.h of Slurm.
constexpr std::uint64_t kMostNormalStep = 0xfffffff0;
constexpr Launcher kKubernetes{"Kubernetes", "JOB_COMPLETION_INDEX", "JOB_COMPLETIONS"};

/// What one of them says; a share without a size is none yet.
struct Told {
    const char* launcher = nullptr;
    const char* variable = nullptr;
    std::uint64_t rank = 0;
    std::optional<std::uint64_t> size;
};

std::string show(const Told& told) {
    return told.size ? fmt::format("{} says {} of {}", told.launcher, told.rank, *told.size)
                     : fmt::format("{} says {}", told.launcher, told.rank);
}

/// Reads variables; the first thing that is wrong with one of them is kept.
class Reader {
public:
    explicit Reader(const Variables& variables) : variables_(variables) {}

    bool has(const char* name) const { return variables_(name).has_value(); }
    std::uint64_t number(const char* name) {
        const std::optional<std::string> text = variables_(name);
        const std::optional<std::uint64_t> value = text ? parse_count(*text) : std::nullopt;
        if (!value) {
            fail(text ? fmt::format("{} is '{}', which is no number", name, *text)
                      : fmt::format("{} is not set", name));
        }
        return value.value_or(0);
    }
    void fail(std::string message) { message_ = message_.empty() ? std::move(message) : message_; }
    const std::string& message() const noexcept { return message_; }

    std::optional<Told> told_by(const Launcher& launcher) {
        if (!has(launcher.rank)) {
            return std::nullopt;
        }
        Told told{launcher.name, launcher.rank, number(launcher.rank), std::nullopt};
        if (launcher.size != nullptr) {
            if (!has(launcher.size)) {
                fail(fmt::format("{} is set, but {} is not: set it to the number of processes{}", launcher.rank,
                                 launcher.size,
                                 launcher.size == kKubernetes.size ? " (env in the manifest: spec.completions)" : ""));
                return told;
            }
            told.size = number(launcher.size);
            if (told.rank >= *told.size) {
                fail(fmt::format("{} is {} and {} is {}: ranks count from 0 to one less than the size", launcher.rank,
                                 told.rank, launcher.size, *told.size));
            }
        }
        return told;
    }

private:
    const Variables& variables_;
    std::string message_;
};

/// Adds what a second launcher says to what a first one said; they must agree.
void agree(const std::optional<Told>& other, std::optional<Told>& told, Reader& reader) {
    if (!other) {
        return;
    }
    if (!told) {
        told = other;
        return;
    }
    if (told->rank != other->rank || (told->size && other->size && told->size != other->size)) {
        reader.fail(fmt::format("{} ({}), but {} ({}): say which with --shard I/N", show(*told), told->variable,
                                show(*other), other->variable));
    }
    told->size = told->size ? told->size : other->size;
}

/// The element of a job array: its place in the order of ids, which need not begin at 0.
std::optional<Told> array_element(Reader& reader) {
    constexpr const char* kId = "SLURM_ARRAY_TASK_ID";
    if (!reader.has(kId)) {
        return std::nullopt;
    }
    const std::uint64_t id = reader.number(kId), least = reader.number("SLURM_ARRAY_TASK_MIN"),
                        most = reader.number("SLURM_ARRAY_TASK_MAX"), count = reader.number("SLURM_ARRAY_TASK_COUNT");
    const std::uint64_t step = reader.has("SLURM_ARRAY_TASK_STEP") ? reader.number("SLURM_ARRAY_TASK_STEP") : 1;
    const bool regular =
        step != 0 && id >= least && id <= most && (id - least) % step == 0 && (most - least) / step + 1 == count;
    if (reader.message().empty() && !regular) {
        reader.fail(
            fmt::format("{} is {}, from {} to {} in steps of {}, and {} elements in all: the array's ids are not "
                        "evenly spaced, so say which share this is with --shard I/N",
                        kId, id, least, most, step, count));
    }
    return Told{"Slurm's job array", kId, regular ? (id - least) / step : 0, count};
}

/// Whether srun started this process. Batch scripts and interactive shells are steps only by their ids.
bool is_in_step(Reader& reader) {
    for (const char* name : {"SLURM_STEP_ID", "SLURM_STEPID"}) {
        if (reader.has(name)) {
            return reader.number(name) <= kMostNormalStep;
        }
    }
    return false;
}

/// In a batch script that starts the program without srun, SLURM_PROCID is 0 and SLURM_NTASKS what was asked for; there
/// is one process all the same.
std::optional<Told> slurm_step(const std::optional<Told>& array, Reader& reader) {
    if (is_in_step(reader)) {
        return reader.told_by(reader.has(kSlurmStep.size) ? kSlurmStep : kSlurmJob);
    }
    if (array) {
        return std::nullopt;
    }
    std::optional<Told> job = reader.told_by(kSlurmJob);
    if (job && job->size && *job->size > 1) {
        reader.fail(
            fmt::format("SLURM_NTASKS is {}, but this is not a step of the job (SLURM_STEP_ID is {}): start it with "
                        "srun, or say which share this is with --shard I/N",
                        *job->size, reader.has("SLURM_STEP_ID") ? "that of no step of srun" : "not set"));
    }
    return job;
}

std::string variables_looked_for() {
    std::string names = "SLURM_ARRAY_TASK_ID, SLURM_PROCID";
    for (const Launcher& launcher : kMpi) {
        names += fmt::format(", {}", launcher.rank);
    }
    return fmt::format("{}, {}", names, kKubernetes.rank);
}

/// "I/N", from 0/N to N-1/N.
ChosenShard parse_shard(const std::string& text) {
    const std::size_t slash = text.find('/');
    const std::optional<std::uint64_t> index = parse_count(text.substr(0, slash));
    const std::optional<std::uint64_t> count = parse_count(slash == std::string::npos ? "" : text.substr(slash + 1));
    if (!index || !count) {
        return {std::nullopt, fmt::format("--shard is I/N or auto, not '{}'", text)};
    }
    if (*index >= *count) {
        return {std::nullopt, fmt::format("--shard {}: shards count from 0 to N-1", text)};
    }
    return {ScanShard{*index, *count}, {}};
}

/// What the launcher's variables say: Slurm (job arrays, steps), Open MPI, PMI, PMIx, Kubernetes' indexed jobs. An
/// array of jobs with several processes each has as many shards as processes in all. Open MPI, PMI and PMIx are nearer
/// to the process than a Slurm step: mpirun inside a Slurm job leaves variables of the job that are not the process's.
ChosenShard shard_of_launcher(const Variables& variables) {
    Reader reader(variables);
    std::optional<Told> process;
    for (const Launcher& launcher : kMpi) {
        agree(reader.told_by(launcher), process, reader);
    }
    const std::optional<Told> array = array_element(reader);
    if (!process || !process->size) {
        agree(slurm_step(array, reader), process, reader);
    }
    agree(reader.told_by(kKubernetes), process, reader);
    if (process && !process->size) {
        reader.fail(fmt::format("{} is set, but nothing says how many processes there are: say it with --shard I/N",
                                process->variable));
    }
    if (!reader.message().empty()) {
        return {std::nullopt, "--shard auto: " + reader.message()};
    }
    if (!process && !array) {
        return {
            std::nullopt,
            fmt::format("--shard auto: no launcher says which share this is: none of {} is set; say it with --shard "
                        "I/N",
                        variables_looked_for())};
    }
    const ScanShard inner = process ? ScanShard{process->rank, *process->size} : ScanShard{};
    const ScanShard outer = array ? ScanShard{array->rank, *array->size} : ScanShard{};
    return {ScanShard{outer.index * inner.count + inner.index, outer.count * inner.count}, {}};
}

ChosenShard chosen_shard(const std::string& value) {
    if (value != "auto") {
        return parse_shard(value);
    }
    return shard_of_launcher([](const char* name) -> std::optional<std::string> {
        const char* text = std::getenv(name);
        return text != nullptr && *text != '\0' ? std::optional<std::string>(text) : std::nullopt;
    });
}

/// --shard and --host: with either, JSON lines can be merged.
std::optional<std::string> read_share(const ParsedArguments& arguments, ScanSettings& settings) {
    if (arguments.has("shard")) {
        const ChosenShard chosen = chosen_shard(arguments.text("shard"));
        if (!chosen.shard) {
            return chosen.message;
        }
        settings.scan.shard = chosen.shard;
    }
    if (arguments.has("host")) {
        settings.report.report.host = arguments.text("host") == "auto" ? host_name() : arguments.text("host");
        if (settings.report.report.host.empty()) {
            return "--host is the name of this machine, or auto";
        }
        if (const std::string shown = printable(settings.report.report.host); shown != settings.report.report.host) {
            return "--host is a name without control and hidden characters, not '" + shown + "'";
        }
    }
    settings.report.partial = arguments.has("shard") || arguments.has("host");
    if (settings.report.partial && arguments.has("trace")) {
        return "--trace is for the report of all parts: give it to 'opdebug merge', not to a scan with --shard or "
               "--host";
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
            return "--first is a number of dumps, not '" + arguments.text("first") + "'";
        }
    }
    settings.fail_on_overflow = arguments.has("fail-on");  // overflow is its only word
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
        form_option(),
        {"first", number_value("N"), "only the N earliest dumps in the timeline"},
        {"all", {}, "clean dumps in the timeline as well"},
        {"tensors", {}, kTensorsHelp},
        {"shard", text_value("I/N"),
         "only share I of N, from 0 to N-1, of the dumps; auto: as Slurm, Open MPI, PMI or Kubernetes says. "
         "All N, as --format jsonl, are made one report by 'opdebug merge'"},
        {"host", text_value("NAME"), "the machine that holds the dumps, for every record; auto: this one's name"},
        {"fail-on", word_value("WHAT", {"overflow"}),
         "overflow: exit status 3 when there is an overflow, or API dumps have a culprit"},
        {"jobs,j", number_value("N"),
         "threads (default: as many as this machine runs at once); the report does not depend on it"},
        quiet_option()};
    add_log_options(line);
    line.options.push_back(trace_option());
    line.options.push_back(limit_option());
    add_report_options(line);
    return line;
}

std::optional<std::string> read_scan_settings(const ParsedArguments& arguments, ScanSettings& settings) {
    settings.paths = arguments.positionals;
    if (settings.paths.empty()) {
        return "a folder or a dump was expected";
    }
    settings.output = output_path(arguments);
    std::optional<std::string> message = read_share(arguments, settings);
    settings.write = read_form(arguments, settings.output.has_value(), settings.report);
    message = message ? message : read_numbers(arguments, settings);
    read_language(arguments, settings.report.report);
    message = message ? message : read_limit_option(arguments, settings.scan.decode.limits);
    settings.logs.reading.limits = settings.scan.decode.limits;
    settings.report.ties.limits = settings.scan.decode.limits;
    settings.report.ties.traces = arguments.texts("trace");
    message = message ? message : read_log_settings(arguments, settings.logs);
    settings.logs.reading.threads = settings.scan.threads;
    settings.report.temporary_folder = temporary_folder();
    return message;
}

std::optional<std::string> refuse_output(const ScanSettings& settings) {
    if (!settings.output) {
        return std::nullopt;
    }
    const std::string& output = *settings.output;
    if (is_written_in_place(output)) {
        return std::nullopt;
    }
    // Reports may lie beside the dumps, for who says so; what the scan reads may not be replaced, and a report may not
    // take a name under which the next scan would read it. Trees are searched for such names only: they may be large.
    std::error_code absent;
    const bool replaces_a_file = std::filesystem::exists(output, absent);
    const bool named_as_input = has_name_of_input(output);
    const bool may_be_input = named_as_input || (replaces_a_file && is_api_dump(output));
    InputFiles inputs;
    for (const std::string& trace : settings.report.ties.traces) {
        inputs.add(trace);
    }
    for (const std::string& path : settings.paths) {
        inputs.add(path);
        if (may_be_input) {
            replaces_a_file ? inputs.add_with_neighbours(path) : inputs.add_folders_below(path);
        }
    }
    if (replaces_a_file) {
        for (const std::string& path : settings.logs.paths) {
            inputs.add_below(path);
        }
        for (const std::string& path : settings.logs.format_paths) {
            inputs.add_below(path);
        }
    }
    return inputs.refuse_output(output);
}

}  // namespace opdebug::tool
