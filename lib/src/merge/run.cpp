#include "merge/run.hpp"

#include <utility>

#include <fmt/format.h>

#include "report/scan_rows.hpp"

namespace opdebug::merge {
namespace {

constexpr std::string_view kDisorder = "the dumps are not in report order";

}  // namespace

/// What a cut part ends with is no fault of its own: that it was cut is told anyhow.
bool Run::fail(std::string_view why) {
    if (part_.end || why == kDisorder) {
        fault_ = fmt::format("behind its first {} dumps {}", dumps_, why);
    }
    return false;
}

bool Run::advance() {
    if (!(part_.head.ordinary ? read_ordinary() : read_partial())) {
        return false;
    }
    ++dumps_;
    const DumpState state = dump_.entry.item.state;
    overflowed_ += state == DumpState::overflowed ? 1U : 0U;
    clean_ += state == DumpState::clean ? 1U : 0U;
    return true;
}

bool Run::read_partial() {
    const std::optional<std::string_view> line = lines_.next();
    if (!line) {
        return lines_.stopped_early() && fail("it cannot be read");
    }
    std::optional<report::DumpLine> next = report::read_dump_line(*line);
    if (!next) {
        return fail("a line is damaged");
    }
    if (dumps_ != 0 && comes_before(next->entry.item, dump_.entry.item)) {
        return fail(kDisorder);
    }
    dump_ = *std::move(next);
    rows_line_.clear();
    document_.clear();
    for (auto& [there, text] : {std::pair<bool, std::string&>(dump_.rows, rows_line_), {dump_.document, document_}}) {
        const std::optional<std::string_view> told = there ? lines_.next() : std::nullopt;
        if (there && !told) {
            return fail("a dump has lost its record");
        }
        text = told.value_or(std::string_view());
    }
    return true;
}

/// Reads the next document; false where a line is damaged.
bool Run::look_ahead() {
    const std::optional<std::string_view> line = lines_.next();
    if (!line) {
        return !lines_.stopped_early() || fail("it cannot be read");
    }
    next_ = report::read_record_document(*line);
    next_document_ = *line;
    return next_ || fail("a line is damaged");
}

bool Run::read_ordinary() {
    if (!next_ && fault_.empty() && !look_ahead()) {
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

/// The rows of a dump that a document tells of; of one that failed, only what its path and the failure tell.
std::string Run::made_rows() const {
    const report::ScanEntry& entry = dump_.entry;
    if (entry.item.state != DumpState::failed) {
        return report::scan_rows(documented_.scanned, entry.item, "", tensors_);
    }
    ScannedDump scanned;
    scanned.file = entry.item.file;
    return report::scan_rows(scanned, entry.item, entry.failure_code, tensors_);
}

Result<std::string_view> Run::text(report::KeptText kept) {
    if (kept == report::KeptText::document) {
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

}  // namespace opdebug::merge
