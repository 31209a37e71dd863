// The checks of definitions: of each its pattern, what it captures, and whether that is enough for the statement; and
// how the formats of a set work together.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <boost/regex.hpp>

#include "logs/formats/format_file.hpp"
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

bool captures(const FormatDefinition& format, std::string_view name) {
    return std::find(format.captures.begin(), format.captures.end(), name) != format.captures.end();
}

std::optional<Error> check_capture_names(const FormatDefinition& format) {
    for (const Constant& constant : format.constants) {
        if (!is_number_member(constant.member)) {
            return format_error(format, "constants",
                                fmt::format("names \"{}\", which is no number of a statement", constant.member),
                                "use a capture name of log-formats.schema.json that is a number");
        }
        if (captures(format, constant.member)) {
            return format_error(format, "constants",
                                fmt::format("gives \"{}\", which the pattern captures", constant.member),
                                "capture it or give it, not both");
        }
    }
    for (const std::string& name : format.captures) {
        if (!is_fact_member(name)) {
            return format_error(format, "pattern",
                                fmt::format("captures \"{}\", which is no member of a statement", name),
                                "use a capture name of log-formats.schema.json or a group without name");
        }
    }
    for (const IgnoreRule& rule : format.ignore) {
        if (!captures(format, rule.member)) {
            return format_error(format, "ignore",
                                fmt::format("names \"{}\", which the pattern does not capture", rule.member),
                                "capture it or remove the rule");
        }
    }
    return std::nullopt;
}

/// Whether the statement has what it needs. `is_known`: of a member. `is_completed`: by other lines.
template <class IsKnown>
std::optional<Error> check_needs(const FormatDefinition& format, bool is_completed, const IsKnown& is_known) {
    const Requirement needed = requirement(format.states);
    const auto missing = std::find_if_not(needed.all.begin(), needed.all.end(), is_known);
    const bool lacks_one = missing != needed.all.end();
    if (!lacks_one && (needed.any.empty() || std::any_of(needed.any.begin(), needed.any.end(), is_known))) {
        return std::nullopt;
    }
    const std::string reason =
        lacks_one ? fmt::format("does not capture \"{}\", which {} needs", *missing, to_string(format.states))
                  : fmt::format("captures none of {}, of which {} needs one", fmt::join(needed.any, ", "),
                                to_string(format.states));
    return format_error(format, "pattern", reason + (is_completed ? ", nor does a line that completes it" : ""),
                        fmt::format("add (?<{}>...){}", lacks_one ? *missing : needed.any.front(),
                                    is_completed ? " to one of them" : ""));
}

/// Members that the submit line or a remembered line adds need not be captured here (checked across formats).
std::optional<Error> check_own_needs(const FormatDefinition& format) {
    if (format.task_id_provisional || !format.completed_by.empty()) {
        return std::nullopt;
    }
    // The values of `ignore` are no values: a line that has one does not state the member.
    const auto states = [&format](std::string_view name) {
        return (captures(format, name) && !(format.of_ignored && has_rule_on(format.ignore, name))) ||
               has_rule_on(format.constants, name);
    };
    return check_needs(format, false, [&states](std::string_view name) {
        return states(name) || (name == "task_id" && states("task_sn"));  // its low half
    });
}

// How log formats work together: what one line's format remembers completes the statement of another's.

using Names = std::set<std::string_view>;

/// What the formats of a set remember and use.
struct Links {
    std::map<std::string_view, Names> remembered;  ///< name → what the lines capture that are remembered under it
    Names used;                                    ///< names in "completed_by"
};

Links links_of(const std::vector<const FormatDefinition*>& formats) {
    Links links;
    for (const FormatDefinition* format : formats) {
        if (!format->remembers.empty()) {
            links.remembered[format->remembers].insert(format->captures.begin(), format->captures.end());
        }
        links.used.insert(format->completed_by.begin(), format->completed_by.end());
    }
    return links;
}

/// Members that make no sense for this statement.
std::optional<Error> check_members(const FormatDefinition& format) {
    const bool has_link = !format.remembers.empty() || !format.forgets.empty();
    if (format.states == FactKind::nothing &&
        (has_link || !format.completed_by.empty() || format.task_id_provisional)) {
        return format_error(format, "states", "is \"nothing\", but the entry says what to do with the line",
                            "remove remembers, forgets, completed_by and task_id_provisional, or state something");
    }
    if (format.states == FactKind::part && !has_link) {
        return format_error(format, "states", "is \"part\", but no other line learns of it",
                            "add \"remembers\" or \"forgets\", or state something");
    }
    if (format.once && format.remembers.empty()) {
        return format_error(format, "once", "has nothing to hold for", "add \"remembers\" or remove it");
    }
    const bool is_launch = format.states == FactKind::kernel_of_task || format.states == FactKind::unnamed_launch;
    if (format.task_id_provisional && !is_launch) {
        return format_error(format, "task_id_provisional",
                            fmt::format("does not go with {}, which no submit line follows", to_string(format.states)),
                            "remove it, or state kernel_of_task or unnamed_launch");
    }
    return std::nullopt;
}

std::optional<Error> check_names(const FormatDefinition& format, const Links& links) {
    const auto unknown = [&format](const char* member, const std::string& name) {
        return format_error(format, member, fmt::format("names \"{}\", which no log format remembers", name),
                            fmt::format("correct the name, or add \"remembers\": \"{}\" to the other line", name));
    };
    for (const std::string& name : format.completed_by) {
        if (links.remembered.count(name) == 0) {
            return unknown("completed_by", name);
        }
    }
    if (!format.forgets.empty() && links.remembered.count(format.forgets) == 0) {
        return unknown("forgets", format.forgets);
    }
    if (!format.remembers.empty() && links.used.count(format.remembers) == 0) {
        return format_error(
            format, "remembers", fmt::format("names \"{}\", which completes no log format", format.remembers),
            fmt::format("add \"completed_by\": [\"{}\"] to the other line or remove it", format.remembers));
    }
    return std::nullopt;
}

/// What the line captures or each such line states, what is remembered for it, and what the submit line brings.
Names known_members(const FormatDefinition& format, const Links& links) {
    Names known(format.captures.begin(), format.captures.end());
    for (const Constant& constant : format.constants) {
        known.insert(constant.member);
    }
    for (const std::string& name : format.completed_by) {
        const Names& captures = links.remembered.find(name)->second;
        known.insert(captures.begin(), captures.end());
    }
    if (format.task_id_provisional) {
        known.insert({"stream_id", "task_id"});
    }
    if (known.count("task_sn") != 0) {
        known.insert("task_id");  // its low half
    }
    return known;
}

}  // namespace

std::optional<Error> check_definition(const FormatDefinition& format) {
    std::optional<Error> error = check_pattern(format);
    error = error ? error : check_capture_names(format);
    return error ? error : check_own_needs(format);
}

std::optional<Error> check_links(const std::vector<const FormatDefinition*>& formats) {
    const Links links = links_of(formats);
    for (const FormatDefinition* format : formats) {
        std::optional<Error> error = check_members(*format);
        error = error ? error : check_names(*format, links);
        if (!error) {
            const Names known = known_members(*format, links);
            error = check_needs(*format, true, [&known](std::string_view name) { return known.count(name) != 0; });
        }
        if (error) {
            return error;
        }
    }
    return std::nullopt;
}

}  // namespace opdebug::logs
