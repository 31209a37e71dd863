// Converted dumps: the JSON that msaccucmp, MindSpore or msprobe made of an overflow dump. It replaces the dump if the
// binary is missing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <opdebug/dump.hpp>

namespace opdebug::dump_stage {

/// Whether the bytes are a JSON object, with optional byte order mark. A container with a header of 123 bytes also
/// begins with '{', but zero bytes follow, which JSON never contains.
bool begins_like_json(Bytes file) noexcept;

/// Decodes the text of one converted output. `file` contains names and the output's index. Errors:
/// converted_json_invalid, and those of the record.
Result<Dump> decode_converted(std::string_view text, const std::string& file, const StatusCatalogue& catalogue,
                              const Limits& limits = {});

/// Reads and decodes the converted outputs of one dump in order of their index. The dump has the name of the first. A
/// bad output costs only itself. `are_all`: outputs outside `files` are missing; otherwise each file is read as by
/// decode_file(). Errors: those of reading; those of decode_converted() if no output is usable.
Result<Dump> decode_converted_files(const std::vector<std::string>& files, bool are_all, const DecodeOptions& options);

}  // namespace opdebug::dump_stage
