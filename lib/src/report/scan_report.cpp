// Collecting the dumps of a scan for its report.
#include <opdebug/scan_report.hpp>

#include <memory>
#include <utility>

#include "report/entry_order.hpp"
#include "report/json_record.hpp"
#include "report/object_writer.hpp"
#include "report/scan_contents.hpp"
#include "report/scan_rows.hpp"

namespace opdebug {
inline namespace v0 {
namespace {

using report::ScanEntries;
using report::ScanEntry;

/// What is left of a dump that failed without an error of its own: records are missing.
Error failure_of(const ScannedDump& scanned) {
    Error failure = scanned.failure.value_or(
        Error{ErrorCode::record_truncated, "records of this dump are missing", scanned.file, std::nullopt});
    failure.file = scanned.file;
    return failure;
}

void write_document(const ScannedDump& scanned, const ReportOptions& options, report::JsonWriter& json) {
    if (scanned.dump) {
        report::write_record_document(*scanned.dump, scanned.location, scanned.tensors, options, json);
    } else {
        report::write_failure_document(failure_of(scanned), options, json);
    }
}

/// Keeps a text; the first error of the store is remembered.
report::DocumentStore::Place keep(ScanReport::Contents& contents, std::string_view text) {
    const Result<report::DocumentStore::Place> place = contents.documents.add(text);
    if (!place) {
        contents.lost = contents.lost ? contents.lost : place.error();
        return {};
    }
    return *place;
}

/// How far the texts reach that stand in the store as they are asked for from an entry on: they are read at once. A
/// folder's dumps mostly follow each other in a report, too; what is read beyond them would be read for nothing.
std::uint64_t end_of_run(const ScanEntries& entries, std::size_t first, report::DocumentStore::Place ScanEntry::*kept) {
    constexpr std::uint64_t kMost = std::uint64_t{128} << 10U;
    constexpr std::uint64_t kGap = std::uint64_t{8} << 10U;  // of what is kept beside, cheaper to read than to pass
    const std::uint64_t begin = (entries[first].*kept).offset;
    std::uint64_t end = begin + (entries[first].*kept).length;
    for (std::size_t i = first + 1; i < entries.size(); ++i) {
        const report::DocumentStore::Place& next = entries[i].*kept;
        if (next.length == 0) {
            continue;
        }
        if (next.offset < end || next.offset - end > kGap || next.offset + next.length - begin > kMost) {
            break;
        }
        end = next.offset + next.length;
    }
    return end;
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

}  // namespace

ScanReport::ScanReport(ScanReportOptions options) : contents_(std::make_unique<Contents>(std::move(options))) {}

ScanReport::ScanReport(std::unique_ptr<Contents> contents) : contents_(std::move(contents)) {}

ScanReport::~ScanReport() = default;
ScanReport::ScanReport(ScanReport&&) noexcept = default;
ScanReport& ScanReport::operator=(ScanReport&&) noexcept = default;

void ScanReport::add(const ScannedDump& scanned) {
    auto added = std::make_unique<ScanEntry>();
    ScanEntry& entry = *added;
    entry.item = scan_item_of(scanned);
    entry.item.host = contents_->options.report.host;
    if (scanned.state == DumpState::failed) {
        const Error failure = failure_of(scanned);
        entry.failure_code = to_string(failure.code);
        Error place = failure;
        place.file.clear();  // the report names it beside the message
        entry.failure_message = to_string(place);
    }
    if (scanned.state != DumpState::clean || contents_->options.all) {
        if (contents_->options.keep_documents) {
            report::JsonWriter& json = contents_->json;
            json.clear();
            write_document(scanned, contents_->options.report, json);
            entry.document = keep(*contents_, json.text());
        }
        if (contents_->options.keep_rows) {
            entry.rows = keep(*contents_, report::scan_rows(scanned, entry.item, entry.failure_code,
                                                            contents_->options.report.tensors));
        }
    }
    if (scanned.state == DumpState::overflowed &&
        (!contents_->first || comes_before(entry.item, contents_->first_item))) {
        contents_->first = scanned;
        contents_->first_item = entry.item;
    }
    contents_->entries.push_back(added.release());
}

std::optional<Error> ScanReport::finish(const Scan& scan) {
    ScanEntries& entries = contents_->entries;
    contents_->scan = scan;
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
            return reader.text_at(place, reader.has(place) ? 0 : end_of_run(entries, i, kept));
        };
        if (!use({entries[i], text})) {
            break;
        }
    }
    return std::nullopt;
}

}  // namespace opdebug::report
