#include "tree/links.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <utility>

namespace opdebug::tree {
namespace {

bool is_link(const std::string& path) {
    struct stat status {};
    return ::lstat(path.c_str(), &status) == 0 && S_ISLNK(status.st_mode);
}

/// Nothing is left to ask for.
bool tells_all(const PathIds& ids) {
    return ids.rank && ids.data_index && ids.time && ids.device_id && ids.model_name && ids.model_id;
}

}  // namespace

std::size_t links_in(const std::string& path) {
    std::size_t links = 0;
    for (std::size_t end = path.find_first_not_of('/'); end < path.size();) {
        end = std::min(path.find('/', end), path.size());
        links += is_link(path.substr(0, end)) ? 1U : 0U;  // without a slash behind it: that would follow the link
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

/// Device and model are told by the time's folder, so they come from the path that has it: half of each would be a
/// place that nobody wrote to.
PathIds with_ids_behind_links(PathIds written, const std::string& real_path) {
    if (real_path.empty() || tells_all(written)) {
        return written;
    }
    PathIds real = parse_path_ids(real_path);
    PathIds ids = std::move(written);
    // The rank's folder tells which number below it is the step.
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
