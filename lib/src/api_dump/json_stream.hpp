// JSON of any length, read step by step with memory for one step: dumps of msprobe, the files next to them, traces.
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

/// What a step did. stopped: the cursor has stopped, or the reader wants no more.
enum class Step { read, stopped, done };

/// Where and why a stream ended.
struct StreamEnd {
    Step step = Step::done;
    json_stage::JsonStop stop = json_stage::JsonStop::none;  ///< of the last step; end: the file ends
    std::size_t position = 0;                                ///< in the text of the window
};

/// Calls `read_step` until it is done or stops; the window begins behind the last whole step then, or at it. A step
/// that stops at the end of the text is called again with more of the file, so it may keep what it read at its end
/// only. Errors: as FileWindow::read_on().
Result<StreamEnd> read_json_stream(FileWindow& window, std::uint64_t most_nested,
                                   const std::function<Step(json_stage::JsonCursor& cursor)>& read_step);

/// Reads the members of the object in a file that msprobe writes next to a dump.json. `read` gets each key with the
/// cursor in front of its value, and returns false where the cursor has stopped. False: the file ends early, and gave
/// its whole members. Errors: those of reading, call_too_large, api_dump_invalid where the JSON has another format;
/// `expected` names the format in the message.
Result<bool> read_members_of_file(
    const std::string& path, const ApiReadOptions& options, std::string_view expected,
    const std::function<bool(json_stage::JsonCursor& cursor, std::string_view key)>& read);

}  // namespace opdebug::api_dump
