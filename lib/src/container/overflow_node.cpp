#include "container/overflow_node.hpp"

#include <algorithm>

#include "tree/spelling.hpp"

namespace opdebug::container {

bool is_overflow_node(std::string_view name) {
    return tree::equals_ignoring_case(name, "node_opdebug");
}

bool header_names_overflow_dump(const Contents& contents) {
    return is_overflow_node(contents.op_name) ||
           std::any_of(contents.outputs.begin(), contents.outputs.end(),
                       [](const Tensor& tensor) { return is_overflow_node(tensor.original_op_name); });
}

}  // namespace opdebug::container
