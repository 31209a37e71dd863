// What the parts of a merge are of: which are there twice, and which are not there.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <opdebug/merge.hpp>

#include "merge/part.hpp"

namespace opdebug::merge {

/// "0, 2, 5-7": ascending numbers.
std::string show_ranges(const std::vector<std::uint64_t>& numbers);

/// Leaves out the parts of which all is in others: the ones that were cut first, then the later ones. Tells of it
/// (part_repeated).
void leave_out_repeated(std::vector<std::shared_ptr<Part>>& parts, std::vector<Diagnostic>& diagnostics);

/// In the order of their shards; parts that are no shards stay in the order in which they were given.
void put_in_order(std::vector<std::shared_ptr<Part>>& parts);

/// Shards that no part is of (part_missing) and shards that saw different trees (trees_differ). Returns how many are
/// missing.
std::uint64_t tell_missing(const std::vector<std::shared_ptr<Part>>& parts, std::vector<Diagnostic>& diagnostics);

}  // namespace opdebug::merge
