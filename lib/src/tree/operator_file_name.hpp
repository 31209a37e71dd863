// Names of the files that hold an operator's values outside of its binary dump:
// {dump name}.{input|output}.{index}[.{slot}][.{format}][.{dtype}].npy for each tensor (MindSpore, msaccucmp), and
// {dump name}.csv with the statistics of all (CANN).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace opdebug::tree {

/// The name of a tensor's file, taken apart; the parts point into it.
struct TensorFileName {
    std::string_view dump_name;  ///< {type}.{name}.{task}[.{stream}].{timestamp}
    bool is_output = false;
    std::uint64_t index = 0;
    std::string_view format;  ///< "ND"; empty: not in the name
    std::string_view dtype;   ///< "bfloat16"; empty: not in the name
};

/// Nothing for other names, also for those of overflow dumps.
std::optional<TensorFileName> parse_tensor_file_name(std::string_view name);

/// {dump name} of an operator's statistics; nothing for other names.
std::optional<std::string_view> dump_name_of_statistics(std::string_view name);

/// MindSpore's and msprobe's list of the operators of one iteration.
constexpr std::string_view kStatisticList = "statistic.csv";

/// Whether the name tells an operator, or is the list that does.
bool names_operator_values(std::string_view name);

}  // namespace opdebug::tree
