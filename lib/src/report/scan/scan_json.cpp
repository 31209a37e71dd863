// The scan report as JSON, written piece by piece.

#include <optional>
#include <string>

#include <fmt/format.h>

#include <opdebug/version.hpp>

#include "remarks/diagnose.hpp"
#include "report/json/json_parts.hpp"
#include "report/json/json_writer.hpp"
#include "report/scan/scan_api.hpp"
#include "report/scan/scan_contents.hpp"

namespace opdebug::report {
namespace {

void write_tie(const ApiTie& tie, const ScanApi& api, JsonWriter& json) {
    const ApiFinding* const finding = tie.finding ? &api.report->findings[*tie.finding] : nullptr;
    json.member("level", tie.level);
    json.text_member("api", tie.api);
    json.member("position", finding != nullptr ? std::optional(finding->position) : std::nullopt);
    json.member("step", finding != nullptr ? finding->step : std::nullopt);
    json.member("rank", finding != nullptr ? finding->rank : std::nullopt);
    json.text_member("source_file", finding != nullptr ? finding->file : std::string());
    json.member("dump", api.overflows[tie.overflow].file);
    json.member("because", tie.because);
}

void write_entry(const ApiTimelineEntry& entry, const ScanApi& api, JsonWriter& json) {
    if (entry.finding) {
        const ApiFinding& finding = api.report->findings[*entry.finding];
        json.member("kind", "api");
        json.member("api", finding.api);
        json.member("position", finding.position);
        json.member("verdict", finding.verdict);
        json.member("file", finding.file);
    } else {
        const KernelOverflow& overflow = api.overflows[*entry.overflow];
        json.member("kind", "dump");
        json.member("file", overflow.file);
        json.member("timestamp_us", overflow.timestamp_us);
        json.text_member("operator_type", overflow.operator_type);
        json.text_member("operator", overflow.operator_name);
        json.member("tie", entry.tie ? std::optional(api.ties[*entry.tie].level) : std::nullopt);
    }
}

}  // namespace

void write_members(const ScanCounts& counts, JsonWriter& json) {
    json.member("dumps", counts.dumps);
    json.member("overflowed", counts.overflowed);
    json.member("clean", counts.clean);
    json.member("failed", counts.failed);
    json.member("op_dumps", counts.op_dumps);
    json.member("other_files", counts.other_files);
}

namespace {

using Contents = ScanReport::Contents;

/// The member "api"; null when there is none.
void write_scan_api(const std::optional<ScanApi>& api, ReportWriter& object) {
    if (!api) {
        object.null_member("api");
        return;
    }
    const ApiReport& report = *api->report;
    JsonWriter& json = object;
    object.key("api");
    object.value([&] {
        object.member("counts", report.counts);
        object.list("first", report.first);
        object.list("findings", report.findings);
        object.list("failures", report.failures);
        object.list("diagnostics", api->diagnostics);
        object.list("ties", api->ties, [&](const ApiTie& tie) { write_tie(tie, *api, json); });
        object.list("timeline", api->timeline, [&](const ApiTimeline& timeline) {
            json.member("step", timeline.step);
            json.member("rank", timeline.rank);
            json.objects("entries", timeline.entries,
                         [&](const ApiTimelineEntry& entry) { write_entry(entry, *api, json); });
        });
    });
}

/// One list has the dumps that failed and the folders that could not be read.
std::optional<Error> write_failures(const Contents& contents, ReportWriter& object) {
    object.begin_array("failures");
    std::uint64_t left = contents.scan.counts.failed;
    const auto write = [&](const DumpInOrder& dump) {
        const ScanEntry& entry = dump.entry;
        if (entry.item.state == DumpState::failed) {
            object.line([&] {
                object.member("file", entry.item.file);
                object.member("code", entry.failure_code);
                object.member("message", entry.failure_message);
            });
            --left;
        }
        return left != 0;
    };
    if (auto error = left != 0 ? each_dump(contents, write) : std::nullopt) {
        return error;
    }
    for (const Error& error : contents.scan.failures) {
        object.line(error);
    }
    object.end_array();
    return std::nullopt;
}

/// Diagnostics of the overview state the doubts about the first overflow.
void write_diagnostics(const Contents& contents, ReportWriter& object) {
    object.begin_array("diagnostics");
    for (const auto* list : {&contents.scan.diagnostics, &contents.overview.diagnostics}) {
        for (const Diagnostic& diagnostic : *list) {
            object.line(diagnostic);
        }
    }
    const std::size_t listed = contents.chains.chains.size();
    if (contents.chains.count > listed) {
        object.line(remarks::diagnose("chains_cut", {{"listed", listed}, {"count", contents.chains.count}}));
    }
    object.end_array();
}

}  // namespace

std::optional<Error> write_lists(const Contents& contents, ReportWriter& object) {
    object.list("groups", contents.overview.groups);
    if (contents.options.report.tensors) {
        object.list("chains", contents.chains.chains);
    }
    write_scan_api(contents.api, object);
    if (contents.training) {
        object.member("training", *contents.training);
    }
    if (auto error = write_failures(contents, object)) {
        return error;
    }
    write_diagnostics(contents, object);
    object.member("complete", contents.scan.complete);
    return std::nullopt;
}

void write_head(const Contents& contents, ReportWriter& object, const char* type) {
    object.member("schema", "opdebug.report/1");
    if (type != nullptr) {
        object.member("type", type);
    }
    object.member("generated_by", fmt::format("opdebug {}", version()));
    object.member("inputs", contents.scan.inputs);
}

namespace {

/// The document of the first overflow, "null" when there is none.
Result<std::string> first_document(const Contents& contents) {
    std::string document = "null";
    const auto find = [&](const DumpInOrder& dump) -> Result<bool> {
        if (dump.entry.item.state != DumpState::overflowed) {
            return true;
        }
        const Result<std::string_view> text = dump.document();
        if (!text) {
            return text.error();
        }
        if (!text->empty()) {
            document = with_training_step(*text, dump.entry.item, contents.training);
        }
        return false;
    };
    if (auto unread = contents.scan.counts.overflowed != 0 ? each_dump(contents, find) : std::nullopt) {
        return *std::move(unread);
    }
    return document;
}

std::optional<Error> write_report(const Contents& contents, SinkWriter& out) {
    const Result<std::string> first = first_document(contents);
    if (!first) {
        return first.error();
    }
    ReportWriter object(out, contents.options.report.one_line);
    write_head(contents, object, nullptr);
    object.member("counts", contents.scan.counts);
    object.member("first", Json{*first});
    object.begin_array("timeline");
    const auto write = [&](const ScanEntry& entry, std::string_view document) {
        object.line(Json{with_training_step(document, entry.item, contents.training)});
    };
    if (auto error = read_timeline(contents, out, write)) {
        return error;
    }
    object.end_array();
    if (auto error = write_lists(contents, object)) {
        return error;
    }
    object.end();
    out.flush();
    return std::nullopt;
}

}  // namespace
}  // namespace opdebug::report

std::optional<opdebug::Error> opdebug::ScanReport::write_json(const TextSink& sink) const {
    report::SinkWriter out(sink);
    auto missing = report::why_missing(*contents_);
    return missing ? missing : report::write_report(*contents_, out);
}
