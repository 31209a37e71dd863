// Collecting the dumps of a scan for its report.
#include <opdebug/scan_report.hpp>

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "bytes/counted.hpp"
#include "report/entries/entry_order.hpp"
#include "report/json/dump_document.hpp"
#include "report/json/object_writer.hpp"
#include "report/scan/added_dumps.hpp"
#include "report/scan/scan_contents.hpp"
#include "scan/dump_batch.hpp"

namespace opdebug {
inline namespace v0 {
namespace {

using report::ScanEntries;
using report::ScanEntry;

/// What is read of the store for an entry: the place of its text and of those that are asked for next, as far as these
/// stand close together, in whatever order. A folder's dumps mostly follow each other in a report, too, but in another
/// order than in their folder; what is read beyond them would be read for nothing.
report::DocumentStore::Place run_from(const ScanEntries& entries, std::size_t first,
                                      report::DocumentStore::Place ScanEntry::*kept) {
    constexpr std::uint64_t kMost = std::uint64_t{128} << 10U;
    constexpr std::uint64_t kGap = std::uint64_t{8} << 10U;  // of what is kept beside, cheaper to read than to pass
    report::DocumentStore::Place run = entries[first].*kept, around = run;
    std::uint64_t wanted = run.length, gaps = 0;
    for (std::size_t i = first + 1; i < entries.size(); ++i) {
        const report::DocumentStore::Place& next = entries[i].*kept;
        if (next.length == 0) {
            continue;
        }
        const std::uint64_t end = std::max(around.offset + around.length, next.offset + next.length);
        around.offset = std::min(around.offset, next.offset);
        around.length = end - around.offset;
        if (around.length > kMost) {
            break;
        }
        wanted += next.length;
        gaps += kGap;
        run = around.length - wanted <= gaps ? around : run;
    }
    return run;
}

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

/// Nothing else in a share's report shows that the tree has more. Told by the report alone, not by the facts that are
/// merged: of the report of all shards it is not true.
void tell_shard(Scan& scan) {
    if (scan.shard && scan.shard->count > 1) {
        scan.diagnostics.insert(
            scan.diagnostics.begin(),
            {Severity::warning, "one_shard",
             fmt::format("this report is of shard {} of {} only, which has {} of the {} below the paths; "
                         "'opdebug merge' makes one report of those that all shards write with --format jsonl",
                         scan.shard->index, scan.shard->count, scan.dumps_found,
                         bytes::counted(scan.tree.dumps, "overflow dump"))});
    }
}

void keep_if_first(const ScannedDump& scanned, const ScanItem& item, ScanReport::Contents& contents) {
    if (scanned.state == DumpState::overflowed && (!contents.first || comes_before(item, contents.first_item))) {
        contents.first = scanned;
        contents.first_item = item;
    }
}

}  // namespace

ScanReport::ScanReport(ScanReportOptions options) : contents_(std::make_unique<Contents>(std::move(options))) {}

ScanReport::ScanReport(std::unique_ptr<Contents> contents) : contents_(std::move(contents)) {}

ScanReport::~ScanReport() = default;
ScanReport::ScanReport(ScanReport&&) noexcept = default;
ScanReport& ScanReport::operator=(ScanReport&&) noexcept = default;

void ScanReport::add(const ScannedDump& scanned) {
    report::AddedDumps one(*contents_);
    one.write(scanned);
    one.take();
    keep_if_first(scanned, contents_->entries.back().item, *contents_);
}

Scan ScanReport::add_all(const DumpTree& tree, const ScanOptions& options) {
    return scan_stage::scan_batches(tree, options, [this] { return std::make_unique<report::AddedDumps>(*contents_); });
}

std::optional<Error> ScanReport::finish(const Scan& scan) {
    ScanEntries& entries = contents_->entries;
    contents_->scan = scan;
    tell_shard(contents_->scan);
    contents_->parts = {report::facts_of(scan, contents_->options.report.host)};
    contents_->api = report::scan_api_of(contents_->parts, contents_->options.ties, scan.shard.has_value());
    report::put_in_order(entries);
    if (contents_->options.report.tensors) {
        contents_->chains = chains_of_entries(entries);
    }
    return contents_->lost;
}

std::vector<Diagnostic> ScanReport::api_diagnostics() const {
    return contents_->api ? contents_->api->diagnostics : std::vector<Diagnostic>();
}

}  // namespace v0
}  // namespace opdebug

namespace opdebug::report {

std::string document_of(const ScannedDump& scanned, const ReportOptions& options) {
    return one_line([&](JsonWriter& json) { write_document(scanned, options, json); });
}

std::vector<const ScanEntry*> timeline_of(const ScanEntries& entries, const ScanReportOptions& options) {
    TimelineChoice choice(options);
    std::vector<const ScanEntry*> timeline;
    for (const ScanEntry& entry : entries) {
        if (choice.takes(entry)) {
            timeline.push_back(&entry);
        }
    }
    return timeline;
}

std::optional<Error> each_dump(const ScanReport::Contents& contents, const UseDump& use) {
    if (contents.merged) {
        return contents.merged->each(use);
    }
    const ScanEntries& entries = contents.entries;
    DocumentReader documents(contents.documents), rows(contents.documents);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const auto text = [&](KeptText wanted) {
            const bool is_document = wanted == KeptText::document;
            DocumentReader& reader = is_document ? documents : rows;
            const auto kept = is_document ? &ScanEntry::document : &ScanEntry::rows;
            const DocumentStore::Place& place = entries[i].*kept;
            return reader.text_at(place, reader.has(place) ? place : run_from(entries, i, kept));
        };
        if (!use({entries[i], text})) {
            break;
        }
    }
    return std::nullopt;
}

}  // namespace opdebug::report
