#include "merge/part_reader.hpp"

#include <utility>

#include <fmt/format.h>

#include "report/scan/scan_csv.hpp"

namespace opdebug::merge {
namespace {

constexpr std::string_view kDisorder = "the dumps are not in report order";
/// Of the first and the last line of a report.
constexpr std::string_view kReportBegin = "{\"schema\":\"opdebug.report/";

}  // namespace

/// A cut part is reported as cut, so its damaged last line is no further fault.
bool PartReader::fail(std::string_view why) {
    if (part_.end || why == kDisorder) {
        notes_.fault = fmt::format("behind its first {} dump{} {}", notes_.dumps, notes_.dumps == 1 ? "" : "s", why);
    }
    return false;
}

/// The line is the last one that was given.
bool PartReader::fail_in_line(std::string_view line) {
    const std::uint64_t number = lines_.count() + 1;  // the part has a first line of its own
    const bool is_next_report = line.substr(0, kReportBegin.size()) == kReportBegin;
    notes_.holds_another = is_next_report;
    return fail(fmt::format("line {} is {}", number, is_next_report ? "of another report" : "damaged"));
}

/// All dumps of the part's end must have been there.
bool PartReader::ends_well() {
    if (lines_.stopped_early()) {
        return fail("it cannot be read");
    }
    if (part_.end && part_.end->dumps && *part_.end->dumps != notes_.dumps) {
        return fail(fmt::format("its last line comes, which counts {}", *part_.end->dumps));
    }
    return true;
}

bool PartReader::advance() {
    if (part_.checked && notes_.dumps == part_.checked->dumps) {
        notes_.fault = part_.checked->fault;
        notes_.holds_another = part_.checked->holds_another;
        return false;
    }
    if (!(part_.head.ordinary ? read_ordinary() : read_partial())) {
        return false;
    }
    ++notes_.dumps;
    const DumpState state = dump_.entry.item.state;
    notes_.overflowed += state == DumpState::overflowed ? 1U : 0U;
    notes_.clean += state == DumpState::clean ? 1U : 0U;
    return true;
}

bool PartReader::read_partial() {
    const std::optional<std::string_view> line = lines_.next();
    if (!line) {
        (void)ends_well();
        return false;
    }
    std::optional<report::DumpLine> next = report::read_dump_line(*line);
    if (!next) {
        return fail_in_line(*line);
    }
    if (notes_.dumps != 0 && comes_before(next->entry.item, dump_.entry.item)) {
        return fail(kDisorder);
    }
    dump_ = *std::move(next);
    return read_texts();
}

bool PartReader::read_texts() {
    rows_line_.clear();
    document_.clear();
    if (dump_.rows) {
        const std::optional<std::string_view> line = lines_.next();
        if (!line || (!part_.checked && !report::read_rows_line(*line))) {
            return line ? fail_in_line(*line) : fail("a dump has lost its rows");
        }
        rows_line_ = *line;
    }
    if (dump_.document) {
        const std::optional<std::string_view> line = lines_.next();
        if (!line || (!part_.checked && !report::is_document_line(*line))) {
            return line ? fail_in_line(*line) : fail("a dump has lost its record");
        }
        document_ = *line;
    }
    return true;
}

/// Reads the next document; false where a line is damaged.
bool PartReader::look_ahead() {
    const std::optional<std::string_view> line = lines_.next();
    if (!line) {
        return ends_well();
    }
    next_ = report::read_record_document(*line);
    next_document_ = *line;
    return next_ || fail_in_line(*line);
}

bool PartReader::read_ordinary() {
    if (!next_ && notes_.fault.empty() && !look_ahead()) {
        return false;
    }
    const std::vector<report::ScanEntry>& failed = part_.ordinary_end.failed;
    dump_ = {};
    rows_.clear();
    document_.clear();
    if (failed_ < failed.size() && (!next_ || comes_before(failed[failed_].item, next_->item))) {
        dump_.entry = failed[failed_++];
        documented_ = {};
        return true;
    }
    if (!next_) {
        return false;
    }
    documented_ = *std::move(next_);
    next_.reset();
    dump_.entry.item = documented_.item;
    document_.swap(next_document_);
    return true;
}

/// The CSV rows, made from the document; of a failed dump, from its path and failure.
std::string PartReader::made_rows() const {
    const report::ScanEntry& entry = dump_.entry;
    if (entry.item.state != DumpState::failed) {
        return report::scan_rows(documented_.scanned, entry.item, "", tensors_);
    }
    ScannedDump scanned;
    scanned.file = entry.item.file;
    return report::scan_rows(scanned, entry.item, entry.failure_code, tensors_);
}

Result<std::string_view> PartReader::text(report::KeptText which) {
    if (which == report::KeptText::document) {
        return std::string_view(document_);
    }
    if (part_.head.ordinary) {
        rows_ = made_rows();
        return std::string_view(rows_);
    }
    std::optional<std::string> rows =
        rows_line_.empty() ? std::optional<std::string>("") : report::read_rows_line(rows_line_);
    if (!rows) {
        return Error{ErrorCode::read_failed, "the rows of a dump are damaged in a part of the report",
                     dump_.entry.item.file, std::nullopt};
    }
    rows_ = *std::move(rows);
    return std::string_view(rows_);
}

PartNotes checked(const Part& part) {
    constexpr std::size_t kPiece = std::size_t{256} << 10U;
    PartReader run(part, kPiece, false);
    while (run.advance()) {
    }
    return run.notes();
}

}  // namespace opdebug::merge
