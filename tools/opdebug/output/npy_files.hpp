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

/// mapping.csv next to result files with too long names: each line contains a long name.
class NameLists {
public:
    /// Never appends to a file of `inputs`, which must outlive this.
    explicit NameLists(const InputFiles& inputs) : inputs_(inputs) {}

    /// Appends a line, with its line break, to the mapping.csv of the folder; never through a symbolic or hard link.
    /// Skips a line that is already in the first 32 MiB (Limits::mapping_bytes). Error: write_failed.
    std::optional<Error> add(const std::string& folder, const std::string& line);

private:
    std::optional<Error> add_to(int file, const std::string& path, const std::string& line);

    /// Content of a list before this program's first line, and its added lines.
    struct List {
        std::set<std::string> lines;
        bool ends_whole = true;  ///< added text starts a line
    };
    static List read(int file, std::int64_t size);

    const InputFiles& inputs_;
    std::map<std::string, List> lists_;  ///< by path
};

/// Results for the tensors of one dump.
struct WrittenTensors {
    std::vector<std::string> names;  ///< for each tensor, below the folder; empty: not written
    std::vector<Error> failures;     ///< without types that have no numbers and no .npy
};

/// Writes to one folder: {dump name}.{input|output}.{index}.npy, mode 0600, complete or not at all. A name of 255 bytes
/// or more becomes 32 hex digits, with a line "hex.npy,name" in mapping.csv, like in msaccucmp.
class NpyFiles {
public:
    /// Never replaces or appends to a file of `inputs`, which must outlive this.
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
