#include "report/text/answer_words.hpp"

#include <algorithm>
#include <cstddef>
#include <span>

#include <fmt/format.h>

#include <opdebug/report.hpp>

#include "locate/fit.hpp"
#include "locate/kernel_name.hpp"
#include "remarks/diagnose.hpp"
#include "report/text/labels.hpp"
#include "report/text/shown_remarks.hpp"
#include "report/text/text_table.hpp"

namespace opdebug::report {
namespace {

constexpr std::size_t kKernelColumns = 60;

/// " (stream 21 task 118)"
std::string ids_of(const Dump& dump, bool is_chinese) {
    const Record* const record = located_record(dump);
    const auto stream = record != nullptr ? record->field(Field::stream_id) : std::nullopt;
    const auto task = record != nullptr ? record->field(Field::task_id) : std::nullopt;
    return stream && task ? fmt::format(fmt::runtime(is_chinese ? "（stream {} task {}）" : " (stream {} task {})"),
                                        *stream, *task)
                          : std::string();
}

std::string lines_text(std::size_t lines, std::size_t op_dumps, bool is_chinese) {
    std::string text = op_dumps == 0 ? "" : is_chinese ? "算子 dump" : "operator dump";
    if (lines != 0) {
        text += text.empty() ? "" : is_chinese ? "和 " : " and ";
        text +=
            is_chinese ? fmt::format("{} 行日志", lines) : fmt::format("{} log line{}", lines, lines == 1 ? "" : "s");
    }
    if (lines + op_dumps > 1) {
        text += is_chinese ? "一致" : lines + op_dumps > 1 ? " agree" : "";
    }
    return text;
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
    const bool is_chinese = language == Language::chinese;
    const LocatedOperator& located = *location.op;
    if (located.candidates.size() > 1) {
        const std::string why = why_likelier(located.candidates[0], located.candidates[1], location.uses, language);
        return why.empty()
                   ? fmt::format(fmt::runtime(is_chinese ? "{} 个候选，同等可信" : "{} candidates, equally good"),
                                 located.candidates.size())
                   : fmt::format(
                         fmt::runtime(is_chinese ? "{} 个候选中可能性最大：{}" : "likeliest of {} candidates: {}"),
                         located.candidates.size(), why);
    }
    const std::vector<Evidence>& evidence = located.best.evidence;
    const auto op_dumps = static_cast<std::size_t>(std::count_if(
        evidence.begin(), evidence.end(), [](const Evidence& item) { return item.kind == EvidenceKind::op_dump; }));
    const std::string lines = lines_text(evidence.size() - op_dumps, op_dumps, is_chinese);
    const std::string_view how = located.best.confidence == Confidence::exact ? (is_chinese ? "精确匹配" : "exact")
                                 : located.best.confidence == Confidence::kernel
                                     ? (is_chinese ? "仅核函数名" : "kernel name only")
                                     : (is_chinese ? "仅类型或弱匹配" : "type only or weak match");
    return lines.empty() ? std::string(how) : fmt::format("{}{}{}", how, is_chinese ? "：" : ": ", lines);
}

UnknownOperator why_unknown(const Dump& dump, const Location& location, Language language) {
    const bool is_chinese = language == Language::chinese;
    if (location.op) {  // a hash instead of a kernel's name
        const std::optional<std::string>& type = location.op->best.type;
        const std::string reason =
            type ? fmt::format(fmt::runtime(is_chinese ? "只知道类型 {}" : "only its type is known, {}"),
                               printable(*type))
                 : std::string(is_chinese ? "日志中的核函数名只是哈希值" : "the logs show only a hash of its kernel");
        return {{},
                reason + ids_of(dump, is_chinese),
                is_chinese ? "下次运行将 dump_mode 设为 all，由算子 dump 给出算子名"
                           : "set dump mode \"all\" for the next run: the operator dump names the operator"};
    }
    for (const ShownRemark& row : shown_remarks()) {
        if (row.shows == "reason" && has_remark(dump, location, row.code)) {
            return {row.code, row.text.in(language) + ids_of(dump, is_chinese), row.next.in(language)};
        }
    }
    return {{},
            (is_chinese ? "没有可用的依据" : "no evidence names it") + ids_of(dump, is_chinese),
            is_chinese ? "使用 -v 查看详细说明" : "add -v to see all remarks"};
}

std::string statistics_of_inputs(const Location& location) {
    if (location.op_dump || !location.op) {
        return {};
    }
    const std::vector<Evidence>& evidence = location.op->best.evidence;
    const auto list = std::find_if(evidence.begin(), evidence.end(),
                                   [](const Evidence& item) { return item.kind == EvidenceKind::op_dump; });
    return list == evidence.end() ? std::string() : list->file;
}

std::string read_statistics(const std::string& file, Language language) {
    return fmt::format(fmt::runtime(labels_in(language).read_statistics_format), printable(file));
}

std::string meaning_of(const CauseDefinition& cause, Language language) {
    return cause.brief.en.empty() ? first_sentence(cause.text.in(language), language) : cause.brief.in(language);
}

std::string next_of(const CauseDefinition& cause, Language language) {
    return cause.next.en.empty() ? first_sentence(cause.advice.in(language), language) : cause.next.in(language);
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

std::string hex_words(const std::vector<std::uint64_t>& words) {
    std::string text;
    for (const std::uint64_t word : words) {
        text += fmt::format("{}{:#x}", text.empty() ? "" : ", ", word);
    }
    return text;
}

}  // namespace opdebug::report
