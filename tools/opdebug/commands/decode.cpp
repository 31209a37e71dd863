// opdebug decode: prints the documents of dumps.
#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include <opdebug/dump.hpp>
#include <opdebug/locate.hpp>
#include <opdebug/report.hpp>
#include <opdebug/tensor.hpp>

#include "command_line/command_line.hpp"
#include "command_line/options.hpp"
#include "commands/commands.hpp"
#include "commands/path_kinds.hpp"
#include "output/messages.hpp"
#include "output/output.hpp"
#include "system/system.hpp"

namespace opdebug::tool {
namespace {

constexpr const char* kDecodeUsage = "opdebug decode FILE... [--logs PATH]... [options]";

enum class DecodeForm { json, jsonl, text };

struct DecodeSettings {
    std::vector<std::string> files;
    LogSettings logs;
    std::optional<std::string> output;
    DecodeForm form = DecodeForm::json;
    ReportOptions report;
    LocateOptions locate;                        ///< its limits apply to all inputs
    std::optional<Result<Dump>> standard_input;  ///< if it was read early
};

/// Reads the settings. Returns a message for wrong usage.
std::optional<std::string> read_settings(const ParsedArguments& arguments, DecodeSettings& settings) {
    settings.files = arguments.positionals;
    if (settings.files.empty()) {
        return sentence("decode.expected");
    }
    settings.output = output_path(arguments);
    settings.form = arguments.form == "text"                                 ? DecodeForm::text
                    : arguments.form == "jsonl" || settings.files.size() > 1 ? DecodeForm::jsonl
                                                                             : DecodeForm::json;
    settings.report.one_line = settings.form == DecodeForm::jsonl;
    settings.report.tensors = arguments.has("tensors");
    settings.report.verbose = arguments.has("verbose");
    settings.locate.folders = std::make_shared<OpDumpFolders>();  // read each folder once for all its dumps
    read_report_options(arguments, settings.report);
    if (auto message = read_limit_option(arguments, settings.locate.limits)) {
        return message;
    }
    settings.logs.reading.limits = settings.locate.limits;
    if (auto message = read_log_settings(arguments, settings.logs)) {
        return message;
    }
    settings.report.utc_offset_minutes = local_time_of(settings.logs.utc_offset_minutes);
    return std::nullopt;
}

/// Counts results of the inputs, for the exit status.
struct DecodeTally {
    std::size_t handled = 0;
    std::size_t damaged = 0;
    std::size_t absent = 0;
    bool interrupted = false;  ///< inside a document or standard input

