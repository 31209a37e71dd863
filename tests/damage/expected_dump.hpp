// What must be reported of a dump file, whatever happened to its bytes: worked out a second time from the tables of
// docs/internals/formats.md, without the code under test, and written as text that can be compared.
#pragma once

#include <string>

#include <opdebug/dump.hpp>

#include "wire.hpp"

namespace opdebug::damage {

/// "error CODE"; or the form, the verdict, one line for each record with all its numbers, and codes of remarks. The
/// remarks are those that report damage or bytes left over. `name`: the file's name, empty or an overflow dump's name
/// whose time is `name_time`.
std::string expected_dump(const test::Buffer& bytes, bool has_name, std::uint64_t name_time);

/// What the library states, in the same form.
std::string told_dump(const Result<Dump>& dump);

}  // namespace opdebug::damage
