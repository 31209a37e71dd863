// Texts that many facts have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "logs/packing/text_table.hpp"

namespace opdebug::logs {

/// The first texts that come, each once: a job that repeats its steps launches the same kernels again and again. In
/// each fact, and in each block of a saved map, their names were a quarter of the bytes. Texts stay where they are as
/// long as this or a copy.
class SharedTexts {
public:
    /// Of the text, which is added where it is not there; nothing where there are too many.
    std::optional<std::uint32_t> number_of(std::string_view text);
    std::string_view text(std::uint32_t number) const noexcept { return table_.texts()[number]; }
    /// By their numbers.
    const std::vector<std::string_view>& texts() const noexcept { return table_.texts(); }

private:
    static constexpr std::size_t kMost = 4096, kMostBytes = std::size_t{1} << 20U;

    static constexpr unsigned kFirstRecentBits = 3;
    /// Where it would be among the recent ones, by the bytes in its middle and at its end.
    std::size_t recent_place_of(std::string_view text) const noexcept;
    std::optional<std::uint32_t> look_up(std::string_view text);

    std::vector<std::shared_ptr<const char[]>> memory_;  ///< each text's
    std::size_t bytes_ = 0;
    /// Numbers of texts that were asked for: to hash each name again took 2 % of indexing.
    std::vector<std::uint32_t> recent_ = std::vector<std::uint32_t>(std::size_t{1} << kFirstRecentBits);
    unsigned recent_bits_ = kFirstRecentBits;
    TextTable table_{64};
};

}  // namespace opdebug::logs