    int exit_status() const {
        if (handled + damaged == 0) {
            return kUsage;
        }
        return damaged + absent == 0 ? kEverythingHandled : kSomethingDamaged;
    }
};

std::string dump_document(const Dump& dump, DecodeSettings& settings, DecodeTally& tally) {
    settings.locate.use_op_dumps = dump.file != kStandardInput;
    settings.locate.host_utc_offset_minutes = system_utc_offset_minutes(dump.timestamp_us);
    const Location location = locate(dump, settings.locate);
    const bool measures = settings.report.tensors && dump.overflow().value_or(false);
    const TensorEvidence evidence =
        measures ? measure_operator(location, interrupted, settings.locate.limits) : TensorEvidence();
    ++(dump.complete() && evidence.complete() ? tally.handled : tally.damaged);
    tally.interrupted = tally.interrupted || evidence.interrupted;
    say_errors(evidence.diagnostics, dump.file);
    return settings.form == DecodeForm::text ? record_to_text(dump, location, evidence, settings.report)
                                             : record_to_json(dump, location, evidence, settings.report) + "\n";
}

/// Standard input can be read only once, so it is kept if it was read for the logs.
Result<Dump> decode_input(const std::string& file, DecodeSettings& settings) {
    DecodeOptions options;
    options.limits = settings.locate.limits;
    if (file != kStandardInput) {
        return decode_file(file, options);
    }
    if (settings.standard_input) {
        Result<Dump> dump = std::move(*settings.standard_input);
        settings.standard_input.reset();
        return dump;
    }
    return decode_standard_input(options.limits);
}

/// The tasks that are needed from the logs. Dumps are decoded again later: decoding is fast, and keeping many of them
/// needs much memory. Faults are reported then.
WantedTasks wanted_tasks(DecodeSettings& settings) {
    WantedTasks wanted;
    for (const std::string& file : settings.files) {
        if (file == kStandardInput && settings.standard_input) {
            continue;
        }
        Result<Dump> dump = decode_input(file, settings);
        if (dump) {
            add_wanted(*dump, wanted);
        }
        if (file == kStandardInput) {
            settings.standard_input = std::move(dump);
        }
    }
    return wanted;
}

/// The document of one input; empty for a path without a file, and for text of an input that is no dump.
std::optional<std::string> handle(const std::string& file, DecodeSettings& settings, DecodeTally& tally) {
    const Result<Dump> dump = decode_input(file, settings);
    if (dump) {
        say_errors(dump->diagnostics, file);
        return dump_document(*dump, settings, tally);
    }
    if (dump.error().code == ErrorCode::interrupted) {
        tally.interrupted = true;
        return std::nullopt;
    }
    const bool is_folder = dump.error().code == ErrorCode::is_directory;
    const std::string failure = sentence(dump.error());
    say(other_command_for(file, "decode")
            .value_or(is_folder ? sentence("decode.folder", {{"failure", failure}}) : failure));
    if (dump.error().code == ErrorCode::file_not_found || is_folder) {
        ++tally.absent;
        return std::nullopt;
    }
    ++tally.damaged;
    if (settings.form == DecodeForm::text) {  // the message is enough
        return std::nullopt;
    }
    return failure_to_json(dump.error(), settings.report) + "\n";
}

/// Reports the interrupt. The file of -o is not written, because it would silently miss documents.
int say_stopped(std::size_t done, const DecodeSettings& settings) {
    const std::string lost = settings.output ? sentence("output.not_written", {{"file", *settings.output}}) : "";
    say(sentence("decode.stopped", {{"done", done}, {"count", settings.files.size()}, {"lost", lost}}));
    return interrupted_status();
}

}  // namespace

CommandLine decode_command_line() {
    CommandLine line;
    line.usage = kDecodeUsage;
    line.summary =
        "Decodes overflow dumps: what happened, in which operator of which model.\n"
        "One file gives one JSON document, several files give one line each. FILE '-' reads a dump from standard "
        "input.";
    line.positionals = {repeated(file_value("FILE"))};
    line.options = {form_option({"text", "json", "jsonl"}),
                    {"tensors", {}, kTensorsHelp},
                    {"verbose,v", {}, "text with all details, whole lines and paths"}};
    add_log_options(line);
    line.options.push_back(limit_option());
    add_report_options(line);
    line.examples = {
        {"opdebug decode --logs ~/ascend/log DUMP", "one dump: cause, operator, model and evidence"},
        {"opdebug decode --tensors DUMP -o record.json", "the record document with statistics of the tensors"}};
    return line;
}

int decode_command(const std::vector<std::string>& arguments) {
    catch_interrupts();
    const ParsedArguments parsed = parse_arguments(decode_command_line(), arguments);
    if (parsed.exit_status) {
        return *parsed.exit_status;
    }
    DecodeSettings settings;
    if (const auto message = read_settings(parsed, settings)) {
        return usage_error(kDecodeUsage, *message);
    }
    ProgressLine progress(false);
    // Without logs, dumps need not be decoded early.
    WantedTasks wanted = settings.logs.paths.empty() ? WantedTasks() : wanted_tasks(settings);
    const bool logs_usable = use_logs(settings.logs, std::move(wanted), settings.locate, progress).whole;
    Output output(settings.output);
    DecodeTally tally;
    std::size_t done = 0;
    bool has_written = false;
    for (const std::string& file : settings.files) {
        if (interrupted()) {
            return say_stopped(done, settings);
        }
        const std::optional<std::string> document = handle(file, settings, tally);
        if (tally.interrupted) {
            return say_stopped(done, settings);
        }
        ++done;
        const bool separate = settings.form == DecodeForm::text && has_written;
        has_written = has_written || document;
        if (document && !output.write((separate ? "\n" : "") + *document)) {
            break;  // closed pipe or full disk: finish() reports it
        }
    }
    if (has_written) {
        if (const auto error = output.finish()) {
            return say_not_written(*error);
        }
        if (!settings.locate.task_map && settings.form == DecodeForm::text) {
            say_found_logs(settings.files);
        }
    }
    return logs_usable ? tally.exit_status() : std::max(tally.exit_status(), kSomethingDamaged);
}

}  // namespace opdebug::tool
