// A step of msprobe's dumps, a kilobyte a call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace opdebug::bench {

struct ApiStep {
    std::uint64_t ranks = 8;
    std::size_t calls = 18'572;
    /// Position from which on nearly every call has NaN on all ranks; every tenth call is an all_reduce then. Nothing:
    /// no rank has a bad value or a call of others.
    std::optional<std::size_t> first_bad;
};

/// Writes step0/rank{M}/dump.json.
void write_api_dumps(const std::string& folder, const ApiStep& step);

}  // namespace opdebug::bench
