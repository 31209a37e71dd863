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

struct ShownTie {
    const ApiTie& tie;
    const ScanApi& api;
};

struct ShownEntry {
    const ApiTimelineEntry& entry;
    const ScanApi& api;
};

struct ShownFailure {
    const ScanEntry& entry;
};

}  // namespace

static void write_members(const ShownTie& shown, JsonWriter& json) {
    const ApiTie& tie = shown.tie;
    const ApiFinding* const finding = tie.finding ? &shown.api.report->findings[*tie.finding] : nullptr;
    json.member("level", tie.level);
    json.text_member("api", tie.api);
    json.member("position", finding != nullptr ? std::optional(finding->position) : std::nullopt);
    json.member("step", finding != nullptr ? finding->step : std::nullopt);
    json.member("rank", finding != nullptr ? finding->rank : std::nullopt);
    json.text_member("source_file", finding != nullptr ? finding->file : std::string());
    json.member("dump", shown.api.overflows[tie.overflow].file);
    json.member("because", tie.because);
}

static void write_members(const ShownEntry& shown, JsonWriter& json) {
    const ApiTimelineEntry& entry = shown.entry;
    if (entry.finding) {
        const ApiFinding& finding = shown.api.report->findings[*entry.finding];
        json.member("kind", "api");
        json.member("api", finding.api);
        json.member("position", finding.position);
        json.member("verdict", finding.verdict);
        json.member("file", finding.file);
    } else {
        const KernelOverflow& overflow = shown.api.overflows[*entry.overflow];
        json.member("kind", "dump");
        json.member("file", overflow.file);
        json.member("timestamp_us", overflow.timestamp_us);
        json.text_member("operator_type", overflow.operator_type);
        json.text_member("operator", overflow.operator_name);
        json.member("tie", entry.tie ? std::optional(shown.api.ties[*entry.tie].level) : std::nullopt);
    }
}

static void write_members(const ShownFailure& failure, JsonWriter& json) {
    json.member("file", failure.entry.item.file);
    json.member("code", failure.entry.failure_code);
    json.member("message", failure.entry.failure_message);
}

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
void write_scan_api(const std::optional<ScanApi>& api, ObjectWriter& object) {
    if (!api) {
        object.member("api", Json{"null"});
        return;
    }
    const ApiReport& report = *api->report;
    object.begin_object("api");
    object.member("counts", report.counts);
    object.list("first", report.first);
    object.list("findings", report.findings);
    object.list("failures", report.failures);
    object.list("diagnostics", api->diagnostics);
    object.begin_list("ties");
    for (const ApiTie& tie : api->ties) {
        object.item(ShownTie{tie, *api});
    }
    object.end_list();
    object.begin_list("timeline");
    JsonWriter json{JsonWriter::Indent()};
    for (const ApiTimeline& timeline : api->timeline) {
        std::vector<ShownEntry> entries;
        for (const ApiTimelineEntry& entry : timeline.entries) {
            entries.push_back({entry, *api});
        }
        json.clear();
        json.begin_object();
        json.member("step", timeline.step);
        json.member("rank", timeline.rank);
        json.member("entries", entries);
        json.end_object();
        object.item(Json{json.text()});
    }
    object.end_list();
    object.end_object();
}

/// One list has the dumps that failed and the folders that could not be read.
std::optional<Error> write_failures(const Contents& contents, ObjectWriter& object) {
    object.begin_list("failures");
    std::uint64_t left = contents.scan.counts.failed;
    if (left != 0) {
        if (auto error = each_dump(contents, [&](const DumpInOrder& dump) {
                const ScanEntry& entry = dump.entry;
                if (entry.item.state == DumpState::failed) {
                    object.item(ShownFailure{entry});
                    --left;
                }
                return left != 0;
            })) {
            return error;
        }
    }
    for (const Error& error : contents.scan.failures) {
        object.item(error);
    }
    object.end_list();
    return std::nullopt;
}

/// Diagnostics of the overview state the doubts about the first overflow.
void write_diagnostics(const Contents& contents, ObjectWriter& object) {
    object.begin_list("diagnostics");
    for (const auto* list : {&contents.scan.diagnostics, &contents.overview.diagnostics}) {
        for (const Diagnostic& diagnostic : *list) {
            object.item(diagnostic);
        }
    }
    const std::size_t listed = contents.chains.chains.size();
    if (contents.chains.count > listed) {
        object.item(remarks::diagnose("chains_cut", {{"listed", listed}, {"count", contents.chains.count}}));
    }
    object.end_list();
}

}  // namespace

std::optional<Error> write_lists(const Contents& contents, ObjectWriter& object) {
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

void write_head(const Contents& contents, ObjectWriter& object, const char* type) {
    object.member("schema", "opdebug.report/1");
    if (type != nullptr) {
        object.member("type", type);
    }
    object.member("generated_by", fmt::format("opdebug {}", version()));
    object.member("inputs", contents.scan.inputs);
}

}  // namespace opdebug::report

namespace opdebug {
inline namespace v0 {
namespace {

using report::ObjectWriter;
using report::StoredText;
using Contents = ScanReport::Contents;

/// The document of the first overflow, "null" when there is none.
Result<std::string> first_document(const Contents& contents) {
    std::string document = "null";
    std::optional<Error> lost;
    const auto find = [&](const report::DumpInOrder& dump) {
        if (dump.entry.item.state != DumpState::overflowed) {
            return true;
        }
        const Result<std::string_view> text = dump.text(StoredText::document);
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
    object.member("counts", contents_->scan.counts);
    object.member("first", report::Json{*first});
    object.begin_list("timeline");
    if (auto error = report::read_timeline(
            *contents_, StoredText::document, out, [&](const report::ScanEntry& entry, std::string_view document) {
                object.item(report::Json{report::with_training_step(document, entry.item, contents_->training)});
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
