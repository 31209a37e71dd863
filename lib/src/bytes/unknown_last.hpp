// Sort keys that put unknown values last.
#pragma once

#include <cstdint>
#include <optional>
#include <tuple>

namespace opdebug::bytes {

/// Compare only with other keys of this function.
inline std::tuple<bool, std::uint64_t> unknown_last(const std::optional<std::uint64_t>& number) {
    return {!number.has_value(), number.value_or(0)};
}

}  // namespace opdebug::bytes
