// The report of a scan as JSON lines, which are also what `merge` reads.
#include <optional>
#include <string>
#include <utility>

#include "report/json/json_writer.hpp"
#include "report/parts/described_parts.hpp"
#include "report/parts/part_lines.hpp"
#include "report/scan/scan_contents.hpp"
#include "report/scan/scan_page.hpp"

namespace opdebug::report {
namespace {

/// The lines of dumps: record documents of the timeline, other lines for failed dumps and, in a partial report, for
/// all others. The first overflow always has its document. `lines`: how many.
std::optional<Error> write_dumps(const ScanReport::Contents& contents, SinkWriter& out, std::uint64_t& lines) {
    TimelineChoice choice(contents.options);
    bool any_overflow = false;
    return each_dump(contents, [&](const DumpInOrder& dump) -> Result<bool> {
        const DumpState state = dump.entry.item.state;
        const bool is_first = state == DumpState::overflowed && !std::exchange(any_overflow, true);
        const bool has_document = choice.takes(dump.entry) || (is_first && contents.options.partial);
        if (!has_document && state != DumpState::failed && !contents.options.partial) {
            return out.is_open();
        }
        const Result<std::string_view> document = has_document ? dump.document() : std::string_view();
        if (!document) {
            return document.error();
        }
        out.write(has_document
                      ? document_line(with_training_step(*document, dump.entry.item, contents.training), dump.entry)
                      : dump_line(dump.entry));
        out.write("\n");
        ++lines;
        return out.is_open();
    });
}

void write_begin_line(const ScanReport::Contents& contents, SinkWriter& out) {
    const PartOptions options{contents.options.all, contents.options.report.tensors, contents.options.first};
    ReportWriter begin(out, true);
    write_head(contents, begin, "begin");
    begin.member("options", Json{described_text(options)});
    PartName name = contents.facts.name;
    if (!contents.options.partial) {  // one scan of all, or a merge: the same either way
        name.host.clear();
        name.tree = {};
    }
    begin.member("merge", Json{described_text(name)});
    begin.end();
}

std::optional<Error> write_summary_line(const ScanReport::Contents& contents, std::uint64_t lines, SinkWriter& out) {
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
    PartFacts facts = contents.facts;
    facts.lines = lines;
    summary.member("merge", Json{described_text(facts)});
    summary.end();
    return std::nullopt;
}

std::optional<Error> write_lines(const ScanReport::Contents& contents, SinkWriter& out) {
    std::uint64_t lines = 0;
    write_begin_line(contents, out);
    if (auto error = write_dumps(contents, out, lines)) {
        return error;
    }
    if (auto error = out.is_open() ? write_summary_line(contents, lines, out) : std::nullopt) {
        return error;
    }
    out.flush();
    return std::nullopt;
}

}  // namespace
}  // namespace opdebug::report

std::optional<opdebug::Error> opdebug::ScanReport::write_json_lines(const TextSink& sink) const {
    report::SinkWriter out(sink);
    auto missing = report::why_missing(*contents_);
    return missing ? missing : report::write_lines(*contents_, out);
}
