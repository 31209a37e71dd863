// Format of one file by its first bytes; step, rank and process by the folders above it (docs/internals/api-rules.md,
// "Folders").
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include <opdebug/api.hpp>

namespace opdebug::api_dump {

/// read_api_dump() with a known format, so the file is opened once.
Result<ApiFile> read_as(ApiSource source, const std::string& path, const ApiReadOptions& options,
                        const std::function<void(ApiEntry&&)>& use);

/// api_source_of() by content only, not by name.
Result<std::optional<ApiSource>> source_by_content(const std::string& path);

/// Python's pickles begin with this byte (protocol 2 and later); texts do not.
inline bool is_pickle(std::string_view start) noexcept {
    return !start.empty() && start.front() == '\x80';
}

/// Sets step, rank, process and version of the file from its path. `file.source` must be set.
void read_location(const std::string& path, ApiFile& file);

/// Whether a tool of these dumps writes at this path. A file without the format of a dump is then damaged, and its
/// parser reports it. Elsewhere the file may be from any program.
bool is_where_tools_write(const std::string& path);

/// The same for a *.pkl where no other tool writes one: below {tag}_v{version}, or dump.pkl of a step and rank.
bool is_where_only_ptdbg_writes(const std::string& path);

/// A *.pkl directly in rank{M}: may be ptdbg's, copied without the folders above.
bool may_be_of_ptdbg(const std::string& path);

}  // namespace opdebug::api_dump
