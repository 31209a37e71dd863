// A decoded dump as a page for people: answer, location, causes, next steps, evidence; the details with `verbose`.
#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <opdebug/report.hpp>

#include "locate/fit.hpp"
#include "remarks/diagnose.hpp"
#include "report/pages/pages.hpp"
#include "report/scan/scan_page.hpp"
#include "report/text/answer_words.hpp"
#include "report/text/evidence_words.hpp"
#include "report/text/labels.hpp"
#include "report/text/numbers_and_times.hpp"
#include "report/text/shown_remarks.hpp"
#include "report/text/text_table.hpp"

namespace opdebug {
inline namespace v0 {
namespace {

using report::Labels;
using report::UnitStatus;

constexpr std::size_t kShortCandidates = 3;

/// What all parts of the page need.
struct RecordPage {
    const Dump& dump;
    const Location& location;
    const TensorEvidence& evidence;
    const ReportOptions& options;
    const Labels& labels;
    report::Style style;
    report::UnknownOperator unknown;  ///< without an operator only
    std::string op;                   ///< empty: unknown
    report::AnswerLimits limits;
    std::string statistics;  ///< of the operator's inputs

    Language language() const { return options.language; }
    bool is_overflow() const { return dump.overflow().value_or(false); }
};

std::string headline(const RecordPage& page) {
    const std::optional<bool> overflow = page.dump.overflow();
    if (!page.is_overflow()) {
        return fmt::format("{}\n", overflow ? page.labels.clean : page.labels.unknown_overflow);
    }
    const std::string_view label = page.limits.failure.empty() ? page.labels.overflow : page.labels.failed;
    if (page.op.empty()) {
        return fmt::format("{}  {}{}\n  {}{}\n", page.style.red(label), page.labels.op_unknown, page.unknown.reason,
                           page.labels.to_do, page.unknown.next);
    }
    const std::string line =
        report::two_sides(fmt::format("{}  {}", label, page.op),
                          report::confidence_text(page.location, page.language()), page.options.columns);
    return page.style.red(label) + line.substr(label.size());
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
            text += fmt::format("{}{}\n", page.labels.or_else, op.empty() ? "?" : op);
            ++shown;
        }
    }
    return shown == others ? text : text + page.labels.more(others - shown);
}

std::string model_of(const RecordPage& page) {
    const std::optional<LocatedModel>& model = page.location.model;
    const std::optional<std::string>& in_path = page.dump.path_ids.model_name;
    return model && model->name ? printable(*model->name) : in_path ? printable(*in_path) : std::string();
}

/// Rank, device, model, step and time, as far as they are known.
std::string location_line(const RecordPage& page) {
    std::string text;
    const auto add = [&text](std::string_view name, const auto& value) {
        text += fmt::format("{}{}{}{}", text.empty() ? "  " : "   ", name, name.empty() ? "" : " ", value);
    };
    const PathIds& ids = page.dump.path_ids;
    if (ids.rank) {
        add("rank", *ids.rank);
    }
    if (ids.device_id) {
        add("device", *ids.device_id);
    }
    if (const std::string model = model_of(page); !model.empty()) {
        add(page.labels.path_model, model);
    }
    if (ids.data_index) {
        add("step", *ids.data_index);
    }
    if (page.dump.timestamp_us) {
        const std::string time =
            report::show_local_time(*page.dump.timestamp_us, page.location.utc_offset_minutes, page.options);
        const bool fits = report::display_columns(text) + 3 + time.size() <= page.options.columns;
        text += text.empty() || fits ? "" : "\n";
        text += fmt::format("{}{}", text.empty() || !fits ? "  " : "   ", time);
    }
    return text.empty() ? text : text + "\n";
}

std::string why_text(const RecordPage& page) {
    std::string text;
    if (!page.limits.failure.empty()) {
        text = report::wrapped("\n" + page.style.bold(page.labels.why), page.limits.failure, 8, page.options.columns);
    }
    for (const UnitStatus& unit : report::overflowed_units(page.dump)) {
        const std::string label = text.empty() ? "\n" + page.style.bold(page.labels.why) : "";
        text += fmt::format("{}{} {} {}", label.empty() ? "      " : label, unit_name(unit.record->unit),
                            page.labels.status, report::hex_words(unit.record->status.words));
        text += unit.record->inferred ? fmt::format(" ({})", page.labels.inferred) : "";
        if (unit.count > 1) {
            text += "   " + fmt::format(fmt::runtime(page.labels.records_format), unit.count);
        }
        if (!unit.cores.empty()) {
            text += fmt::format("   {} {}", page.labels.cores, report::show_numbers(unit.cores));
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
    const std::string verdict(origin ? verdict_label(origin->verdict, page.labels) : page.labels.not_measured);
    const std::string because =
        origin ? fmt::format("{}{}", page.labels.colon, printable(origin->because_in(page.language()))) : std::string();
    return report::wrapped("\n" + std::string(page.labels.origin), verdict + because, 8, page.options.columns) +
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
        add(page.evidence.origin->verdict == OriginVerdict::inherited ? std::string(page.labels.follow_input) : "");
    } else if (page.location.op_dump && !page.options.tensors) {
        add(std::string(page.labels.measure_inputs));
    } else if (!page.statistics.empty()) {
        add(report::read_statistics(page.statistics, page.language()));
    }
    for (const UnitStatus& unit : report::overflowed_units(page.dump)) {
        for (const Cause& cause : unit.record->status.causes) {
            add(!page.limits.failure.empty() ? "" : printable(report::next_of(*cause.definition, page.language())));
        }
    }
    if (!page.location.op_dump && page.statistics.empty()) {
        add(std::string(page.labels.dump_inputs));
    }
    return steps;
}

std::string evidence_text(const RecordPage& page) {
    const bool verbose = page.options.verbose;
    std::vector<report::EvidenceRow> rows;
    if (page.is_overflow()) {
        rows = report::evidence_rows(page.dump, page.location, page.options);
    }
    std::string text = report::evidence_lines(rows, page.options);
    const std::string file = printable(page.dump.file);
    if (!file.empty()) {
        text += fmt::format("  {}\n", verbose ? file : report::shorten_path(file, page.options.columns - 2));
    }
    const std::string_view heading = verbose || rows.empty() ? page.labels.proof : page.labels.proof_short;
    return text.empty() ? text : fmt::format("\n{}\n{}", page.style.bold(heading), text);
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

std::string model_ids(const LocatedModel& model, const Labels& labels) {
    std::string text;
    const auto add = [&](std::string_view name, const std::optional<std::uint64_t>& id) {
        text += id ? fmt::format("{}{} {}", text.empty() ? "" : labels.comma, name, *id) : std::string();
    };
    add(labels.runtime_id, model.runtime_id);
    add(labels.ge_id, model.ge_id);
    add(labels.graph_id, model.graph_id);
    return text;
}

std::string path_details(const PathIds& ids, const Labels& labels) {
    std::string text;
    const auto add = [&](std::string_view name, const auto& value) {
        text += value ? fmt::format("{}{} {}", text.empty() ? "" : labels.comma, name, *value) : std::string();
    };
    add(labels.path_model_id, ids.model_id);
    add(labels.data_index, ids.data_index);
    add(labels.folder_time, ids.time);
    return text;
}

/// Kernel, model ids, records and path: with `verbose` only.
std::string details(const RecordPage& page) {
    std::string text;
    const auto add = [&text](std::string_view label, const std::string& value) {
        constexpr std::size_t kColumn = 14;
        text += value.empty() ? value : fmt::format("  {}  {}\n", report::padded(std::string(label), kColumn), value);
    };
    if (page.is_overflow() && page.location.op && page.location.op->best.kernel) {
        add(page.labels.kernel, printable(*page.location.op->best.kernel));
    }
    if (page.is_overflow() && page.location.model) {
        add(page.labels.model, model_ids(*page.location.model, page.labels));
    }
    for (const DecodedPayload& payload : page.dump.payloads) {
        for (const Record& record : payload.records) {
            if (record.status.overflow) {
                add(page.labels.task, fmt::format("{}: {}", unit_name(record.unit), show_fields(record, false)));
                add(page.labels.address, show_fields(record, true));
            }
        }
    }
    add(page.labels.place, path_details(page.dump.path_ids, page.labels));
    add(page.labels.time, page.dump.timestamp_us ? report::show_time(*page.dump.timestamp_us) : std::string());
    return text.empty() ? text : fmt::format("\n{}\n{}", page.style.bold(page.labels.details), text);
}

/// Each use of the ids, with the row of the table that put it there and what is known of it.
std::string uses_text(const RecordPage& page) {
    const Labels& labels = page.labels;
    std::string text;
    constexpr std::size_t kExcludedShown = 4;  // a job of many processes excludes most of them for one reason
    std::size_t excluded = 0;
    for (const ComparedUse& use : page.location.uses) {
        excluded += use.is_possible ? 0 : 1;
        if (excluded > kExcludedShown) {
            continue;
        }
        text += fmt::format("  {} {}   pid {}", use.is_possible ? "+" : "-",
                            use.name.empty() ? std::string(labels.unnamed) : printable(use.name), use.process);
        text += use.device ? fmt::format("   device {}", *use.device) : std::string();
        text += use.file.empty() ? std::string() : fmt::format("   {}:{}", printable(use.file), use.line);
        if (!use.row.empty()) {
            text += fmt::format(
                "   {}",
                fmt::format(fmt::runtime(use.is_possible ? labels.behind_format : labels.excluded_format), use.row));
        }
        std::string facts;
        for (const auto& [fact, finding] : use.facts) {
            facts += fmt::format("{}{}{}{}", facts.empty() ? std::string_view() : labels.comma,
                                 locate_stage::fit_word(fact).in(page.language()), labels.colon,
                                 locate_stage::fit_word(finding).in(page.language()));
        }
        text += fmt::format("\n      {}\n", facts);
    }
    text += excluded > kExcludedShown ? labels.more(excluded - kExcludedShown) : std::string();
    return text.empty() ? text : fmt::format("\n{}\n{}", labels.uses, text);
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
            text += fmt::format("  {} [{}] {}\n", report::severity_label(remark.severity, page.labels),
                                printable(remark.code), printable(remark.message_in(page.language())));
        }
    }
    return text.empty() ? text : fmt::format("\n{}\n{}", page.style.bold(page.labels.remarks), text);
}

}  // namespace

