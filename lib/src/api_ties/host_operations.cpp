#include "api_ties/trace.hpp"

#include <algorithm>
#include <cstddef>
#include <tuple>

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

std::uint32_t Names::number_of(std::string_view text) {
    const auto [slot, is_new] = numbers_.try_emplace(std::string(text), static_cast<std::uint32_t>(texts_.size()));
    if (is_new) {
        texts_.push_back(&slot->first);
    }
    return slot->second;
}

void HostOperations::finish(const Names& names) {
    find_steps(names);
    std::sort(all_.begin(), all_.end(), [](const HostOperation& left, const HostOperation& right) {
        return std::tie(left.thread, left.start, right.end, left.name) <
               std::tie(right.thread, right.start, left.end, right.name);
    });
    nest(names);
    for (Index i = 0; i < all_.size(); ++i) {
        if (nested_[i].in_backward || nested_[i].kind != Kind::library) {
            continue;
        }
        if (!nested_[i].in_call) {
            calls_.push_back(i);
        }
        if (all_[i].sequence >= 0) {
            sequenced_.push_back(i);
        }
    }
    std::sort(calls_.begin(), calls_.end(), [this](Index left, Index right) {
        return std::tie(all_[left].name, all_[left].start) < std::tie(all_[right].name, all_[right].start);
    });
    std::sort(sequenced_.begin(), sequenced_.end(), [this](Index left, Index right) {
        return std::tie(all_[left].sequence, all_[left].start) < std::tie(all_[right].sequence, all_[right].start);
    });
}

/// Removes the spans of steps from the operations, because they contain everything.
void HostOperations::find_steps(const Names& names) {
    // In place: a copy would double the memory.
    const auto is_step = [&](const HostOperation& operation) {
        const std::string_view name = names.text_of(operation.name);
        const auto number = name.starts_with(kStep) ? tree::parse_number(name.substr(kStep.size())) : std::nullopt;
        if (number) {
            steps_.push_back({operation.start, operation.end, *number});
        }
        return number.has_value();
    };
    all_.erase(std::remove_if(all_.begin(), all_.end(), is_step), all_.end());
    std::sort(steps_.begin(), steps_.end(), [](const ProfilerStep& left, const ProfilerStep& right) {
        return std::tie(left.start, left.number) < std::tie(right.start, right.number);
    });
}

/// The parent of an operation is the nearest one before it on its thread that has not ended at its start.
void HostOperations::nest(const Names& names) {
    nested_.resize(all_.size());
    std::vector<Index> open;
    for (Index i = 0; i < all_.size(); ++i) {
        while (!open.empty() && (all_[open.back()].thread != all_[i].thread || all_[open.back()].end < all_[i].end ||
                                 all_[open.back()].end <= all_[i].start)) {
            open.pop_back();
        }
        const std::string& name = names.text_of(all_[i].name);
        nested_[i].kind = is_node(name)                          ? Kind::node
                          : name.find("::") != std::string::npos ? Kind::library
                                                                 : Kind::other;
        if (!open.empty()) {
            const Nested& parent = nested_[open.back()];
            nested_[i].parent = open.back();
            nested_[i].in_call = parent.in_call || parent.kind == Kind::library;
            nested_[i].in_backward = parent.in_backward || parent.kind == Kind::node;
        }
        open.push_back(i);
    }
}

HostOperations::Index HostOperations::around(const HostPoint& point) const {
    const auto after =
        std::upper_bound(all_.begin(), all_.end(), point, [](const HostPoint& here, const HostOperation& operation) {
            return std::tie(here.thread, here.time) < std::tie(operation.thread, operation.start);
        });
    if (after == all_.begin()) {
        return kNone;
    }
    Index index = static_cast<Index>(after - all_.begin()) - 1;
    if (all_[index].thread != point.thread) {
        return kNone;
    }
    for (std::size_t passed = 0; index != kNone && all_[index].end < point.time; ++passed) {
        index = passed < kMostNested ? nested_[index].parent : kNone;
    }
    return index;
}

HostOperations::Index HostOperations::call_of(Index index) const {
    Index call = kNone;
    std::size_t passed = 0;
    for (Index at = index; at != kNone && nested_[at].kind != Kind::node && passed < kMostNested;
         at = nested_[at].parent, ++passed) {
        call = nested_[at].kind == Kind::library ? at : call;
    }
    return call;
}

HostOperations::Index HostOperations::backward_of(Index index) const {
    Index node = kNone;
    std::size_t passed = 0;
    for (Index at = index; at != kNone && passed < kMostNested; at = nested_[at].parent, ++passed) {
        // Inside "evaluate_function: AddmmBackward0" is AddmmBackward0, which has the sequence number.
        node = nested_[at].kind == Kind::node && (node == kNone || all_[node].sequence < 0) ? at : node;
    }
    return node;
}

HostOperations::Index HostOperations::forward_of(Index node) const {
    const HostOperation& made = all_[node];
    if (made.sequence < 0) {
        return kNone;
    }
    const auto after =
        std::lower_bound(sequenced_.begin(), sequenced_.end(), made, [this](Index i, const HostOperation& key) {
            return std::tie(all_[i].sequence, all_[i].start) < std::tie(key.sequence, key.start);
        });
    const auto first = std::lower_bound(sequenced_.begin(), after, made.sequence,
                                        [this](Index i, std::int64_t sequence) { return all_[i].sequence < sequence; });
    const bool is_of_one_thread =
        std::all_of(first, after, [&](Index i) { return all_[i].thread == all_[*first].thread; });
    return first != after && is_of_one_thread ? *(after - 1) : kNone;
}

const HostOperations::ProfilerStep* HostOperations::step_of(Index index) const {
    const HostOperation& operation = all_[index];
    auto step = std::upper_bound(steps_.begin(), steps_.end(), operation.start,
                                 [](std::int64_t start, const ProfilerStep& other) { return start < other.start; });
    if (step == steps_.begin()) {
        return nullptr;
    }
    --step;
    return operation.start <= step->end ? &*step : nullptr;
}

std::size_t HostOperations::count_of(Index call, const ProfilerStep* step) const {
    const auto first_from = [this, call](std::int64_t start) {
        const auto key = std::tie(all_[call].name, start);
        return std::lower_bound(calls_.begin(), calls_.end(), key, [this](Index i, const auto& wanted) {
            return std::tie(all_[i].name, all_[i].start) < wanted;
        });
    };
    const bool has_end = step != nullptr && step->end < INT64_MAX;
    const auto begin = first_from(step == nullptr ? INT64_MIN : step->start);
    const auto end = first_from(has_end ? step->end + 1 : INT64_MAX);
    return end > begin ? static_cast<std::size_t>(end - begin) : 0;
}

}  // namespace opdebug::api_ties
