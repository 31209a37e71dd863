#include "command_line/input_names.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>

#include <opdebug/api_dump.hpp>
#include <opdebug/tree.hpp>

#include "output/output_place.hpp"

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

}  // namespace opdebug::tool
