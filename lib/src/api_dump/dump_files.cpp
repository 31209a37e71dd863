#include "api_dump/dump_files.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>
#include <system_error>

#include <opdebug/result.hpp>
#include <opdebug/tree.hpp>

#include "bytes/file.hpp"
#include "remarks/diagnose.hpp"
#include "tree/folder.hpp"
#include "tree/name.hpp"

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

/// A binary pickle where ptdbg_ascend writes: it is reported as rejected. Elsewhere pickles may be from any program.
bool is_pickled_dump(const std::string& path) {
    const std::string folder = tree::folder_of(path);
    if (!path.ends_with(".pkl") || !file_name_of(folder).starts_with("rank")) {
        return false;
    }
    const Result<bytes::FileStart> start = bytes::read_file_start(path, 1);
    return start && is_pickle(Bytes(start->bytes).text());
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

/// The folder that contains the rank folders.
std::string folder_of_ranks(const std::string& path) {
    return tree::folder_of(tree::folder_of(path));
}

/// "step3", "rank_0": the name of an archive of a run's part, without its ending.
std::string packed_folder(const std::string& archive) {
    const std::size_t name = archive.size() - file_name_of(archive).size();
    return archive.substr(0, archive.find('.', name));
}

/// Whether the file is below a sibling folder of the archive with the same name except for the number: steps next to
/// steps, ranks next to ranks.
bool lies_beside(const std::string& file, const std::string& archive) {
    constexpr std::size_t kWord = 4;  // "step", "rank"
    const std::size_t name = archive.size() - file_name_of(archive).size();
    if (!file.starts_with(std::string_view(archive).substr(0, name + kWord))) {
        return false;
    }
    std::string_view number = std::string_view(file).substr(name + kWord);
    number.remove_prefix(number.starts_with('_') ? 1 : 0);
    const std::size_t end = number.find_first_not_of("0123456789");
    return end != 0 && end != std::string_view::npos && number[end] == '/';
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

/// Decides by the location. Doubtful files are decided later, when all files are known.
bool DumpFiles::is_damaged_dump(const std::string& path) {
    if (path.ends_with(".pkl") && !is_where_only_ptdbg_writes(path)) {
        if (may_be_of_ptdbg(path) && !is_pickled_dump(path)) {
            doubtful_.push_back(path);
        }
        return is_pickled_dump(path);
    }
    return is_where_tools_write(path) && (file_name_of(path) != "statistic.csv" || has_lost_header(path));
}

/// Skips archives whose folder exists: it was read.
void DumpFiles::report_packed() {
    std::erase_if(packed_, [this](const std::string& archive) {
        const std::string unpacked = packed_folder(archive) + "/";
        const auto is_of_folder = [&](const FoundDump& dump) { return dump.file.starts_with(unpacked); };
        const auto is_beside = [&](const FoundDump& dump) { return lies_beside(dump.file, archive); };
        return std::any_of(found_.files.begin(), found_.files.end(), is_of_folder) ||
               std::none_of(found_.files.begin(), found_.files.end(), is_beside);
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
    std::set<std::string> of_ptdbg;  // folders of ranks
    for (const FoundDump& dump : found_.files) {
        if (dump.source == ApiSource::ptdbg) {
            of_ptdbg.insert(folder_of_ranks(dump.file));
        }
    }
    for (const std::string& path : doubtful_) {
        if (of_ptdbg.count(folder_of_ranks(path)) != 0) {
            add_given(path);
        }
    }
    std::sort(found_.files.begin(), found_.files.end(),
              [](const FoundDump& a, const FoundDump& b) { return comes_before(a.file, b.file); });
    report_packed();
    std::sort(found_.failures.begin(), found_.failures.end(),
              [](const Error& a, const Error& b) { return comes_before(a.file, b.file); });
    return std::move(found_);
}

}  // namespace opdebug::api_dump
