// mapping.csv: real names of files whose name was too long and was replaced by a number (docs/format.md, "File names").
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace opdebug::tree {

/// number → real name. Lines are "number,real name"; repeated lines are normal, the first one counts.
using NameMapping = std::map<std::string, std::string, std::less<>>;

/// Reads the text of a mapping.csv. Lines of another form are skipped.
NameMapping parse_mapping(std::string_view text);

/// The mapping.csv of a folder; empty when there is none or it cannot be read.
NameMapping read_mapping(const std::string& folder);

/// The real name of a file that is called by a number; empty when it is not, or nothing tells it.
std::string real_name_of(const std::string& file);

}  // namespace opdebug::tree
