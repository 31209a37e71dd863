// The parts of a merge: opened, each once, in order; which shards are missing, and which hosts share a tree.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <opdebug/merge.hpp>

#include "merge/facts.hpp"
#include "merge/part.hpp"

namespace opdebug::merge {

struct OpenedParts {
    std::vector<std::shared_ptr<Part>> parts;  ///< in the order of their shards
    MergeCounts counts;                        ///< given, merged, repeated, unusable
    std::vector<Diagnostic> diagnostics;       ///< part_unusable, part_repeated
    ApiOverflows overflows;                    ///< no part has any
};

/// Packed ones are unpacked into the folder. Error: write_failed, of that folder.
Result<OpenedParts> open_parts(const std::vector<MergeInput>& inputs, const std::string& temporary_folder);

/// Shards that no part is of (part_missing) and shards that saw different trees (trees_differ). Returns how many are
/// missing.
std::uint64_t report_missing(const std::vector<std::shared_ptr<Part>>& parts, std::vector<Diagnostic>& diagnostics);

/// Hosts that only scanned shards of a tree that other hosts scanned shards of, too: their names do not show where a
/// dump was written.
std::set<std::string, std::less<>> sharing_hosts(const std::vector<std::shared_ptr<Part>>& parts);

}  // namespace opdebug::merge
