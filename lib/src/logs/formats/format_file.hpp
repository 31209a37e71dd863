// One JSON file of log formats, read strictly: known members only, each of the right kind. Form: docs/log-formats.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <opdebug/limits.hpp>
#include <opdebug/named_text.hpp>
#include <opdebug/result.hpp>

#include "logs/facts/fact.hpp"

namespace opdebug::logs {

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

/// One entry of a format file.
struct FormatDefinition {
    std::string file;       ///< where it was read
    std::string id;         ///< stable and unique, for example "ge.save_dump_task"
    std::string catalogue;  ///< short mark in docs/log-formats.md, for example "G1"
    FactKind states = FactKind::operator_of_task;
    LogKind log = LogKind::ge_log;
    std::vector<std::string> modules;
    std::vector<std::string> functions;  ///< only lines of these functions; empty: of any
    std::string literal;                 ///< stands in the text of every line of this format
    std::string pattern;                 ///< Boost.Regex, Perl syntax; named groups are members of Fact
    std::vector<std::string> captures;   ///< the named groups of `pattern`
    std::vector<IgnoreRule> ignore;
    bool cut_lines = false;  ///< only lines that may have been cut at their length limit
    bool fallback = false;   ///< only lines that no other format reads: of a wording that is not known
    std::vector<Constant> constants;
    bool task_id_provisional = false;
    std::string remembers;                  ///< what the line captures is remembered for its thread under this name
    bool once = false;                      ///< ... until the first line that uses it
    std::string forgets;                    ///< the line ends what the thread remembers under this name
    std::vector<std::string> completed_by;  ///< missing members are taken from what the thread remembers
    std::string versions;
    std::string source;
    std::vector<std::string> samples;
};

/// Errors: log_format_invalid.
Result<std::vector<FormatDefinition>> read_format_file(const NamedText& file, const Limits& limits = {});

/// The error of one entry: which member is wrong, why, and what to do.
Error format_error(const FormatDefinition& format, const std::string& member, const std::string& reason,
                   const std::string& remedy);

}  // namespace opdebug::logs
