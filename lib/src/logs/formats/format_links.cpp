// How log formats work together: the checks across the formats of a set.
#include "logs/formats/format_links.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace opdebug::logs {
namespace {

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

std::optional<Error> check_needs(const FormatDefinition& format, const Links& links) {
    const Names known = known_members(format, links);
    const auto is_known = [&known](std::string_view name) { return known.count(name) != 0; };
    const Requirement needed = requirement(format.states);
    const auto missing = std::find_if_not(needed.all.begin(), needed.all.end(), is_known);
    if (missing != needed.all.end()) {
        return format_error(format, "pattern",
                            fmt::format("does not capture \"{}\", which {} needs, nor does a line that completes it",
                                        *missing, to_string(format.states)),
                            fmt::format("add (?<{}>...) to one of them", *missing));
    }
    if (!needed.any.empty() && std::none_of(needed.any.begin(), needed.any.end(), is_known)) {
        return format_error(format, "pattern",
                            fmt::format("captures none of {}, of which {} needs one, nor does a line that completes it",
                                        fmt::join(needed.any, ", "), to_string(format.states)),
                            fmt::format("add (?<{}>...) to one of them", needed.any.front()));
    }
    return std::nullopt;
}

}  // namespace

std::optional<Error> check_links(const std::vector<const FormatDefinition*>& formats) {
    const Links links = links_of(formats);
    for (const FormatDefinition* format : formats) {
        std::optional<Error> error = check_members(*format);
        error = error ? error : check_names(*format, links);
        error = error ? error : check_needs(*format, links);
        if (error) {
            return error;
        }
    }
    return std::nullopt;
}

}  // namespace opdebug::logs
