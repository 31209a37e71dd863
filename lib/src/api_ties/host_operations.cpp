#include <algorithm>
#include <cstddef>
#include <iterator>
#include <tuple>

#include "api_ties/trace.hpp"
#include "tree/name.hpp"

namespace opdebug::api_ties {
namespace {

// Names in torch (source: torch/csrc/autograd/engine.cpp, and the profiler's step spans).
constexpr std::string_view kEvaluate = "autograd::engine::evaluate_function: ";
constexpr std::string_view kStep = "ProfilerStep#";

/// Maximum number of examined outer operations; real ones have some dozen.
constexpr std::size_t kMostNested = 1000;

/// "AddmmBackward0", "torch::autograd::AccumulateGrad", "autograd::engine::evaluate_function: AddmmBackward0".
bool is_node(std::string_view name) {
    if (name.starts_with(kEvaluate) || name == "torch::autograd::AccumulateGrad") {
        return true;
    }
    constexpr std::string_view kBackward = "Backward";
    const std::size_t digits = name.find_last_not_of("0123456789");
    const std::string_view stem = name.substr(0, digits == std::string_view::npos ? 0 : digits + 1);
    return name.find("::") == std::string_view::npos && stem.size() > kBackward.size() && stem.ends_with(kBackward);
}

}  // namespace

void HostOperations::finish(const Names& names) {
    find_steps(names);
    std::sort(all_.begin(), all_.end(), [](const Operation& left, const Operation& right) {
        return std::tie(left.begin, right.end, left.name) < std::tie(right.begin, left.end, right.name);
    });
    nest(names);
    for (Index i = 0; i < all_.size(); ++i) {
        if (all_[i].in_backward || all_[i].kind != Kind::library) {
            continue;
        }
        if (!all_[i].in_call) {
            ++calls_[{step_of(i), all_[i].name}];
        }
        if (all_[i].sequence >= 0) {
            sequenced_[all_[i].sequence].push_back(i);
        }
    }
}

/// Removes the spans of steps from the operations, because they contain everything.
void HostOperations::find_steps(const Names& names) {
    std::erase_if(all_, [&](const Operation& operation) {
        const std::string_view name = names.text_of(operation.name);
        const auto number = name.starts_with(kStep) ? tree::parse_number(name.substr(kStep.size())) : std::nullopt;
        if (number) {
            steps_.push_back({operation.begin.time, operation.end, *number});
        }
        return number.has_value();
    });
    std::sort(steps_.begin(), steps_.end(), [](const ProfilerStep& left, const ProfilerStep& right) {
        return std::tie(left.start, left.number) < std::tie(right.start, right.number);
    });
}

/// The parent of an operation is the nearest one before it on its thread that has not ended at its start.
void HostOperations::nest(const Names& names) {
    std::vector<Index> open;
    for (Index i = 0; i < all_.size(); ++i) {
        Operation& one = all_[i];
        while (!open.empty() && (all_[open.back()].begin.thread != one.begin.thread ||
                                 all_[open.back()].end < one.end || all_[open.back()].end <= one.begin.time)) {
            open.pop_back();
        }
        const std::string& name = names.text_of(one.name);
        one.kind = is_node(name) ? Kind::node : name.find("::") != std::string::npos ? Kind::library : Kind::other;
        if (!open.empty()) {
            const Operation& parent = all_[open.back()];
            one.parent = open.back();
            one.in_call = parent.in_call || parent.kind == Kind::library;
            one.in_backward = parent.in_backward || parent.kind == Kind::node;
        }
        open.push_back(i);
    }
}

/// The innermost operation around a point, or kNone.
HostOperations::Index HostOperations::around(const TracePoint& point) const {
    const auto after =
        std::upper_bound(all_.begin(), all_.end(), point,
                         [](const TracePoint& here, const Operation& operation) { return here < operation.begin; });
    Index index = after == all_.begin() ? kNone : static_cast<Index>(after - all_.begin()) - 1;
    index = index != kNone && all_[index].begin.thread == point.thread ? index : kNone;
    for (std::size_t passed = 0; index != kNone && all_[index].end < point.time; ++passed) {
        index = passed < kMostNested ? all_[index].parent : kNone;
    }
    return index;
}

HostOperations::Index HostOperations::call_of(Index index) const {
    Index call = kNone;
    std::size_t passed = 0;
    for (Index at = index; at != kNone && all_[at].kind != Kind::node && passed < kMostNested;
         at = all_[at].parent, ++passed) {
        call = all_[at].kind == Kind::library ? at : call;
    }
    return call;
}

/// The autograd node around an operation ("AddmmBackward0"). kNone: it is in no backward.
HostOperations::Index HostOperations::node_of(Index index) const {
    Index node = kNone;
    std::size_t passed = 0;
    for (Index at = index; at != kNone && passed < kMostNested; at = all_[at].parent, ++passed) {
        // Inside "evaluate_function: AddmmBackward0" is AddmmBackward0, which has the sequence number.
        node = all_[at].kind == Kind::node && (node == kNone || all_[node].sequence < 0) ? at : node;
    }
    return node;
}

/// kNone also if several threads have the number: each thread counts from 0.
HostOperations::Index HostOperations::forward_of(Index node) const {
    Index forward = kNone;
    const auto same = sequenced_.find(all_[node].sequence);
    for (const Index i : same == sequenced_.end() ? std::vector<Index>() : same->second) {
        if (all_[i].begin.time >= all_[node].begin.time) {
            continue;
        }
        if (forward != kNone && all_[forward].begin.thread != all_[i].begin.thread) {
            return kNone;
        }
        forward = i;
    }
    return forward;
}

HostOperations::StepNumber HostOperations::step_of(Index index) const {
    const std::int64_t start = all_[index].begin.time;
    const auto after =
        std::upper_bound(steps_.begin(), steps_.end(), start,
                         [](std::int64_t time, const ProfilerStep& other) { return time < other.start; });
    const bool is_inside = after != steps_.begin() && start <= std::prev(after)->end;
    return is_inside ? StepNumber(std::prev(after)->number) : std::nullopt;
}

std::optional<HostCall> HostOperations::call_at(const TracePoint& point, const Names& names) const {
    const Index innermost = around(point);
    if (innermost == kNone) {
        return std::nullopt;
    }
    const Index node = node_of(innermost);
    const Index inner = node == kNone ? innermost : forward_of(node);
    const Index call = inner == kNone ? kNone : call_of(inner);
    const Index shown = call != kNone ? call : node != kNone ? node : innermost;
    HostCall result;
    result.operation = names.text_of(all_[shown].name);
    result.is_backward = node != kNone;
    result.is_call = call != kNone;
    result.step = step_of(shown);
    const auto count = calls_.find({result.step, all_[shown].name});
    result.of_its_name = result.is_call && count != calls_.end() ? count->second : 0;
    return result;
}

}  // namespace opdebug::api_ties
