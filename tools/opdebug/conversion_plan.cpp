#include "conversion_plan.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include <opdebug/tree.hpp>

namespace opdebug::tool {
namespace {

namespace fs = std::filesystem;

void add_path(const std::string& path, const Limits& limits, std::set<std::string>& seen, ConversionPlan& plan) {
    const Result<FoundDumps> found = find(path, limits);
    if (!found) {
        plan.failures.push_back(found.error());
        return;
    }
    std::error_code ignored;
    const bool is_folder = fs::is_directory(path, ignored);
    plan.failures.insert(plan.failures.end(), found->failures.begin(), found->failures.end());
    plan.other_files += found->other_files;
    for (const std::string& file : found->files) {
        if (!seen.insert(fs::absolute(file, ignored).lexically_normal().string()).second) {
            continue;  // the same file given twice
        }
        const fs::path relative = is_folder ? fs::path(file).lexically_relative(path).parent_path() : fs::path();
        plan.conversions.push_back({file, relative.string()});
    }
}

}  // namespace

ConversionPlan plan_conversion(const std::vector<std::string>& paths, const Limits& limits) {
    ConversionPlan plan;
    std::set<std::string> seen;
    for (const std::string& path : paths) {
        add_path(path, limits, seen, plan);
    }
    make_results_unique(plan.conversions);
    return plan;
}

std::vector<std::string> split_paths(const std::string& list) {
    std::error_code ignored;
    if (fs::exists(fs::symlink_status(list, ignored))) {
        return {list};
    }
    std::vector<std::string> paths;
    std::size_t begin = 0;
    while (begin <= list.size()) {
        const std::size_t comma = std::min(list.find(',', begin), list.size());
        if (comma > begin) {
            paths.push_back(list.substr(begin, comma - begin));
        }
        begin = comma + 1;
    }
    return paths;
}

}  // namespace opdebug::tool
