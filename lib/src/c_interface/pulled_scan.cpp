#include "c_interface/pulled_scan.hpp"

#include <utility>

#include "report/scan/scan_contents.hpp"
#include "report/scan/scan_json.hpp"

namespace opdebug::c_interface {
namespace {

/// So many decoded dumps wait for the caller: enough that threads do not stand still while it works on one, and little
/// memory.
constexpr std::size_t kMostReady = 64;

Error not_ended() {
    return {ErrorCode::invalid_argument,
            "the scan has not ended: take its documents until opdebug_scan_next() returns NULL",
            {},
            {}};
}

}  // namespace

PulledScan::PulledScan(DumpTree tree, ScanOptions options, ScanReportOptions report)
    : tree_(std::move(tree)),
      report_options_(report),
      options_(std::move(options)),
      report_(stopped_with_this(std::move(report))) {
    options_.stop = [this] { return stopping(); };
    options_.progress = nullptr;
    thread_ = std::thread([this] { run(); });
}

PulledScan::~PulledScan() {
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        stopping_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

bool PulledScan::stopping() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return stopping_;
}

/// Traces may take seconds to read.
ScanReportOptions PulledScan::stopped_with_this(ScanReportOptions report) {
    report.ties.stop = [this] { return stopping(); };
    return report;
}

void PulledScan::add(ScannedDump&& dump) {
    report_.add(dump);
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return stopping_ || ready_.size() < kMostReady; });
    if (!stopping_) {
        ready_.push_back(std::move(dump));
        changed_.notify_all();
    }
}

void PulledScan::run() {
    std::exception_ptr failure;
    try {
        const Scan scanned = scan(tree_, options_, [this](ScannedDump&& dump) { add(std::move(dump)); });
        if (!stopping()) {
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

bool PulledScan::wait(std::chrono::milliseconds time) {
    std::unique_lock<std::mutex> lock(mutex_);
    return changed_.wait_for(lock, time, [this] { return finished_ || !ready_.empty(); });
}

std::optional<std::string> PulledScan::next() {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return finished_ || !ready_.empty(); });
    if (ready_.empty()) {
        if (failure_) {
            std::rethrow_exception(failure_);
        }
        end_told_ = true;
        return std::nullopt;
    }
    // The front stays where it is while the thread adds at the back. Written before it is taken: without memory for
    // the document the dump is not lost.
    const ScannedDump& front = ready_.front();
    lock.unlock();
    std::string document = report::document_of(front, report_options_.report);
    lock.lock();
    ready_.pop_front();
    changed_.notify_all();
    return document;
}

Result<std::string> PulledScan::report() {
    if (!end_told_) {
        return not_ended();
    }
    if (report_error_) {
        return *report_error_;
    }
    std::string text;
    const std::optional<Error> error = report_.write_json([&text](std::string_view piece) {
        text += piece;
        return true;
    });
    return error ? Result<std::string>(*error) : Result<std::string>(std::move(text));
}

Result<std::string> PulledScan::summary() {
    return end_told_ ? report::summary_line(report_.contents()) : not_ended();
}

}  // namespace opdebug::c_interface
