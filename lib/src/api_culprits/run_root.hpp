// Which run a file is of, by the folders above those of steps and ranks.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api_culprits/found.hpp"

namespace opdebug::api_culprits {

/// MindSpore writes what runs as a graph and what runs call by call side by side: {dump_path}/graph/step{N}/… and
/// {dump_path}/pynative/step{N}/… are two halves of one run.
struct RunRoot {
    std::string folder;
    std::string half;  ///< "graph" or "pynative" where the other lies beside it; else empty
};

/// The path without file name, folders of rank and step.
std::string root_of_run(std::string_view file);

/// Of each file. The folder is the path without file name, half, folders of rank and step.
std::vector<RunRoot> run_roots_of(const std::vector<FileFacts>& files);

}  // namespace opdebug::api_culprits
