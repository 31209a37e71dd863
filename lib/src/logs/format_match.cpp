// One log format ready for use: literal first, then the regular expression, then the checks of the statement.
#include "logs/format_match.hpp"
#include "tree/no_id.hpp"

#include <algorithm>
#include <charconv>
#include <exception>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace opdebug::logs {
namespace {

/// The group of words that only lines on tasks of models have.
constexpr std::string_view kOfModel = "of_model";

using LineMatch = boost::match_results<BoundedIterator>;

std::string_view captured(const LineMatch& match, std::string_view name) {
    const auto& group = match.named_subexpression(name.data(), name.data() + name.size());
    if (!group.matched) {
        return {};
    }
    const char* const begin = group.first.place();
    return {begin, static_cast<std::size_t>(group.second.place() - begin)};
}

/// False when the group took part but is no number of 64 bits.
bool read_number(std::string_view text, std::optional<std::uint64_t>& target) noexcept {
    if (text.empty()) {
        return true;
    }
    const int base = text.starts_with("0x") || text.starts_with("0X") ? 16 : 10;
    text.remove_prefix(base == 16 ? 2 : 0);
    std::uint64_t value = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (failure != std::errc{} || end != text.data() + text.size()) {
        return false;
    }
    target = value;
    return true;
}

/// CANN prints 65535 or 4294967295 for "no context" and "no thread".
void drop_marker(std::optional<std::uint64_t>& id) noexcept {
    if (id && tree::is_no_id(*id)) {
        id.reset();
    }
}

bool is_ignored(const FormatDefinition& definition, const LineMatch& match) {
    return std::any_of(definition.ignore.begin(), definition.ignore.end(), [&match](const IgnoreRule& rule) {
        const std::string_view value = captured(match, rule.member);
        return std::find(rule.values.begin(), rule.values.end(), value) != rule.values.end();
    });
}

/// Whether the submit line brings all that is missing.
bool waits_for_ids(const Fact& fact) {
    Fact submitted = fact;
    submitted.stream_id = fact.stream_id.value_or(0);
    submitted.task_id = fact.task_id.value_or(0);
    return fact.task_id_provisional && is_complete(submitted);
}

/// Whether the line may have been cut inside one of its numbers, so that what is left would be another number.
bool ends_in_number(const CompiledFormat& format, const LogLine& line, const LineMatch& match) {
    const char* const line_end = line.text.data() + line.text.size();
    const bool states_something = format.definition.states != FactKind::nothing;
    return line.may_be_cut && states_something &&
           std::any_of(format.numbers.begin(), format.numbers.end(), [&](const NumberMember& number) {
               const std::string_view text = captured(match, number.name);
               return !text.empty() && text.data() + text.size() == line_end;
           });
}

Diagnostic cut_in_number() {
    return {Severity::warning, kLineCutInNumber,
            "the line may have been cut inside the number that it ends with, so it is not used: it is as long as a log "
            "line can be, or the last of its file without a line break (add one if the line is whole)"};
}

std::optional<Fact> fact_from(const CompiledFormat& format, const LogLine& line, const LineMatch& match) {
    Fact fact;
    fact.kind = format.definition.states;
    fact.log = format.definition.log;
    fact.format_id = format.definition.id;
    fact.task_id_provisional = format.definition.task_id_provisional;
    for (const NumberMember& number : format.numbers) {
        if (!read_number(captured(match, number.name), fact.*number.member)) {
            return std::nullopt;
        }
    }
    for (const auto& [number, value] : format.constants) {
        fact.*number.member = value;
    }
    const char* const line_end = line.text.data() + line.text.size();
    for (const TextMember& text : format.texts) {
        const std::string_view value = captured(match, text.name);
        fact.*text.member = value;
        fact.name_cut = fact.name_cut || (line.may_be_cut && !value.empty() && value.data() + value.size() == line_end);
    }
    const auto& captures = format.definition.captures;
    fact.of_model =
        std::find(captures.begin(), captures.end(), kOfModel) != captures.end() && !captured(match, kOfModel).empty();
    drop_marker(fact.context_id);
    drop_marker(fact.thread_id);
    // What another line of the thread completes is judged when both are together.
    const bool counts = !format.definition.completed_by.empty() || is_complete(fact) || waits_for_ids(fact);
    return counts ? std::optional<Fact>(std::move(fact)) : std::nullopt;
}

}  // namespace

Result<CompiledFormat> compile_format(FormatDefinition definition) {
    CompiledFormat format;
    try {
        format.pattern.assign(definition.pattern, boost::regex::perl);
    } catch (const boost::regex_error& failure) {
        return format_error(definition, "pattern", fmt::format("is no regular expression: {}", failure.what()),
                            "correct it (Boost.Regex, Perl syntax)");
    }
    const auto is_captured = [&definition](const auto& member) {
        return std::find(definition.captures.begin(), definition.captures.end(), member.name) !=
               definition.captures.end();
    };
    std::copy_if(number_members().begin(), number_members().end(), std::back_inserter(format.numbers), is_captured);
    std::copy_if(text_members().begin(), text_members().end(), std::back_inserter(format.texts), is_captured);
    for (const Constant& constant : definition.constants) {
        const auto named = [&constant](const NumberMember& member) { return member.name == constant.member; };
        const auto member = std::find_if(number_members().begin(), number_members().end(), named);
        if (member != number_members().end()) {
            format.constants.emplace_back(*member, constant.value);
        }
    }
    format.definition = std::move(definition);
    return format;
}

bool is_of_kind(const CompiledFormat& format, const LogLine& line) noexcept {
    const std::vector<std::string>& functions = format.definition.functions;
    if (format.definition.cut_lines && !line.may_be_cut) {
        return false;
    }
    return functions.empty() || std::find(functions.begin(), functions.end(), line.function) != functions.end();
}

bool may_match(const CompiledFormat& format, const LogLine& line) noexcept {
    return is_of_kind(format, line) && line.text.find(format.definition.literal) != std::string_view::npos;
}

std::optional<Fact> read_fact(const CompiledFormat& format, const LogLine& line, StepsLeft& steps,
                              std::optional<Diagnostic>* diagnostic) {
    try {
        LineMatch match;
        const char* const begin = line.text.data();
        if (!boost::regex_search(BoundedIterator(begin, steps), BoundedIterator(begin + line.text.size(), steps), match,
                                 format.pattern) ||
            is_ignored(format.definition, match)) {
            return std::nullopt;
        }
        if (ends_in_number(format, line, match)) {
            if (diagnostic != nullptr) {
                *diagnostic = cut_in_number();
            }
            return std::nullopt;
        }
        return fact_from(format, line, match);
    } catch (const std::runtime_error& failure) {  // the steps are used up, or Boost's own bound is passed
        if (diagnostic != nullptr) {
            *diagnostic = Diagnostic{Severity::warning, "log_pattern_gave_up",
                                     fmt::format("the pattern of log format \"{}\" gave up on a line: {}",
                                                 format.definition.id, failure.what())};
        }
        return std::nullopt;
    }
}

}  // namespace opdebug::logs
