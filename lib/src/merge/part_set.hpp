// What the parts of a merge are of: which are there twice, and which are not there.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <opdebug/merge.hpp>

#include "merge/part.hpp"

namespace opdebug::merge {

/// "0, 2, 5-7": ascending numbers.
std::string show_ranges(const std::vector<std::uint64_t>& numbers);

/// Reads parts that hold scans that others hold, too, so that a damaged one does not stand for a whole one.
void check_repeated(const std::vector<std::shared_ptr<Part>>& parts);

/// How many of the first dumps of a scan are in a part that names it; nothing: all.
std::optional<std::uint64_t> extent_of(const Part& part, const report::PartName& name);

/// Leaves out the parts of which all is in others: the ones that were cut first, then the later ones. Tells of it
/// (part_repeated). What is cut in a part stands for nothing that others have more of. The parts must be checked.
void leave_out_repeated(std::vector<std::shared_ptr<Part>>& parts, std::vector<Diagnostic>& diagnostics);

/// In the order of their shards; parts that are no shards stay in the order in which they were given.
void put_in_order(std::vector<std::shared_ptr<Part>>& parts);

/// Shards that no part is of (part_missing) and shards that saw different trees (trees_differ). Returns how many are
/// missing.
std::uint64_t tell_missing(const std::vector<std::shared_ptr<Part>>& parts, std::vector<Diagnostic>& diagnostics);

}  // namespace opdebug::merge
