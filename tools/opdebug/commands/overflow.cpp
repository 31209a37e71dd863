// opdebug overflow: the summary of msaccucmp overflow.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <opdebug/report.hpp>
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

namespace fs = std::filesystem;

struct OverflowSettings {
    const ParsedArguments& arguments;
    ReportOptions report;
    Limits limits;

    std::vector<std::string> paths() const { return arguments.texts("dump-path"); }
    const std::string& folder() const { return arguments.text("out"); }
};

OverflowSettings read_overflow_settings(const ParsedArguments& arguments) {
    if (!arguments.has("dump-path")) {
        throw UsageError(sentence("overflow.expected"));
    }
    if (!arguments.has("out")) {
        throw UsageError(sentence("overflow.out_expected"));
    }
    return {arguments, read_report_options(arguments), read_limits(arguments)};
}

/// The result of the scan, and whether any fault occurred.
struct OverflowSearch {
    Scan scan;
    std::vector<ScannedDump> first;
    bool damaged = false;
};

/// Reports damage of a dump. Returns whether there is any.
bool print_faults(const ScannedDump& dump) {
    if (dump.failure) {
        print_message(*dump.failure);
        return true;
    }
    if (dump.dump) {
        print_errors(dump.dump->diagnostics, dump.file);
    }
    return dump.dump && has_errors(dump.dump->diagnostics);
}

Result<OverflowSearch> find_first(const OverflowSettings& settings) {
    ProgressLine progress(settings.arguments.has("quiet"));
    ScanOptions options;
    options.locate_overflowed = false;  // only the first ones are needed
    options.api_dumps = false;
    options.decode.limits = settings.limits;
    options.stop = interrupted;
    options.progress = [&progress](const ScanProgress& done) { progress.show(done); };
    FirstOverflows first(settings.arguments.number("top-n").value_or(1));
    OverflowSearch found;
    Result<Scan> scanned = scan(settings.paths(), options, [&](ScannedDump&& dump) {
        if (dump.state == DumpState::failed || (dump.dump && !dump.dump->complete())) {
            progress.clear();
            found.damaged = print_faults(dump) || found.damaged;
        }
        first.add(std::move(dump));
    });
    if (!scanned) {
        return scanned.error();
    }
    progress.clear();
    print_failures(scanned->failures);
    found.damaged = found.damaged || !scanned->failures.empty();
    print_remarks(scanned->diagnostics);
    found.scan = std::move(*scanned);
    found.first = first.take();
    return found;
}

/// Locates the operators without measuring them.
std::vector<SummarizedOverflow> located(std::vector<ScannedDump> dumps, const Limits& limits) {
    LocateOptions options;
    options.limits = limits;
    options.folders = std::make_shared<OpDumpFolders>();  // read each folder once for all its dumps
    std::vector<SummarizedOverflow> overflows;
    overflows.reserve(dumps.size());
    for (ScannedDump& dump : dumps) {
        SummarizedOverflow overflow;
        overflow.number = overflows.size() + 1;
        overflow.location = locate(*dump.dump, options);
        overflow.dump = std::move(*dump.dump);
        overflows.push_back(std::move(overflow));
    }
    return overflows;
}

/// The operator dumps, each once.
std::vector<std::string> op_dump_files(const std::vector<SummarizedOverflow>& overflows) {
    std::set<std::string> files;
    for (const SummarizedOverflow& overflow : overflows) {
        if (overflow.location.op_dump) {
            files.insert(overflow.location.op_dump->file);
        }
    }
    return {files.begin(), files.end()};
}

/// Measures the operator dump and writes its tensors. Returns false on any fault.
bool add_tensors(SummarizedOverflow& overflow, const std::map<std::string, std::string>& folders,
                 const OverflowSettings& settings, const InputFiles& inputs) {
    overflow.evidence = measure_operator(overflow.location, interrupted, settings.limits);
    for (const Diagnostic& remark : overflow.evidence.diagnostics) {
        print_message(remark, overflow.dump.file);
    }
    if (!overflow.evidence.op_dump) {
        return overflow.evidence.complete();
    }
    const OpDump& op_dump = *overflow.evidence.op_dump;
    WrittenTensors written = write_npy_files(op_dump, settings.folder(), folders.at(op_dump.file), inputs);
    print_failures(written.failures);
    overflow.npy_files = std::move(written.names);
    return overflow.evidence.complete() && written.failures.empty();
}

