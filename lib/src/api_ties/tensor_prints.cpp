#include "api_ties/tensor_prints.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <string>

namespace opdebug::api_ties {
namespace {

/// One number for a type and shape.
std::uint64_t tensor_print(const std::string& dtype, const std::vector<std::uint64_t>& shape) {
    std::string text = dtype;
    for (const std::uint64_t extent : shape) {
        text += ',' + std::to_string(extent);
    }
    return std::hash<std::string>()(text) | 2U;  // apart from the two marks
}

}  // namespace

std::vector<std::uint64_t> prints_of(const KernelOverflow& overflow) {
    std::set<std::uint64_t> prints;
    for (std::size_t i = 0; i < std::min(overflow.dtypes.size(), overflow.shapes.size()); ++i) {
        prints.insert(tensor_print(overflow.dtypes[i], overflow.shapes[i]));
    }
    return {prints.begin(), prints.end()};
}

std::vector<std::uint64_t> prints_of(const ApiFinding& finding) {
    std::set<std::uint64_t> prints{kAnyTensors};
    for (const ApiFindingValue& bad : finding.values) {
        if (!bad.value.is_scalar) {
            prints.insert(tensor_print(bad.value.dtype, bad.value.shape));
        }
    }
    if (prints.size() == 1) {
        prints.insert(kNoValues);
    }
    return {prints.begin(), prints.end()};
}

bool has_tensors(const KernelOverflow& overflow, const ApiFinding& finding) {
    return !prints_of(overflow).empty() && std::any_of(finding.values.begin(), finding.values.end(),
                                                       [](const ApiFindingValue& bad) { return !bad.value.is_scalar; });
}

bool has_equal_tensors(const KernelOverflow& overflow, const ApiFinding& finding) {
    if (!has_tensors(overflow, finding)) {
        return true;
    }
    const std::vector<std::uint64_t> of_operator = prints_of(overflow), of_call = prints_of(finding);
    return std::find_first_of(of_operator.begin(), of_operator.end(), of_call.begin(), of_call.end()) !=
           of_operator.end();
}

}  // namespace opdebug::api_ties
