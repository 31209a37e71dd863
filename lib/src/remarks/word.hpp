// Fixed words of pages for people, which have no values.
#pragma once

#include <string_view>

#include <opdebug/result.hpp>

namespace opdebug::remarks {

/// The phrase with this id (diagnose.hpp) in one language. Static storage.
std::string_view word(std::string_view id, Language language);

}  // namespace opdebug::remarks
