// mapping.csv beside result files whose names were too long: a line for each tells the long name.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

#include <opdebug/result.hpp>

#include "command_line/input_files.hpp"

namespace opdebug::tool {

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

}  // namespace opdebug::tool
