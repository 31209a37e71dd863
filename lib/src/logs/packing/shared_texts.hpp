// Texts that many facts have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "bytes/fetch.hpp"
#include "bytes/hash_factors.hpp"
#include "logs/packing/text_table.hpp"

namespace opdebug::logs {

/// The first texts that come, each once: a job that repeats its steps launches the same kernels again and again. In
/// each fact, and in each block of a saved map, their names were a quarter of the bytes. Texts stay where they are as
/// long as this or a copy.
class SharedTexts {
public:
    /// Of the text, which is added where it is not there; nothing where there are too many.
    std::optional<std::uint32_t> number_of(std::string_view text);
    /// Has the processor fetch what tells the number of a text that is asked for soon, and of one for which that was
    /// fetched before the bytes that it is compared with.
    [[gnu::always_inline]] void fetch(std::string_view text) const noexcept {
        bytes::fetch<sizeof(Recent)>(&recent_[recent_place_of(text)]);
    }
    [[gnu::always_inline]] void fetch_bytes(std::string_view text) const noexcept {
        bytes::fetch<kMostOfName>(recent_[recent_place_of(text)].text.data());
    }
    std::string_view text(std::uint32_t number) const noexcept { return table_.texts()[number]; }
    /// By their numbers.
    const std::vector<std::string_view>& texts() const noexcept { return table_.texts(); }

private:
    static constexpr std::size_t kMostOfName = 96;  ///< of a kernel; few are longer
    static constexpr std::size_t kMost = 4096, kMostBytes = std::size_t{1} << 20U;

    /// One that was asked for, with its bytes: to hash each name again took 2 % of indexing, and each place that is
    /// looked at on the way to the bytes is waited for.
    struct Recent {
        std::string_view text;
        std::uint32_t number = 0;
    };
    static constexpr unsigned kFirstRecentBits = 3;
    /// Where it would be among the recent ones, by the bytes in its middle and at its end.
    std::size_t recent_place_of(std::string_view text) const noexcept;
    std::optional<std::uint32_t> look_up(std::string_view text);
    std::string_view keep(std::string_view text);

    std::vector<std::shared_ptr<char[]>> memory_;  ///< the texts, one behind the other
    std::size_t free_ = 0;                         ///< at the end of the last piece
    std::size_t piece_size_ = 0;
    std::size_t bytes_ = 0;
    std::vector<Recent> recent_ = std::vector<Recent>(std::size_t{1} << kFirstRecentBits);
    unsigned recent_bits_ = kFirstRecentBits;
    TextTable table_{64};
};

/// Names of kernels end alike ("_high_performance_10005") and begin alike; what tells them apart lies between.
inline std::size_t SharedTexts::recent_place_of(std::string_view text) const noexcept {
    constexpr std::size_t kWord = sizeof(std::uint64_t);
    std::uint64_t mixed = text.size();
    if (text.size() >= kWord) {
        std::uint64_t middle = 0, last = 0;
        std::memcpy(&middle, text.data() + (text.size() - kWord) / 2, kWord);
        std::memcpy(&last, text.data() + text.size() - kWord, kWord);
        mixed = (middle * bytes::kHashFactor) ^ (middle >> 32U) ^ last;
    }
    return (mixed * bytes::kHashFactor) >> (64U - recent_bits_);
}

}  // namespace opdebug::logs
