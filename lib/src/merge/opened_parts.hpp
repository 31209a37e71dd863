// The files that were given → the parts that are merged.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <opdebug/merge.hpp>

#include "merge/api_overflows.hpp"
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

}  // namespace opdebug::merge
