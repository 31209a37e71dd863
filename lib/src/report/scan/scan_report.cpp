// Collecting the dumps of a scan for its report.
#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <opdebug/report.hpp>

#include "remarks/diagnose.hpp"
#include "report/json/json_parts.hpp"
#include "report/json/json_writer.hpp"
#include "report/parts/part_lines.hpp"
#include "report/scan/scan_contents.hpp"
#include "scan/dump_batch.hpp"
#include "scan/overview.hpp"

namespace opdebug::report {

/// Writes what the report keeps of some dumps, in whatever thread; take() alone changes the report.
class AddedDumps : public scan_stage::DumpBatch {
public:
    explicit AddedDumps(ScanReport::Contents& contents) : contents_(contents) {
        documents_.reserve(std::size_t{256} << 10U);  // a batch of dumps seldom has more
    }

    void add(ScannedDump&& scanned) override;
    /// Adds them to the report.
    void take() override;

private:
    ScanReport::Contents& contents_;
    JsonWriter json_;
    std::string documents_;
    std::vector<ScanEntry> entries_;  ///< their documents count from the begin of `documents_`
    std::optional<ScannedDump> first_;
    ScanItem first_item_;
};

namespace {

ScanEntry entry_of(const ScannedDump& scanned, const std::string& host) {
    ScanEntry entry;
    entry.item = scan_item_of(scanned);
    entry.item.host = host;
    if (scanned.state == DumpState::failed) {
        const Error failure = failure_of(scanned);
        entry.failure_code = to_string(failure.code);
        Error place = failure;
        place.file.clear();  // the report names it next to the message
        entry.failure_message = to_string(place);
    }
    return entry;
}

}  // namespace

void AddedDumps::add(ScannedDump&& scanned) {
    const ScanReportOptions& options = contents_.options;
    ScanEntry& entry = entries_.emplace_back(entry_of(scanned, options.report.host));
    const ScanItem& item = entry.item;
    if (options.keep_documents &&
        (scanned.state == DumpState::overflowed || (scanned.state == DumpState::clean && options.all))) {
        json_.clear();
        write_document(scanned, options.report, json_);
        entry.document = {documents_.size(), json_.text().size()};
        documents_ += json_.text();
    }
    if (scanned.state == DumpState::overflowed && (!first_ || comes_before(item, first_item_))) {
        first_ = std::move(scanned);
        first_item_ = item;
    }
}

/// The first error of the store is remembered: the texts are missing then.
void AddedDumps::take() {
    if (first_ && (!contents_.first || comes_before(first_item_, contents_.first_item))) {
        contents_.first = std::move(first_);
        contents_.first_item = first_item_;
    }
    const Result<DocumentStore::Span> stored = contents_.documents.add(documents_);
    if (!stored && !contents_.lost) {
        contents_.lost = stored.error();
    }
    for (ScanEntry& entry : entries_) {
        entry.document = stored ? DocumentStore::Span{entry.document.offset + stored->offset, entry.document.length}
                                : DocumentStore::Span();
        contents_.entries.push_back(new ScanEntry(std::move(entry)));
    }
    entries_.clear();
    documents_.clear();
}

namespace {

/// The items are lent, not copied: names of many dumps are much memory.
OverflowChains chains_of_entries(ScanEntries& entries) {
    std::vector<ScanItem> items;
    items.reserve(entries.size());
    for (ScanEntry& entry : entries) {
        items.push_back(std::move(entry.item));
    }
    OverflowChains chains = chains_of(items);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        entries[i].item = std::move(items[i]);
    }
    return chains;
}

/// Nothing else in a shard's report shows that the tree has more. Only the report itself has this remark, not the facts
/// that are merged: it is not true of the report of all shards.
void remark_shard(Scan& scan) {
    if (scan.shard && scan.shard->count > 1) {
        scan.diagnostics.insert(scan.diagnostics.begin(), remarks::diagnose("one_shard", {{"shard", scan.shard->index},
                                                                                          {"shards", scan.shard->count},
                                                                                          {"dumps", scan.dumps_found},
                                                                                          {"all", scan.tree.dumps}}));
    }
}

/// A filter by time leaves out dumps without a time.
void report_without_time(const ScanEntries& entries, const ScanFilter& filter, Scan& scan) {
    const auto lacks_time = [](const ScanEntry& entry) {
        return entry.item.state != DumpState::clean && !entry.item.timestamp_us;
    };
    const auto count =
        filter.since_us || filter.until_us ? std::count_if(entries.begin(), entries.end(), lacks_time) : 0;
    if (count != 0) {
        scan.diagnostics.push_back(remarks::diagnose("time_unknown.filter", {{"count", count}}));
    }
}

}  // namespace

