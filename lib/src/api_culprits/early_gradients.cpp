#include "api_culprits/early_gradients.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "api_dump/call_name.hpp"

namespace opdebug::api_culprits {
namespace {

/// By the name of a module's forward: the last place of something bad in its backward.
using LastOutputs = std::map<std::string, std::uint64_t>;

bool is_bad_backward(const Found& found) {
    return found.phase == ApiPhase::backward && !found.bad.empty();
}

LastOutputs ends_of_backwards(const std::vector<Found>& found, const api_dump::CallNesting& nesting) {
    LastOutputs ends;
    for (const Found& call : found) {
        if (!is_bad_backward(call)) {
            continue;
        }
        std::vector<std::string> modules = nesting.modules_of(call.finding.api);
        modules.push_back(api_dump::forward_name(call.finding.api));
        for (std::string& module : modules) {
            std::uint64_t& end = ends[std::move(module)];
            end = std::max(end, call.order);
        }
    }
    return ends;
}

/// Without construct.json a call counts as inside that stands near and has the gradient among its results.
std::uint64_t end_by_results(const std::vector<Found>& found, const Found& gradient) {
    std::uint64_t end = gradient.order;
    for (const Found& call : found) {
        const bool is_near = call.order > gradient.order && call.order <= gradient.order + kSwapped;
        if (is_near && is_bad_backward(call) && has_one_of(call.bad, gradient.bad)) {
            end = std::max(end, call.order);
        }
    }
    return end;
}

}  // namespace

void place_early_gradients(std::vector<Found>& found, const api_dump::CallNesting& nesting) {
    const bool are_any =
        std::any_of(found.begin(), found.end(), [](const Found& each) { return !each.behind.empty(); });
    const LastOutputs ends = are_any ? ends_of_backwards(found, nesting) : LastOutputs();
    for (Found& gradient : found) {
        if (gradient.behind.empty()) {
            continue;
        }
        const auto end = ends.find(api_dump::forward_name(gradient.behind));
        const std::uint64_t near = nesting.knows(gradient.behind) ? gradient.order : end_by_results(found, gradient);
        gradient.order = std::max(near, end == ends.end() ? near : end->second);
    }
}

}  // namespace opdebug::api_culprits
