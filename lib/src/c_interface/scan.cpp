// A tree of dumps → one record document after the other, and the report. The caller takes dump by dump while the next
// ones are decoded.
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <opdebug/opdebug.h>
#include <opdebug/report.hpp>
#include <opdebug/scan.hpp>

#include "c_interface/calls.hpp"
#include "report/scan/scan_contents.hpp"
#include "report/scan/scan_json.hpp"

namespace opdebug::c_interface {

/// The most decoded dumps that wait for the caller: threads do not wait while it works on one, and memory stays small.
constexpr std::size_t kMostReady = 64;

/// One thread of its own runs scan() and is kept waiting by whoever takes slowly, so that memory does not grow with the
/// tree. For one caller at a time. Its end stops the scan.
class PulledScan {
public:
    /// Throws std::system_error when no thread can be started.
    PulledScan(DumpTree tree, ScanOptions options, ScanReportOptions report)
        : tree_(std::move(tree)), options_(std::move(options)), report_options_(std::move(report)) {
        const auto is_stopping = [this] {
            const std::lock_guard<std::mutex> lock(mutex_);
            return stopping_;
        };
        options_.stop = is_stopping;
        options_.progress = nullptr;
        report_options_.ties.stop = is_stopping;  // traces may take seconds to read
        report_ = ScanReport(report_options_);
        thread_ = std::thread([this] { run(); });
    }
    ~PulledScan() {
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            stopping_ = true;
        }
        changed_.notify_all();
        thread_.join();
    }
    PulledScan(const PulledScan&) = delete;
    PulledScan& operator=(const PulledScan&) = delete;

    /// Whether next() would return at once, after at most that time.
    bool wait(std::chrono::milliseconds time) {
        std::unique_lock<std::mutex> lock(mutex_);
        return changed_.wait_for(lock, time, [this] { return finished_ || !ready_.empty(); });
    }

    /// The next dump's record document; nothing at the end. Throws what ended the scan.
    std::optional<std::string> next() {
        std::unique_lock<std::mutex> lock(mutex_);
        changed_.wait(lock, [this] { return finished_ || !ready_.empty(); });
        if (ready_.empty()) {
            if (failure_) {
                std::rethrow_exception(failure_);
            }
            end_told_ = true;
            return std::nullopt;
        }
        // The front stays where it is while the thread adds at the back. Written before it is used: without memory for
        // the document the dump is not lost.
        const ScannedDump& front = ready_.front();
        lock.unlock();
        std::string document = report::document_of(front, report_options_.report);
        lock.lock();
        ready_.pop_front();
        changed_.notify_all();
        return document;
    }

    /// Nothing before next() reported the end: invalid_argument. Errors: those of ScanReport.
    Result<std::string> report() {
        if (!end_told_ || report_error_) {
            return end_told_ ? *report_error_ : not_ended();
        }
        std::string text;
        const std::optional<Error> error = report_.write_json([&text](std::string_view piece) {
            text += piece;
            return true;
        });
        return error ? Result<std::string>(*error) : Result<std::string>(std::move(text));
    }

    /// The last of the report's JSON lines, with the same rule. It needs no temporary file.
    Result<std::string> summary() { return end_told_ ? report::summary_line(report_.contents()) : not_ended(); }

private:
    static Error not_ended() {
        return {ErrorCode::invalid_argument,
                "the scan has not ended: take its documents until opdebug_scan_next() returns NULL",
                {},
                {}};
    }

    void run() {
        std::exception_ptr failure;
        try {
            const Scan scanned = scan(tree_, options_, [this](ScannedDump&& dump) { add(std::move(dump)); });
            if (!options_.stop()) {
                report_error_ = report_.finish(scanned);
            }
        } catch (...) {
            failure = std::current_exception();
        }
        const std::lock_guard<std::mutex> lock(mutex_);
        failure_ = failure;
        finished_ = true;
        changed_.notify_all();
    }

    void add(ScannedDump&& dump) {
        report_.add(dump);
        std::unique_lock<std::mutex> lock(mutex_);
        changed_.wait(lock, [this] { return stopping_ || ready_.size() < kMostReady; });
        if (!stopping_) {
            ready_.push_back(std::move(dump));
            changed_.notify_all();
        }
    }

    const DumpTree tree_;
    ScanOptions options_;
    ScanReportOptions report_options_;
    ScanReport report_;                  ///< of the thread until finished_
    std::optional<Error> report_error_;  ///< likewise
    bool end_told_ = false;              ///< of the caller

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<ScannedDump> ready_;
    bool stopping_ = false;
    bool finished_ = false;
    std::exception_ptr failure_;

    std::thread thread_;  ///< the last member: it uses the others
};

}  // namespace opdebug::c_interface

struct opdebug_scan {
    opdebug::c_interface::PulledScan pulled;
};

namespace opdebug::c_interface {
namespace {

Result<opdebug_scan*> start(const char* const* paths, std::size_t count, const opdebug_logs* logs,
                            const opdebug_options* caller_options, Stop& stop) {
    const Result<std::vector<std::string>> all = paths_of(paths, count);
    if (!all) {
        return all.error();
    }
    const Result<Decoding> given = decoding_of(caller_options);
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
    scan.stop = nullptr;
    return new opdebug_scan{{std::move(tree).value(), std::move(scan), std::move(report)}};
}

}  // namespace
}  // namespace opdebug::c_interface

using namespace opdebug::c_interface;

opdebug_scan* opdebug_scan_start(const char* const* paths, size_t count, const opdebug_logs* logs,
                                 const opdebug_options* options, opdebug_stop* stop, void* stop_data,
                                 opdebug_error** error) {
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
