// The report of a scan as JSON lines, which are also what `merge` reads.
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "bytes/digest.hpp"
#include "report/json/document_writer.hpp"
#include "report/parts/described_parts.hpp"
#include "report/parts/part_lines.hpp"
#include "report/scan/scan_contents.hpp"
#include "report/scan/scan_json.hpp"
#include "report/scan/scan_page.hpp"

namespace opdebug::report {
namespace {

/// The lines of dumps: record documents of the timeline, other lines for failed dumps and, in a partial report, for
/// all others. The first overflow always has its document.
std::optional<Error> write_dumps(const ScanReport::Contents& contents, SinkWriter& out) {
    TimelineChoice choice(contents.options);
    bool any_overflow = false;
    std::optional<Error> lost;
    const std::optional<Error> unread = each_dump(contents, [&](const DumpInOrder& dump) {
        const DumpState state = dump.entry.item.state;
        const bool is_first = state == DumpState::overflowed && !std::exchange(any_overflow, true);
        const bool has_document = choice.takes(dump.entry) || (is_first && contents.options.partial);
        if (!has_document && state != DumpState::failed && !contents.options.partial) {
            return out.is_open();
        }
        std::string rows;
        if (has_document || state == DumpState::failed) {
            Result<std::string_view> text = dump.text(KeptText::rows);
            lost = text ? lost : text.error();
            rows = text ? *text : std::string_view();
        }
        const Result<std::string_view> document = has_document ? dump.text(KeptText::document) : std::string_view();
        if (lost || !document) {
            lost = lost ? lost : document.error();
            return false;
        }
        out.write(has_document ? document_line(with_training_step(*document, dump.entry.item, contents.training),
                                               dump.entry, rows)
                               : dump_line(dump.entry, rows));
        out.write("\n");
        return out.is_open();
    });
    return lost ? lost : unread;
}

/// The same part has the same id, on whichever host it was written. A merged report keeps the ids of its parts.
std::optional<Error> name_parts(const ScanReport::Contents& contents, std::vector<PartFacts>& parts) {
    if (contents.merged) {
        return std::nullopt;
    }
    bytes::Digest digest;
    std::optional<Error> error = each_dump(contents, [&](const DumpInOrder& dump) {
        digest.add(dump_line(dump.entry, {}));
        return true;
    });
    for (PartFacts& part : parts) {
        digest.add(described_text(part));
        for (const std::string& input : part.name.inputs) {
            digest.add(input);
        }
        digest.add(part.name.host);
        digest.add(part.name.tree.digest);
        if (part.name.shard) {  // shards without dumps are alike
            digest.add(fmt::format("{}/{}", part.name.shard->index, part.name.shard->count));
        }
        part.name.id = digest.text();
    }
    return error;
}

void write_begin_line(const ScanReport::Contents& contents, const std::vector<PartFacts>& parts, SinkWriter& out) {
    const PartOptions options{contents.options.all, contents.options.report.tensors, contents.options.first};
    ObjectWriter begin(out, true);
    write_head(contents, begin, "begin");
    begin.member("options", Json{described_text(options)});
    if (contents.options.partial) {
        MergeNames names;
        for (const PartFacts& part : parts) {
            names.parts.push_back(part.name);
        }
        begin.member("merge", Json{described_text(names)});
    }
    begin.end();
}

std::optional<Error> write_summary_line(const ScanReport::Contents& contents, std::vector<PartFacts> parts,
                                        SinkWriter& out) {
    ObjectWriter summary(out, true);
    summary.member("schema", "opdebug.report/1");
    summary.member("type", "summary");
    summary.member("counts", contents.scan.counts);
    if (auto error = write_lists(contents, summary)) {
        return error;
    }
    summary.member("damage", Json{described_text(contents.scan.damage)});
    const auto words = [&contents](Language language) {
        FirstWords first = first_words_of(contents, language);
        return first.record.empty() ? std::nullopt : std::optional(std::move(first));
    };
    const FirstTexts first_text{words(Language::english), words(Language::chinese)};
    summary.member("first_text", Json{described_text(first_text)});
    if (contents.options.partial) {
        const MergeFacts facts{std::move(parts)};
        summary.member("merge", Json{described_text(facts)});
    }
    summary.end();
    return std::nullopt;
}

}  // namespace
}  // namespace opdebug::report

namespace opdebug {
inline namespace v0 {

std::optional<Error> ScanReport::write_json_lines(const TextSink& sink) const {
    const ScanReportOptions& options = contents_->options;
    if (auto error = report::why_missing(*contents_, options.keep_documents && options.keep_rows)) {
        return error;
    }
    report::SinkWriter out(sink);
    std::vector<report::PartFacts> parts = options.partial ? contents_->parts : std::vector<report::PartFacts>();
    if (auto error = report::name_parts(*contents_, parts)) {
        return error;
    }
    report::write_begin_line(*contents_, parts, out);
    if (auto error = report::write_dumps(*contents_, out)) {
        return error;
    }
    if (!out.is_open()) {
        return std::nullopt;
    }
    if (auto error = report::write_summary_line(*contents_, std::move(parts), out)) {
        return error;
    }
    out.flush();
    return std::nullopt;
}

}  // namespace v0
}  // namespace opdebug
