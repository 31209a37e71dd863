#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>

#include <opdebug/result_files.hpp>
#include <opdebug/tree.hpp>

#include "tree/file_place.hpp"
#include "tree/find.hpp"

namespace opdebug {
inline namespace v0 {
namespace {

namespace fs = std::filesystem;

/// The folder of a file below the folder that was given, whose path the file's path begins with.
std::string folder_below(std::string_view file, std::string_view given) {
    std::string_view below = file.substr(given.size());
    below.remove_prefix(std::min(below.find_first_not_of('/'), below.size()));
    const std::size_t slash = below.rfind('/');
    return std::string(below.substr(0, slash == std::string_view::npos ? 0 : slash));
}

void add_path(const std::string& path, const Limits& limits, tree::CommonSearch& common, ConversionPlan& plan) {
    const Result<FoundDumps> found = tree::find(path, limits, common);
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
    std::set<tree::FilePlace> seen;
    const auto is_repeated = [&seen](const PlacedResult& planned) {
        const auto place = tree::place_in_folder(planned.file);
        return place && !seen.insert(*place).second;
    };
    conversions.erase(std::remove_if(conversions.begin(), conversions.end(), is_repeated), conversions.end());
}

}  // namespace

ConversionPlan plan_conversion(const std::vector<std::string>& paths, const Limits& limits) {
    ConversionPlan plan;
    tree::CommonSearch common;
    for (const std::string& path : paths) {
        common.add_given(path);
    }
    for (const std::string& path : paths) {
        add_path(path, limits, common, plan);
    }
    if (paths.size() > 1) {
        drop_repeated(plan.conversions);
    }
    make_results_unique(plan.conversions);
    return plan;
}

}  // namespace v0
}  // namespace opdebug
