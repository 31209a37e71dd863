// Fixed words of pages for people, and texts with values from other data files.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <opdebug/result.hpp>

#include "remarks/diagnose.hpp"

namespace opdebug::remarks {

/// The phrase with this id (diagnose.hpp) in one language. Static storage.
std::string_view word(std::string_view id, Language language);

/// The text with the values for {name}, and the words for {count|one|many}. Other braces are kept.
std::string filled(std::string_view text, std::span<const Field> fields, Language language);

}  // namespace opdebug::remarks
