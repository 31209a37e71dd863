#include "watch/numbered_dumps.hpp"

#include <sys/stat.h>

#include "tree/folder.hpp"
#include "tree/walk_folder.hpp"

namespace opdebug::watch {

const tree::NameMapping& NumberedDumps::of_folder(const std::string& folder) {
    List& list = lists_[folder];
    struct stat status {};
    if (::stat(tree::join_path(folder, "mapping.csv").c_str(), &status) != 0) {
        list = {};
        return list.dumps;
    }
    const Version version{status.st_ino, status.st_size, status.st_ctim.tv_sec, status.st_ctim.tv_nsec};
    if (version == list.version) {
        return list.dumps;
    }
    const Result<tree::NameMapping> names = tree::read_mapping(folder, limits_);
    list = {};
    if (names || names.error().code != ErrorCode::read_failed) {  // what the system could not read it may read later
        list.version = version;
    }
    if (names) {
        for (const auto& [number, real_name] : *names) {
            if (tree::kind_of_real_name(real_name) == tree::NameKind::overflow_dump) {
                list.dumps.emplace(number, real_name);
            }
        }
    }
    return list.dumps;
}

}  // namespace opdebug::watch
