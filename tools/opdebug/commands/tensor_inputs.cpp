#include "commands/tensor_inputs.hpp"

#include <sys/stat.h>

#include <filesystem>
#include <map>
#include <utility>

#include <opdebug/tree.hpp>

#include "output/messages.hpp"

namespace opdebug::tool {
namespace {

namespace fs = std::filesystem;

/// Where a file lies: the device and inode of its folder, for one folder may have many paths, and its name there, for
/// hard links are dumps of their own names. A folder that is gone by now: only the path is left.
using Place = std::pair<std::pair<unsigned long long, unsigned long long>, std::string>;

Place place_of(const std::string& file) {
    const std::string folder = fs::path(file).parent_path().string();
    struct stat status {};
    if (::stat(folder.empty() ? "." : folder.c_str(), &status) != 0) {
        return {{0, 0}, file};
    }
    return {{status.st_dev, status.st_ino}, std::string(file_name_of(file))};
}

/// Collects the dumps of one path after the other.
class Gathering {
public:
    void add(const std::vector<std::string>& files, bool is_folder) {
        for (const std::string& file : files) {
            const auto [known, is_new] = from_folder_.emplace(place_of(file), is_folder);
            if (is_new || !(is_folder || known->second)) {
                files_.push_back(file);
            }
        }
    }

    std::vector<std::string> take() { return std::move(files_); }

private:
    std::vector<std::string> files_;
    std::map<Place, bool> from_folder_;  ///< the dumps so far, and whether a folder led to them
};

}  // namespace

TensorInputs find_tensor_inputs(const std::vector<std::string>& paths, const Limits& limits) {
    TensorInputs inputs;
    Gathering gathering;
    for (const std::string& path : paths) {
        const Result<FoundDumps> found = find_op_dumps(path, limits);
        if (!found) {
            say(to_string(found.error()));
            ++inputs.failed;
            continue;
        }
        inputs.found_any_path = true;
        say_failures(found->failures);
        inputs.failed += found->failures.size();
        say_remarks(found->diagnostics);
        std::error_code ignored;
        const bool is_folder = fs::is_directory(path, ignored);
        if (is_folder && found->files.empty()) {
            const char* const where =
                found->failures.empty() ? "is below the folder" : "is in what could be read of the folder";
            say(path + ": no operator dump " + where +
                ": files named {type}.{name}.{task}.{stream}.{time} were expected");
        }
        inputs.one_file = paths.size() == 1 && !is_folder;
        gathering.add(found->files, is_folder);
    }
    inputs.files = gathering.take();
    return inputs;
}

}  // namespace opdebug::tool
