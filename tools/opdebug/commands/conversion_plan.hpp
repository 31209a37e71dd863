// Which dumps are converted, and where each result goes, so that no result takes another's place.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <opdebug/limits.hpp>
#include <opdebug/result.hpp>

#include "output/result_folders.hpp"

namespace opdebug::tool {

struct ConversionPlan {
    std::vector<PlacedResult> conversions;  ///< the dumps
    std::vector<Error> failures;            ///< paths and folders that cannot be read
    std::vector<Diagnostic> remarks;        ///< on the search
    std::uint64_t other_files = 0;
    bool found_any_path = false;  ///< at least one of the paths is there

    /// Where something of what is there could not be read, dumps may be; a path that is not there is a wrong word.
    bool dumps_may_be_missing() const { return found_any_path && !failures.empty(); }
};

/// Plans the conversion of files and of everything below folders. The tree below a folder is mirrored; files of equal
/// name from different places are told apart by the folders in which they differ. Result paths are unique.
ConversionPlan plan_conversion(const std::vector<std::string>& paths, const Limits& limits);

/// The parts of "PATH[,PATH...]"; a path that holds a comma and exists counts as one.
std::vector<std::string> split_paths(const std::string& list);

}  // namespace opdebug::tool
