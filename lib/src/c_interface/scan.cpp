// Paths of dumps and folders → the dumps below them, or the report of a scan.
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <opdebug/opdebug.h>
#include <opdebug/report.hpp>
#include <opdebug/scan.hpp>

#include "c_interface/calls.hpp"
#include "report/json/json_parts.hpp"
#include "scan/dump_tree.hpp"

struct opdebug_files {
    std::vector<std::string> paths;
    std::vector<opdebug::Error> failures;
    std::vector<opdebug::Diagnostic> diagnostics;
};

namespace opdebug::c_interface {
namespace {

Result<opdebug_files*> find_files(const char* const* paths, std::size_t count, const opdebug_options* caller_options,
                                  Stop& stop) {
    const Options& options = options_of(caller_options);
    const Result<std::vector<std::string>> all = paths_of(paths, count);
    if (!all) {
        return all.error();
    }
    ScanOptions scan_options;
    scan_options.decode.limits = options.limits;
    scan_options.stop = std::ref(stop);
    const Result<DumpTree> tree = find_dump_tree(*all, scan_options);
    if (!tree) {
        return tree.error();
    }
    if (stop.gave_up()) {
        return interrupted_while("folders were read");
    }
    const tree::Walk& found = tree->contents().found;
    return new opdebug_files{files_of(*tree), found.failures, found.diagnostics};
}

ScanOptions scan_options_of(const Decoding& given, const opdebug_logs* logs, Stop& stop) {
    ScanOptions scan;
    scan.decode = given.decode;
    scan.locate = locate_of(given.options, logs);
    scan.tensors = given.options.tensors;
    scan.threads = given.options.threads;
    scan.diagnostics = logs == nullptr ? std::vector<Diagnostic>() : remarks_on(logs->read);
    if (given.options.system_time_zone) {
        scan.host_utc_offset_minutes = system_utc_offset_minutes;
    }
    scan.stop = std::ref(stop);
    scan.progress = [&stop](const ScanProgress&) { stop(); };  // in this thread, also where only others decode
    return scan;
}

ScanReportOptions report_options_of(const Options& options, Stop& stop) {
    ScanReportOptions report;
    report.report = report_of(options);
    report.report.one_line = false;  // as in the program's file; its documents are on one line all the same
    report.all = options.all;
    report.first = options.first;
    report.ties.traces = options.traces;
    report.ties.limits = options.limits;
    report.ties.stop = std::ref(stop);
    report.temporary_folder = options.temporary_folder;
    return report;
}

Result<std::string> scanned(const char* const* paths, std::size_t count, const opdebug_logs* logs,
                            const opdebug_options* caller_options, Stop& stop) {
    const Result<std::vector<std::string>> all = paths_of(paths, count);
    if (!all) {
        return all.error();
    }
    const Result<Decoding> given = decoding_of(caller_options);
    if (!given) {
        return given.error();
    }
    ScanOptions scan = scan_options_of(*given, logs, stop);
    const Result<DumpTree> tree = find_dump_tree(*all, scan);
    if (!tree) {
        return tree.error();
    }
    if (scan.locate.task_map) {  // as the program does: all dumps together show the time zone and the clocks
        Result<WantedTasks> wanted = wanted_tasks(*tree, scan);
        if (wanted) {
            scan.locate.clocks = estimate_clocks(std::move(wanted->dumps), scan.locate, scan.host_utc_offset_minutes);
        }
    }
    ScanReport report(report_options_of(given->options, stop));
    std::optional<Error> error = report.finish(report.add_all(*tree, scan));
    std::string text;
    error = error ? error : report.write_json([&](std::string_view piece) {
        text += piece;
        return !stop();
    });
    if (stop.gave_up()) {
        return interrupted_while("dumps were scanned");
    }
    return error ? Result<std::string>(*std::move(error)) : Result<std::string>(std::move(text));
}

}  // namespace
}  // namespace opdebug::c_interface

using namespace opdebug::c_interface;

opdebug_files* opdebug_find_dumps(const char* const* paths, size_t count, const opdebug_options* options,
                                  opdebug_stop* stop, void* stop_data, opdebug_error** error) {
    return guarded<opdebug_files>(error, [&] {
        Stop stopped(stop, stop_data);
        return find_files(paths, count, options, stopped);
    });
}

const char* opdebug_files_path(const opdebug_files* files, size_t index) {
    return files == nullptr || index >= files->paths.size() ? nullptr : files->paths[index].c_str();
}

char* opdebug_files_to_json(const opdebug_files* files, opdebug_error** error) {
    return guarded_text(error, [&]() -> opdebug::Result<std::string> {
        if (files == nullptr) {
            return null_argument("files");
        }
        opdebug::ReportOptions one_line;
        one_line.one_line = true;
        return opdebug::report::files_to_json(files->paths, files->failures, files->diagnostics, one_line);
    });
}

void opdebug_files_free(opdebug_files* files) {
    delete files;
}

char* opdebug_scan(const char* const* paths, size_t count, const opdebug_logs* logs, const opdebug_options* options,
                   opdebug_stop* stop, void* stop_data, opdebug_error** error) {
    return guarded_text(error, [&] {
        Stop stopped(stop, stop_data);
        return scanned(paths, count, logs, options, stopped);
    });
}
