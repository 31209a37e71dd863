// Numbers with the words that they count, for messages.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace opdebug::bytes {

/// "1 dump", "2 dumps"; `several` where an s does not make it of the word.
inline std::string counted(std::uint64_t count, std::string_view one, std::string_view several = {}) {
    std::string text = std::to_string(count) + " ";
    text += count == 1 || several.empty() ? one : several;
    return count == 1 || !several.empty() ? text : text + "s";
}

/// The verb behind it.
inline const char* is_or_are(std::uint64_t count) {
    return count == 1 ? "is" : "are";
}

}  // namespace opdebug::bytes
