#include "command_line/input_files.hpp"

#include <dirent.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <string_view>
#include <system_error>
#include <vector>

#include <opdebug/api_dump.hpp>
#include <opdebug/tree.hpp>

#include "output/output.hpp"
#include "system/interrupt.hpp"

namespace opdebug::tool {
namespace {

namespace fs = std::filesystem;

bool is_number(std::string_view name) {
    return name.find_first_not_of("0123456789") == std::string_view::npos;
}

bool ends_in_pkl(std::string_view name) {
    constexpr std::string_view kEnding = ".pkl";
    return name.size() >= kEnding.size() && name.substr(name.size() - kEnding.size()) == kEnding;
}

/// What `convert` calls a file that it makes of a dump that lies in the folder: scans pass it over.
bool is_converted_of_dump_beside(const std::string& path) {
    const std::size_t name = path.size() - file_name_of(path).size();
    const std::size_t converted = path.find(".output.", name);
    std::error_code absent;
    return converted != std::string::npos && fs::exists(path.substr(0, converted), absent);
}

/// The first file in the folder that shows that scans read files there. A number alone does not: parts of a cluster may
/// be called so.
std::string input_in(const std::string& folder) {
    std::error_code failed;
    for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed)) {
        std::string name = entry->path().filename().string();
        std::error_code unknown;
        const bool is_named = has_name_of_input(name) && !is_number(name) && !entry->is_directory(unknown);
        if (is_named && (!ends_in_pkl(name) || is_api_dump(entry->path().string()))) {
            return name;
        }
    }
    return {};
}

}  // namespace

bool has_name_of_input(const std::string& path) {
    constexpr std::array<std::string_view, 6> kNames{"mapping.csv", "dump.json",      "debug.json",
                                                     "stack.json",  "construct.json", "statistic.csv"};
    const std::string_view name = file_name_of(path);
    const std::size_t converted = name.find(".output.");
    return std::find(kNames.begin(), kNames.end(), name) != kNames.end() || ends_in_pkl(name) ||
           parse_dump_name(name.substr(0, converted)) || is_number(name);
}

bool is_api_dump(const std::string& path) {
    const Result<std::optional<ApiSource>> source = api_source_of(path);
    return source && *source;
}

std::optional<std::string> refuse_name_beside_inputs(const std::string& path) {
    std::error_code absent;
    if (!has_name_of_input(path) || is_name_of_system(path) || is_converted_of_dump_beside(path) ||
        fs::exists(fs::symlink_status(path, absent))) {
        return std::nullopt;
    }
    const std::string folder = fs::path(path).parent_path().string();
    const std::string beside = input_in(folder.empty() ? "." : folder);
    return beside.empty() ? std::nullopt
                          : std::optional("-o " + path + " has a name that scans read, and " + beside +
                                          " lies beside it; choose another name");
}

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

/// Whether no command can read a folder for this reason either: then it holds no inputs.
bool hides_nothing(const std::error_code& failed) {
    return failed == std::errc::permission_denied || failed == std::errc::filename_too_long ||
           failed == std::errc::no_such_file_or_directory || failed == std::errc::not_a_directory ||
           failed == std::errc::too_many_symbolic_link_levels;
}

/// Calls `use` with the paths of a folder until it returns false. std::filesystem ends a folder where a signal
/// interrupts a call; this makes the call again.
template <class Use>
std::error_code for_each_entry(const std::string& folder, const Use& use) {
    struct CloseFolder {
        void operator()(DIR* open) const noexcept { ::closedir(open); }
    };
    const std::unique_ptr<DIR, CloseFolder> open(uninterrupted([&folder] { return ::opendir(folder.c_str()); }));
    while (open) {
        const dirent* const entry = uninterrupted([&open] {
            errno = 0;  // readdir tells an error from the end only through errno
            return ::readdir(open.get());
        });
        if (entry == nullptr) {
            break;
        }
        const std::string_view name = entry->d_name;
        if (name != "." && name != ".." && !use(fs::path(folder) / name)) {
            return {};
        }
    }
    return {errno, std::generic_category()};
}

}  // namespace

