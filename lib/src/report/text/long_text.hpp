// Texts that are longer than anybody reads, on pages for people.
#pragma once

#include <string>
#include <string_view>

#include <opdebug/status.hpp>

namespace opdebug::report {

/// printable(), but of a text of more than 1,000 bytes the first 700 and the last 200, and how many characters between
/// them are left out. JSON has all of it.
std::string printable_shortened(std::string_view text, Language language);

}  // namespace opdebug::report
