// opdebug tensors: statistics of the inputs and outputs of operators.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <opdebug/report.hpp>
#include <opdebug/result.hpp>
#include <opdebug/tensor.hpp>
#include <opdebug/tree.hpp>
#include "results/result_files.hpp"

#include "command_line/command_line.hpp"
#include "command_line/options.hpp"
#include "commands/commands.hpp"
#include "commands/path_kinds.hpp"
#include "output/messages.hpp"
#include "output/output.hpp"
#include "system/system.hpp"

namespace opdebug::tool {
namespace {

/// The dumps to measure, and faults of the search.
struct TensorInputs {
    std::vector<std::string> files;
    bool one_file = false;        ///< a single file, not a folder
    bool found_any_path = false;  ///< at least one path exists
    std::size_t failed = 0;       ///< unreadable paths and folders
};

namespace fs = std::filesystem;

/// The path with the folder's real one: a dump may be reached by several paths. Hard links are separate dumps.
std::string real_path_of(const std::string& file) {
    std::error_code failed;
    const fs::path folder = fs::canonical(fs::absolute(file, failed).parent_path(), failed);
    return failed ? file : (folder / file_name_of(file)).string();
}

/// Finds the dumps and reports faults. Each dump counts once.
TensorInputs find_tensor_inputs(const std::vector<std::string>& paths, const Limits& limits) {
    TensorInputs inputs;
    std::set<std::string> known;
    for (const std::string& path : paths) {
        const Result<FoundDumps> found = find_op_dumps(path, limits);
        if (!found) {
            print_message(found.error());
            ++inputs.failed;
            continue;
        }
        inputs.found_any_path = true;
        print_failures(found->failures);
        inputs.failed += found->failures.size();
        print_remarks(found->diagnostics);
        std::error_code ignored;
        const bool is_folder = fs::is_directory(path, ignored);
        if (is_folder && found->files.empty()) {
            const auto other = found->failures.empty() ? other_command_for(path, "tensors") : std::nullopt;
            print_message(other.value_or(sentence(found->failures.empty() ? "tensors.none" : "tensors.none_readable",
                                                  {{"path", path}, {"there", what_is_there({path})}})));
        }
        inputs.one_file = paths.size() == 1 && !is_folder;
        std::copy_if(found->files.begin(), found->files.end(), std::back_inserter(inputs.files),
                     [&known](const std::string& file) { return known.insert(real_path_of(file)).second; });
    }
    return inputs;
}

struct TensorsSettings {
    std::optional<std::string> output;
    std::optional<std::string> npy_folder;
    bool as_text = false;
    ReportOptions report;
    Limits limits;
};

/// The earliest dump of an operator that made a bad value from clean inputs.
struct FirstBad {
    std::uint64_t timestamp_us = 0;
    std::string name, file;
};

void update(std::optional<FirstBad>& first, const OpDump& dump) {
    const bool is_earlier = dump.timestamp_us && (!first || *dump.timestamp_us < first->timestamp_us);
    if (is_earlier && origin_of(dump).verdict == OriginVerdict::born_here) {
        first = FirstBad{*dump.timestamp_us, dump.op_name.empty() ? dump.op_type : dump.op_name, dump.file};
    }
}

/// Counts results of the inputs, for the exit status.
struct TensorsTally {
    std::size_t measured = 0;
    std::size_t damaged = 0;
    std::size_t not_written = 0;  ///< .npy files
    std::optional<FirstBad> first_bad;

    int exit_status(const TensorInputs& inputs) const {
        if (measured + damaged == 0) {
            return inputs.found_any_path && inputs.failed != 0 ? kSomethingDamaged : kUsage;
        }
        return damaged + inputs.failed + not_written == 0 ? kEverythingHandled : kSomethingDamaged;
    }
};

void print_faults(const OpDump& dump) {
    print_errors(dump.diagnostics, dump.file);
    for (const DumpedTensor& tensor : dump.tensors) {
        print_errors(tensor.diagnostics, dump.file);  // the messages contain the tensor
    }
}

std::string dump_document(const OpDump& dump, const TensorsSettings& settings) {
    return settings.as_text ? tensors_to_text(dump, settings.report) : tensors_to_json(dump, settings.report) + "\n";
}

/// Measures one dump and writes its tensors if requested. Returns its document; empty for text of a file that is none.
std::string handle(const std::string& file, const TensorsSettings& settings, const InputFiles& inputs,
                   const std::string& subfolder, TensorsTally& tally) {
    OpDumpOptions options;
    options.stop = interrupted;
    options.limits = settings.limits;
    const Result<OpDump> dump = measure_op_dump(file, options);
    if (!dump) {
        if (!interrupted()) {
            print_message(dump.error());
        }
        ++tally.damaged;
        return settings.as_text ? std::string()  // the message is enough
                                : tensors_failure_to_json(dump.error(), settings.report) + "\n";
    }
    print_faults(*dump);
    ++(dump->complete() ? tally.measured : tally.damaged);
    update(tally.first_bad, *dump);
    if (settings.npy_folder) {
        const WrittenTensors written = write_npy_files(*dump, *settings.npy_folder, subfolder, inputs);
        print_failures(written.failures);
        tally.not_written += written.failures.size();
    }
    return dump_document(*dump, settings);
}

int run(const TensorsSettings& settings, const TensorInputs& inputs) {
    std::map<std::string, std::string> subfolders;
    InputFiles dumps;
    if (settings.npy_folder) {
        for (const std::string& file : inputs.files) {
            dumps.add_dump(file);
        }
        subfolders = result_folders(inputs.files);
    }
    Output output(settings.output);
    TensorsTally tally;
    bool has_written = false;
    for (const std::string& file : inputs.files) {
        const std::string document = handle(file, settings, dumps, subfolders[file], tally);
        if (interrupted()) {
            // Does not write the file of -o, because it would silently miss documents.
            print_phrase("tensors.stopped",
                         {{"done", tally.measured + tally.damaged - 1}, {"count", inputs.files.size()}});
            return interrupted_status();
        }
        const bool separate = settings.as_text && has_written && !document.empty();
        has_written = has_written || !document.empty();
        if (!output.write((separate ? "\n" : "") + document)) {
            break;  // closed pipe or full disk: finish() reports it
        }
    }
    if (has_written) {
        if (const auto error = output.finish()) {
            return print_not_written(*error);
        }
    }
    if (tally.first_bad && inputs.files.size() > 1) {
        print_phrase(
            "tensors.first_bad",
            {{"count", inputs.files.size()}, {"name", tally.first_bad->name}, {"file", tally.first_bad->file}});
    }
    return tally.exit_status(inputs);
}

}  // namespace

int tensors_command(const ParsedArguments& arguments) {
    const std::vector<std::string>& paths = arguments.positionals;
    if (std::find(paths.begin(), paths.end(), "-") != paths.end()) {
        throw UsageError(sentence("tensors.standard_input"));
    }
    TensorsSettings settings{arguments.output, std::nullopt, arguments.form == "text", read_report_options(arguments),
                             read_limits(arguments)};
    if (arguments.has("npy")) {
        settings.npy_folder = arguments.text("npy");
    }
    if (const auto status = compare_against(arguments, settings.report, settings.limits)) {
        return *status;
    }
    const TensorInputs inputs = find_tensor_inputs(paths, settings.limits);
    settings.report.one_line = arguments.form == "jsonl" || !inputs.one_file;
    catch_interrupts();
    return run(settings, inputs);
}

}  // namespace opdebug::tool
