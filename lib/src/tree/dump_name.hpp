// What the name of a file says of its kind, without the ids in it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace opdebug::tree {

/// Whether the name is that of an overflow dump; nothing when parse_dump_name() takes it for no dump's.
std::optional<bool> names_overflow_dump(std::string_view name);

/// The task in the name of an operator's dump; nothing where it has none, or is no operator's dump.
std::optional<std::uint64_t> task_of_op_dump(std::string_view name);

}  // namespace opdebug::tree
