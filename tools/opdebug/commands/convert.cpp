// opdebug convert: the official converter's JSON, one file per output of a dump.
#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <opdebug/dump.hpp>
#include <opdebug/report.hpp>
#include <opdebug/tree.hpp>

#include "bytes/each_in_parallel.hpp"
#include "command_line/command_line.hpp"
#include "command_line/options.hpp"
#include "commands/commands.hpp"
#include "output/messages.hpp"
#include "output/output.hpp"
#include "results/result_files.hpp"
#include "system/system.hpp"

namespace opdebug::tool {
namespace {

/// Creating an entry locks the directory, so more threads would only wait.
constexpr unsigned kMostThreads = 4;
/// Dumps of one round. Faults are reported after each round in the order of the dumps. Each round starts its threads.
constexpr std::size_t kDumpsPerRound = 4096;

bool is_there(const std::string& path) {
    std::error_code ignored;
    return std::filesystem::exists(std::filesystem::symlink_status(path, ignored));
}

/// The parts of "PATH[,PATH...]"; an existing path that contains commas is one.
std::vector<std::string> split_paths(const std::string& list) {
    if (is_there(list)) {
        return {list};
    }
    std::vector<std::string> paths;
    std::istringstream parts(list);
    for (std::string part; std::getline(parts, part, ',');) {
        if (!part.empty()) {
            paths.push_back(part);
        }
    }
    return paths;
}

/// The dumps that a result could replace: only their names contain the fixed part of the results' names.
InputFiles dumps_named_as_results(const std::vector<PlacedResult>& dumps) {
    InputFiles files;
    for (const PlacedResult& dump : dumps) {
        if (file_name_of(dump.file).find(".output.") != std::string_view::npos) {
            files.add(dump.file);
        }
    }
    return files;
}

std::optional<Error> write_result(const std::string& path, const std::string& json, const InputFiles& inputs) {
    if (!inputs.empty() && inputs.holds(path)) {
        return write_error("not written, because it is one of the dumps to convert", path);
    }
    return write_file(path, json);
}

/// The fault of a converted dump: in an appended dump or after the first entry, which are not converted.
std::optional<Error> fault_of(const Dump& dump) {
    const auto fault = std::find_if(dump.diagnostics.begin(), dump.diagnostics.end(),
                                    [](const Diagnostic& remark) { return remark.severity == Severity::error; });
    if (fault == dump.diagnostics.end()) {
        return std::nullopt;
    }
    return Error{ErrorCode::payload_truncated, "converted, but the file is damaged: " + fault->message, dump.file,
                 std::nullopt};
}

struct ConvertTally {
    std::size_t converted = 0;
    std::size_t failed = 0;
    std::size_t damaged = 0;  ///< of the converted dumps
};

/// The result for one dump.
struct ConvertOutcome {
    bool converted = false;
    std::optional<Error> fault;  ///< empty for a dump not converted: interrupted
};

/// Writes the outputs of one dump. Returns the fault, if any.
std::optional<Error> write_outputs(const PlacedResult& planned, const std::vector<ConvertedOutput>& outputs,
                                   const std::string& out, const InputFiles& inputs) {
    const std::string folder = (std::filesystem::path(out) / planned.result_folder).string();
    if (auto error = make_folder(folder)) {
        return error;
    }
    for (const ConvertedOutput& output : outputs) {
        const std::string name = converted_name(planned.file, output.output_index);
        const std::string path = (std::filesystem::path(folder) / name).string();
        if (auto error = write_result(path, output.json, inputs)) {
            return error;
        }
    }
    return std::nullopt;
}

ConvertOutcome convert(const PlacedResult& planned, const DecodeOptions& decoding, const std::string& out,
                       const InputFiles& inputs) {
    const Result<Dump> dump = decode_file(planned.file, decoding);
    if (!dump) {
        return {false, dump.error()};
    }
    if (!dump->container) {
        return {false, Error{ErrorCode::not_a_dump, "not converted, because it is already a converted dump",
                             planned.file, std::nullopt}};
    }
    const Result<std::vector<ConvertedOutput>> outputs = dump_to_converter_json(*dump);
    if (!outputs) {
        return {false, outputs.error()};
    }
    if (auto error = write_outputs(planned, *outputs, out, inputs)) {
        return {false, error};
    }
    return {true, fault_of(*dump)};
}

/// Converts the dumps and reports faults in their order.
ConvertTally convert_all(const std::vector<PlacedResult>& dumps, const std::string& out,
                         const DecodeOptions& decoding) {
    const unsigned threads = std::min(bytes::thread_count(0), kMostThreads);
    const InputFiles inputs = dumps_named_as_results(dumps);
    ConvertTally tally;
    for (std::size_t begin = 0; begin < dumps.size(); begin += kDumpsPerRound) {
        std::vector<ConvertOutcome> outcomes(std::min(kDumpsPerRound, dumps.size() - begin));
        bytes::each_in_parallel(outcomes.size(), threads, [&](std::size_t i) {
            if (!interrupted()) {
                outcomes[i] = convert(dumps[begin + i], decoding, out, inputs);
            }
        });
        for (const ConvertOutcome& outcome : outcomes) {
            tally.converted += outcome.converted ? 1U : 0U;
            tally.failed += !outcome.converted && outcome.fault ? 1U : 0U;
            tally.damaged += outcome.converted && outcome.fault ? 1U : 0U;
            if (outcome.fault) {
                print_message(*outcome.fault);
            }
        }
    }
    return tally;
}

int summarize(const ConvertTally& tally, const ConversionPlan& plan, bool quiet) {
    if (tally.converted + tally.failed < plan.conversions.size()) {
        print_phrase("convert.stopped", {{"done", tally.converted}, {"count", plan.conversions.size()}});
        return interrupted_status();
    }
    std::string text = sentence("convert.converted", {{"count", tally.converted}});
    if (tally.failed != 0) {
        text += sentence("convert.failed", {{"count", tally.failed}});
    }
    if (plan.other_files != 0) {
        text += sentence("convert.others", {{"count", plan.other_files}});
    }
    if (!quiet) {
        print_message(text);
    }
    return tally.failed + tally.damaged == 0 && plan.failures.empty() ? kEverythingHandled : kSomethingDamaged;
}

}  // namespace

int convert_command(const ParsedArguments& parsed) {
    std::vector<std::string> paths;
    for (const std::string& list : parsed.texts("dump-path")) {
        const std::vector<std::string> parts = split_paths(list);
        paths.insert(paths.end(), parts.begin(), parts.end());
    }
    if (paths.empty()) {
        throw UsageError(sentence("convert.expected"));
    }
    DecodeOptions decoding;
    decoding.ids_behind_links = false;  // results contain no ids
    decoding.limits = read_limits(parsed);
    const std::string out = parsed.has("out") ? parsed.text("out") : ".";
    if (const auto refused = parsed.has("out") ? std::nullopt : refuse_output_folder("-out", out)) {
        throw UsageError(*refused);  // a given folder is checked with the other arguments
    }
    const ConversionPlan plan = plan_conversion(paths, decoding.limits);
    print_failures(plan.failures);
    print_remarks(plan.remarks);
    if (plan.conversions.empty()) {
        print_phrase("convert.none", {{"count", plan.other_files}});
        return plan.dumps_may_be_missing() ? kSomethingDamaged : kUsage;
    }
    catch_interrupts();
    return summarize(convert_all(plan.conversions, out, decoding), plan, parsed.has("quiet"));
}

}  // namespace opdebug::tool
