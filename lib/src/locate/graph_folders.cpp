#include "locate/graph_folders.hpp"

#include <filesystem>
#include <optional>
#include <system_error>

#include <opdebug/tree.hpp>

#include "tree/folder.hpp"
#include "tree/name.hpp"

namespace opdebug::locate_stage {
namespace {

/// The names of the folders in a folder, and of the links that may lead to some.
std::vector<std::string> folders_in(const std::string& folder) {
    std::vector<std::string> names;
    const tree::FolderListing listing = tree::list_folder(folder);
    for (const tree::FolderEntry& entry : listing.entries) {
        if (entry.may_be_folder) {
            names.emplace_back(entry.name);
        }
    }
    return names;
}

bool is_folder(const std::string& path) {
    std::error_code ignored;
    return std::filesystem::is_directory(path, ignored);
}

/// A relative path may start below the folders in question.
std::string absolute_path(const std::string& folder) {
    std::error_code failed;
    const std::filesystem::path absolute = std::filesystem::absolute(folder, failed).lexically_normal();
    return failed ? folder : absolute.has_filename() ? absolute.string() : absolute.parent_path().string();  // of "."
}

struct DebugFiles {
    std::string rank_folder;
    std::string iteration;
};

std::optional<DebugFiles> debug_files_of(const std::string& folder) {
    const std::string_view iteration = file_name_of(folder);
    const std::string above = tree::folder_of(folder);
    if (!tree::is_decimal(iteration) || file_name_of(above) != "debug_files") {
        return std::nullopt;
    }
    return DebugFiles{tree::folder_of(above), std::string(iteration)};
}

}  // namespace

std::vector<std::string> graph_folders_of(const std::string& folder) {
    std::optional<DebugFiles> place = debug_files_of(folder);
    if (!place && !folder.starts_with('/')) {
        place = debug_files_of(absolute_path(folder));
    }
    std::vector<std::string> folders;
    if (!place) {
        return folders;
    }
    for (const std::string& net : folders_in(place->rank_folder)) {
        const std::string graphs = tree::join_path(place->rank_folder, net);
        if (net == "debug_files") {
            continue;
        }
        for (const std::string& graph : folders_in(graphs)) {
            const std::string iteration = tree::join_path(tree::join_path(graphs, graph), place->iteration);
            if (tree::is_decimal(graph) && is_folder(iteration)) {
                folders.push_back(iteration);
            }
        }
    }
    return folders;
}

}  // namespace opdebug::locate_stage
