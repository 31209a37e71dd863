#include "output/output.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>

#include <opdebug/api.hpp>
#include <opdebug/tree.hpp>

#include "output/messages.hpp"

namespace opdebug::tool {
namespace {

namespace fs = std::filesystem;

using Identity = std::pair<unsigned long long, unsigned long long>;

std::optional<Identity> identity_of(const std::string& path, mode_t type) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0 || (status.st_mode & S_IFMT) != type) {
        return std::nullopt;
    }
    return Identity(status.st_dev, status.st_ino);
}

std::string folder_of(const std::string& path) {
    const std::string folder = fs::path(path).parent_path().string();
    return folder.empty() ? "." : folder;
}

/// A number is the name of a dump whose own name was too long. The mapping.csv next to it contains that name.
bool is_mapped_number(const std::string& path) {
    std::error_code absent;
    return file_name_of(path).find_first_not_of("0123456789") == std::string_view::npos &&
           fs::exists(fs::path(folder_of(path)) / "mapping.csv", absent);
}

/// Whether commands read a file of that name below a folder.
bool has_name_of_input(const std::string& path) {
    constexpr std::array<std::string_view, 6> kNames{"mapping.csv", "dump.json",      "debug.json",
                                                     "stack.json",  "construct.json", "statistic.csv"};
    constexpr std::string_view kPickle = ".pkl";
    const std::string_view name = file_name_of(path);
    const bool is_pickle = name.size() >= kPickle.size() && name.substr(name.size() - kPickle.size()) == kPickle;
    return std::find(kNames.begin(), kNames.end(), name) != kNames.end() || is_pickle || is_name_of_log(name) ||
           parse_dump_name(name.substr(0, name.find(".output."))) || is_mapped_number(path);
}

/// By its content: an API dump may have any name.
bool is_api_dump(const std::string& path) {
    const Result<std::optional<ApiSource>> source = api_source_of(path);
    return source && *source;
}

/// Whether the file would be in one of the inputs' folders or below it.
bool is_in_folder_of(const std::vector<std::string>& inputs, const std::string& output) {
    std::set<Identity> folders;
    for (const std::string& input : inputs) {
        std::error_code absent;
        const std::string folder = fs::is_directory(input, absent) ? input : folder_of(input);
        if (const auto identity = identity_of(folder, S_IFDIR); identity && fs::exists(input, absent)) {
            folders.insert(*identity);
        }
    }
    std::error_code failed;
    const fs::path start = fs::weakly_canonical(fs::absolute(output, failed).parent_path(), failed);
    for (fs::path folder = start; !failed; folder = folder.parent_path()) {
        const auto identity = identity_of(folder.string(), S_IFDIR);
        if (identity && folders.count(*identity) != 0) {
            return true;
        }
        if (folder == folder.parent_path()) {
            break;
        }
    }
    return false;
}

}  // namespace

bool is_name_of_log(std::string_view name) {
    const std::size_t ending = name.rfind(".log");
    const std::string_view rest = ending == std::string_view::npos ? name : name.substr(ending + 4);
    return ending != std::string_view::npos && (rest.empty() || rest.front() == '.');
}

void InputFiles::add(const std::string& path) {
    if (const auto identity = identity_of(path, S_IFREG)) {
        files_.insert(*identity);
    }
}

void InputFiles::add_dump(const std::string& path) {
    add(path);
    add((fs::path(path).parent_path() / "mapping.csv").string());
}

bool InputFiles::holds(const std::string& path) const {
    const auto identity = identity_of(path, S_IFREG);
    return identity && files_.count(*identity) != 0;
}

std::optional<std::string> refuse_output(const std::string& output, const std::vector<std::string>& inputs) {
    if (is_written_in_place(output)) {
        return std::nullopt;
    }
    InputFiles files;
    for (const std::string& input : inputs) {
        files.add(input == "-" ? "/dev/stdin" : input);
    }
    if (files.holds(output)) {
        return sentence("output.is_input", {{"file", output}});
    }
    const bool replaces = identity_of(output, S_IFREG).has_value();
    if (!has_name_of_input(output) && !(replaces && is_api_dump(output))) {
        return std::nullopt;
    }
    if (replaces) {
        return sentence("output.may_be_input", {{"file", output}});
    }
    return is_in_folder_of(inputs, output) ? std::optional(sentence("output.becomes_input", {{"file", output}}))
                                           : std::nullopt;
}

}  // namespace opdebug::tool
