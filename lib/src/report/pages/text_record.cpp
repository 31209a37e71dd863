// A decoded dump as a page for people: answer, location, causes, next steps, evidence; the details with `verbose`.
#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <opdebug/report.hpp>

#include "locate/fit.hpp"
#include "remarks/diagnose.hpp"
#include "report/pages/pages.hpp"
#include "report/scan/scan_page.hpp"
#include "report/text/answer_words.hpp"
#include "report/text/page.hpp"

namespace opdebug {
inline namespace v0 {
namespace {

using report::KnownValues;
using report::UnitStatus;

constexpr std::size_t kShortCandidates = 3;

/// What all parts of the page need.
struct RecordPage : report::Page {
    const Dump& dump;
    const Location& location;
    const TensorEvidence& evidence;
    std::string statistics;           ///< of the operator's inputs
    std::string op;                   ///< empty: unknown
    report::UnknownOperator unknown;  ///< without an operator only
    report::AnswerLimits limits;

    Language language() const { return options.language; }
    bool is_overflow() const { return dump.overflow().value_or(false); }
};

std::string headline(const RecordPage& page) {
    if (!page.is_overflow()) {
        return fmt::format("{}\n", page.word(page.dump.overflow() ? "page.clean" : "page.unknown_overflow"));
    }
    const std::string_view label = page.word(page.limits.failure.empty() ? "page.overflow" : "page.failed");
    if (page.op.empty()) {
        return fmt::format("{}  {}{}\n  {}{}\n", page.red(label), page.word("page.op_unknown"), page.unknown.reason,
                           page.word("page.to_do"), page.unknown.next);
    }
    return page.with_label(label, page.red(label), "  " + page.op,
                           report::confidence_text(page.location, page.language()));
}

/// The other answers, as good as the best.
std::string candidates_text(const RecordPage& page) {
    std::string text;
    if (!page.is_overflow() || page.op.empty() || page.location.op->candidates.size() < 2) {
        return text;
    }
    std::size_t shown = 0, others = 0;
    for (std::size_t i = 1; i < page.location.op->candidates.size(); ++i) {  // the first is the best
        const std::string op = report::operator_text(page.location.op->candidates[i]);
        ++others;
        if (page.options.verbose || shown < kShortCandidates) {
            text += fmt::format("{}{}\n", page.word("page.or_else"), op.empty() ? "?" : op);
            ++shown;
        }
    }
    return text + page.more(others - shown);
}

std::string model_of(const RecordPage& page) {
    const std::optional<LocatedModel>& model = page.location.model;
    const std::optional<std::string>& in_path = page.dump.path_ids.model_name;
    return model && model->name ? printable(*model->name) : in_path ? printable(*in_path) : std::string();
}

/// Rank, device, model, step and time, as far as they are known.
std::string location_line(const RecordPage& page) {
    const PathIds& ids = page.dump.path_ids;
    const std::string model = model_of(page);
    std::string text = KnownValues("   ")
                           .add("rank", ids.rank)
                           .add("device", ids.device_id)
                           .add(page.word("page.path_model"), model.empty() ? std::nullopt : std::optional(model))
                           .add("step", ids.data_index)
                           .text();
    text.insert(0, text.empty() ? "" : "  ");
    if (page.dump.timestamp_us) {
        const std::string time = page.local_time(*page.dump.timestamp_us, page.location.utc_offset_minutes);
        const bool fits = report::display_columns(text) + 3 + time.size() <= page.options.columns;
        text += text.empty() || fits ? "" : "\n";
        text += fmt::format("{}{}", text.empty() || !fits ? "  " : "   ", time);
    }
    return text.empty() ? text : text + "\n";
}

std::string why_text(const RecordPage& page) {
    const std::string why = "\n" + page.bold(page.word("page.why"));
    std::string text = page.limits.failure.empty() ? "" : page.lines(why, page.limits.failure, 8);
    for (const UnitStatus& unit : report::overflowed_units(page.dump)) {
        text += fmt::format("{}{} {} {}", text.empty() ? why : "      ", unit_name(unit.record->unit),
                            page.word("page.status"), report::hex_words(unit.record->status.words));
        text += unit.record->inferred ? fmt::format(" ({})", page.word("page.inferred")) : "";
        if (unit.count > 1) {
            text += "   " + page.phrase("page.records", {{"count", unit.count}});
        }
        if (!unit.cores.empty()) {
            text += fmt::format("   {} {}", page.word("page.cores"), report::show_numbers(unit.cores));
        }
        text += "\n" + report::causes_text(unit.record->status, page.options);
    }
    return text;
}

/// The verdict on the operator's tensors, where they were measured.
std::string origin_text(const RecordPage& page) {
    if (!page.options.tensors) {
        return {};
    }
    const std::optional<Origin>& origin = page.evidence.origin;
    const std::string verdict(origin ? report::verdict_label(origin->verdict, page.language())
                                     : page.word("page.not_measured"));
    const std::string because =
        origin ? fmt::format("{}{}", page.word("page.colon"), printable(origin->because_in(page.language())))
               : std::string();
    return page.lines(fmt::format("\n{}", page.word("page.origin")), verdict + because, 8) +
           (page.evidence.op_dump ? report::tensors_table(page.evidence.op_dump->tensors, page.options) : "");
}

/// What to do, most urgent first, each once. Steps for an unknown operator are at the top of the page.
std::vector<std::string> next_steps(const RecordPage& page) {
    std::vector<std::string> steps;
    const auto add = [&steps](std::string step) {
        if (!step.empty() && std::find(steps.begin(), steps.end(), step) == steps.end()) {
            steps.push_back(std::move(step));
        }
    };
    add(page.limits.failure_next);
    if (page.options.tensors && page.evidence.origin) {
        add(page.evidence.origin->verdict == OriginVerdict::inherited ? std::string(page.word("page.follow_input"))
                                                                      : "");
    } else if (page.location.op_dump && !page.options.tensors) {
        add(std::string(page.word("page.measure_inputs")));
    } else if (!page.statistics.empty()) {
        add(report::read_statistics(page.statistics, page.language()));
    }
    for (const UnitStatus& unit : report::overflowed_units(page.dump)) {
        for (const Cause& cause : unit.record->status.causes) {
            add(!page.limits.failure.empty() ? "" : printable(report::next_of(*cause.definition, page.language())));
        }
    }
    if (!page.location.op_dump && page.statistics.empty()) {
        add(std::string(page.word("page.dump_inputs")));
    }
    return steps;
}

std::string evidence_text(const RecordPage& page) {
    std::vector<report::EvidenceRow> rows;
    if (page.is_overflow()) {
        rows = report::evidence_rows(page.dump, page.location, page.options);
    }
    std::string text = report::evidence_lines(rows, page.options);
    if (!page.dump.file.empty()) {
        text += fmt::format("  {}\n", page.path(page.dump.file, page.options.columns - 2));
    }
    const bool is_short = !page.options.verbose && !rows.empty();
    return text.empty() ? text : page.heading(page.word(is_short ? "page.evidence_short" : "page.evidence")) + text;
}

/// The fields of a record as "key value", ids or addresses.
std::string show_fields(const Record& record, bool addresses) {
    std::string text;
    for (const FieldValue& field : record.fields) {
        if (field_is_address(field.field) == addresses) {
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", field_key(field.field),
                                addresses ? report::hex(field.value) : fmt::to_string(field.value));
        }
    }
    return text;
}

/// Kernel, model ids, records and path: with `verbose` only.
std::string details(const RecordPage& page) {
    std::string text;
    const auto add = [&](std::string_view label, const std::string& value) {
        constexpr std::size_t kColumn = 14;
        text += value.empty()
                    ? value
                    : fmt::format("  {}  {}\n", report::padded(std::string(page.word(label)), kColumn), value);
    };
    if (page.is_overflow() && page.location.op && page.location.op->best.kernel) {
        add("page.kernel", printable(*page.location.op->best.kernel));
    }
    if (page.is_overflow() && page.location.model) {
        const LocatedModel& model = *page.location.model;
        add("page.model", KnownValues(page.word("page.comma"))
                              .add(page.word("page.runtime_id"), model.runtime_id)
                              .add(page.word("page.ge_id"), model.ge_id)
                              .add(page.word("page.graph_id"), model.graph_id)
                              .text());
    }
    for (const DecodedPayload& payload : page.dump.payloads) {
        for (const Record& record : payload.records) {
            if (record.status.overflow) {
                add("page.task", fmt::format("{}: {}", unit_name(record.unit), show_fields(record, false)));
                add("page.address", show_fields(record, true));
            }
        }
    }
    const PathIds& ids = page.dump.path_ids;
    add("page.place", KnownValues(page.word("page.comma"))
                          .add(page.word("page.path_model_id"), ids.model_id)
                          .add(page.word("page.data_index"), ids.data_index)
                          .add(page.word("page.folder_time"), ids.time)
                          .text());
    add("page.time", page.dump.timestamp_us ? report::show_time(*page.dump.timestamp_us) : std::string());
    return text.empty() ? text : page.heading(page.word("page.details")) + text;
}

/// Each use of the ids, with the row of the table that put it there and what is known of it.
std::string uses_text(const RecordPage& page) {
    std::string text;
    constexpr std::size_t kExcludedShown = 4;  // a job of many processes excludes most of them for one reason
    std::size_t excluded = 0;
    for (const ComparedUse& use : page.location.uses) {
        excluded += use.is_possible ? 0 : 1;
        if (excluded > kExcludedShown) {
            continue;
        }
        text +=
            fmt::format("  {} {}   pid {}", use.is_possible ? "+" : "-",
                        use.name.empty() ? std::string(page.word("page.unnamed")) : printable(use.name), use.process);
        text += use.device ? fmt::format("   device {}", *use.device) : std::string();
        text += use.file.empty() ? std::string() : fmt::format("   {}:{}", printable(use.file), use.line);
        if (!use.row.empty()) {
            text += "   " + page.phrase(use.is_possible ? "page.ranked_lower" : "page.excluded", {{"rule", use.row}});
        }
        std::string facts;
        for (const auto& [fact, finding] : use.facts) {
            facts += fmt::format("{}{}{}{}", facts.empty() ? "" : page.word("page.comma"),
                                 locate_stage::fit_word(fact).in(page.language()), page.word("page.colon"),
                                 locate_stage::fit_word(finding).in(page.language()));
        }
        text += fmt::format("\n      {}\n", facts);
    }
    text += excluded > kExcludedShown ? page.more(excluded - kExcludedShown) : std::string();
    return text.empty() ? text : fmt::format("\n{}\n{}", page.word("page.uses"), text);
}

/// Without `verbose` what limits the answer, except what the head of the page states already.
std::string remarks_text(const RecordPage& page) {
    std::string text;
    for (const auto* list : {&page.dump.diagnostics, &page.location.diagnostics, &page.evidence.diagnostics}) {
        for (const Diagnostic& remark : *list) {
            const std::vector<std::string_view>& stated = page.limits.codes;
            const bool is_stated = (page.is_overflow() && page.op.empty() && remark.code == page.unknown.code) ||
                                   std::find(stated.begin(), stated.end(), remark.code) != stated.end();
            const bool is_left_out = !page.options.verbose && (remark.severity == Severity::info || is_stated);
            if (is_left_out || remark.code == "uses_compared") {  // shown as a table
                continue;
            }
            text += "  " + page.remark(remark);
        }
    }
    return text.empty() ? text : page.heading(page.word("page.remarks")) + text;
}

}  // namespace

std::string failure_to_text(const Error& error, const ReportOptions& options) {
    return report::fitted(fmt::format("{} [{}] {}\n", report::Page{options}.word("page.error"), to_string(error.code),
                                      printable(remarks::text_of(error).in(options.language))),
                          options.columns);
}

std::string record_to_text(const Dump& dump, const Location& location, const ReportOptions& options) {
    return record_to_text(dump, location, TensorEvidence(), options);
}

std::string record_to_text(const Dump& dump, const Location& location, const TensorEvidence& evidence,
                           const ReportOptions& options) {
    RecordPage page{{options}, dump, location, evidence, report::statistics_of_inputs(location), {}, {}, {}};
    if (page.is_overflow()) {
        page.op = location.op ? report::operator_text(location.op->best) : std::string();
        page.unknown = page.op.empty() ? report::why_unknown(dump, location, options.language) : page.unknown;
        page.limits = report::limits_of_answer(dump, location, page.unknown.code, options.language);
    }
    std::string text = headline(page) + candidates_text(page) + location_line(page) +
                       report::warnings_text(page.limits.warnings, options);
    if (!dump.complete()) {
        text += fmt::format("  {}\n", page.word("page.damaged"));
    }
    if (page.is_overflow()) {
        text += why_text(page) + origin_text(page) + report::next_steps_text(next_steps(page), page.options);
    }
    text += evidence_text(page) + (options.verbose ? uses_text(page) + details(page) : "") + remarks_text(page);
    return report::fitted(text, options.columns);
}

}  // namespace v0
}  // namespace opdebug
