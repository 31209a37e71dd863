// The scan report as JSON, written piece by piece.
#include "report/scan/scan_json.hpp"

#include <optional>
#include <string>

#include <fmt/format.h>

#include <opdebug/version.hpp>

#include "remarks/diagnose.hpp"
#include "report/json/document_writer.hpp"
#include "report/json/json_api.hpp"
#include "report/json/json_parts.hpp"
#include "report/scan/scan_api.hpp"
#include "report/scan/scan_contents.hpp"

namespace opdebug::report {
namespace {

void write_tie(const ApiTie& tie, const ScanApi& api, JsonWriter& json) {
    const ApiFinding* const finding = tie.finding ? &api.report->findings[*tie.finding] : nullptr;
    json.begin_object();
    json.member("level", to_string(tie.level));
    write_text_or_null("api", tie.api, json);
    json.member("position", finding != nullptr ? std::optional(finding->position) : std::nullopt);
    json.member("step", finding != nullptr ? finding->step : std::nullopt);
    json.member("rank", finding != nullptr ? finding->rank : std::nullopt);
    write_text_or_null("source_file", finding != nullptr ? finding->file : std::string(), json);
    json.member("dump", api.overflows[tie.overflow].file);
    json.member("because", tie.because);
    json.end_object();
}

void write_entry(const ApiTimelineEntry& entry, const ScanApi& api, JsonWriter& json) {
    json.begin_object();
    if (entry.finding) {
        const ApiFinding& finding = api.report->findings[*entry.finding];
        json.member("kind", "api");
        json.member("api", finding.api);
        json.member("position", finding.position);
        json.member("verdict", to_string(finding.verdict));
        json.member("file", finding.file);
    } else {
        const KernelOverflow& overflow = api.overflows[*entry.overflow];
        json.member("kind", "dump");
        json.member("file", overflow.file);
        json.member("timestamp_us", overflow.timestamp_us);
        write_text_or_null("operator_type", overflow.operator_type, json);
        write_text_or_null("operator", overflow.operator_name, json);
        json.member("tie", entry.tie ? std::optional(to_string(api.ties[*entry.tie].level)) : std::nullopt);
    }
    json.end_object();
}

void write_timeline(const ApiTimeline& timeline, const ScanApi& api, JsonWriter& json) {
    json.begin_object();
    json.member("step", timeline.step);
    json.member("rank", timeline.rank);
    json.begin_array("entries");
    for (const ApiTimelineEntry& entry : timeline.entries) {
        write_entry(entry, api, json);
    }
    json.end_array();
    json.end_object();
}

/// The member "api"; null when there is none.
void write_scan_api(const std::optional<ScanApi>& api, ObjectWriter& object) {
    if (!api) {
        object.member("api", "null");
        return;
    }
    const ApiReport& report = *api->report;
    object.begin_object("api");
    object.member("counts", one_line([&](JsonWriter& json) { write_api_counts(report.counts, json); }));
    object.list("first", report.first, write_api_finding);
    object.list("findings", report.findings, write_api_finding);
    object.list("failures", report.failures,
                [](const Error& failure, JsonWriter& json) { write_failure(failure, json); });
    object.list("diagnostics", api->diagnostics, write_diagnostic);
    object.list("ties", api->ties, [&api](const ApiTie& tie, JsonWriter& json) { write_tie(tie, *api, json); });
    object.list("timeline", api->timeline,
                [&api](const ApiTimeline& timeline, JsonWriter& json) { write_timeline(timeline, *api, json); });
    object.end_object();
}

}  // namespace

}  // namespace opdebug::report

