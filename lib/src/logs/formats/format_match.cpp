// One log format ready for use: literal first, then the regular expression, then the checks of the statement.
#include "logs/formats/format_match.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <boost/regex.hpp>

#include "logs/facts/launch_lines.hpp"
#include "logs/lines/broken_sentences.hpp"
#include "remarks/diagnose.hpp"
#include "tree/name.hpp"

namespace opdebug::logs {
namespace {

/// The group of words that only lines on tasks of models have.
constexpr std::string_view kOfModel = "of_model";

std::optional<std::size_t> index_of(const FormatDefinition& definition, std::string_view capture) noexcept {
    const auto found = std::find(definition.captures.begin(), definition.captures.end(), capture);
    return found == definition.captures.end()
               ? std::nullopt
               : std::optional(static_cast<std::size_t>(found - definition.captures.begin()));
}

/// CANN prints 65535 or 4294967295 for "no context" and "no thread".
void drop_marker(Number& id) noexcept {
    if (id && tree::is_no_id(*id)) {
        id.reset();
    }
}

bool is_ignored(const FormatDefinition& definition, const CapturedTexts& captured) {
    return std::any_of(definition.ignore.begin(), definition.ignore.end(), [&](const IgnoreRule& rule) {
        const std::optional<std::size_t> index = index_of(definition, rule.member);
        const std::string_view value = index ? captured[*index] : std::string_view();
        return std::find(rule.values.begin(), rule.values.end(), value) != rule.values.end();
    });
}

/// Whether the submit line brings all that is missing.
bool waits_for_ids(Fact fact) {
    fact.stream_id = fact.task_id = 0;
    return fact.task_id_provisional && is_complete(fact);
}

/// Whether the line may have been cut inside one of its numbers, so that what is left would be another number.
bool ends_in_number(const CompiledFormat& format, const LogLine& line, const CapturedTexts& captured) {
    const char* const line_end = line.text.data() + line.text.size();
    const bool states_something = format.definition.states != FactKind::nothing;
    return line.may_be_cut && states_something &&
           std::any_of(format.numbers.begin(), format.numbers.end(), [&](const CapturedMember<Number>& number) {
               const std::string_view text = captured[number.second];
               return !text.empty() && text.data() + text.size() == line_end;
           });
}

/// A name with a run of blanks is one that a terminal broke.
bool holds_break(const CompiledFormat& format, const CapturedTexts& captured) {
    return std::any_of(format.texts.begin(), format.texts.end(), [&captured](const CapturedMember<std::string>& text) {
        return captured[text.second].find(kBlanksOfBreak) != std::string_view::npos;
    });
}

/// False where the text, which is not empty, is no number of 64 bits.
bool take_number(std::string_view text, std::uint64_t& number) noexcept {
    const int base = text.starts_with("0x") || text.starts_with("0X") ? 16 : 10;
    text.remove_prefix(base == 16 ? 2 : 0);
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number, base);
    return failure == std::errc{} && end == text.data() + text.size();
}

/// False when a number does not fit 64 bits.
bool fill_numbers(const CompiledFormat& format, const CapturedTexts& captured, Fact& fact) {
    for (const auto& [member, capture] : format.numbers) {
        const std::string_view text = captured[capture];
        if (!text.empty() && !take_number(text, (fact.*member).emplace())) {
            return false;
        }
    }
    for (const auto& [member, value] : format.constants) {
        fact.*member = value;
    }
    drop_marker(fact.context_id);
    drop_marker(fact.thread_id);
    // A line that has a task's number alone (a serial number, or the wraps above the id) is on the task of its low
    // half.
    if (fact.task_sn && !fact.task_id && needs_task_id(fact.kind)) {
        fact.task_id = *fact.task_sn & kLowHalfOfTask;
    }
    return true;
}

Reading fill_fact(const CompiledFormat& format, const LogLine& line, const CapturedTexts& captured,
                  const Wanted& wanted, Fact& fact) {
    const char* const line_end = line.text.data() + line.text.size();
    fact = {};
    fact.kind = format.definition.states;
    fact.log = format.definition.log;
    fact.task_id_provisional = format.definition.task_id_provisional;
    if (!fill_numbers(format, captured, fact)) {
        return Reading::nothing;
    }
    for (const auto& [member, capture] : format.texts) {
        std::string_view value = captured[capture];
        while (!value.empty() && value.back() == '\0') {  // who counts a text's end as a part of it writes one
            value.remove_suffix(1);
        }
        fact.*member = value;
        const bool is_cut = line.may_be_cut && !value.empty() && value.data() + value.size() == line_end;
        fact.name_cut = fact.name_cut || is_cut;
    }
    fact.of_model = format.of_model && !captured[*format.of_model].empty();
    // What another line of the thread completes is judged when both are together.
    if (format.definition.completed_by.empty() && !is_complete(fact) && !waits_for_ids(fact)) {
        return Reading::nothing;
    }
    return wanted.selects() && format.stands_alone && wanted.is_unwanted(fact) ? Reading::unwanted : Reading::stated;
}

/// A captured text is no value where the line was read because an ignore rule holds for it.
template <class Members, class Captured>
void add_captured(const FormatDefinition& definition, const Members& members, Captured& captured) {
    for (const auto& [name, member] : members) {
        const auto capture = index_of(definition, name);
        if (capture && !(definition.of_ignored && has_rule_on(definition.ignore, name))) {
            captured.emplace_back(member, *capture);
        }
    }
}

}  // namespace

