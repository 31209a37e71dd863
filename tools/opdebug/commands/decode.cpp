// opdebug decode: prints the documents of dumps.
#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

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

struct DecodeSettings {
    const ParsedArguments& arguments;
    bool as_text = false;
    LogSettings logs = {};
    ReportOptions report = {};
    LocateOptions locate = {};                        ///< its limits apply to all inputs
    std::optional<Result<Dump>> standard_input = {};  ///< if it was read early
};

DecodeSettings read_decode_settings(const ParsedArguments& arguments) {
    DecodeSettings settings{arguments, arguments.form == "text"};
    settings.report = read_report_options(arguments);
    settings.report.one_line = arguments.form == "jsonl" || settings.arguments.positionals.size() > 1;
    settings.report.tensors = arguments.has("tensors");
    settings.locate.folders = std::make_shared<OpDumpFolders>();  // read each folder once for all its dumps
    settings.locate.limits = read_limits(arguments);
    settings.logs = read_log_settings(arguments, settings.locate.limits);
    settings.report.utc_offset_minutes = local_time_of(settings.logs.utc_offset_minutes);
    return settings;
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
    print_errors(evidence.diagnostics, dump.file);
    return settings.as_text ? record_to_text(dump, location, evidence, settings.report)
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
    const Result<std::vector<std::uint8_t>> content = read_standard_input(options.limits);
    if (!content) {
        return content.error();
    }
    options.file = kStandardInput;
    return decode(*content, options);
}

/// The tasks that are needed from the logs. Dumps are decoded again later: decoding is fast, and keeping many of them
/// needs much memory. Faults are reported then.
WantedTasks wanted_tasks(DecodeSettings& settings) {
    WantedTasks wanted;
    for (const std::string& file : settings.arguments.positionals) {
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
        print_errors(dump->diagnostics, file);
        return dump_document(*dump, settings, tally);
    }
    if (dump.error().code == ErrorCode::interrupted) {
        tally.interrupted = true;
        return std::nullopt;
    }
    const bool is_folder = dump.error().code == ErrorCode::is_directory;
    const std::string failure = sentence(dump.error());
    print_message(other_command_for(file, "decode")
                      .value_or(is_folder ? sentence("decode.folder", {{"failure", failure}}) : failure));
    if (dump.error().code == ErrorCode::file_not_found || is_folder) {
        ++tally.absent;
        return std::nullopt;
    }
    ++tally.damaged;
    if (settings.as_text) {  // the message is enough
        return std::nullopt;
    }
    return failure_to_json(dump.error(), settings.report) + "\n";
}

/// Reports the interrupt. The file of -o is not written, because it would silently miss documents.
int print_stopped(std::size_t done, const DecodeSettings& settings) {
    const std::string lost =
        settings.arguments.output ? sentence("output.not_written", {{"file", *settings.arguments.output}}) : "";
    print_phrase("decode.stopped", {{"done", done}, {"count", settings.arguments.positionals.size()}, {"lost", lost}});
    return interrupted_status();
}

}  // namespace

int decode_command(const ParsedArguments& arguments) {
    catch_interrupts();
    DecodeSettings settings = read_decode_settings(arguments);
    ProgressLine progress(false);
    // Without logs, dumps need not be decoded early.
    WantedTasks wanted = settings.logs.paths.empty() ? WantedTasks() : wanted_tasks(settings);
    const bool logs_usable = use_logs(settings.logs, std::move(wanted), settings.locate, progress).whole;
    Output output(settings.arguments.output);
    DecodeTally tally;
    std::size_t done = 0;
    bool has_written = false;
    for (const std::string& file : settings.arguments.positionals) {
        if (interrupted()) {
            return print_stopped(done, settings);
        }
        const std::optional<std::string> document = handle(file, settings, tally);
        if (tally.interrupted) {
            return print_stopped(done, settings);
        }
        ++done;
        const bool separate = settings.as_text && has_written;
        has_written = has_written || document;
        if (document && !output.write((separate ? "\n" : "") + *document)) {
            break;  // closed pipe or full disk: finish() reports it
        }
    }
    if (has_written) {
        if (const auto error = output.finish()) {
            return print_not_written(*error);
        }
        if (!settings.locate.task_map && settings.as_text) {
            suggest_logs(settings.arguments.positionals);
        }
    }
    return logs_usable ? tally.exit_status() : std::max(tally.exit_status(), kSomethingDamaged);
}

}  // namespace opdebug::tool
