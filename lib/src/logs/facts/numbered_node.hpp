// Nodes whose own name begins with numbers: where a kernel's numbers end, only such a name tells.
#pragma once

#include <string_view>

#include "logs/facts/fact.hpp"

namespace opdebug::logs {

/// "11_GatherV2".
inline bool begins_with_number(std::string_view node) noexcept {
    const std::size_t end = node.find_first_not_of("-0123456789");
    return end != 0 && end != std::string_view::npos && node[end] == '_' && node[end - 1] != '-';
}

/// Kernels are called by session, graph and model numbers and the node ("2_0_11_GatherV2"), so a line that names a node
/// of this kind says how to read the kernels of other tasks, too: it matters to all tasks.
inline bool names_numbered_node(FactKind kind, std::string_view operator_name) noexcept {
    return kind == FactKind::operator_of_task && begins_with_number(operator_name);
}
inline bool names_numbered_node(const Fact& fact) noexcept {
    return names_numbered_node(fact.kind, fact.operator_name);
}

}  // namespace opdebug::logs
