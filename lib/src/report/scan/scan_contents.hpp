// Inside of a scan report: dumps in report order, what they show together, documents of the single dumps.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <opdebug/report.hpp>
#include <opdebug/scan.hpp>

#include "report/entries/document_store.hpp"
#include "report/entries/scan_entry.hpp"
#include "report/json/json_overview.hpp"
#include "report/json/json_writer.hpp"
#include "report/parts/part_lines.hpp"
#include "report/scan/scan_api.hpp"
#include "report/scan/scan_training.hpp"

namespace opdebug::report {

/// Of documents in one line. Thread-safe.
class JsonWriterPool {
public:
    /// One that has written nothing.
    std::unique_ptr<JsonWriter> take() {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (free_.empty()) {
            free_.reserve(++made_);  // so that giving back needs no memory
            return std::make_unique<JsonWriter>(JsonWriter::Indent());
        }
        std::unique_ptr<JsonWriter> writer = std::move(free_.back());
        free_.pop_back();
        return writer;
    }

    void give_back(std::unique_ptr<JsonWriter> writer) noexcept {
        constexpr std::size_t kMostKept = std::size_t{256} << 10U;
        const std::lock_guard<std::mutex> lock(mutex_);
        if (writer->text().size() > kMostKept) {
            --made_;
            return;
        }
        writer->clear();
        free_.push_back(std::move(writer));
    }

private:
    std::mutex mutex_;
    std::vector<std::unique_ptr<JsonWriter>> free_;
    std::size_t made_ = 0;
};

/// The overview itself, or the text that JSON lines have of it.
enum class OverviewForm { whole, lines };

/// Groups of many dumps take as long as writing all their documents. JSON lines have them after the dumps, and CSV not
/// at all. Thread-safe, except set().
class LateOverview {
public:
    /// Of a merged report, whose dumps are not in memory.
    void set(ScanOverview found) { found_ = std::move(found); }

    /// `entries`: all dumps in report order, the same each time.
    const ScanOverview& of(const ScanEntries& entries) const;

    /// The same as text; null where the overview itself was found before.
    const OverviewLines* lines_of(const ScanEntries& entries) const;

private:
    friend class BegunOverview;
    void find(const ScanEntries& entries, OverviewForm form, const std::atomic<bool>& is_unwanted) const;

    mutable std::mutex mutex_;
    mutable std::optional<ScanOverview> found_;
    mutable std::optional<OverviewLines> lines_;
};

/// Computes the overview in a thread of its own while a writer writes what precedes it; LateOverview waits for the end.
/// `threads` as in ScanOptions. With 1, or without a new thread, the overview is computed at once, so that a lack of
/// memory shows before anything is written. The destructor ends the thread, which gives up then. The overview and the
/// entries must outlive it.
class BegunOverview {
public:
    BegunOverview(const LateOverview& overview, const ScanEntries& entries, unsigned threads, OverviewForm form);
    ~BegunOverview() { is_unwanted_ = true; }  // its last member waits for the thread
    BegunOverview(const BegunOverview&) = delete;
    BegunOverview& operator=(const BegunOverview&) = delete;

private:
    std::atomic<bool> is_unwanted_ = false;
    std::future<void> thread_;
};

/// The record document of a dump in one line, of one that could not be decoded too.
std::string document_of(const ScannedDump& scanned, const ReportOptions& options);

/// The entries of the timeline in order. `entries`: all dumps in report order; they must outlive the timeline.
std::vector<const ScanEntry*> timeline_of(const ScanEntries& entries, const ScanReportOptions& options);

/// Hands out every dump of a finished report. Error: read_failed.
std::optional<Error> each_dump(const ScanReport::Contents& contents, const UseDump& use);

/// The first overflow in words of a language; empty if there is none.
using FirstText = std::function<FirstWords(Language)>;

}  // namespace opdebug::report

struct opdebug::ScanReport::Contents {
    explicit Contents(ScanReportOptions given) : options(std::move(given)), documents(options.temporary_folder) {}

    ScanReportOptions options;
    Scan scan;
    report::ScanEntries entries;                         ///< all dumps, in report order once finished
    std::shared_ptr<const report::DumpsInOrder> merged;  ///< of a merged report instead of the entries
    report::LateOverview late_overview;
    const ScanOverview& overview() const { return late_overview.of(entries); }
    OverflowChains chains;             ///< with options.report.tensors
    std::optional<ScannedDump> first;  ///< the first overflow, whole: text shows it with its evidence
    ScanItem first_item;
    report::FirstText first_text;          ///< of a merged report instead of `first`
    std::vector<report::PartFacts> parts;  ///< what a partial report is made of
    std::optional<report::ScanApi> api;    ///< nothing: no part saw an API dump
    std::optional<report::ScanTraining> training;
    report::DocumentStore documents;
    report::JsonWriterPool writers;  ///< of documents
    std::optional<Error> lost;       ///< the first error of the store: documents are missing
};
