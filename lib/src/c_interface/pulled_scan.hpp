// A scan that the caller takes dump by dump, while the next ones are decoded.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include <opdebug/scan.hpp>
#include <opdebug/scan_report.hpp>

namespace opdebug::c_interface {

/// One thread of its own runs scan() and is kept waiting by whoever takes slowly, so that memory does not grow with the
/// tree. For one caller at a time. Its end stops the scan.
class PulledScan {
public:
    /// Throws std::system_error when no thread can be started.
    PulledScan(DumpTree tree, ScanOptions options, ScanReportOptions report);
    ~PulledScan();
    PulledScan(const PulledScan&) = delete;
    PulledScan& operator=(const PulledScan&) = delete;

    /// Whether next() would return at once, after at most that time.
    bool wait(std::chrono::milliseconds time);

    /// The next dump's record document; nothing at the end. Throws what ended the scan.
    std::optional<std::string> next();

    /// Nothing before next() told the end: invalid_argument. Errors: those of ScanReport.
    Result<std::string> report();

    /// The last of the report's JSON lines, with the same rule. It needs no temporary file.
    Result<std::string> summary();

private:
    void run();
    void add(ScannedDump&& dump);
    bool stopping();
    ScanReportOptions stopped_with_this(ScanReportOptions report);

    const DumpTree tree_;
    const ScanReportOptions report_options_;
    ScanOptions options_;
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
