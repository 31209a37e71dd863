// The .npy files of operator dumps, under the official converter's names.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <opdebug/result.hpp>
#include <opdebug/tensor.hpp>

#include "command_line/input_files.hpp"

namespace opdebug::tool {

/// mapping.csv beside result files whose names were too long: a line for each tells the long name.
class NameLists {
public:
    /// No file of `inputs` is ever added to; they must stay alive.
    explicit NameLists(const InputFiles& inputs) : inputs_(inputs) {}

    /// Adds a line to the mapping.csv of the folder, never through a link of either kind; one that it holds in its
    /// first 32 MiB (Limits::mapping_bytes) is not added again. `line`: with its line break. Error: write_failed.
    std::optional<Error> add(const std::string& folder, const std::string& line);

private:
    std::optional<Error> add_to(int file, const std::string& path, const std::string& line);

    /// What a list held when this program first added to it, and what it added.
    struct List {
        std::set<std::string> lines;
        bool ends_whole = true;  ///< what is added begins a line
    };
    static List read(int file, std::int64_t size);

    const InputFiles& inputs_;
    std::map<std::string, List> lists_;  ///< by path
};

/// What became of the tensors of one dump.
struct WrittenTensors {
    std::vector<std::string> names;  ///< for each tensor, below the folder; empty: not written
    std::vector<Error> failures;     ///< for types without numbers none: they have no .npy
};

/// Writes into one folder: {dump name}.{input|output}.{index}.npy, mode 0600, complete or not at all. A name that would
/// have 255 bytes or more becomes 32 hex digits, and a line "hex.npy,name" of mapping.csv tells it, as msaccucmp does.
class NpyFiles {
public:
    /// No file of `inputs` is ever replaced or added to; they must stay alive.
    NpyFiles(std::string folder, const InputFiles& inputs)
        : folder_(std::move(folder)), inputs_(inputs), long_names_(inputs) {}

    /// `subfolder`: below the folder; empty: the folder itself.
    WrittenTensors write(const OpDump& dump, const std::string& subfolder);

private:
    std::optional<Error> write_tensor(const std::string& file, const DumpedTensor& tensor,
                                      const std::string& name) const;

    std::string folder_;
    const InputFiles& inputs_;
    NameLists long_names_;
};

}  // namespace opdebug::tool
