// opdebug convert: the official converter's JSON beside each other, one file per output of a dump.
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include <opdebug/dump.hpp>
#include <opdebug/report.hpp>

#include "arguments.hpp"
#include "commands.hpp"
#include "conversion_plan.hpp"
#include "exit_status.hpp"
#include "input_files.hpp"
#include "limit_option.hpp"
#include "output.hpp"

namespace opdebug::tool {
namespace {

namespace fs = std::filesystem;

constexpr const char* kUsageLine = "opdebug convert -d PATH[,PATH...] [-out DIR]";

std::optional<Error> write_result(const std::string& path, const std::string& json, const InputFiles& inputs) {
    if (inputs.holds(path)) {
        return Error{ErrorCode::write_failed, "not written, because it is one of the dumps to convert", path,
                     std::nullopt};
    }
    return write_file(path, json, FileName::generated);
}

/// The fault of a dump that is converted all the same: one in a further dump of the file, which is not converted.
std::optional<Error> fault_of(const Dump& dump) {
    const auto fault = std::find_if(dump.diagnostics.begin(), dump.diagnostics.end(),
                                    [](const Diagnostic& remark) { return remark.severity == Severity::error; });
    if (fault == dump.diagnostics.end()) {
        return std::nullopt;
    }
    return Error{ErrorCode::payload_truncated, "converted, but the file is damaged: " + fault->message, dump.file,
                 std::nullopt};
}

struct Tally {
    std::size_t converted = 0;
    std::size_t failed = 0;
    std::size_t damaged = 0;  ///< of those that were converted
};

/// Converts one dump; what went wrong, if anything.
std::optional<Error> convert(const PlacedResult& planned, const fs::path& out, const DecodeOptions& decoding,
                             const InputFiles& inputs, Tally& tally) {
    const Result<Dump> dump = decode_file(planned.file, decoding);
    if (!dump) {
        return dump.error();
    }
    if (!dump->container) {
        return Error{ErrorCode::not_a_dump, "not converted, because it is a converted dump already", planned.file,
                     std::nullopt};
    }
    const Result<std::vector<ConvertedOutput>> outputs = dump_to_converter_json(*dump);
    if (!outputs) {
        return outputs.error();
    }
    const fs::path folder = out / planned.result_folder;
    if (auto error = make_folder_below(out.string(), planned.result_folder)) {
        return error;
    }
    for (const ConvertedOutput& output : *outputs) {
        const std::string name =
            fmt::format("{}.output.{}.json", fs::path(planned.file).filename().string(), output.output_index);
        if (auto error = write_result((folder / name).string(), output.json, inputs)) {
            return error;
        }
    }
    ++tally.converted;
    auto fault = fault_of(*dump);
    tally.damaged += fault ? 1U : 0U;
    return fault;
}

int summarize(const Tally& tally, const ConversionPlan& plan) {
    std::string text = fmt::format("overflow dumps converted: {}", tally.converted);
    if (tally.failed != 0) {
        text += fmt::format(", failed: {}", tally.failed);
    }
    if (plan.other_files != 0) {
        text += fmt::format(", other files left alone: {}", plan.other_files);
    }
    say(text);
    return tally.failed + tally.damaged == 0 && plan.failures.empty() ? kEverythingHandled : kSomethingDamaged;
}

}  // namespace

CommandLine convert_command_line() {
    CommandLine line;
    line.usage = kUsageLine;
    line.summary =
        "Writes DIR/<dump name>.output.<index>.json for each overflow dump, with the text that 'msaccucmp convert' "
        "writes.\n"
        "A folder is read with everything below it; its tree is mirrored below DIR. Operator dumps are left alone.";
    line.single_dash_long = true;
    line.no_positional = "the dump or folder stands behind -d: -d ";
    line.options = {
        {"dump-path,d", repeated(file_or_folder_value("PATH")), "dump file or folder; several joined by commas"},
        {"out", folder_value("DIR"), "folder for the results (default: the current one); made when missing"},
        {"dump-version,v", number_value("N"), "accepted as the official converter does; the content decides"},
        limit_option(),
        help_option()};
    return line;
}

int convert_command(const std::vector<std::string>& arguments) {
    const ParsedArguments parsed = parse_arguments(convert_command_line(), arguments);
    if (parsed.exit_status) {
        return *parsed.exit_status;
    }
    std::vector<std::string> paths;
    for (const std::string& list : parsed.texts("dump-path")) {
        const std::vector<std::string> parts = split_paths(list);
        paths.insert(paths.end(), parts.begin(), parts.end());
    }
    if (parsed.has("dump-version") && !parse_count(parsed.text("dump-version"))) {
        return usage_error(kUsageLine, "-v is a number, not '" + parsed.text("dump-version") + "'");
    }
    if (paths.empty()) {
        return usage_error(kUsageLine, "-d with a dump file or folder was expected");
    }
    DecodeOptions decoding;
    if (const auto message = read_limit_option(parsed, decoding.limits)) {
        return usage_error(kUsageLine, *message);
    }
    const ConversionPlan plan = plan_conversion(paths, decoding.limits);
    for (const Error& failure : plan.failures) {
        say(to_string(failure));
    }
    if (plan.conversions.empty()) {
        say(
            fmt::format("no overflow dump was found ({} other files): names like "
                        "Opdebug.Node_OpDebug.57.563.1597922031178434 were expected",
                        plan.other_files));
        return kUsage;
    }
    const fs::path out = parsed.has("out") ? parsed.text("out") : ".";
    InputFiles inputs;
    for (const PlacedResult& planned : plan.conversions) {
        inputs.add(planned.file);
    }
    Tally tally;
    for (const PlacedResult& planned : plan.conversions) {
        if (const auto error = convert(planned, out, decoding, inputs, tally)) {
            say(to_string(*error));
        }
    }
    tally.failed = plan.conversions.size() - tally.converted;
    return summarize(tally, plan);
}

}  // namespace opdebug::tool
