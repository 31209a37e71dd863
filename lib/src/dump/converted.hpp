// Converted dumps: the JSON that msaccucmp, MindSpore or msprobe made of an overflow dump. It stands for the dump where
// the binary is gone.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <opdebug/dump.hpp>

namespace opdebug::dump_stage {

/// Whether the bytes are a JSON object rather than a container. A container whose header has 123 bytes begins with '{'
/// as well, but has zero bytes behind it, which no JSON text has. A byte order mark may stand in front.
bool begins_like_json(Bytes file) noexcept;

/// Decodes the text of one converted output; `file` gives names and the output's index. Error:
/// converted_json_invalid, and those of the record.
Result<Dump> decode_converted(std::string_view text, const std::string& file, const StatusCatalogue& catalogue,
                              const Limits& limits = {});

/// Reads and decodes the converted outputs of one dump, in order of their index; the dump is called by the first. A bad
/// output costs only itself. `are_all`: what is not among the files is missing; else they are read as decode_file()
/// reads each. Errors: those of reading, and those of decode_converted() when no output is usable.
Result<Dump> decode_converted_files(const std::vector<std::string>& files, bool are_all, const DecodeOptions& options);

}  // namespace opdebug::dump_stage
