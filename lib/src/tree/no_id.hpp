// The numbers that mean "no id" in names, records and log lines.
#pragma once

#include <cstdint>

namespace opdebug::tree {

/// 65535 and 4294967295: "not set" in 16- and 32-bit ids (runtime INVALID_VAL, msaccucmp INVALID_ID; docs/format.md,
/// "Ids").
constexpr bool is_no_id(std::uint64_t id) noexcept {
    return id == 65535 || id == 4294967295;
}

}  // namespace opdebug::tree
