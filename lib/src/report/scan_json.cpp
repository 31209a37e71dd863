// The scan report as JSON, as JSON lines and as CSV, written piece by piece.
#include "report/scan_json.hpp"

#include <fmt/format.h>

#include <opdebug/version.hpp>

#include "report/json_chain.hpp"
#include "report/json_text.hpp"
#include "report/scan_contents.hpp"
#include "report/scan_rows.hpp"
#include "report/sink_writer.hpp"

namespace opdebug {
inline namespace v0 {
namespace {

using report::Json;
using report::ScanEntry;
using Contents = ScanReport::Contents;

std::string one_line(const Json& document) {
    return report::write(document, {Language::english, true});
}

Json counts_to_json(const ScanCounts& counts) {
    return {{"dumps", counts.dumps},   {"overflowed", counts.overflowed}, {"clean", counts.clean},
            {"failed", counts.failed}, {"op_dumps", counts.op_dumps},     {"other_files", counts.other_files}};
}

Json group_to_json(const ScanGroup& group) {
    return {{"by",
             {{"cause", group.cause},
              {"operator_type", report::text_or_null(group.operator_type)},
              {"operator", report::text_or_null(group.operator_name)},
              {"model", report::text_or_null(group.model)}}},
            {"count", group.count},
            {"ranks", group.ranks},
            {"devices", group.devices},
            {"first", report::value_or_null(group.first_us)},
            {"last", report::value_or_null(group.last_us)},
            {"steps", group.steps},
            {"bursts", group.bursts},
            {"first_file", group.first_file},
            {"remarks", report::diagnostics_to_json(group.remarks)}};
}

Json failure(const std::string& file, std::string_view code, const std::string& message) {
    return {{"file", file}, {"code", code}, {"message", message}};
}

/// The lists behind the timeline, one line for each of their items: the dumps that failed and the folders that could
/// not be read stand together in "failures".
std::vector<std::string> group_lines(const Contents& contents) {
    std::vector<std::string> lines;
    lines.reserve(contents.overview.groups.size());
    for (const ScanGroup& group : contents.overview.groups) {
        lines.push_back(one_line(group_to_json(group)));
    }
    return lines;
}

std::vector<std::string> failure_lines(const Contents& contents) {
    std::vector<std::string> lines;
    for (const ScanEntry& entry : contents.entries) {
        if (entry.item.state == DumpState::failed) {
            lines.push_back(one_line(failure(entry.item.file, entry.failure_code, entry.failure_message)));
        }
    }
    for (const Error& error : contents.scan.failures) {
        lines.push_back(one_line(report::failure_item(error)));
    }
    return lines;
}

std::vector<std::string> chain_lines(const Contents& contents) {
    std::vector<std::string> lines;
    lines.reserve(contents.chains.chains.size());
    for (const OverflowChain& chain : contents.chains.chains) {
        lines.push_back(one_line(report::chain_to_json(chain)));
    }
    return lines;
}

std::vector<std::string> diagnostic_lines(const Contents& contents) {
    std::vector<std::string> lines;
    for (const auto* list : {&contents.scan.diagnostics, &contents.overview.diagnostics}) {
        for (const Diagnostic& diagnostic : *list) {
            lines.push_back(one_line(report::diagnostic_to_json(diagnostic)));
        }
    }
    if (contents.chains.count > contents.chains.chains.size()) {
        const Diagnostic cut{
            Severity::info, "chains_cut",
            fmt::format("the first {} of {} chains are listed", contents.chains.chains.size(), contents.chains.count)};
        lines.push_back(one_line(report::diagnostic_to_json(cut)));
    }
    return lines;
}

/// Writes the members of the report object; list items stand on lines of their own, unless all is to be one line.
class ObjectWriter {
public:
    ObjectWriter(report::SinkWriter& out, bool one_line) : out_(out), one_line_(one_line) {}

    void member(std::string_view key, std::string_view value) {
        out_.write(fmt::format("{}{}\"{}\":{}{}", first_ ? "{" : ",", line("  "), key, one_line_ ? "" : " ", value));
        first_ = false;
    }

    void begin_list(std::string_view key) {
        member(key, "[");
        items_ = 0;
    }
    void item(std::string_view value) {
        out_.write(fmt::format("{}{}{}", items_++ == 0 ? "" : ",", line("    "), value));
    }
    void end_list() { out_.write(fmt::format("{}]", items_ == 0 ? "" : line("  "))); }

    void list(std::string_view key, const std::vector<std::string>& values) {
        begin_list(key);
        for (const std::string& value : values) {
            item(value);
        }
        end_list();
    }

    void end() { out_.write(fmt::format("{}}}\n", line(""))); }

private:
    std::string line(std::string_view indent) const { return one_line_ ? "" : fmt::format("\n{}", indent); }

    report::SinkWriter& out_;
    bool one_line_;
    bool first_ = true;
    std::size_t items_ = 0;
};

/// The lists that end both forms.
void write_lists(const Contents& contents, ObjectWriter& object) {
    object.list("groups", group_lines(contents));
    if (contents.options.report.tensors) {
        object.list("chains", chain_lines(contents));
    }
    object.list("failures", failure_lines(contents));
    object.list("diagnostics", diagnostic_lines(contents));
    object.member("complete", contents.scan.complete ? "true" : "false");
}

void write_head(const Contents& contents, ObjectWriter& object, const char* type) {
    object.member("schema", "\"opdebug.report/1\"");
    if (type != nullptr) {
        object.member("type", one_line(type));
    }
    object.member("generated_by", one_line(fmt::format("opdebug {}", version())));
    object.member("inputs", one_line(contents.scan.inputs));
}

/// The document of the first overflow, "null" when there is none.
Result<std::string> first_document(const Contents& contents) {
    for (const ScanEntry& entry : contents.entries) {
        if (entry.item.state == DumpState::overflowed) {
            return contents.documents.text_at(entry.document);
        }
    }
    return std::string("null");
}

/// Reads what is kept of each dump and hands it on, until nobody wants more.
template <class Place, class Use>
std::optional<Error> read_each(const Contents& contents, const std::vector<const ScanEntry*>& entries, Place place,
                               const report::SinkWriter& out, Use use) {
    for (const ScanEntry* entry : entries) {
        const Result<std::string> text = contents.documents.text_at(entry->*place);
        if (!text) {
            return text.error();
        }
        use(*text);
        if (!out.is_open()) {
            break;
        }
    }
    return std::nullopt;
}

}  // namespace

std::optional<Error> ScanReport::write_json(const TextSink& sink) const {
    if (contents_->lost) {
        return contents_->lost;
    }
    const Result<std::string> first = first_document(*contents_);
    if (!first) {
        return first.error();
    }
    report::SinkWriter out(sink);
    ObjectWriter object(out, contents_->options.report.one_line);
    write_head(*contents_, object, nullptr);
    object.member("counts", one_line(counts_to_json(contents_->scan.counts)));
    object.member("first", *first);
    object.begin_list("timeline");
    if (auto error =
            read_each(*contents_, report::timeline_of(contents_->entries, contents_->options), &ScanEntry::document,
                      out, [&object](const std::string& document) { object.item(document); })) {
        return error;
    }
    object.end_list();
    write_lists(*contents_, object);
    object.end();
    out.flush();
    return std::nullopt;
}

std::optional<Error> ScanReport::write_json_lines(const TextSink& sink) const {
    if (contents_->lost) {
        return contents_->lost;
    }
    report::SinkWriter out(sink);
    ObjectWriter begin(out, true);
    write_head(*contents_, begin, "begin");
    begin.end();
    if (auto error =
            read_each(*contents_, report::timeline_of(contents_->entries, contents_->options), &ScanEntry::document,
                      out, [&out](const std::string& document) { out.write(document + '\n'); })) {
        return error;
    }
    out.write(report::summary_line(*contents_) + '\n');
    out.flush();
    return std::nullopt;
}

std::optional<Error> ScanReport::write_csv(const TextSink& sink) const {
    if (contents_->lost) {
        return contents_->lost;
    }
    report::SinkWriter out(sink);
    out.write(report::scan_row_header(contents_->options.report.tensors));
    std::vector<const ScanEntry*> entries = report::timeline_of(contents_->entries, contents_->options);
    for (const ScanEntry& entry : contents_->entries) {
        if (entry.item.state == DumpState::failed) {
            entries.push_back(&entry);
        }
    }
    auto error =
        read_each(*contents_, entries, &ScanEntry::rows, out, [&out](const std::string& rows) { out.write(rows); });
    out.flush();
    return error;
}

}  // namespace v0
}  // namespace opdebug

namespace opdebug::report {

Json failure_item(const Error& error) {
    Error place = error;
    place.file.clear();  // it stands beside the message
    return failure(error.file, to_string(error.code), to_string(place));
}

std::string summary_line(const ScanReport::Contents& contents) {
    std::string line;
    const TextSink into_line = [&line](std::string_view piece) {
        line += piece;
        return true;
    };
    SinkWriter out(into_line);
    ObjectWriter summary(out, true);
    summary.member("schema", "\"opdebug.report/1\"");
    summary.member("type", "\"summary\"");
    summary.member("counts", one_line(counts_to_json(contents.scan.counts)));
    write_lists(contents, summary);
    summary.end();
    out.flush();
    line.pop_back();  // the line break
    return line;
}

}  // namespace opdebug::report
