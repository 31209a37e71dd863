// The report of a scan as JSON lines, which are also what `merge` reads.
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "bytes/digest.hpp"
#include "report/json/json_writer.hpp"
#include "report/parts/described_parts.hpp"
#include "report/parts/part_lines.hpp"
#include "report/scan/scan_contents.hpp"
#include "report/scan/scan_page.hpp"

namespace opdebug::report {
namespace {

/// The lines of dumps: record documents of the timeline, other lines for failed dumps and, in a partial report, for
/// all others. The first overflow always has its document.
std::optional<Error> write_dumps(const ScanReport::Contents& contents, SinkWriter& out) {
    TimelineChoice choice(contents.options);
    bool any_overflow = false;
    return each_dump(contents, [&](const DumpInOrder& dump) -> Result<bool> {
        const DumpState state = dump.entry.item.state;
        const bool is_first = state == DumpState::overflowed && !std::exchange(any_overflow, true);
        const bool has_document = choice.takes(dump.entry) || (is_first && contents.options.partial);
        if (!has_document && state != DumpState::failed && !contents.options.partial) {
            return out.is_open();
        }
        const bool has_rows = has_document || state == DumpState::failed;
        const Result<std::string_view> rows = has_rows ? dump.text(StoredText::rows) : std::string_view();
        const Result<std::string_view> document = has_document ? dump.text(StoredText::document) : std::string_view();
        if (!rows || !document) {
            return rows ? document.error() : rows.error();
        }
        out.write(has_document ? document_line(with_training_step(*document, dump.entry.item, contents.training),
                                               dump.entry, std::string(*rows))
                               : dump_line(dump.entry, std::string(*rows)));
        out.write("\n");
        return out.is_open();
    });
}

/// The name of the scan with its id: the same on whichever host it was written.
Result<PartName> name_of(const ScanReport::Contents& contents) {
    bytes::Digest digest;
    std::optional<Error> error = each_dump(contents, [&](const DumpInOrder& dump) {
        digest.add(dump_line(dump.entry, {}));
        return true;
    });
    if (error) {
        return *std::move(error);
    }
    digest.add(described_text(contents.facts));
    PartName name = contents.facts.name;
    for (const std::string& input : name.inputs) {
        digest.add(input);
    }
    digest.add(name.host);
    digest.add(name.tree.digest);
    if (name.shard) {  // shards without dumps are alike
        digest.add(fmt::format("{}/{}", name.shard->index, name.shard->count));
    }
    name.id = digest.text();
    return name;
}

std::optional<Error> write_begin_line(const ScanReport::Contents& contents, SinkWriter& out) {
    const PartOptions options{contents.options.all, contents.options.report.tensors, contents.options.first};
    ReportWriter begin(out, true);
    write_head(contents, begin, "begin");
    begin.member("options", Json{described_text(options)});
    if (contents.options.partial) {
        Result<PartName> name = name_of(contents);
        if (!name) {
            return std::move(name.error());
        }
        const MergeName merge{kPartVersion, std::move(*name)};
        begin.member("merge", Json{described_text(merge)});
    }
    begin.end();
    return std::nullopt;
}

std::optional<Error> write_summary_line(const ScanReport::Contents& contents, SinkWriter& out) {
    ReportWriter summary(out, true);
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
        summary.member("merge", Json{described_text(contents.facts)});
    }
    summary.end();
    return std::nullopt;
}

std::optional<Error> write_lines(const ScanReport::Contents& contents, SinkWriter& out) {
    if (auto error = write_begin_line(contents, out)) {
        return error;
    }
    if (auto error = write_dumps(contents, out)) {
        return error;
    }
    if (auto error = out.is_open() ? write_summary_line(contents, out) : std::nullopt) {
        return error;
    }
    out.flush();
    return std::nullopt;
}

}  // namespace
}  // namespace opdebug::report

std::optional<opdebug::Error> opdebug::ScanReport::write_json_lines(const TextSink& sink) const {
    report::SinkWriter out(sink);
    auto missing = report::why_missing(*contents_, contents_->options.keep_documents && contents_->options.keep_rows);
    return missing ? missing : report::write_lines(*contents_, out);
}
