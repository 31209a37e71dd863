#include "api_dump/dump_files.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include <opdebug/bytes.hpp>
#include <opdebug/tree.hpp>

#include "api_dump/dump_form.hpp"
#include "api_dump/dump_place.hpp"
#include "api_dump/path_order.hpp"
#include "api_dump/read_as.hpp"
#include "bytes/file.hpp"
#include "tree/api_dump_name.hpp"
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

/// An empty file is a dump by nothing but its name. That of msprobe's is nobody else's.
bool is_empty_of_others(const std::string& path, ApiSource source) {
    std::error_code failed;
    return source != ApiSource::msprobe && std::filesystem::file_size(path, failed) == 0 && !failed &&
           !is_where_tools_write(path);
}

}  // namespace

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
    const std::string_view name = file_name_of(path);
    const bool is_named_as_dump = tree::may_be_api_dump(name);
    Result<std::optional<ApiSource>> source = is_named_as_dump ? api_source_of(path) : source_by_content(path);
    const bool has_own_name = is_named_as_dump && (!name.ends_with(".csv") || name == "statistic.csv");
    if (!source) {
        if (has_own_name) {
            found_.failures.push_back(source.error());
        }
        return false;
    }
    if (*source && is_empty_of_others(path, **source)) {
        source->reset();
    }
    if (!*source && !is_damaged_dump(path)) {
        return false;
    }
    if (place) {
        seen_.insert(*place);
    }
    found_.files.push_back({path, *source});
    return true;
}

/// Its place says so. Where it does not say so for sure, the other files do, when all are known.
bool DumpFiles::is_damaged_dump(const std::string& path) {
    if (is_pickled_dump(path) || is_where_tools_write(path)) {
        return true;
    }
    if (may_be_of_ptdbg(path)) {
        doubtful_.push_back(path);
    }
    return false;
}

void DumpFiles::tell_packed() {
    constexpr std::size_t kWord = 4;  // "step", "rank"
    std::erase_if(packed_, [this](const std::string& path) {
        const std::string begin = path.substr(0, path.size() - file_name_of(path).size() + kWord);
        return std::none_of(found_.files.begin(), found_.files.end(),
                            [&begin](const FoundDump& dump) { return dump.file.starts_with(begin); });
    });
    if (packed_.empty()) {
        return;
    }
    const std::string others = packed_.size() == 1 ? "" : fmt::format(" and {} more", packed_.size() - 1);
    found_.diagnostics.push_back(
        {Severity::warning, "packed_not_read",
         fmt::format("{}{}: packed beside folders with API dumps, and not read, so what is in it is missing from the "
                     "answer: unpack it",
                     *std::min_element(packed_.begin(), packed_.end(), comes_before), others)});
}

FoundDumps DumpFiles::take() {
    const bool has_ptdbg = std::any_of(found_.files.begin(), found_.files.end(),
                                       [](const FoundDump& dump) { return dump.source == ApiSource::ptdbg; });
    for (const std::string& path : has_ptdbg ? doubtful_ : std::vector<std::string>()) {
        add_given(path);
    }
    std::sort(found_.files.begin(), found_.files.end(),
              [](const FoundDump& a, const FoundDump& b) { return comes_before(a.file, b.file); });
    tell_packed();
    std::sort(found_.failures.begin(), found_.failures.end(),
              [](const Error& a, const Error& b) { return comes_before(a.file, b.file); });
    return std::move(found_);
}

}  // namespace opdebug::api_dump
