// The order of paths in which numbers are numbers: step2 comes before step10.
#pragma once

#include <string_view>

namespace opdebug::api_dump {

bool comes_before(std::string_view a, std::string_view b) noexcept;

}  // namespace opdebug::api_dump
