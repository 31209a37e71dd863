// The checks of one definition: its pattern, what it captures, and whether that is enough for the statement.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <boost/regex.hpp>

#include "logs/formats/format_captures.hpp"
#include "logs/formats/format_entry.hpp"
#include "logs/formats/format_pattern.hpp"

namespace opdebug::logs {
namespace {

/// Before its groups are looked at: an unclosed bracket would hide some of them.
std::optional<Error> check_pattern(const FormatDefinition& format) {
    if (format.pattern.find("(?P<") != std::string::npos) {
        return format_error(format, "pattern", "names a group by (?P<...>)", "write (?<...>)");
    }
    if (format.pattern.find("(?|") != std::string::npos) {
        return format_error(format, "pattern", "numbers the groups of alternatives anew by (?|...)", "write (?:...)");
    }
    try {
        const boost::regex checked(format.pattern, kPatternSyntax);
    } catch (const boost::regex_error& failure) {
        return format_error(format, "pattern", fmt::format("is no regular expression: {}", failure.what()),
                            "correct it (Boost.Regex, Perl syntax)");
    }
    if (format.literal.empty()) {
        return format_error(format, "pattern", "has no text that each of its lines contains",
                            R"(add "literal": "...", a text that no other lines contain)");
    }
    return std::nullopt;
}

/// What one definition states.
class StatedMembers {
public:
    explicit StatedMembers(const FormatDefinition& format) : format_(format) {}

    bool captures(std::string_view name) const {
        return std::find(format_.captures.begin(), format_.captures.end(), name) != format_.captures.end();
    }

    bool has_constant(std::string_view name) const {
        return std::any_of(format_.constants.begin(), format_.constants.end(),
                           [name](const Constant& constant) { return constant.member == name; });
    }

    /// The values of `ignore` are no values: a line that has one does not state the member.
    bool has(std::string_view name) const {
        const bool is_ignored =
            format_.of_ignored && std::any_of(format_.ignore.begin(), format_.ignore.end(),
                                              [name](const IgnoreRule& rule) { return rule.member == name; });
        return (captures(name) && !is_ignored) || has_constant(name);
    }

private:
    const FormatDefinition& format_;
};

std::optional<Error> check_capture_names(const FormatDefinition& format, const StatedMembers& statement) {
    for (const Constant& constant : format.constants) {
        if (!is_number_member(constant.member)) {
            return format_error(format, "constants",
                                fmt::format("names \"{}\", which is no number of a statement", constant.member),
                                "use a capture name of docs/reference/log-formats.md that is a number");
        }
        if (statement.captures(constant.member)) {
            return format_error(format, "constants",
                                fmt::format("gives \"{}\", which the pattern captures", constant.member),
                                "capture it or give it, not both");
        }
    }
    for (const std::string& name : format.captures) {
        if (!is_fact_member(name)) {
            return format_error(format, "pattern",
                                fmt::format("captures \"{}\", which is no member of a statement", name),
                                "use a capture name of docs/reference/log-formats.md or a group without name");
        }
    }
    for (const IgnoreRule& rule : format.ignore) {
        if (!statement.captures(rule.member)) {
            return format_error(format, "ignore",
                                fmt::format("names \"{}\", which the pattern does not capture", rule.member),
                                "capture it or remove the rule");
        }
    }
    return std::nullopt;
}

/// Members that the submit line or a remembered line adds need not be captured here (checked across formats).
std::optional<Error> check_own_needs(const FormatDefinition& format, const StatedMembers& statement) {
    const bool is_completed = format.task_id_provisional || !format.completed_by.empty();
    const Requirement needed = is_completed ? Requirement{} : requirement(format.states);
    for (const std::string_view name : needed.all) {
        const bool is_in_number = name == "task_id" && statement.has("task_sn");  // its low half
        if (!statement.has(name) && !is_in_number) {
            return format_error(format, "pattern",
                                fmt::format("does not capture \"{}\", which {} needs", name, to_string(format.states)),
                                fmt::format("add (?<{}>...)", name));
        }
    }
    const auto is_there = [&statement](std::string_view name) { return statement.has(name); };
    if (!needed.any.empty() && std::none_of(needed.any.begin(), needed.any.end(), is_there)) {
        return format_error(format, "pattern",
                            fmt::format("captures none of {}, of which {} needs one", fmt::join(needed.any, ", "),
                                        to_string(format.states)),
                            fmt::format("add (?<{}>...)", needed.any.front()));
    }
    return std::nullopt;
}

}  // namespace

std::optional<Error> check_definition(const FormatDefinition& format) {
    const StatedMembers statement(format);
    std::optional<Error> error = check_pattern(format);
    error = error ? error : check_capture_names(format, statement);
    return error ? error : check_own_needs(format, statement);
}

}  // namespace opdebug::logs
