// Numbers and names of the comparison: lib/data/api/pair_rules.json.
#pragma once

#include <string>
#include <string_view>

#include <opdebug/api.hpp>

namespace opdebug::api_pairs {

/// A number of the table. The names are part of the library and checked by its tests.
double rule(std::string_view name);

/// Whether is_random() is true for some calls of the function.
bool may_be_random(std::string_view function);

/// Whether results of the call depend on a random state, by its function or an argument.
bool is_random(const ApiEntry& call);

/// Whether the function adds: its result may be small because large inputs cancel.
bool may_cancel(std::string_view function);

/// The name of the API in the other framework. Empty: none is known.
std::string alias_of(std::string_view api);

}  // namespace opdebug::api_pairs
