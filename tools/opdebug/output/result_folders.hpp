// Folders below the output folder that keep results of equal name apart.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace opdebug::tool {

/// An input whose results are named after it.
struct PlacedResult {
    std::string file;           ///< path of the input
    std::string result_folder;  ///< below the output folder; empty: the output folder itself
};

/// No result takes another's place: those of one name are told apart by the folders in which their inputs differ; when
/// they then meet others, all results are placed by the folders of their inputs, below the folder that all of them
/// share. Each input may be given once only.
void make_results_unique(std::vector<PlacedResult>& results);

/// The folders of results of each of these inputs, by path as given. An input that is given twice has one.
std::map<std::string, std::string> result_folders(const std::vector<std::string>& files);

}  // namespace opdebug::tool
