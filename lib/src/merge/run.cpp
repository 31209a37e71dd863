#include "merge/run.hpp"

#include <utility>

#include <fmt/format.h>

namespace opdebug::merge {

/// What a cut part ends with is no fault of its own: that it was cut is told anyhow.
bool Run::fail(std::string_view why) {
    if (!is_cut_ || why == "the dumps are not in report order") {
        fault_ = fmt::format("behind its first {} dumps {}", dumps_, why);
    }
    return false;
}

bool Run::advance() {
    const std::optional<std::string_view> line = lines_.next();
    if (!line) {
        return lines_.stopped_early() && fail("it cannot be read");
    }
    std::optional<report::DumpLine> next = report::read_dump_line(*line);
    if (!next) {
        return fail("a line is damaged");
    }
    if (dumps_ != 0 && comes_before(next->entry.item, dump_.entry.item)) {
        return fail("the dumps are not in report order");
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
    ++dumps_;
    return true;
}

Result<std::string_view> Run::text(report::KeptText kept) {
    if (kept == report::KeptText::document) {
        return std::string_view(document_);
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
