// JSON of any length, parsed in steps with memory for one step: dumps of msprobe, the files next to them, traces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include <opdebug/api.hpp>

#include "api_dump/file_text.hpp"
#include "json/cursor.hpp"

namespace opdebug::api_dump {

/// Result of a step. stopped: the cursor stopped, or the caller wants no more.
enum class Step { read, stopped, done };

/// Location and reason of the end of a stream.
struct StreamEnd {
    Step step = Step::done;
    json_stage::JsonStop stop = json_stage::JsonStop::none;  ///< reason of the last step; end: end of the file
    std::size_t position = 0;                                ///< in the text of the window
};

/// Calls `read_step` until it is done or stops. The window then begins at or after the last complete step. A step that
/// stops at the end of the text is repeated with more text, so it must store results only at its end. Errors: see
/// FileWindow::read_on().
Result<StreamEnd> read_json_stream(FileWindow& window, std::uint64_t most_nested,
                                   const std::function<Step(json_stage::JsonCursor& cursor)>& read_step);

/// Reads the members of the object in a file that msprobe writes next to a dump.json. `read` receives each key with the
/// cursor before its value, and returns false if the cursor stopped. Returns false for a truncated file after its
/// complete members. `expected` names the format in messages. Errors: those of reading, call_too_large;
/// api_dump_invalid for JSON of another format.
Result<bool> read_members_of_file(
    const std::string& path, const ApiReadOptions& options, std::string_view expected,
    const std::function<bool(json_stage::JsonCursor& cursor, std::string_view key)>& read);

}  // namespace opdebug::api_dump
