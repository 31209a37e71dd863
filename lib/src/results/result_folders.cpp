// Folders below the folder of results that keep results of equal name apart.
#include <filesystem>
#include <map>
#include <string>
#include <utility>

#include <opdebug/result_files.hpp>
#include <opdebug/tree.hpp>

namespace opdebug {
inline namespace v0 {
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
void tell_apart(const std::vector<PlacedResult*>& results) {
    fs::path common = absolute_folder(results.front()->file);
    for (const PlacedResult* result : results) {
        common = common_folder(common, absolute_folder(result->file));
    }
    for (PlacedResult* result : results) {
        const fs::path relative = absolute_folder(result->file).lexically_relative(common);
        result->result_folder = relative == "." ? "" : relative.string();
    }
}

using ByResult = std::map<std::string, std::vector<PlacedResult*>>;

/// The results by the path of their result below the output folder.
ByResult group_by_result(std::vector<PlacedResult>& results) {
    ByResult by_result;
    for (PlacedResult& result : results) {
        std::string path = result.result_folder;
        path += '/';
        path += file_name_of(result.file);
        by_result[std::move(path)].push_back(&result);
    }
    return by_result;
}

}  // namespace

void make_results_unique(std::vector<PlacedResult>& results) {
    const ByResult by_result = group_by_result(results);
    if (by_result.size() == results.size()) {
        return;
    }
    for (const auto& [result, equal] : by_result) {
        if (equal.size() > 1) {
            tell_apart(equal);
        }
    }
    if (group_by_result(results).size() < results.size()) {
        std::vector<PlacedResult*> all;
        all.reserve(results.size());
        for (PlacedResult& result : results) {
            all.push_back(&result);
        }
        tell_apart(all);
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

}  // namespace v0
}  // namespace opdebug
