#include "tree/path_ids.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include <opdebug/tree.hpp>

#include "tree/folder.hpp"

namespace opdebug::tree {
namespace {

/// Whether all ids are known.
bool has_all(const PathIds& ids) {
    return ids.rank && ids.data_index && ids.time && ids.device_id && ids.model_name && ids.model_id;
}

}  // namespace

std::size_t links_in(const std::string& path) {
    std::size_t links = 0;
    for (std::size_t end = path.find_first_not_of('/'); end < path.size();) {
        end = std::min(path.find('/', end), path.size());
        std::error_code failed;  // without a trailing slash, which would follow the link
        links += std::filesystem::is_symlink(path.substr(0, end), failed) ? 1U : 0U;
        end = path.find_first_not_of('/', end);
    }
    return links;
}

/// Device and model come from the path with the time folder. Mixing both paths would make a location that no program
/// wrote to.
PathIds with_ids_behind_links(PathIds written, const std::string& real_path) {
    if (real_path.empty() || has_all(written)) {
        return written;
    }
    PathIds real = parse_path_ids(real_path);
    PathIds ids = std::move(written);
    // The rank folder decides which number below it is the step.
    const bool is_step_hidden = !ids.data_index || (!ids.rank && real.rank && real.data_index);
    ids.data_index = is_step_hidden ? real.data_index : ids.data_index;
    ids.rank = ids.rank ? ids.rank : real.rank;
    if (!ids.time && real.time) {
        ids.time = std::move(real.time);
        ids.device_id = real.device_id;
        ids.model_name = std::move(real.model_name);
        ids.model_id = real.model_id;
        return ids;
    }
    ids.device_id = ids.device_id ? ids.device_id : real.device_id;
    if (!ids.model_name && !ids.model_id) {
        ids.model_name = std::move(real.model_name);
        ids.model_id = real.model_id;
    }
    return ids;
}

}  // namespace opdebug::tree

namespace opdebug {
inline namespace v0 {
PathIds parse_path_ids(std::string_view path) {
    return tree::match_folder_layouts(path).ids;
}

namespace {

/// The path from the root without "..", which few paths contain; the path as given if the working folder is unknown.
std::string path_from_root(const std::string& path) {
    std::error_code failed;
    std::string absolute = path;
    if (!path.empty() && !path.starts_with('/')) {
        absolute = std::filesystem::absolute(path, failed).string();
        absolute = failed ? path : absolute;
    }
    return tree::shows_all_folders(absolute) ? absolute : std::filesystem::path(absolute).lexically_normal().string();
}

}  // namespace

PathIds path_ids_of_file(const std::string& path) {
    return tree::with_ids_behind_links(tree::path_ids_as_written(path), tree::real_path(path));
}

}  // namespace v0
}  // namespace opdebug

namespace opdebug::tree {

bool shows_all_folders(std::string_view path) noexcept {
    return !path.empty() && path.front() == '/' && path.find("/..") == std::string_view::npos;
}

/// Skips empty folders and ".".
PathIds path_ids_as_written(const std::string& path) {
    return shows_all_folders(path) ? parse_path_ids(path) : parse_path_ids(path_from_root(path));
}

}  // namespace opdebug::tree
