// opdebug convert: the official converter's JSON beside each other, one file per output of a dump.
#include <filesystem>

#include <fmt/format.h>

#include <opdebug/dump.hpp>
#include <opdebug/report.hpp>

#include "arguments.hpp"
#include "commands.hpp"
#include "conversion_plan.hpp"
#include "exit_status.hpp"
#include "output.hpp"

namespace opdebug::tool {
namespace {

namespace fs = std::filesystem;

constexpr const char* kUsageLine = "opdebug convert -d PATH[,PATH...] [-out DIR]";

CommandLine command_line() {
    CommandLine line;
    line.usage = kUsageLine;
    line.summary =
        "Writes DIR/<dump name>.output.<index>.json for each overflow dump, with the text that 'msaccucmp convert' "
        "writes.\n"
        "A folder is read with everything below it; its tree is mirrored below DIR. Operator dumps are left alone.";
    line.single_dash_long = true;
    line.visible.add_options()  //
        ("dump-path,d", options::value<std::vector<std::string>>()->value_name("PATH"),
         "dump file or folder; several joined by commas")  //
        ("out", options::value<std::string>()->value_name("DIR"),
         "folder for the results (default: the current one); made when missing")  //
        ("dump-version,v", options::value<int>()->value_name("N"),
         "accepted as the official converter does; the content decides")  //
        ("help,h", "show this help");
    return line;
}

std::optional<Error> make_folder(const fs::path& folder) {
    std::error_code code;
    fs::create_directories(folder, code);
    if (code && !fs::is_directory(folder)) {
        return Error{ErrorCode::write_failed, "cannot make the folder: " + code.message(), folder.string(),
                     std::nullopt};
    }
    return std::nullopt;
}

/// Converts one dump; what went wrong, if anything.
std::optional<Error> convert(const PlannedConversion& planned, const fs::path& out) {
    const Result<Dump> dump = decode_file(planned.file);
    if (!dump) {
        return dump.error();
    }
    const Result<std::vector<ConvertedOutput>> outputs = dump_to_converter_json(*dump);
    if (!outputs) {
        return outputs.error();
    }
    const fs::path folder = out / planned.result_folder;
    if (auto error = make_folder(folder)) {
        return error;
    }
    for (const ConvertedOutput& output : *outputs) {
        const std::string name =
            fmt::format("{}.output.{}.json", fs::path(planned.file).filename().string(), output.output_index);
        if (auto error = write_file((folder / name).string(), output.json)) {
            return error;
        }
    }
    return std::nullopt;
}

int summarize(std::size_t converted, std::size_t failed, const ConversionPlan& plan) {
    std::string text = fmt::format("{} overflow dumps converted", converted);
    if (failed != 0) {
        text += fmt::format(", {} failed", failed);
    }
    if (plan.other_files != 0) {
        text += fmt::format(", {} other files left alone", plan.other_files);
    }
    say(text);
    return failed == 0 && plan.failures.empty() ? kEverythingHandled : kSomethingDamaged;
}

}  // namespace

int convert_command(const std::vector<std::string>& arguments) {
    const ParsedArguments parsed = parse_arguments(command_line(), arguments);
    if (parsed.exit_status) {
        return *parsed.exit_status;
    }
    std::vector<std::string> paths;
    for (const std::string& list : parsed.texts("dump-path")) {
        const std::vector<std::string> parts = split_paths(list);
        paths.insert(paths.end(), parts.begin(), parts.end());
    }
    if (paths.empty()) {
        return usage_error(kUsageLine, "-d with a dump file or folder was expected");
    }
    const ConversionPlan plan = plan_conversion(paths);
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
    std::size_t failed = 0;
    for (const PlannedConversion& planned : plan.conversions) {
        if (const auto error = convert(planned, out)) {
            say(to_string(*error));
            ++failed;
        }
    }
    return summarize(plan.conversions.size() - failed, failed, plan);
}

}  // namespace opdebug::tool
