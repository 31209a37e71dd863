#include "report/text/answer_words.hpp"

#include <algorithm>
#include <cstddef>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <opdebug/report.hpp>

#include "embedded/first_screen_data.hpp"
#include "json/document.hpp"
#include "locate/fit.hpp"
#include "locate/kernel_name.hpp"
#include "remarks/diagnose.hpp"
#include "remarks/word.hpp"
#include "report/text/page.hpp"
#include "report/text/text_table.hpp"

namespace opdebug::report {
namespace {

constexpr std::size_t kKernelColumns = 60;

/// " (stream 21 task 118)"
LocalizedText ids_of(const Dump& dump) {
    const Record* const record = located_record(dump);
    const auto stream = record != nullptr ? record->field(Field::stream_id) : std::nullopt;
    const auto task = record != nullptr ? record->field(Field::task_id) : std::nullopt;
    return stream && task ? remarks::phrase("page.ids_of_task", {{"stream", *stream}, {"task", *task}})
                          : LocalizedText();
}

/// "operator dump and 3 log lines agree"
std::string proof_text(std::size_t lines, std::size_t op_dumps, Language language) {
    if (lines + op_dumps == 0) {
        return {};
    }
    const std::string_view id = lines == 0      ? "page.op_dump"
                                : op_dumps == 0 ? "page.log_lines"
                                                : "page.op_dump_and_log_lines";
    std::string text = remarks::phrase(id, {{"lines", lines}}).in(language);
    return lines + op_dumps == 1 ? text : text.append(remarks::word("page.agree", language));
}

bool names_use(const OperatorAnswer& answer, const ComparedUse& use) {
    return !use.name.empty() && (use.name == answer.name || use.name == answer.kernel);
}

/// The rule that ranks one candidate before another, in words; empty: none does, or the rule is no evidence. Uses are
/// in their order, and each has the rule between it and the one before: the strongest of these ranks the first.
std::string why_likelier(const OperatorAnswer& best, const OperatorAnswer& other, const std::vector<ComparedUse>& uses,
                         Language language) {
    const auto has_op_dump = [](const OperatorAnswer& answer) {
        return std::any_of(answer.evidence.begin(), answer.evidence.end(),
                           [](const Evidence& evidence) { return evidence.kind == EvidenceKind::op_dump; });
    };
    if (has_op_dump(best) != has_op_dump(other)) {
        return remarks::phrase("likelier_by_operator_dump").in(language);
    }
    const std::span<const locate_stage::RankRow> rows = locate_stage::rank_rows();
    auto strongest = rows.end();
    bool is_after_best = false;
    for (const ComparedUse& use : uses) {
        if (is_after_best && use.is_possible) {
            const auto row = std::find_if(rows.begin(), rows.end(),
                                          [&use](const locate_stage::RankRow& known) { return known.name == use.row; });
            strongest = std::min(strongest, row);
            if (names_use(other, use)) {
                return strongest == rows.end() ? std::string() : locate_stage::why_likelier(*strongest).in(language);
            }
        }
        is_after_best = is_after_best || names_use(best, use);
    }
    return {};
}

/// For causes of a catalogue without short texts.
std::string first_sentence(const std::string& text, Language language) {
    const std::string_view end = language == Language::chinese ? "。" : ". ";
    const std::size_t place = text.find(end);
    return place == std::string::npos ? text : text.substr(0, place + (end == ". " ? 1 : end.size()));
}

std::vector<ShownRemark> read_shown_remarks() {
    std::vector<ShownRemark> rows;
    const nlohmann::json document = json_stage::parse_data(embedded::first_screen_files().front().text);
    for (const nlohmann::json& row : document.at("remarks")) {
        rows.push_back({row.at("code"),
                        row.at("shows"),
                        row.value("unless", std::string()),
                        {row.value("en", std::string()), row.value("zh", std::string())},
                        {row.value("next", std::string()), row.value("next_zh", std::string())}});
    }
    return rows;
}

/// A code may have texts of both severities: those of severity info limit nothing.
const Diagnostic* find_warning(const std::vector<Diagnostic>& remarks, std::string_view code) {
    const auto warning = std::find_if(remarks.begin(), remarks.end(), [code](const Diagnostic& remark) {
        return remark.severity != Severity::info && remark.code == code;
    });
    return warning == remarks.end() ? nullptr : &*warning;
}

// A document has one list of diagnostics: read from it, they are the dump's.
const Diagnostic* find_warning(const Dump& dump, const Location& location, std::string_view code) {
    const Diagnostic* const of_location = find_warning(location.diagnostics, code);
    return of_location != nullptr ? of_location : find_warning(dump.diagnostics, code);
}

/// The list with the statistics of the operator's inputs, where its values were not dumped; empty: none.
std::string statistics_of_inputs(const Location& location) {
    if (location.op_dump || !location.op) {
        return {};
    }
    const std::vector<Evidence>& evidence = location.op->best.evidence;
    const auto list = std::find_if(evidence.begin(), evidence.end(),
                                   [](const Evidence& item) { return item.kind == EvidenceKind::op_dump; });
    return list == evidence.end() ? std::string() : list->file;
}

}  // namespace

std::string operator_text(const OperatorAnswer& answer) {
    const bool has_kernel = answer.kernel && !locate_stage::is_hash(*answer.kernel);
    if (!answer.name && !has_kernel) {
        return {};
    }
    const std::string name =
        answer.name ? printable(*answer.name) : shorten_middle(printable(*answer.kernel), kKernelColumns);
    return answer.type ? fmt::format("{} ({})", name, printable(*answer.type)) : name;
}

std::string confidence_text(const Location& location, Language language) {
    const LocatedOperator& located = *location.op;
    if (located.candidates.size() > 1) {
        const std::string why = why_likelier(located.candidates[0], located.candidates[1], location.uses, language);
        return remarks::phrase(why.empty() ? "page.equal_candidates" : "page.likeliest_candidate",
                               {{"count", located.candidates.size()}, {"why", LocalizedText{why, why}}})
            .in(language);
    }
    const std::vector<Evidence>& evidence = located.best.evidence;
    const auto op_dumps = static_cast<std::size_t>(std::count_if(
        evidence.begin(), evidence.end(), [](const Evidence& item) { return item.kind == EvidenceKind::op_dump; }));
    const std::string proof = proof_text(evidence.size() - op_dumps, op_dumps, language);
    const std::string_view how = remarks::word(located.best.confidence == Confidence::exact    ? "page.exact"
                                               : located.best.confidence == Confidence::kernel ? "page.kernel_only"
                                                                                               : "page.weak",
                                               language);
    return proof.empty() ? std::string(how) : fmt::format("{}{}{}", how, remarks::word("page.colon", language), proof);
}

UnknownOperator why_unknown(const Dump& dump, const Location& location, Language language) {
    const std::string ids = ids_of(dump).in(language);
    const auto in_language = [language](std::string_view id) { return std::string(remarks::word(id, language)); };
    if (location.op) {  // a hash instead of a kernel's name
        const std::optional<std::string>& type = location.op->best.type;
        return {{},
                (type ? remarks::phrase("page.only_type_known", {{"type", printable(*type)}}).in(language)
                      : in_language("page.kernel_is_hash")) +
                    ids,
                in_language("page.dump_operator")};
    }
    for (const ShownRemark& row : shown_remarks()) {
        if (row.shows == "reason" && find_warning(dump, location, row.code) != nullptr) {
            return {row.code, row.text.in(language) + ids, row.next.in(language)};
        }
    }
    return {{}, in_language("page.no_evidence") + ids, in_language("page.see_remarks")};
}

std::string meaning_of(const CauseDefinition& cause, Language language) {
    return cause.brief.en.empty() ? first_sentence(cause.text.in(language), language) : cause.brief.in(language);
}

std::string next_of(const CauseDefinition& cause, Language language) {
    return cause.next.en.empty() ? first_sentence(cause.advice.in(language), language) : cause.next.in(language);
}

std::string short_cause(std::string_view id) {
    constexpr std::string_view kUnit = "ai_core.";
    std::string text(id.substr(id.starts_with(kUnit) ? kUnit.size() : 0));
    for (const std::string_view end : {std::string_view("_overflow"), std::string_view("_conversion")}) {
        if (text.size() > end.size() && text.ends_with(end)) {
            text.resize(text.size() - end.size());
        }
    }
    return text;
}

std::vector<UnitStatus> overflowed_units(const Dump& dump) {
    std::vector<UnitStatus> units;
    for (const DecodedPayload& payload : dump.payloads) {
        for (const Record& record : payload.records) {
            if (!record.overflow) {
                continue;
            }
            auto unit = std::find_if(units.begin(), units.end(), [&record](const UnitStatus& other) {
                return other.record->unit == record.unit && other.record->status.words == record.status.words;
            });
            if (unit == units.end()) {
                unit = units.insert(unit, UnitStatus{&record, 0, {}});
            }
            ++unit->count;
            if (const auto core = record.field(Field::core_id)) {
                unit->cores.insert(std::lower_bound(unit->cores.begin(), unit->cores.end(), *core), *core);
            }
        }
    }
    for (UnitStatus& unit : units) {
        unit.cores.erase(std::unique(unit.cores.begin(), unit.cores.end()), unit.cores.end());
    }
    return units;
}

const std::vector<ShownRemark>& shown_remarks() {
    static const std::vector<ShownRemark> rows = read_shown_remarks();
    return rows;
}

AnswerWords answer_words_of(const Dump& dump, const Location& location, Language language) {
    AnswerWords words;
    words.op = location.op ? operator_text(location.op->best) : std::string();
    words.statistics = statistics_of_inputs(location);
    if (words.op.empty()) {
        UnknownOperator unknown = why_unknown(dump, location, language);
        words.reason = std::move(unknown.reason);
        words.next = std::move(unknown.next);
        words.codes.push_back(unknown.code);
    }
    const std::string_view reason = words.codes.empty() ? std::string_view() : words.codes.front();
    for (const ShownRemark& row : shown_remarks()) {
        const Diagnostic* const remark = find_warning(dump, location, row.code);
        const bool is_stated =
            row.code == reason || (!row.unless.empty() && find_warning(dump, location, row.unless) != nullptr);
        if (row.shows == "reason" || is_stated || remark == nullptr) {
            continue;
        }
        words.codes.push_back(row.code);
        if (row.shows == "failure") {
            words.failure = row.text.in(language);
            words.failure_next = row.next.in(language);
        } else {
            words.warnings.push_back(row.text.en.empty() ? printable(remark->message_in(language))
                                                         : row.text.in(language));
        }
    }
    return words;
}

std::vector<std::string> next_steps_of(const OverflowFacts& facts, const AnswerWords& words, Language language) {
    std::vector<std::string> steps;
    const auto add = [&steps](std::string step) {
        if (!step.empty() && std::find(steps.begin(), steps.end(), step) == steps.end()) {
            steps.push_back(std::move(step));
        }
    };
    const auto add_word = [&](std::string_view id) { add(std::string(remarks::word(id, language))); };
    add(words.failure_next);
    if (facts.origin) {
        if (facts.origin->verdict == OriginVerdict::inherited) {
            add_word("page.follow_input");
        }
    } else if (facts.has_op_dump && !facts.tensors_measured) {
        add_word("page.measure_inputs");
    } else if (!words.statistics.empty() && !facts.shows_statistics) {
        add(remarks::phrase("page.read_statistics", {{"file", printable(words.statistics)}}).in(language));
    }
    if (words.failure.empty()) {  // else the status may be a result of the failure
        for (const CauseDefinition* const cause : facts.causes) {
            add(printable(next_of(*cause, language)));
        }
    }
    if (!facts.origin && !facts.has_op_dump && words.statistics.empty()) {
        add_word("page.dump_inputs");
    }
    return steps;
}

std::string warnings_text(const std::vector<std::string>& warnings, const ReportOptions& options) {
    constexpr std::size_t kShown = 3;
    const Page page{options};
    return page.first_lines(warnings, kShown,
                            [&page](const std::string& warning) { return page.lines("  ! ", warning, 4); });
}

}  // namespace opdebug::report
