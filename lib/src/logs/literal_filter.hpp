// A quick test whether any of many literals can stand in a text: three-byte sequences are marked in a table by a hash,
// and a literal is only searched for when all of its own are marked. Errs only towards "may contain".
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace opdebug::logs {

inline constexpr std::size_t kSequenceTableSize = 4096;

/// The place of the three bytes at `text` in the table; 20 bits of the product leave 12.
inline std::size_t sequence_place(const char* text) noexcept {
    const auto byte = [text](int index) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[index])); };
    return ((byte(0) | byte(1) << 8U | byte(2) << 16U) * 2654435761U) >> 20U;
}

/// The places of a literal's sequences.
inline std::vector<std::uint16_t> sequence_places(std::string_view literal) {
    std::vector<std::uint16_t> places;
    for (std::size_t index = 0; index + 3 <= literal.size(); ++index) {
        places.push_back(static_cast<std::uint16_t>(sequence_place(literal.data() + index)));
    }
    return places;
}

/// The sequences of one text.
class TextSequences {
public:
    explicit TextSequences(std::string_view text) noexcept {
        for (std::size_t index = 0; index + 3 <= text.size(); ++index) {
            marked_[sequence_place(text.data() + index)] = true;
        }
    }

    bool may_contain(const std::vector<std::uint16_t>& places) const noexcept {
        for (const std::uint16_t place : places) {
            if (!marked_[place]) {
                return false;
            }
        }
        return true;
    }

private:
    std::array<bool, kSequenceTableSize> marked_{};
};

}  // namespace opdebug::logs
