// Kernel names hold the graph node's name or the operator type, in a form that changed over the years.
// Source of the forms: docs/log-formats.md, "Kernel names".
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace opdebug::locate_stage {

/// What a kernel name tells.
struct KernelName {
    std::optional<std::string> node;           ///< node name, 2020 to 2023: behind session, graph and model numbers
    std::optional<std::string> operator_type;  ///< operator type, from 2024 on: in front of a hash of 32 hex digits
};

KernelName decode_kernel_name(std::string_view kernel);

/// Whether `kernel` is `node` behind a prefix of numbers and underscores, for example "-1_0_1_" or "00_1_".
bool kernel_is_of_node(std::string_view kernel, std::string_view node);

}  // namespace opdebug::locate_stage
