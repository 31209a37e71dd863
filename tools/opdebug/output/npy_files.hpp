// The .npy files of operator dumps, under the official converter's names.
#pragma once

#include <string>
#include <vector>

#include <opdebug/tensor.hpp>

#include "command_line/input_files.hpp"
#include "output/name_lists.hpp"

namespace opdebug::tool {

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
