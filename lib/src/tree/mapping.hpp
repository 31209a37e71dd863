// mapping.csv: real names of files whose name was too long and was replaced by a number (docs/format.md, "File names").
#pragma once

#include <map>
#include <string>
#include <string_view>

#include <opdebug/limits.hpp>
#include <opdebug/result.hpp>

namespace opdebug::tree {

/// number → real name. Lines are "number,real name"; repeated lines are normal, the first one counts.
using NameMapping = std::map<std::string, std::string, std::less<>>;

/// Reads the text of a mapping.csv. Lines of another form are skipped.
NameMapping parse_mapping(std::string_view text);

/// The mapping.csv of a folder; empty when there is none. Errors: those of reading, mapping_too_large.
Result<NameMapping> read_mapping(const std::string& folder, const Limits& limits = {});

/// The real name of a file that is called by a number; empty when it is not, or nothing tells it. Errors: as for
/// read_mapping().
Result<std::string> real_name_of(const std::string& file, const Limits& limits = {});

/// What is said beside a file that is called by a number, when the mapping.csv that names it cannot be read.
Diagnostic mapping_remark(const Error& error);

}  // namespace opdebug::tree
