// What one file is: its format by the first bytes; step, rank and process by the folders above it (docs/api-dumps.md,
// "Folders").
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include <opdebug/api.hpp>

namespace opdebug::api_dump {

/// As read_api_dump(), but takes the file for what it was found to be: it is opened once.
Result<ApiFile> read_as(ApiSource source, const std::string& path, const ApiReadOptions& options,
                        const std::function<void(ApiEntry&&)>& use);

/// As api_source_of(), but the name of the file decides nothing.
Result<std::optional<ApiSource>> source_by_content(const std::string& path);

/// Python's pickles begin with this byte (protocol 2 and later), and so does no text.
inline bool is_pickle(std::string_view start) noexcept {
    return !start.empty() && start.front() == '\x80';
}

/// Sets step, rank, process and version of the file by its path. `file.source` must be set.
void read_location(const std::string& path, ApiFile& file);

/// The path is one under which a tool of these dumps writes: what lies there without the format of a dump is damaged,
/// and its reader says so. Elsewhere a file of that name may be anybody's.
bool is_where_tools_write(const std::string& path);

/// The same of a *.pkl, where no other tool writes one: below {tag}_v{version}, or dump.pkl of a step and rank.
bool is_where_only_ptdbg_writes(const std::string& path);

/// A *.pkl directly in rank{M}: it may be ptdbg's whose folders above were left out when it was copied.
bool may_be_of_ptdbg(const std::string& path);

}  // namespace opdebug::api_dump
