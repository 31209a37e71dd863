#include "report/scan/added_dumps.hpp"

#include <string_view>
#include <utility>

#include "report/json/dump_document.hpp"
#include "report/scan/scan_rows.hpp"

namespace opdebug::report {
namespace {

ScanEntry entry_of(const ScannedDump& scanned, const std::string& host) {
    ScanEntry entry;
    entry.item = scan_item_of(scanned);
    entry.item.host = host;
    if (scanned.state == DumpState::failed) {
        const Error failure = failure_of(scanned);
        entry.failure_code = to_string(failure.code);
        Error place = failure;
        place.file.clear();  // the report names it beside the message
        entry.failure_message = to_string(place);
    }
    return entry;
}

}  // namespace

AddedDumps::AddedDumps(ScanReport::Contents& contents) : contents_(contents), documents_(contents.writers.take()) {}

AddedDumps::~AddedDumps() {
    contents_.writers.give_back(std::move(documents_));
}

void AddedDumps::write(const ScannedDump& scanned) {
    const ScanReportOptions& options = contents_.options;
    ScanEntry& entry = entries_.emplace_back(entry_of(scanned, options.report.host));
    if (scanned.state == DumpState::clean && !options.all) {
        return;
    }
    if (options.keep_documents) {
        entry.document.offset = documents_->text().size();
        documents_->begin_next();
        write_document(scanned, options.report, *documents_);
        entry.document.length = documents_->text().size() - entry.document.offset;
    }
    if (options.keep_rows) {
        entry.rows.offset = rows_.size();
        rows_ += scan_rows(scanned, entry.item, entry.failure_code, options.report.tensors);
        entry.rows.length = rows_.size() - entry.rows.offset;
    }
}

void AddedDumps::add(ScannedDump&& scanned) {
    write(scanned);
    const bool leads = scanned.state == DumpState::overflowed &&
                       (!first_ || comes_before(entries_.back().item, entries_[first_place_].item));
    if (leads) {
        first_ = std::move(scanned);
        first_place_ = entries_.size() - 1;
    }
}

/// Keeps the texts of all entries at once. The first error of the store is remembered: they have none then.
void AddedDumps::keep(std::string_view texts, DocumentStore::Place ScanEntry::*kept) {
    const Result<DocumentStore::Place> place = contents_.documents.add(texts);
    if (!place) {
        contents_.lost = contents_.lost ? contents_.lost : place.error();
    }
    for (ScanEntry& entry : entries_) {
        if (!place) {
            entry.*kept = {};
        } else if ((entry.*kept).length != 0) {
            (entry.*kept).offset += place->offset;
        }
    }
}

void AddedDumps::take() {
    keep(documents_->text(), &ScanEntry::document);
    keep(rows_, &ScanEntry::rows);
    if (first_ && (!contents_.first || comes_before(entries_[first_place_].item, contents_.first_item))) {
        contents_.first = std::move(first_);
        contents_.first_item = entries_[first_place_].item;
    }
    for (ScanEntry& entry : entries_) {
        contents_.entries.push_back(new ScanEntry(std::move(entry)));
    }
    entries_.clear();
}

}  // namespace opdebug::report
