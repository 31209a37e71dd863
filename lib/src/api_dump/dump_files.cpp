#include "api_dump/dump_files.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <string_view>

#include <opdebug/bytes.hpp>
#include <opdebug/tree.hpp>

#include "api_dump/dump_form.hpp"
#include "api_dump/path_order.hpp"
#include "bytes/file.hpp"
#include "tree/folder.hpp"

namespace opdebug::api_dump {
namespace {

bool begins_with(std::string_view text, std::string_view begin) {
    return text.substr(0, begin.size()) == begin;
}

bool ends_with(std::string_view text, std::string_view end) {
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

/// A binary pickle where ptdbg_ascend writes: a reader is to know that it was refused. Elsewhere pickles are anybody's.
bool is_pickled_dump(const std::string& path) {
    if (!ends_with(path, ".pkl") || !begins_with(file_name_of(tree::folder_of(path)), "rank")) {
        return false;
    }
    const Result<bytes::FileStart> start = bytes::read_file_start(path, 1);
    return start && is_pickle(Bytes(start->bytes).text());
}

}  // namespace

bool is_where_msprobe_writes(const std::string& path) {
    const std::string folder = tree::folder_of(path);
    const std::string_view name = file_name_of(folder);
    const std::string above = tree::folder_of(folder);
    const bool is_process = begins_with(name, "rank") || begins_with(name, "proc") || begins_with(name, "pid");
    return file_name_of(path) == "dump.json" && is_process && begins_with(file_name_of(above), "step");
}

/// A file that nobody can ask about is new: reading it says why.
bool DumpFiles::is_new(const std::string& path) {
    struct stat status {};
    return ::stat(path.c_str(), &status) != 0 || seen_.insert({status.st_dev, status.st_ino}).second;
}

void DumpFiles::add_given(const std::string& path) {
    if (is_new(path)) {
        tree_.files.push_back(path);
    }
}

/// A file that cannot be read is told of only where its name is that of a dump: others may be anybody's.
bool DumpFiles::add_if_dump(const std::string& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) == 0 && seen_.count({status.st_dev, status.st_ino}) != 0) {
        return false;
    }
    const Result<std::optional<ApiSource>> source = api_source_of(path);
    const bool has_own_name = !ends_with(path, ".csv") || file_name_of(path) == "statistic.csv";
    if (!source) {
        if (has_own_name) {
            tree_.failures.push_back(source.error());
        }
        return false;
    }
    if (!*source && !is_pickled_dump(path) && !is_where_msprobe_writes(path)) {
        return false;
    }
    seen_.insert({status.st_dev, status.st_ino});
    tree_.files.push_back(path);
    return true;
}

ApiTree DumpFiles::take() {
    std::sort(tree_.files.begin(), tree_.files.end(), comes_before);
    std::sort(tree_.failures.begin(), tree_.failures.end(),
              [](const Error& a, const Error& b) { return comes_before(a.file, b.file); });
    return std::move(tree_);
}

}  // namespace opdebug::api_dump
