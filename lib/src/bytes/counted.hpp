// Counts with their nouns, for messages.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace opdebug::bytes {

/// "1 dump", "2 dumps". `several`: an irregular plural.
inline std::string counted(std::uint64_t count, std::string_view one, std::string_view several = {}) {
    std::string text = std::to_string(count) + " ";
    text += count == 1 || several.empty() ? one : several;
    return count == 1 || !several.empty() ? text : text + "s";
}

/// The verb after the count.
inline const char* is_or_are(std::uint64_t count) {
    return count == 1 ? "is" : "are";
}

}  // namespace opdebug::bytes
