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
#include "report/text/joined_lists.hpp"
#include "report/text/page.hpp"

namespace opdebug::report {
namespace {

constexpr std::size_t kShortCandidates = 3;

/// What all parts of the page need.
struct RecordPage : Page {
    const Dump& dump;
    const Location& location;
    const TensorEvidence& evidence;
    AnswerWords words;  ///< of an overflow

    bool is_overflow() const { return dump.overflow().value_or(false); }
};

std::string headline(const RecordPage& page) {
    if (!page.is_overflow()) {
        return fmt::format("{}\n", page.word(page.dump.overflow() ? "page.clean" : "page.unknown_overflow"));
    }
    const std::string_view label = page.word(page.words.failure.empty() ? "page.overflow" : "page.failed");
    if (page.words.op.empty()) {
        return fmt::format("{}  {}{}\n  {}{}\n", page.red(label), page.word("page.op_unknown"), page.words.reason,
                           page.word("page.to_do"), page.words.next);
    }
    return page.with_label(label, page.red(label), "  " + page.words.op,
                           confidence_text(page.location, page.language()));
}

/// The other answers, as good as the best.
std::string candidates_text(const RecordPage& page) {
    std::string text;
    if (!page.is_overflow() || page.words.op.empty() || page.location.op->candidates.size() < 2) {
        return text;
    }
    std::size_t shown = 0, others = 0;
    for (std::size_t i = 1; i < page.location.op->candidates.size(); ++i) {  // the first is the best
        const std::string op = operator_text(page.location.op->candidates[i]);
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
    if (page.dump.timestamp_us) {
        text += text.empty() ? "" : "   ";
        text += page.local_time(*page.dump.timestamp_us, page.location.utc_offset_minutes);
    }
    return text.empty() ? text : page.lines("  ", text, 2);
}

std::string why_text(const RecordPage& page) {
    const std::string why = "\n" + page.bold(page.word("page.why"));
    std::string text = page.words.failure.empty() ? "" : page.lines(why, page.words.failure, 8);
    for (const UnitStatus& unit : overflowed_units(page.dump)) {
        text += fmt::format("{}{} {} {}", text.empty() ? why : "      ", unit_name(unit.record->unit),
                            page.word("page.status"), hex_words(unit.record->status.words));
        text += unit.record->inferred ? fmt::format(" ({})", page.word("page.inferred")) : "";
        if (unit.count > 1) {
            text += "   " + page.phrase("page.records", {{"count", unit.count}});
        }
        if (!unit.cores.empty()) {
            text += fmt::format("   {} {}", page.word("page.cores"), show_numbers(unit.cores));
        }
        text += "\n" + causes_text(unit.record->status, page.options);
    }
    return text;
}

/// The verdict on the operator's tensors, where they were measured.
std::string origin_text(const RecordPage& page) {
    if (!page.options.tensors) {
        return {};
    }
    const std::optional<Origin>& origin = page.evidence.origin;
    const std::string verdict(origin ? verdict_label(origin->verdict, page.language())
                                     : page.word("page.not_measured"));
    const std::string because =
        origin ? fmt::format("{}{}", page.word("page.colon"), printable(origin->because_in(page.language())))
               : std::string();
    return page.lines(fmt::format("\n{}", page.word("page.origin")), verdict + because, 8) +
           (page.evidence.op_dump ? tensors_table(page.evidence.op_dump->tensors, page.options) : "");
}

std::vector<std::string> next_steps(const RecordPage& page) {
    OverflowFacts facts{page.options.tensors ? page.evidence.origin : std::nullopt,
                        page.location.op_dump.has_value(),
                        page.options.tensors,
                        false,
                        {}};
    for (const UnitStatus& unit : overflowed_units(page.dump)) {
        for (const Cause& cause : unit.record->status.causes) {
            facts.causes.push_back(cause.definition.get());
        }
    }
    return next_steps_of(facts, page.words, page.language());
}

std::string evidence_text(const RecordPage& page) {
    std::vector<EvidenceRow> rows;
    if (page.is_overflow()) {
        rows = evidence_rows(page.dump, page.location, page.options);
    }
    std::string text = evidence_lines(rows, page.options);
    if (!page.dump.file.empty()) {
        text += fmt::format("  {}\n", page.path(page.dump.file, page.options.columns - 2));
    }
    const bool is_short = !page.options.verbose && !rows.empty();
    return page.part(is_short ? "page.evidence_short" : "page.evidence", text);
}

/// The fields of a record as "key value", ids or addresses.
std::string show_fields(const Record& record, bool addresses) {
    return joined(record.fields, ", ", [addresses](const FieldValue& field) {
        return field_is_address(field.field) != addresses
                   ? std::string()
                   : fmt::format("{} {}", field_key(field.field),
                                 addresses ? hex(field.value) : fmt::to_string(field.value));
    });
}

/// Kernel, model ids, records and path: with `verbose` only.
std::string details(const RecordPage& page) {
    std::string text;
    const auto add = [&](std::string_view label, const std::string& value) {
        constexpr std::size_t kColumn = 14;
        text +=
            value.empty() ? value : fmt::format("  {}  {}\n", padded(std::string(page.word(label)), kColumn), value);
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
    add("page.time", page.dump.timestamp_us ? show_time(*page.dump.timestamp_us) : std::string());
    return page.part("page.details", text);
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
        text += fmt::format("\n      {}\n", joined(use.facts, page.word("page.comma"), [&page](const auto& fact) {
                                return fmt::format("{}{}{}", locate_stage::fit_word(fact.first).in(page.language()),
                                                   page.word("page.colon"),
                                                   locate_stage::fit_word(fact.second).in(page.language()));
                            }));
    }
    text += excluded > kExcludedShown ? page.more(excluded - kExcludedShown) : std::string();
    return text.empty() ? text : fmt::format("\n{}\n{}", page.word("page.uses"), text);
}

/// Without `verbose` what limits the answer, except what the head of the page states already.
std::string remarks_text(const RecordPage& page) {
    std::string text;
    for (const auto* list : {&page.dump.diagnostics, &page.location.diagnostics, &page.evidence.diagnostics}) {
        for (const Diagnostic& remark : *list) {
            const std::vector<std::string_view>& stated = page.words.codes;
            const bool is_stated = std::find(stated.begin(), stated.end(), remark.code) != stated.end();
            const bool is_left_out = !page.options.verbose && (remark.severity == Severity::info || is_stated);
            text += is_left_out ? std::string() : "  " + page.remark(remark);
        }
    }
    return page.part("page.remarks", text);
}

}  // namespace
}  // namespace opdebug::report

std::string opdebug::failure_to_text(const Error& error, const ReportOptions& options) {
    return report::fitted(fmt::format("{} [{}] {}\n", report::Page{options}.word("page.error"), to_string(error.code),
                                      printable(remarks::text_of(error).in(options.language))),
                          options.columns);
}

std::string opdebug::record_to_text(const Dump& dump, const Location& location, const ReportOptions& options) {
    return record_to_text(dump, location, TensorEvidence(), options);
}

std::string opdebug::record_to_text(const Dump& dump, const Location& location, const TensorEvidence& evidence,
                                    const ReportOptions& options) {
    report::RecordPage page{{options}, dump, location, evidence, {}};
    if (page.is_overflow()) {
        page.words = report::answer_words_of(dump, location, options.language);
    }
    std::string text = headline(page) + candidates_text(page) + location_line(page) +
                       report::warnings_text(page.words.warnings, options);
    if (!dump.complete()) {
        text += fmt::format("  {}\n", page.word("page.damaged"));
    }
    if (page.is_overflow()) {
        text += why_text(page) + origin_text(page) + report::next_steps_text(next_steps(page), page.options);
    }
    text += evidence_text(page) + (options.verbose ? uses_text(page) + details(page) : "") + remarks_text(page);
    return report::fitted(text, options.columns);
}
