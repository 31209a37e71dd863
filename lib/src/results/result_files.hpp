// The files that `convert`, `tensors` and `overflow` write (docs/reference/commands.md): how they are named, and the
// folders that keep those of equal names apart. Nothing here writes; paths are looked up where the comment of the
// function states it. The functions are thread-safe.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/dump.hpp>
#include <opdebug/result.hpp>

namespace opdebug {
inline namespace v0 {

/// The name of the official converter's JSON of one output: "{dump's name}.output.{index}.json". Source:
/// Ascend/msprobe, msaccucmp. `dump_file`: a path or a name.
std::string converted_name(std::string_view dump_file, std::uint64_t output_index);

/// The name of a tensor's .npy file, as msaccucmp gives it.
struct NpyName {
    std::string name;  ///< "{dump's name}.{input|output}.{index}.npy"; 32 hex digits and ".npy" where that is too long
    /// Of a name that was too long (255 bytes or more): the line of mapping.csv next to the files that shows it,
    /// "name,long name" with a line break at the end. A line break in the long name is shown as an escape. Empty: none
    /// is needed.
    std::string mapping_line;
};

/// The short name is the version-3 UUID of the long one in the name space of DNS (RFC 4122), without dashes.
NpyName npy_name(std::string_view dump_file, TensorKind kind, std::uint64_t index);

/// An input whose results are named after it.
struct PlacedResult {
    std::string file;           ///< path of the input
    std::string result_folder;  ///< below the folder of results; empty: that folder itself
};

/// No result replaces another: if two would have one path, all are placed by the folders of their inputs, below the
/// folder that all of them share. Each input may be given once only. Relative paths count from the working folder.
void make_results_unique(std::vector<PlacedResult>& results);

/// The folders of results of each of these inputs, by path as given. An input that is given twice has one.
std::map<std::string, std::string> result_folders(const std::vector<std::string>& files);

/// Which dumps are converted, and where the results of each go.
struct ConversionPlan {
    std::vector<PlacedResult> conversions;  ///< the dumps
    std::vector<Error> failures;            ///< paths and folders that cannot be read
    std::vector<Diagnostic> remarks;        ///< on the search
    std::uint64_t other_files = 0;
    bool found_any_path = false;  ///< at least one of the paths is there

    /// Where something of what is there could not be read, dumps may be; a path that is not there is a wrong word.
    bool dumps_may_be_missing() const { return found_any_path && !failures.empty(); }
};

/// Plans the conversion of files and of everything below folders, which are searched (find()). The tree below a folder
/// is mirrored. Result paths are unique: make_results_unique(). What several paths lead to is converted once.
ConversionPlan plan_conversion(const std::vector<std::string>& paths, const Limits& limits = {});

}  // namespace v0
}  // namespace opdebug