void InputFiles::add(const std::string& path) {
    if (const auto identity = identity_of(path, S_IFREG)) {
        files_.insert(*identity);
    }
}

void InputFiles::add_dump(const std::string& path) {
    add(path);
    add((fs::path(path).parent_path() / "mapping.csv").string());
}

void InputFiles::add_with_neighbours(const std::string& path) {
    add_below(path);
    const std::string folder = fs::path(path).parent_path().string();
    if (const auto identity = identity_of(folder.empty() ? "." : folder, S_IFDIR); identity && holds(path)) {
        folders_of_files_.insert(*identity);
    }
}

bool InputFiles::is_neighbour(const std::string& path) const {
    const std::string folder = fs::path(path).parent_path().string();
    const auto identity = identity_of(folder.empty() ? "." : folder, S_IFDIR);
    return identity && folders_of_files_.count(*identity) != 0 && identity_of(path, S_IFREG) && has_name_of_input(path);
}

void InputFiles::add_below(const std::string& path) {
    add(path);
    search(path, What::folders_and_files);
}

void InputFiles::add_folders_below(const std::string& path) {
    search(path, What::folders);
}

void InputFiles::search(const std::string& path, What what) {
    std::set<Identity>& searched = what == What::folders ? folders_ : searched_with_files_;
    std::vector<std::string> waiting{path};  // a stack of our own, so depth costs no call stack
    while (!waiting.empty()) {
        const std::string folder = std::move(waiting.back());
        waiting.pop_back();
        const auto identity = identity_of(folder, S_IFDIR);
        if (!identity || !searched.insert(*identity).second) {
            continue;
        }
        folders_.insert(*identity);
        const std::error_code failed = for_each_entry(folder, [&](const fs::path& entry) {
            std::error_code gone;
            if (fs::is_directory(entry, gone)) {
                waiting.push_back(entry.string());
            } else if (what == What::folders_and_files) {
                add(entry.string());
            }
            return !interrupted();
        });
        if (!not_searched_ && (interrupted() || (failed && !hides_nothing(failed)))) {
            not_searched_ = folder + " was not searched: " + (failed ? failed.message() : "interrupted");
        }
    }
}

bool InputFiles::holds(const std::string& path) const {
    const auto identity = identity_of(path, S_IFREG);
    return identity && files_.count(*identity) != 0;
}

bool InputFiles::lies_in_folder(const std::string& path) const {
    std::error_code failed;
    fs::path folder = fs::weakly_canonical(fs::absolute(path, failed).parent_path(), failed);
    while (!failed && !folder.empty()) {
        const auto identity = identity_of(folder.string(), S_IFDIR);
        if (identity && folders_.count(*identity) != 0) {
            return true;
        }
        if (folder == folder.parent_path()) {
            break;
        }
        folder = folder.parent_path();
    }
    return false;
}

std::optional<std::string> InputFiles::refuse_output(const std::string& path) const {
    if (holds(path)) {
        return "-o " + path + " is one of the inputs, it would be replaced";
    }
    if (is_neighbour(path)) {
        return "-o " + path +
               " lies beside an input and has a name of files that are read with it, it would be replaced; "
               "choose another name";
    }
    if (not_searched_ && identity_of(path, S_IFREG)) {
        return "-o " + path + " may be one of the inputs, it would be replaced: " + *not_searched_;
    }
    if (has_name_of_input(path) && !is_name_of_system(path) && lies_in_folder(path)) {
        return "-o " + path + " has a name that scans read, and lies below a folder that is read; choose another name";
    }
    return std::nullopt;
}

std::optional<std::string> refuse_output_for(const std::vector<std::string>& paths, const std::string& output) {
    std::error_code absent;
    const bool replaces_a_file = fs::exists(output, absent);
    InputFiles inputs;
    for (const std::string& path : paths) {
        if (replaces_a_file) {
            inputs.add_with_neighbours(path);
        } else if (has_name_of_input(output)) {
            inputs.add_folders_below(path);
        }
    }
    return inputs.refuse_output(output);
}

}  // namespace opdebug::tool
