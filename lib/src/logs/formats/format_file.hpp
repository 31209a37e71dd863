// One JSON file of log formats: known members only, each of the right kind (lib/data/schema/log-formats.schema.json).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/result.hpp>

#include "json/cursor.hpp"
#include "logs/facts/fact.hpp"

namespace opdebug::logs {

/// The form of a file of log formats today, and the earlier one: an entry has one pattern, its literal, and the members
/// of "about" outside of it.
inline constexpr std::string_view kFormatSchema = "opdebug.log_formats/2";
inline constexpr std::string_view kFormatSchema1 = "opdebug.log_formats/1";

/// A line whose capture `member` has one of these values states nothing by this format.
struct IgnoreRule {
    std::string member;
    std::vector<std::string> values;
};

/// A number that every line of the format states without printing it.
struct Constant {
    std::string member;
    std::uint64_t value = 0;
};

/// One way to read a line. An entry of a file has one for each of its patterns, and one more for each if it has
/// "else_states".
struct FormatDefinition {
    std::string file;             ///< where it was read
    std::string id;               ///< of the entry, stable and unique, for example "ge.save_dump_task"
    std::size_t alternative = 0;  ///< counts the definitions of the entry
    std::string catalogue;        ///< short mark, for example "G1"
    FactKind states = FactKind::operator_of_task;
    std::optional<FactKind> else_states;  ///< what the next definition states of lines with values of `ignore`
    bool of_ignored = false;              ///< this is that next definition: it reads lines with such values only
    LogKind log = LogKind::ge_log;
    std::vector<std::string> modules;
    std::vector<std::string> functions;  ///< only lines of these functions; empty: of any
    std::string literal;                 ///< every line of the pattern contains it
    bool has_own_literal = false;        ///< it comes from the file, not from the pattern
    std::string pattern;                 ///< Boost.Regex, Perl syntax; named groups are members of Fact
    std::vector<std::string> captures;   ///< the named groups of `pattern`
    std::vector<IgnoreRule> ignore;
    bool cut_lines = false;  ///< only lines that may have been cut at their length limit
    bool fallback = false;   ///< only lines that no other format reads: an unknown text
    std::vector<Constant> constants;
    bool task_id_provisional = false;
    std::string remembers;                  ///< what the line captures is remembered for its thread under this name
    bool once = false;                      ///< ... until the first line that uses it
    std::string forgets;                    ///< the line ends what the thread remembers under this name
    std::vector<std::string> completed_by;  ///< missing members are read from what the thread remembers
    std::string versions;
    std::string source;
    std::vector<std::string> samples;
};

/// Whether one of the rules is on the member.
template <class Rule>
bool has_rule_on(const std::vector<Rule>& rules, std::string_view name) {
    return std::any_of(rules.begin(), rules.end(), [name](const Rule& rule) { return rule.member == name; });
}

/// Whether definitions are checked against each other, their samples and their patterns. trusted: the built-in files,
/// which the tests load with all checks.
enum class Samples { checked, trusted };

/// The definitions of the entries, in their order. Errors: log_format_invalid.
Result<std::vector<FormatDefinition>> read_format_file(const NamedText& file, const Limits& limits = {},
                                                       Samples samples = Samples::checked);

/// The error of one entry: which member is wrong, why, and what to do.
Error format_error(const FormatDefinition& format, const std::string& member, const std::string& reason,
                   const std::string& remedy);

/// Reads the entry that comes next and adds its definitions to `formats`. `format`: file and, until its id is read, a
/// name for messages. The first fault is the error; nothing may be read then.
std::optional<Error> read_format_entry(json_stage::JsonCursor& cursor, FormatDefinition format,
                                       std::vector<FormatDefinition>& formats);

/// The first fault of the pattern, the captures and the rules of one definition.
std::optional<Error> check_definition(const FormatDefinition& format);

/// Checks "remembers", "once", "forgets", "completed_by" and "task_id_provisional" of all formats of a set: each name
/// is remembered and used, and each statement has what it needs once the other lines are there. Errors:
/// log_format_invalid.
std::optional<Error> check_links(const std::vector<const FormatDefinition*>& formats);

}  // namespace opdebug::logs
