// Orders in which what is not known comes behind what is.
#pragma once

#include <cstdint>
#include <optional>
#include <tuple>

namespace opdebug::bytes {

/// To be compared with others of its kind.
inline std::tuple<bool, std::uint64_t> unknown_last(const std::optional<std::uint64_t>& number) {
    return {!number.has_value(), number.value_or(0)};
}

}  // namespace opdebug::bytes
