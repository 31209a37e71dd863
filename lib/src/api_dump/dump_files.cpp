#include "api_dump/dump_files.hpp"

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

/// A binary pickle where ptdbg_ascend writes: a reader is to know that it was refused. Elsewhere pickles are anybody's.
bool is_pickled_dump(const std::string& path) {
    const std::string folder = tree::folder_of(path);
    if (!path.ends_with(".pkl") || !file_name_of(folder).starts_with("rank")) {
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
    const bool is_process = name.starts_with("rank") || name.starts_with("proc") || name.starts_with("pid");
    return file_name_of(path) == "dump.json" && is_process && file_name_of(above).starts_with("step");
}

/// A file that nobody can ask about is new: reading it says why.
void DumpFiles::add_given(const std::string& path) {
    const std::optional<tree::FilePlace> place = tree::place_of(path);
    if (!place || seen_.insert(*place).second) {
        found_.files.push_back({path, std::nullopt});
    }
}

/// A file that cannot be read is told of only where its name is that of a dump: others may be anybody's.
bool DumpFiles::add_if_dump(const std::string& path) {
    const std::optional<tree::FilePlace> place = tree::place_of(path);
    if (place && seen_.count(*place) != 0) {
        return true;
    }
    const Result<std::optional<ApiSource>> source = api_source_of(path);
    const bool has_own_name = !path.ends_with(".csv") || file_name_of(path) == "statistic.csv";
    if (!source) {
        if (has_own_name) {
            found_.failures.push_back(source.error());
        }
        return false;
    }
    if (!*source && !is_pickled_dump(path) && !is_where_msprobe_writes(path)) {
        return false;
    }
    if (place) {
        seen_.insert(*place);
    }
    found_.files.push_back({path, *source});
    return true;
}

FoundDumps DumpFiles::take() {
    std::sort(found_.files.begin(), found_.files.end(),
              [](const FoundDump& a, const FoundDump& b) { return comes_before(a.file, b.file); });
    std::sort(found_.failures.begin(), found_.failures.end(),
              [](const Error& a, const Error& b) { return comes_before(a.file, b.file); });
    return std::move(found_);
}

}  // namespace opdebug::api_dump