CompiledFormat compile_format(FormatDefinition definition) {
    CompiledFormat format;
    format.pattern = std::make_unique<FormatPattern>(definition.pattern, definition.captures);
    add_captured(definition, kNumbers, format.numbers);
    add_captured(definition, kTexts, format.texts);
    format.of_model = index_of(definition, kOfModel);
    for (const Constant& constant : definition.constants) {
        for (const auto& [name, member] : kNumbers) {
            if (name == constant.member) {
                format.constants.emplace_back(member, constant.value);
            }
        }
    }
    format.stands_alone = !definition.task_id_provisional && definition.remembers.empty() &&
                          definition.forgets.empty() && definition.completed_by.empty();
    format.definition = std::move(definition);
    return format;
}

bool is_of_kind(const CompiledFormat& format, const LogLine& line) noexcept {
    const std::vector<std::string>& functions = format.definition.functions;
    if (format.definition.cut_lines && !line.may_be_cut) {
        return false;
    }
    // Of a lower level a failure is expected or tried again, and a printed error is a quotation.
    const FactKind kind = format.definition.states;
    const bool is_of_errors = kind == FactKind::failure || kind == FactKind::stated_error || line.module.empty();
    if (is_of_errors && line.level != "ERROR") {
        return false;
    }
    return functions.empty() || std::find(functions.begin(), functions.end(), line.function) != functions.end();
}

bool may_match(const CompiledFormat& format, const LogLine& line) noexcept {
    return is_of_kind(format, line) && line.text.find(format.definition.literal) != std::string_view::npos;
}

Reading read_fact(const CompiledFormat& format, const LogLine& line, StepsLeft& steps, Fact& fact,
                  std::optional<Diagnostic>* diagnostic, const Wanted& wanted) {
    try {
        CapturedTexts texts;
        if (!format.pattern->search(line.text, steps, texts) ||
            is_ignored(format.definition, texts) != format.definition.of_ignored) {
            return Reading::nothing;
        }
        if (ends_in_number(format, line, texts)) {
            if (diagnostic != nullptr) {
                *diagnostic = remarks::diagnose(kLineCutInNumber);
            }
            return Reading::nothing;
        }
        return holds_break(format, texts) ? Reading::nothing : fill_fact(format, line, texts, wanted, fact);
    } catch (const std::runtime_error& failure) {  // the steps are used up, or Boost's own bound is passed
        if (diagnostic != nullptr) {
            *diagnostic =
                remarks::diagnose("log_pattern_gave_up", {{"format", format.definition.id}, {"error", failure.what()}});
        }
        return Reading::nothing;
    }
}

}  // namespace opdebug::logs