namespace opdebug::report {
namespace {

using Contents = ScanReport::Contents;

std::string one_line_of(const Diagnostic& diagnostic) {
    return one_line([&](JsonWriter& json) { write_diagnostic(diagnostic, json); });
}

}  // namespace

std::string counts_line(const ScanCounts& counts) {
    return one_line([&](JsonWriter& json) {
        json.begin_object();
        json.member("dumps", counts.dumps);
        json.member("overflowed", counts.overflowed);
        json.member("clean", counts.clean);
        json.member("failed", counts.failed);
        json.member("op_dumps", counts.op_dumps);
        json.member("other_files", counts.other_files);
        json.end_object();
    });
}

namespace {

/// One list has the dumps that failed and the folders that could not be read.
std::optional<Error> write_failures(const Contents& contents, ObjectWriter& object) {
    object.begin_list("failures");
    std::uint64_t left = contents.scan.counts.failed;
    if (left != 0) {
        if (auto error = each_dump(contents, [&](const DumpInOrder& dump) {
                const ScanEntry& entry = dump.entry;
                if (entry.item.state == DumpState::failed) {
                    object.item(one_line([&](JsonWriter& json) {
                        write_failure(entry.item.file, entry.failure_code, entry.failure_message, json);
                    }));
                    --left;
                }
                return left != 0;
            })) {
            return error;
        }
    }
    for (const Error& error : contents.scan.failures) {
        object.item(one_line([&](JsonWriter& json) { write_failure(error, json); }));
    }
    object.end_list();
    return std::nullopt;
}

/// Diagnostics of the overview state the doubts about the first overflow.
void write_diagnostics(const Contents& contents, ObjectWriter& object) {
    object.begin_list("diagnostics");
    for (const auto* list : {&contents.scan.diagnostics, &contents.overview.diagnostics}) {
        for (const Diagnostic& diagnostic : *list) {
            object.item(one_line_of(diagnostic));
        }
    }
    const std::size_t listed = contents.chains.chains.size();
    if (contents.chains.count > listed) {
        object.item(
            one_line_of(remarks::diagnose("chains_cut", {{"listed", listed}, {"count", contents.chains.count}})));
    }
    object.end_list();
}

}  // namespace

std::optional<Error> write_lists(const Contents& contents, ObjectWriter& object) {
    object.list("groups", contents.overview.groups, write_group);
    if (contents.options.report.tensors) {
        object.list("chains", contents.chains.chains, write_chain);
    }
    write_scan_api(contents.api, object);
    if (contents.training) {
        write_training(*contents.training, object);
    }
    if (auto error = write_failures(contents, object)) {
        return error;
    }
    write_diagnostics(contents, object);
    object.member("complete", contents.scan.complete ? "true" : "false");
    return std::nullopt;
}

void write_head(const Contents& contents, ObjectWriter& object, const char* type) {
    object.member("schema", "\"opdebug.report/1\"");
    if (type != nullptr) {
        object.member("type", one_line([&](JsonWriter& json) { json.value(type); }));
    }
    object.member("generated_by", one_line([](JsonWriter& json) { json.value(fmt::format("opdebug {}", version())); }));
    object.member("inputs", one_line([&](JsonWriter& json) { json.value(contents.scan.inputs); }));
}

}  // namespace opdebug::report

namespace opdebug {
inline namespace v0 {
namespace {

using report::KeptText;
using report::ObjectWriter;
using Contents = ScanReport::Contents;

/// The document of the first overflow, "null" when there is none.
Result<std::string> first_document(const Contents& contents) {
    std::string document = "null";
    std::optional<Error> lost;
    const auto find = [&](const report::DumpInOrder& dump) {
        if (dump.entry.item.state != DumpState::overflowed) {
            return true;
        }
        const Result<std::string_view> text = dump.text(KeptText::document);
        if (!text) {
            lost = text.error();
        } else if (!text->empty()) {
            document = report::with_training_step(*text, dump.entry.item, contents.training);
        }
        return false;
    };
    const std::optional<Error> unread =
        contents.scan.counts.overflowed != 0 ? report::each_dump(contents, find) : std::nullopt;
    lost = lost ? lost : unread;
    return lost ? Result<std::string>(*std::move(lost)) : Result<std::string>(std::move(document));
}

}  // namespace

std::optional<Error> ScanReport::write_json(const TextSink& sink) const {
    if (auto error = report::why_missing(*contents_, contents_->options.keep_documents)) {
        return error;
    }
    const Result<std::string> first = first_document(*contents_);
    if (!first) {
        return first.error();
    }
    report::SinkWriter out(sink);
    ObjectWriter object(out, contents_->options.report.one_line);
    report::write_head(*contents_, object, nullptr);
    object.member("counts", report::counts_line(contents_->scan.counts));
    object.member("first", *first);
    object.begin_list("timeline");
    if (auto error = report::read_timeline(
            *contents_, KeptText::document, out, [&](const report::ScanEntry& entry, std::string_view document) {
                object.item(report::with_training_step(document, entry.item, contents_->training));
            })) {
        return error;
    }
    object.end_list();
    if (auto error = report::write_lists(*contents_, object)) {
        return error;
    }
    object.end();
    out.flush();
    return std::nullopt;
}

}  // namespace v0
}  // namespace opdebug
