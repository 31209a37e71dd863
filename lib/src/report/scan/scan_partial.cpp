#include "report/scan/scan_json.hpp"

#include <string>
#include <utility>

#include <fmt/format.h>

#include "bytes/digest.hpp"
#include "report/json/document_writer.hpp"
#include "report/parts/part_lines.hpp"
#include "report/scan/scan_contents.hpp"
#include "report/scan/scan_page.hpp"

namespace opdebug::report {
namespace {

/// Which lines a dump has: its document where the timeline shows it or it is the first overflow, its rows where the
/// timeline shows it or it failed.
class LinesOfDumps {
public:
    explicit LinesOfDumps(const ScanReportOptions& options) : choice_(options) {}

    DumpLine next(const ScanEntry& entry) {
        const bool in_timeline = choice_.takes(entry);
        const DumpState state = entry.item.state;
        DumpLine line{entry, in_timeline || state == DumpState::failed,
                      in_timeline || (state == DumpState::overflowed && !any_overflow_)};
        any_overflow_ = any_overflow_ || state == DumpState::overflowed;
        return line;
    }

private:
    TimelineChoice choice_;
    bool any_overflow_ = false;
};

/// The same part has the same id, wherever it was written and however it is packed. A merged report keeps those of its
/// parts.
std::optional<Error> name_parts(const ScanReport::Contents& contents, std::vector<PartFacts>& parts) {
    if (contents.merged) {
        return std::nullopt;
    }
    bytes::Digest digest;
    LinesOfDumps lines(contents.options);
    std::optional<Error> error = each_dump(contents, [&](const DumpInOrder& dump) {
        digest.add(dump_line(lines.next(dump.entry)));
        return true;
    });
    for (PartFacts& part : parts) {
        digest.add(facts_text(part));
        for (const std::string& input : part.name.inputs) {
            digest.add(input);
        }
        digest.add(part.name.host);
        digest.add(part.name.tree.digest);
        if (part.name.shard) {  // shares without dumps are alike
            digest.add(fmt::format("{}/{}", part.name.shard->index, part.name.shard->count));
        }
        part.name.id = digest.text();
    }
    return error;
}

std::optional<Error> write_dumps(const ScanReport::Contents& contents, SinkWriter& out) {
    LinesOfDumps lines(contents.options);
    std::optional<Error> lost;
    const auto write_text = [&](const DumpInOrder& dump, KeptText kept) {
        const Result<std::string_view> text = dump.text(kept);
        if (!text) {
            lost = text.error();
            return;
        }
        if (kept == KeptText::rows) {
            out.write(rows_line(*text));
        } else {
            out.write(*text);
        }
        out.write("\n");
    };
    const std::optional<Error> unread = each_dump(contents, [&](const DumpInOrder& dump) {
        const DumpLine line = lines.next(dump.entry);
        out.write(dump_line(line));
        out.write("\n");
        if (line.rows) {
            write_text(dump, KeptText::rows);
        }
        if (line.document && !lost) {
            write_text(dump, KeptText::document);
        }
        return !lost && out.is_open();
    });
    return lost ? lost : unread;
}

}  // namespace

std::optional<Error> write_partial(const ScanReport::Contents& contents, const TextSink& sink) {
    std::vector<PartFacts> parts = contents.parts;
    if (auto error = name_parts(contents, parts)) {
        return error;
    }
    PartHead head;
    head.all = contents.options.all;
    head.first = contents.options.first;
    head.tensors = contents.options.report.tensors;
    for (const PartFacts& part : parts) {
        head.parts.push_back(part.name);
    }
    SinkWriter out(sink);
    write_begin_line(contents, one_line([&](JsonWriter& json) { write_part_head(head, json); }), out);
    if (auto error = write_dumps(contents, out)) {
        return error;
    }
    if (!out.is_open()) {
        return std::nullopt;
    }
    const ScanPage page = page_of(contents);
    const PartEnd end{std::move(parts), page.first(Language::english), page.first(Language::chinese), {}};
    const std::string told = one_line([&](JsonWriter& json) { write_part_end(end, json); });
    if (auto error = write_summary_line(contents, told, out)) {
        return error;
    }
    out.flush();
    return std::nullopt;
}

}  // namespace opdebug::report
