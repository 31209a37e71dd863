#include "input_files.hpp"

#include <sys/stat.h>

#include <filesystem>

#include "interrupt.hpp"

namespace opdebug::tool {
namespace {

namespace fs = std::filesystem;

std::optional<std::pair<unsigned long long, unsigned long long>> identity_of(const std::string& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) {
        return std::nullopt;
    }
    return std::pair<unsigned long long, unsigned long long>(status.st_dev, status.st_ino);
}

}  // namespace

void InputFiles::add(const std::string& path) {
    if (const auto identity = identity_of(path)) {
        files_.insert(*identity);
    }
}

void InputFiles::add_dump(const std::string& path) {
    add(path);
    add((fs::path(path).parent_path() / "mapping.csv").string());
}

void InputFiles::add_below(const std::string& path) {
    add(path);
    std::error_code failed;
    fs::recursive_directory_iterator entry(path, fs::directory_options::skip_permission_denied, failed);
    for (; !failed && !interrupted() && entry != fs::recursive_directory_iterator(); entry.increment(failed)) {
        add(entry->path().string());
    }
}

bool InputFiles::holds(const std::string& path) const {
    const auto identity = identity_of(path);
    return identity && files_.count(*identity) != 0;
}

std::optional<std::string> InputFiles::refuse_output(const std::string& path) const {
    return holds(path) ? std::optional("-o " + path + " is one of the inputs, it would be replaced") : std::nullopt;
}

}  // namespace opdebug::tool
