// Folders above a dump → ids, only for unambiguous layouts. Layouts: docs/internals/formats.md, "Directories".
#include "tree/path_ids.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include <boost/container/small_vector.hpp>

#include <opdebug/tree.hpp>

#include "tree/folder.hpp"
#include "tree/name.hpp"

namespace opdebug::tree {
namespace {

bool is_link(const std::string& path) {
    struct stat status {};
    return ::lstat(path.c_str(), &status) == 0 && S_ISLNK(status.st_mode);
}

/// Whether all ids are known.
bool tells_all(const PathIds& ids) {
    return ids.rank && ids.data_index && ids.time && ids.device_id && ids.model_name && ids.model_id;
}

}  // namespace

std::size_t links_in(const std::string& path) {
    std::size_t links = 0;
    for (std::size_t end = path.find_first_not_of('/'); end < path.size();) {
        end = std::min(path.find('/', end), path.size());
        links += is_link(path.substr(0, end)) ? 1U : 0U;  // without a trailing slash, which would follow the link
        end = path.find_first_not_of('/', end);
    }
    return links;
}

std::string real_path(const std::string& path) {
    struct Free {
        void operator()(char* text) const noexcept { std::free(text); }
    };
    const std::unique_ptr<char, Free> real(::realpath(path.c_str(), nullptr));
    return real ? real.get() : std::string();
}

/// Device and model come from the path with the time folder. Mixing both paths would make a location that no program
/// wrote to.
PathIds with_ids_behind_links(PathIds written, const std::string& real_path) {
    if (real_path.empty() || tells_all(written)) {
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
namespace {

constexpr std::size_t kUsualDepth = 16;  ///< folders without a heap allocation
using Folders = boost::container::small_vector<std::string_view, kUsualDepth>;

Folders folders_of(std::string_view path) {
    Folders folders;
    std::size_t begin = 0;
    for (std::size_t slash = path.find('/'); slash != std::string_view::npos; slash = path.find('/', begin)) {
        const std::string_view folder = path.substr(begin, slash - begin);
        if (!folder.empty() && folder != ".") {
            folders.push_back(folder);
        }
        begin = slash + 1;
    }
    return folders;  // the last part is the file
}

bool is_time(std::string_view folder) {
    return folder.size() == 14 &&
           std::all_of(folder.begin(), folder.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// Position of the last {time} folder with a {device} folder in it; 0 if there is none, because it is never first in a
/// path.
std::size_t place_of_device_folder(const Folders& folders) {
    for (std::size_t i = folders.size(); i-- > 1;) {
        if (is_time(folders[i - 1]) && tree::parse_number(folders[i])) {
            return i;
        }
    }
    return 0;
}

/// The number after a prefix, for example 3 of "rank_3".
std::optional<std::uint64_t> number_behind(std::string_view folder, std::string_view prefix) {
    return folder.substr(0, prefix.size()) == prefix ? tree::parse_number(folder.substr(prefix.size())) : std::nullopt;
}

/// Parses the folders after {time}/{device}: nothing, {model_name}, {model_id}/{data_index} or
/// {model_name}/{model_id}/{data_index}. Unset parts are not written, so a single number may be either id and is
/// ignored.
void read_model_folders(const Folders& folders, std::size_t first, PathIds& ids) {
    const std::size_t count = folders.size() - first;
    const auto number = [&folders](std::size_t i) { return tree::parse_number(folders[i]); };
    if (count == 3 && number(first + 1) && number(first + 2)) {
        ids.model_name = folders[first];
        ids.model_id = number(first + 1);
        ids.data_index = number(first + 2);
    } else if (count == 2 && number(first) && number(first + 1)) {
        ids.model_id = number(first);
        ids.data_index = number(first + 1);
    } else if ((count == 1 || (count == 2 && number(first + 1))) && !number(first)) {
        ids.model_name = folders[first];
    }
}

/// MindSpore: rank_{r}/{net}/{graph}/{iteration} and rank_{r}/debug_files/{iteration}. The graph number is MindSpore's
/// own, not a model id. msprobe: rank_{r}/{time stamp}/step_{s}.
void read_rank_folders(const Folders& folders, std::size_t first, PathIds& ids) {
    const std::size_t count = folders.size() - first;
    if (count == 2 && folders[first] == "debug_files") {
        ids.data_index = tree::parse_number(folders[first + 1]);
    } else if (count == 3 && tree::parse_number(folders[first + 1]) && tree::parse_number(folders[first + 2])) {
        ids.model_name = folders[first];
        ids.data_index = tree::parse_number(folders[first + 2]);
    }
}

/// step_{s} names the step, so it takes precedence over data_index, which counts loops of one execution.
void read_step_folder(const Folders& folders, std::size_t first, PathIds& ids) {
    for (std::size_t i = first; i < folders.size(); ++i) {
        if (const auto step = number_behind(folders[i], "step_")) {
            ids.data_index = step;
        }
    }
}

/// msprobe's step{s} directly above a process folder or {time}/{device}; elsewhere the name is ambiguous. Above
/// rank_{r}, where msprobe does not write it, it is the step only if no other step is known. `device`: position of the
/// {device} folder; 0 if there is none.
void read_step_above(const Folders& folders, std::size_t device, PathIds& ids) {
    for (std::size_t i = 1; i < folders.size(); ++i) {
        const bool is_of_msprobe = number_behind(folders[i], "proc") || i + 1 == device;
        const bool is_of_rank = tree::rank_of_folder(folders[i]) && !ids.data_index;
        const auto step = number_behind(folders[i - 1], "step");
        if (step && (is_of_msprobe || is_of_rank)) {
            ids.data_index = step;
        }
    }
}

/// step{s}/rank{r} of newer msprobe versions. Each of them alone is ambiguous.
void read_msprobe_folders(const Folders& folders, PathIds& ids) {
    for (std::size_t i = 1; i < folders.size(); ++i) {
        const auto rank = number_behind(folders[i], "rank");
        const auto step = number_behind(folders[i - 1], "step");
        if (rank && step) {
            ids.rank = rank;
            ids.data_index = step;
        }
    }
}

/// pid{pid}/device{id} of the dump server. Each of them alone is ambiguous.
void read_server_folders(const Folders& folders, PathIds& ids) {
    for (std::size_t i = 1; i < folders.size(); ++i) {
        const auto device = number_behind(folders[i], "device");
        if (device && number_behind(folders[i - 1], "pid")) {
            ids.device_id = device;
        }
    }
}

}  // namespace

PathIds parse_path_ids(std::string_view path) {
    const Folders folders = folders_of(path);
    PathIds ids;
    std::size_t end_of_ranks = folders.size();
    const std::size_t device = place_of_device_folder(folders);
    if (device != 0) {
        ids.time = folders[device - 1];
        ids.device_id = tree::parse_number(folders[device]);
        read_model_folders(folders, device + 1, ids);
        end_of_ranks = ids.model_name ? device : end_of_ranks;  // a model may have the name "rank_5"
    }
    std::size_t behind_rank = 0;
    for (std::size_t i = end_of_ranks; i-- > 0 && !ids.rank;) {
        ids.rank = tree::rank_of_folder(folders[i]);
        behind_rank = i + 1;
    }
    if (ids.rank && !ids.time) {
        read_rank_folders(folders, behind_rank, ids);
    }
    read_step_above(folders, device, ids);
    if (ids.rank) {
        read_step_folder(folders, behind_rank, ids);
    } else {
        read_msprobe_folders(folders, ids);
    }
    if (!ids.device_id) {
        read_server_folders(folders, ids);
    }
    return ids;
}

namespace {

/// The absolute path; the path as given if the working folder is unknown. The working folder is read at each call,
/// because another thread may change it. std::filesystem is only the fallback: its paths are lists of parts and slow.
std::string absolute_path(const std::string& path) {
    if (path.starts_with('/')) {
        return path;
    }
    std::array<char, PATH_MAX> working_folder;  // NOLINT(*-member-init): what is read was written
    if (!path.empty() && getcwd(working_folder.data(), working_folder.size()) != nullptr) {
        return tree::join_path(working_folder.data(), path);
    }
    std::error_code failed;
    std::string absolute = std::filesystem::absolute(path, failed).string();  // a working folder of any length
    return failed ? path : absolute;
}

/// The path from the root without "..", if the system reports the folders. std::filesystem removes ".."; few paths
/// contain it.
std::string path_from_root(const std::string& path) {
    std::string absolute = absolute_path(path);
    return tree::shows_all_folders(absolute) ? absolute : std::filesystem::path(absolute).lexically_normal().string();
}

}  // namespace

PathIds path_ids_of_file(const std::string& path) {
    return tree::with_ids_behind_links(tree::path_ids_as_written(path), tree::real_path(path));
}

}  // namespace v0
}  // namespace opdebug

namespace opdebug::tree {

std::optional<std::uint64_t> rank_of_folder(std::string_view folder) noexcept {
    constexpr std::string_view kRank = "rank_", kWorldSize = "worldsize", kGlobalRank = "_global_rank";
    if (folder.starts_with(kRank)) {
        return parse_number(folder.substr(kRank.size()));
    }
    const std::size_t global_rank = folder.find(kGlobalRank);
    const bool has_both = folder.starts_with(kWorldSize) && global_rank != std::string_view::npos;
    if (!has_both || !parse_number(folder.substr(kWorldSize.size(), global_rank - kWorldSize.size()))) {
        return std::nullopt;
    }
    return parse_number(folder.substr(global_rank + kGlobalRank.size()));
}

bool shows_all_folders(std::string_view path) noexcept {
    return !path.empty() && path.front() == '/' && path.find("/..") == std::string_view::npos;
}

/// Skips empty folders and ".".
PathIds path_ids_as_written(const std::string& path) {
    return shows_all_folders(path) ? parse_path_ids(path) : parse_path_ids(path_from_root(path));
}

std::optional<std::string> time_folder_of_file(const std::string& path, const std::string& real_path) {
    std::optional<std::string> written = time_folder_of_file(path);
    return written || real_path.empty() ? written : time_folder_of_file(real_path);
}

std::optional<std::string> time_folder_of_file(const std::string& path) {
    std::string absolute = path_from_root(path);
    const Folders folders = folders_of(absolute);
    const std::size_t device = place_of_device_folder(folders);
    if (device == 0) {
        return std::nullopt;
    }
    const std::string_view time = folders[device - 1];
    absolute.resize(static_cast<std::size_t>(time.data() + time.size() - absolute.data()));
    return absolute;
}

}  // namespace opdebug::tree