/// The name of a summary, without its suffix, as in msaccucmp: the current second in local time.
std::string summary_name() {
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    if (::localtime_r(&now, &local) == nullptr) {  // year overflows int: a wrong clock must not stop the summary
        return fmt::format("overflow_summary_{}", now);
    }
    return fmt::format("overflow_summary_{:%Y%m%d%H%M%S}", local);
}

/// Writes {stem}.txt, otherwise {stem}_2.txt, and so on: another command may write there in the same second.
Result<std::string> write_new_summary(const std::string& stem, const std::string& text) {
    for (unsigned number = 1;; ++number) {
        const std::string path = number == 1 ? stem + ".txt" : fmt::format("{}_{}.txt", stem, number);
        std::FILE* const reserved = std::fopen(path.c_str(), "wxe");
        if (reserved == nullptr && errno == EEXIST) {
            continue;
        }
        if (reserved == nullptr) {
            return write_error(fmt::format("cannot create the file: {}", std::strerror(errno)), path);
        }
        std::fclose(reserved);
        if (auto error = write_file(path, text)) {
            std::remove(path.c_str());
            return *error;
        }
        return path;
    }
}

int write_summary(std::vector<SummarizedOverflow> overflows, const OverflowSettings& settings, bool damaged) {
    const std::map<std::string, std::string> folders = result_folders(op_dump_files(overflows));
    InputFiles inputs;
    for (const auto& [file, folder] : folders) {
        inputs.add_dump(file);
    }
    for (const SummarizedOverflow& overflow : overflows) {
        if (overflow.location.op_dump) {
            for (const std::string& file : overflow.location.op_dump->tensor_files) {
                inputs.add_dump(file);
            }
        }
    }
    std::string summary;
    Output screen(std::nullopt);
    for (SummarizedOverflow& overflow : overflows) {
        damaged = !add_tensors(overflow, folders, settings, inputs) || damaged;
        if (interrupted()) {
            print_phrase("overflow.stopped", {{"done", overflow.number - 1}, {"count", overflows.size()}});
            return interrupted_status();
        }
        const std::string text = overflow_summary_to_text(overflow, settings.report);
        summary += text;
        screen.write(text);
        overflow = {};  // frees memory after writing
    }
    if (const auto error = screen.finish()) {
        print_message(*error);
        damaged = true;
    }
    const Result<std::string> written =
        write_new_summary((fs::path(settings.folder()) / summary_name()).string(), summary);
    if (written && !settings.arguments.has("quiet")) {
        print_phrase("overflow.written", {{"file", *written}, {"count", overflows.size()}});
    }
    if (!written) {
        print_message(written.error());
        print_phrase("overflow.no_summary");
        damaged = true;
    }
    return damaged ? kSomethingDamaged : kEverythingHandled;
}

}  // namespace

int overflow_command(const ParsedArguments& arguments) {
    catch_interrupts();
    const OverflowSettings settings = read_overflow_settings(arguments);
    Result<OverflowSearch> found = find_first(settings);
    if (!found) {
        print_message(found.error());
        return kUsage;
    }
    const ScanCounts& counts = found->scan.counts;
    if (!found->scan.complete) {
        print_phrase("overflow.stopped_search");  // the first ones of a part may not be the first
        return interrupted_status();
    }
    if (counts.dumps == 0) {
        print_phrase("overflow.none", {{"there", what_is_there(settings.paths())}});
        return found->damaged ? kSomethingDamaged : kUsage;
    }
    if (!settings.arguments.has("quiet")) {
        print_phrase("overflow.counts", {{"dumps", counts.dumps},
                                         {"overflowed", counts.overflowed},
                                         {"clean", counts.clean},
                                         {"failed", counts.failed}});
    }
    if (found->first.empty()) {
        return found->damaged ? kSomethingDamaged : kEverythingHandled;
    }
    if (const auto error = make_folder(settings.folder())) {
        print_message(*error);
        return kSomethingDamaged;
    }
    return write_summary(located(std::move(found->first), settings.limits), settings, found->damaged);
}

}  // namespace opdebug::tool
