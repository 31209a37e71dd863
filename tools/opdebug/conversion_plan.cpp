#include "conversion_plan.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include <opdebug/tree.hpp>

namespace opdebug::tool {
namespace {

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

/// Gives results the folders in which their dumps differ.
void tell_apart(const std::vector<PlannedConversion*>& conversions) {
    fs::path common = absolute_folder(conversions.front()->file);
    for (const PlannedConversion* conversion : conversions) {
        common = common_folder(common, absolute_folder(conversion->file));
    }
    for (PlannedConversion* conversion : conversions) {
        const fs::path relative = absolute_folder(conversion->file).lexically_relative(common);
        conversion->result_folder = relative == "." ? "" : relative.string();
    }
}

using ByResult = std::map<fs::path, std::vector<PlannedConversion*>>;

/// The conversions by the path of their result below the output folder.
ByResult group_by_result(std::vector<PlannedConversion>& conversions) {
    ByResult by_result;
    for (PlannedConversion& conversion : conversions) {
        by_result[fs::path(conversion.result_folder) / fs::path(conversion.file).filename()].push_back(&conversion);
    }
    return by_result;
}

/// No result takes another's place: those of one name are told apart; when they then meet others, all results are
/// placed by the folders of their dumps, which are different files, below the folder that all of them share.
void make_results_unique(std::vector<PlannedConversion>& conversions) {
    for (const auto& [result, equal] : group_by_result(conversions)) {
        if (equal.size() > 1) {
            tell_apart(equal);
        }
    }
    if (group_by_result(conversions).size() < conversions.size()) {
        std::vector<PlannedConversion*> all;
        all.reserve(conversions.size());
        for (PlannedConversion& conversion : conversions) {
            all.push_back(&conversion);
        }
        tell_apart(all);
    }
}

void add_path(const std::string& path, std::set<std::string>& seen, ConversionPlan& plan) {
    const Result<FoundDumps> found = find(path);
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

ConversionPlan plan_conversion(const std::vector<std::string>& paths) {
    ConversionPlan plan;
    std::set<std::string> seen;
    for (const std::string& path : paths) {
        add_path(path, seen, plan);
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
