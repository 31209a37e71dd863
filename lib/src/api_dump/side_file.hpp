// The JSON files that msprobe writes beside a dump.json: one object with many members.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <opdebug/api_dump.hpp>

#include "json/cursor.hpp"

namespace opdebug::api_dump {

/// Reads the object's members one after the other, with memory for one. `read` gets each key with the cursor in front
/// of its value, and returns false where the cursor has stopped; it is asked again then when more of the file is there,
/// so it may use what it read behind the value's end only. False: the file ends early, and gave what it has whole.
/// Errors: those of reading, call_too_large, api_dump_invalid where the JSON has another form; `expected` says in the
/// message which one was.
Result<bool> read_side_file(const std::string& path, const ApiReadOptions& options, std::string_view expected,
                            const std::function<bool(json_stage::JsonCursor& cursor, std::string_view key)>& read);

}  // namespace opdebug::api_dump