std::string failure_to_text(const Error& error, const ReportOptions& options) {
    return report::fitted(fmt::format("{} [{}] {}\n", report::labels_in(options.language).error, to_string(error.code),
                                      printable(remarks::text_of(error).in(options.language))),
                          options.columns);
}

std::string record_to_text(const Dump& dump, const Location& location, const ReportOptions& options) {
    return record_to_text(dump, location, TensorEvidence(), options);
}

std::string record_to_text(const Dump& dump, const Location& location, const TensorEvidence& evidence,
                           const ReportOptions& options) {
    RecordPage page{dump,
                    location,
                    evidence,
                    options,
                    report::labels_in(options.language),
                    report::Style(options),
                    {},
                    {},
                    {},
                    report::statistics_of_inputs(location)};
    if (page.is_overflow()) {
        page.op = location.op ? report::operator_text(location.op->best) : std::string();
        page.unknown = page.op.empty() ? report::why_unknown(dump, location, options.language) : page.unknown;
        page.limits = report::limits_of_answer(dump, location, page.unknown.code, options.language);
    }
    std::string text = headline(page) + candidates_text(page) + location_line(page) +
                       report::warnings_text(page.limits.warnings, options);
    if (!dump.complete()) {
        text += fmt::format("  {}\n", page.labels.damaged);
    }
    if (page.is_overflow()) {
        text += why_text(page) + origin_text(page) + report::next_steps_text(next_steps(page), page.options);
    }
    text += evidence_text(page) + (options.verbose ? uses_text(page) + details(page) : "") + remarks_text(page);
    return report::fitted(text, options.columns);
}

}  // namespace v0
}  // namespace opdebug