std::optional<Error> each_dump(const ScanReport::Contents& contents, const UseDump& use) {
    if (contents.merged) {
        return contents.merged(use);
    }
    const ScanEntries& entries = contents.entries;
    std::string text;
    for (const ScanEntry& entry : entries) {
        const Result<bool> goes_on = use({entry, [&] { return contents.documents.text_at(entry.document, text); }});
        if (!goes_on) {
            return goes_on.error();
        }
        if (!*goes_on) {
            break;
        }
    }
    return std::nullopt;
}

}  // namespace opdebug::report

namespace opdebug {

ScanReport::ScanReport(ScanReportOptions options) : contents_(std::make_unique<Contents>(std::move(options))) {}

ScanReport::ScanReport(std::unique_ptr<Contents> contents) : contents_(std::move(contents)) {}

ScanReport::~ScanReport() = default;
ScanReport::ScanReport(ScanReport&&) noexcept = default;
ScanReport& ScanReport::operator=(ScanReport&&) noexcept = default;

std::vector<Diagnostic> ScanReport::read_training_logs(const std::vector<std::string>& paths,
                                                       std::optional<int> utc_offset_minutes,
                                                       const std::function<bool()>& stop) {
    training::TrainingLogs logs = training::read_training_logs(paths, stop);
    std::vector<Diagnostic> errors;
    errors.reserve(logs.failures.size());
    for (const training::Failure& failure : logs.failures) {
        errors.push_back(
            {Severity::error, std::string(to_string(failure.error.code)), failure.text.en, failure.text.zh});
    }
    if (!logs.runs.empty() && !(stop && stop())) {
        report::ScanTraining& training = contents_->training.emplace(training::StepTimes(logs.runs));
        training.report = report::training_report(std::move(logs), std::nullopt);
        training.utc_offset_minutes = utc_offset_minutes;
    }
    return errors;
}

void ScanReport::add(const ScannedDump& scanned) {
    report::AddedDumps one(*contents_);
    one.add(ScannedDump(scanned));
    one.take();
}

Scan ScanReport::add_all(const DumpTree& tree, const ScanOptions& options) {
    return scan_stage::scan_batches(tree, options, [this] { return std::make_unique<report::AddedDumps>(*contents_); });
}

std::optional<Error> ScanReport::finish(const Scan& scan) {
    report::ScanEntries& entries = contents_->entries;
    contents_->scan = scan;
    report::remark_shard(contents_->scan);
    contents_->facts = report::facts_of(scan, contents_->options.report.host);
    contents_->api = report::scan_api_of({contents_->facts}, contents_->options.ties, scan.shard.has_value());
    report::report_without_time(entries, contents_->options.filter, contents_->scan);
    entries.sort([](const report::ScanEntry& a, const report::ScanEntry& b) { return comes_before(a.item, b.item); });
    if (contents_->training) {
        report::align_training(entries, contents_->options.report, *contents_->training);
    }
    if (contents_->options.report.tensors) {
        contents_->chains = report::chains_of_entries(entries);
    }
    scan_stage::OverviewBuilder overview;
    for (const report::ScanEntry& entry : entries) {
        overview.add(entry.item);
    }
    contents_->overview = overview.finish();
    return contents_->lost;
}

std::vector<Diagnostic> ScanReport::api_diagnostics() const {
    return contents_->api ? contents_->api->diagnostics : std::vector<Diagnostic>();
}

}  // namespace opdebug
