// Parts of the report of a scan that are also used alone, and the texts of its dumps in report order.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <opdebug/report.hpp>

#include "report/json/document_writer.hpp"
#include "report/scan/scan_contents.hpp"

namespace opdebug::report {

/// The members that both JSON forms begin with. `type`: of a line; null: the report is one document.
void write_head(const ScanReport::Contents& contents, ObjectWriter& object, const char* type);

void write_members(const ScanCounts& counts, JsonWriter& json);

/// The lists that end both forms. Error: read_failed, of a merged report.
std::optional<Error> write_lists(const ScanReport::Contents& contents, ObjectWriter& object);

/// Why the texts of the single dumps are not there: `kept` is false, or they were lost. Nothing: they are there.
inline std::optional<Error> why_missing(const ScanReport::Contents& contents, bool kept) {
    if (!kept) {
        return Error{ErrorCode::invalid_argument, "the report was told not to keep what this form shows of each dump",
                     "", std::nullopt};
    }
    return contents.lost;
}

/// Reads what is kept of the dumps that `takes` chooses and hands it on, until it states that no more are wanted.
template <class Takes, class Use>
std::optional<Error> read_each(const ScanReport::Contents& contents, KeptText kept, const SinkWriter& out, Takes takes,
                               Use use) {
    std::optional<Error> lost;
    const std::optional<Error> unread = each_dump(contents, [&](const DumpInOrder& dump) {
        bool is_last = false;
        if (takes(dump.entry, is_last)) {
            const Result<std::string_view> text = dump.text(kept);
            if (!text) {
                lost = text.error();
                return false;
            }
            if (!text->empty()) {
                use(dump.entry, *text);
            }
        }
        return !is_last && out.is_open();
    });
    return lost ? lost : unread;
}

/// The same of the dumps that the options show, in report order.
template <class Use>
std::optional<Error> read_timeline(const ScanReport::Contents& contents, KeptText kept, const SinkWriter& out,
                                   Use use) {
    TimelineChoice choice(contents.options);
    return read_each(
        contents, kept, out,
        [&choice](const ScanEntry& entry, bool& is_last) {
            const bool takes = choice.takes(entry);
            is_last = choice.is_full();
            return takes;
        },
        use);
}

}  // namespace opdebug::report
