// A tree of dumps → one record document after the other, and the report.
#include <chrono>
#include <functional>
#include <utility>
#include <vector>

#include <opdebug/opdebug.h>

#include "c_interface/decoding.hpp"
#include "c_interface/error.hpp"
#include "c_interface/logs.hpp"
#include "c_interface/options.hpp"
#include "c_interface/pulled_scan.hpp"
#include "c_interface/stop.hpp"

struct opdebug_scan {
    opdebug::c_interface::PulledScan pulled;
};

namespace opdebug::c_interface {
namespace {

Result<opdebug_scan*> start(const char* const* paths, std::size_t count, const opdebug_logs* logs,
                            const char* options_text, Stop& stop) {
    const Result<std::vector<std::string>> all = paths_of(paths, count);
    if (!all) {
        return all.error();
    }
    const Result<Decoding> given = read_decoding(options_text, scanning);
    if (!given) {
        return given.error();
    }
    const Options& options = given->options;
    ScanOptions scan;
    scan.decode = given->decode;
    scan.locate = locate_of(options, logs);
    scan.tensors = options.tensors;
    scan.threads = options.threads;
    scan.diagnostics = logs == nullptr ? std::vector<Diagnostic>() : remarks_on(logs->read);
    if (options.system_time_zone) {
        scan.host_utc_offset_minutes = system_utc_offset_minutes;
    }
    scan.stop = std::ref(stop);
    Result<DumpTree> tree = find_dump_tree(*all, scan);
    if (!tree) {
        return tree.error();
    }
    if (stop.gave_up()) {
        return interrupted_while("folders were read");
    }
    ScanReportOptions report;
    report.report = report_of(options);
    report.report.one_line = false;  // as in the program's file; its documents are on one line all the same
    report.all = options.all;
    report.first = options.first;
    report.ties.traces = options.traces;
    report.ties.limits = options.limits;
    report.keep_rows = false;
    report.temporary_folder = options.temporary_folder;
    report.threads = scan.threads;
    scan.stop = nullptr;
    return new opdebug_scan{{std::move(tree).value(), std::move(scan), std::move(report)}};
}

}  // namespace
}  // namespace opdebug::c_interface

using namespace opdebug::c_interface;

opdebug_scan* opdebug_scan_start(const char* const* paths, size_t count, const opdebug_logs* logs, const char* options,
                                 opdebug_stop* stop, void* stop_data, opdebug_error** error) {
    return guarded<opdebug_scan>(error, [&] {
        Stop asked(stop, stop_data);
        return start(paths, count, logs, options, asked);
    });
}

int opdebug_scan_wait(opdebug_scan* scan, unsigned milliseconds) {
    return scan == nullptr || scan->pulled.wait(std::chrono::milliseconds(milliseconds)) ? 1 : 0;
}

char* opdebug_scan_next(opdebug_scan* scan, opdebug_error** error) {
    return guarded<char>(error, [&]() -> opdebug::Result<char*> {
        if (scan == nullptr) {
            return null_argument("scan");
        }
        const std::optional<std::string> document = scan->pulled.next();
        return document ? new_text(*document) : nullptr;
    });
}

char* opdebug_scan_report(opdebug_scan* scan, opdebug_error** error) {
    return guarded_text(error, [&]() -> opdebug::Result<std::string> {
        return scan == nullptr ? null_argument("scan") : scan->pulled.report();
    });
}

char* opdebug_scan_summary(opdebug_scan* scan, opdebug_error** error) {
    return guarded_text(error, [&]() -> opdebug::Result<std::string> {
        return scan == nullptr ? null_argument("scan") : scan->pulled.summary();
    });
}

void opdebug_scan_free(opdebug_scan* scan) {
    delete scan;
}
