// Step, rank and process of an API dump, from the folders above it (docs/api-dumps.md, "Folders").
#pragma once

#include <string>

#include <opdebug/api_dump.hpp>

namespace opdebug::api_dump {

/// Sets step, rank, process and version of the file by its path. `file.source` must be set.
void read_location(const std::string& path, ApiFile& file);

/// The path is one under which a tool of these dumps writes: what lies there without the form of a dump is damaged, and
/// its reader says so. Elsewhere a file of that name may be anybody's.
bool is_where_tools_write(const std::string& path);

/// The same of a *.pkl, where no other tool writes one: below {tag}_v{version}, or dump.pkl of a step and rank.
bool is_where_only_ptdbg_writes(const std::string& path);

/// A *.pkl directly in rank{M}: it may be ptdbg's whose folders above were left out when it was copied.
bool may_be_of_ptdbg(const std::string& path);

}  // namespace opdebug::api_dump
