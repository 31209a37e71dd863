// Which call of the benchmark is the same as a call here, in one step and rank. Numbers and names of the comparison.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <opdebug/api.hpp>

namespace opdebug::api_pairs {

using Calls = std::span<const ApiEntry>;

struct Partner {
    std::size_t call = 0;   ///< index in the calls of the benchmark
    bool by_order = false;  ///< by order of appearance, or by numbers that may be chance
};

/// For each call here its partner; empty: none. Each call of the benchmark is in at most one pair.
/// By name where both sides have the same numbers of an API. A backward follows its forward. Otherwise by the longest
/// common sequence of calls with equal shapes. If the frameworks differ, calls of mindspore.mint are those of torch.
std::vector<std::optional<Partner>> pair_calls(Calls here, Calls there, bool frameworks_differ);

/// A number of lib/data/api/pair_rules.json. The names are part of the library and checked by its tests.
double rule(std::string_view name);

/// Whether results of the call depend on a random state, by its function or an argument.
bool is_random(const ApiEntry& call);

/// Whether the function adds: its result may be small because large inputs cancel.
bool may_cancel(std::string_view function);

}  // namespace opdebug::api_pairs
