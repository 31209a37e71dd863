// Names of result files as the official converter gives them, folders that keep results of equal name apart, and the
// plan of a conversion.
#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <boost/uuid/name_generator_md5.hpp>
#include <boost/uuid/uuid_io.hpp>

#include <opdebug/report.hpp>
#include <opdebug/tree.hpp>
#include "results/result_files.hpp"

#include "tree/folder.hpp"
#include "tree/name.hpp"

namespace opdebug {
inline namespace v0 {
namespace {

/// From here on msaccucmp shortens a name; file systems take up to 255 bytes.
constexpr std::size_t kLongName = 255;

std::string short_name(const std::string& name) {
    std::string digits = boost::uuids::to_string(boost::uuids::name_generator_md5(boost::uuids::ns::dns())(name));
    digits.erase(std::remove(digits.begin(), digits.end(), '-'), digits.end());
    return digits + ".npy";
}

/// A line break in a name would begin a line of its own, which seems to report another file.
std::string mapping_line(const std::string& name, const std::string& full_name) {
    const bool one_line = full_name.find_first_of("\r\n") == std::string::npos;
    return fmt::format("{},{}\n", name, one_line ? full_name : printable(full_name));
}

namespace fs = std::filesystem;

fs::path absolute_folder(const std::string& file) {
    std::error_code ignored;
    const fs::path absolute = fs::absolute(file, ignored).lexically_normal();
    return absolute.parent_path();
}

fs::path common_folder(const fs::path& a, const fs::path& b) {
    fs::path common;
    for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end() && *i == *j; ++i, ++j) {
        common /= *i;
    }
    return common;
}

/// The folder of a file below the folder that was given, whose path the file's path begins with.
std::string folder_below(std::string_view file, std::string_view given) {
    std::string_view below = file.substr(given.size());
    below.remove_prefix(std::min(below.find_first_not_of('/'), below.size()));
    const std::size_t slash = below.rfind('/');
    return std::string(below.substr(0, slash == std::string_view::npos ? 0 : slash));
}

void add_path(const std::string& path, const Limits& limits, ConversionPlan& plan) {
    const Result<FoundDumps> found = find(path, limits);
    if (!found) {
        plan.failures.push_back(found.error());
        return;
    }
    plan.found_any_path = true;
    std::error_code ignored;
    const bool is_folder = fs::is_directory(path, ignored);
    plan.failures.insert(plan.failures.end(), found->failures.begin(), found->failures.end());
    plan.remarks.insert(plan.remarks.end(), found->diagnostics.begin(), found->diagnostics.end());
    plan.other_files += found->other_files;
    for (const std::string& file : found->files) {
        plan.conversions.push_back({file, is_folder ? folder_below(file, path) : std::string()});
    }
}

/// Files that several paths lead to are converted once.
void drop_repeated(std::vector<PlacedResult>& conversions) {
    std::set<tree::FileIdentity> seen;
    const auto is_repeated = [&seen](const PlacedResult& planned) {
        const auto place = tree::file_identity(planned.file);
        return place && !seen.insert(*place).second;
    };
    conversions.erase(std::remove_if(conversions.begin(), conversions.end(), is_repeated), conversions.end());
}

}  // namespace

std::string converted_name(std::string_view dump_file, std::uint64_t output_index) {
    return fmt::format("{}.output.{}.json", file_name_of(dump_file), output_index);
}

NpyName npy_name(std::string_view dump_file, TensorKind kind, std::uint64_t index) {
    const std::string_view file_name = file_name_of(dump_file);
    const std::optional<tree::TensorFileName> tensor = tree::parse_tensor_file_name(file_name);
    std::string full_name = fmt::format("{}.{}.{}.npy", tensor ? tensor->dump_name : file_name, to_string(kind), index);
    if (full_name.size() < kLongName) {
        return {std::move(full_name), ""};
    }
    std::string name = short_name(full_name);
    std::string line = mapping_line(name, full_name);
    return {std::move(name), std::move(line)};
}

void make_results_unique(std::vector<PlacedResult>& results) {
    std::set<std::pair<std::string, std::string_view>> places;
    const bool all_differ = std::all_of(results.begin(), results.end(), [&places](const PlacedResult& result) {
        return places.emplace(result.result_folder, file_name_of(result.file)).second;
    });
    if (all_differ) {
        return;
    }
    fs::path common = absolute_folder(results.front().file);
    for (const PlacedResult& result : results) {
        common = common_folder(common, absolute_folder(result.file));
    }
    for (PlacedResult& result : results) {
        const fs::path relative = absolute_folder(result.file).lexically_relative(common);
        result.result_folder = relative == "." ? "" : relative.string();
    }
}

std::map<std::string, std::string> result_folders(const std::vector<std::string>& files) {
    std::map<std::string, std::vector<std::string>> by_path;
    for (const std::string& file : files) {
        std::error_code ignored;
        by_path[fs::absolute(file, ignored).lexically_normal().string()].push_back(file);
    }
    std::vector<PlacedResult> results;
    results.reserve(by_path.size());
    for (const auto& [path, given] : by_path) {
        results.push_back({path, ""});
    }
    make_results_unique(results);
    std::map<std::string, std::string> folders;
    for (const PlacedResult& result : results) {
        for (const std::string& given : by_path[result.file]) {
            folders[given] = result.result_folder;
        }
    }
    return folders;
}

ConversionPlan plan_conversion(const std::vector<std::string>& paths, const Limits& limits) {
    ConversionPlan plan;
    for (const std::string& path : tree::outermost(paths, limits)) {
        add_path(path, limits, plan);
    }
    if (paths.size() > 1) {
        drop_repeated(plan.conversions);
    }
    make_results_unique(plan.conversions);
    return plan;
}

}  // namespace v0
}  // namespace opdebug
