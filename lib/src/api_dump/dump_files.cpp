#include "api_dump/dump_files.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include <opdebug/result.hpp>
#include <opdebug/tree.hpp>

#include "bytes/file.hpp"
#include "remarks/diagnose.hpp"
#include "tree/folder.hpp"
#include "tree/name.hpp"
#include "tree/path_ids.hpp"
#include "tree/walk.hpp"

namespace opdebug::api_dump {
namespace {

bool is_digit(char c) noexcept {
    return c >= '0' && c <= '9';
}

/// Removes the leading digits and returns them without leading zeros.
std::string_view take_number(std::string_view& text) noexcept {
    std::string_view digits = text.substr(0, std::min(text.find_first_not_of("0123456789"), text.size()));
    text.remove_prefix(digits.size());
    digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
    return digits;
}

/// Sort key: a folder precedes longer names with the same prefix.
int place_of(char c) noexcept {
    return c == '/' ? -1 : static_cast<unsigned char>(c);
}

/// A binary pickle where ptdbg_ascend writes: it is reported as rejected.
bool is_pickled_dump(const std::string& path) {
    const Result<bytes::FileStart> start = bytes::read_file_start(path, 1);
    return path.ends_with(".pkl") && is_where_tools_write(path) && start && is_pickle(Bytes(start->bytes).text());
}

/// An empty file is a dump only by its name. Only msprobe uses its name.
bool is_empty_of_others(const std::string& path, ApiSource source) {
    std::error_code failed;
    return source != ApiSource::msprobe && std::filesystem::file_size(path, failed) == 0 && !failed &&
           !is_where_tools_write(path);
}

/// A table without a complete first line. A table with other columns is from another program.
bool has_lost_header(const std::string& path) {
    constexpr std::size_t kLongest = 64 << 10U;
    const Result<bytes::FileStart> start = bytes::read_file_start(path, kLongest);
    const std::string_view text = start ? Bytes(start->bytes).text() : std::string_view();
    const std::size_t end = text.find('\n');
    return end == std::string_view::npos || text.substr(0, end).find('\0') != std::string_view::npos;
}

/// "step3", "rank_0": the name of an archive of a run's part, without its ending.
std::string packed_folder(const std::string& archive) {
    const std::size_t name = archive.size() - file_name_of(archive).size();
    return archive.substr(0, archive.find('.', name));
}

}  // namespace

bool comes_before(std::string_view a, std::string_view b) noexcept {
    std::string_view left = a, right = b;
    while (!left.empty() && !right.empty()) {
        if (is_digit(left.front()) && is_digit(right.front())) {
            const std::string_view first = take_number(left), second = take_number(right);
            if (first != second) {
                return first.size() != second.size() ? first.size() < second.size() : first < second;
            }
        } else if (left.front() != right.front()) {
            return place_of(left.front()) < place_of(right.front());
        } else {
            left.remove_prefix(1);
            right.remove_prefix(1);
        }
    }
    return left.empty() != right.empty() ? left.empty() : a < b;
}

/// A file whose identity is unknown counts as new: reading it reports the fault.
void DumpFiles::add_given(const std::string& path) {
    const std::optional<tree::FilePlace> place = tree::place_of(path);
    if (!place || seen_.insert(*place).second) {
        found_.files.push_back({path, std::nullopt});
    }
}

/// An unreadable file is reported only if its name is that of a dump.
Result<std::optional<ApiSource>> DumpFiles::source_in(const std::string& path) {
    const std::string_view name = file_name_of(path);
    const bool is_named_as_dump = tree::may_be_api_dump(name);
    Result<std::optional<ApiSource>> source = is_named_as_dump ? api_source_of(path) : source_by_content(path);
    if (!source && is_named_as_dump && (!name.ends_with(".csv") || name == "statistic.csv")) {
        found_.failures.push_back(source.error());
    }
    return source;
}

bool DumpFiles::add_if_dump(const std::string& path) {
    const std::optional<tree::FilePlace> place = tree::place_of(path);
    if (place && seen_.count(*place) != 0) {
        return true;
    }
    Result<std::optional<ApiSource>> source = source_in(path);
    if (!source) {
        return false;
    }
    if (*source && is_empty_of_others(path, **source)) {
        source->reset();
    }
    if (!*source && !is_damaged_dump(path)) {
        return false;
    }
    add(path, place, *source);
    return true;
}

bool DumpFiles::add_given_if_dump(const std::string& path) {
    const std::optional<tree::FilePlace> place = tree::place_of(path);
    if (place && seen_.count(*place) != 0) {
        return true;
    }
    const Result<std::optional<ApiSource>> source = source_in(path);
    if (source && (*source || is_pickled_dump(path))) {
        add(path, place, *source);
        return true;
    }
    if (place) {
        seen_.insert(*place);  // a given file stays a given file below a given folder
    }
    return false;
}

void DumpFiles::add(const std::string& path, const std::optional<tree::FilePlace>& place,
                    std::optional<ApiSource> source) {
    if (place) {
        seen_.insert(*place);
    }
    found_.files.push_back({path, source});
}

/// Decides by the location, or by the names of calls.
bool DumpFiles::is_damaged_dump(const std::string& path) {
    return is_where_tools_write(path) ? file_name_of(path) != "statistic.csv" || has_lost_header(path)
                                      : is_part_of_dump(path);
}

/// Skips archives without dumps below a folder next to them, and archives whose own folder was read.
void DumpFiles::report_packed() {
    const auto has_dumps_in = [this](const std::string& folder) {
        return std::any_of(found_.files.begin(), found_.files.end(),
                           [&folder](const FoundDump& dump) { return dump.file.starts_with(folder); });
    };
    std::erase_if(packed_, [&](const std::string& archive) {
        constexpr std::size_t kWord = 4;  // "step", "rank"
        const std::size_t name = archive.size() - file_name_of(archive).size();
        return has_dumps_in(packed_folder(archive) + "/") || !has_dumps_in(archive.substr(0, name + kWord));
    });
    if (packed_.empty()) {
        return;
    }
    const LocalizedText others =
        packed_.size() == 1 ? LocalizedText() : remarks::phrase("and_more", {{"count", packed_.size() - 1}});
    found_.diagnostics.push_back(remarks::diagnose(
        "packed_not_read",
        {{"file", *std::min_element(packed_.begin(), packed_.end(), comes_before)}, {"others", others}}));
}

FoundDumps DumpFiles::take() {
    std::sort(found_.files.begin(), found_.files.end(),
              [](const FoundDump& a, const FoundDump& b) { return comes_before(a.file, b.file); });
    report_packed();
    std::sort(found_.failures.begin(), found_.failures.end(),
              [](const Error& a, const Error& b) { return comes_before(a.file, b.file); });
    return std::move(found_);
}

void DumpFiles::add_walked(const tree::NamedAsApiDump& named) {
    if (named.given) {
        add_given(named.path);
    } else if (tree::is_packed_part_of_run(file_name_of(named.path))) {
        packed_.push_back(named.path);
    } else {
        add_if_dump(named.path);
    }
}

Result<FoundDumps> find_dumps(const std::vector<std::string>& paths, const ApiReadOptions& options) {
    tree::WalkOptions walking;
    walking.stop = options.stop;
    walking.limits = options.limits;
    const Result<tree::Walk> walk = tree::walk(paths, walking);
    if (!walk) {
        return walk.error();
    }
    if (!walk->complete) {
        return Error{ErrorCode::interrupted, "stopped before all folders were read", {}, std::nullopt};
    }
    DumpFiles files;
    for (const tree::NamedAsApiDump& named : walk->named_as_api_dumps) {
        files.add_walked(named);
    }
    for (const tree::WalkedFolder& folder : walk->folders) {  // the user may name an overflow dump: reading rejects it
        for (const tree::WalkedDump& dump : folder.dumps) {
            const std::string path = folder.prefix + dump.name;
            if (std::find(paths.begin(), paths.end(), path) != paths.end()) {
                files.add_given(path);
            }
        }
    }
    FoundDumps found = files.take();
    found.failures.insert(found.failures.end(), walk->failures.begin(), walk->failures.end());
    std::sort(found.failures.begin(), found.failures.end(),
              [](const Error& a, const Error& b) { return comes_before(a.file, b.file); });
    return found;
}

}  // namespace opdebug::api_dump
