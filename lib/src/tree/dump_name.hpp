// What the name of a file says of its kind, and of the dump that it stands for.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <opdebug/tree.hpp>

namespace opdebug::tree {

/// Whether the name is that of an overflow dump; nothing when parse_dump_name() takes it for no dump's.
std::optional<bool> names_overflow_dump(std::string_view name);

/// The name of the dump that a file is, or that it was converted from ({dump name}.output.{index}.json).
std::optional<DumpName> parse_name_of_dump(std::string_view file_name);

/// The task in the name of an operator's dump; nothing where it has none, or is no operator's dump.
std::optional<std::uint64_t> task_of_op_dump(std::string_view name);

}  // namespace opdebug::tree
