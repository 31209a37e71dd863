#include "logs/files/log_files.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>

#include "logs/lines/lexer.hpp"

namespace opdebug::logs {
namespace {

constexpr std::array<std::string_view, 3> kLogEndings{".log", ".txt", ".out"};
constexpr std::array<std::string_view, 2> kPackedEndings{".gz", ".zst"};
constexpr std::array<std::string_view, 7> kArchiveEndings{".tar", ".tgz", ".tbz2", ".txz", ".zip", ".7z", ".rar"};
constexpr std::array<std::string_view, 4> kOtherPackings{".bz2", ".xz", ".lz4", ".Z"};

/// Takes the first of the endings that fits off a name.
bool take_ending(std::string_view& name, std::span<const std::string_view> endings) noexcept {
    const auto found = std::find_if(endings.begin(), endings.end(), [name](std::string_view ending) {
        return name.size() > ending.size() && name.ends_with(ending);
    });
    if (found == endings.end()) {
        return false;
    }
    name.remove_suffix(found->size());
    return true;
}

bool is_log(std::string_view name) noexcept {
    return take_ending(name, kLogEndings);
}

/// The number after `mark` at the end of a name; both are removed from the name.
std::optional<std::uint64_t> take_number(std::string_view& name, char mark) noexcept {
    const std::size_t start = name.rfind(mark);
    if (start == std::string_view::npos || start + 1 == name.size()) {
        return std::nullopt;
    }
    const std::string_view digits = name.substr(start + 1);
    std::uint64_t number = 0;
    const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (failure != std::errc{} || end != digits.data() + digits.size() || !is_log(name.substr(0, start))) {
        return std::nullopt;
    }
    name = name.substr(0, start);
    return number;
}

/// "mindspore.HOST.USER.log.WARNING.20230110-091546.4100": what glog calls its files, with the process at the end.
bool is_of_glog(std::string_view name) noexcept {
    const auto take_last = [&name](char mark, bool (*test)(char) noexcept) {
        const std::size_t start = name.rfind(mark);
        if (start == std::string_view::npos || start + 1 == name.size() ||
            !std::all_of(name.begin() + static_cast<std::ptrdiff_t>(start) + 1, name.end(), test)) {
            return false;
        }
        name = name.substr(0, start);
        return true;
    };
    return take_last('.', is_digit) && take_last('-', is_digit) && take_last('.', is_digit) &&
           take_last('.', is_upper) && is_log(name);
}

/// Of a path, which loses it.
std::string_view take_last_part(std::string_view& path) noexcept {
    const std::size_t slash = path.rfind('/');
    const std::string_view last = slash == std::string_view::npos ? path : path.substr(slash + 1);
    path = slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
    return last;
}

}  // namespace

LogName read_log_name(std::string_view name) noexcept {
    LogName result;
    const bool packed = take_ending(name, kPackedEndings);
    const bool packed_otherwise = !packed && take_ending(name, kOtherPackings);
    if (const auto generation = take_number(name, '.')) {
        result.age = *generation + 1;
    } else if (const auto date = take_number(name, '-')) {
        result.age = std::numeric_limits<std::uint64_t>::max() - *date;
    }
    if (is_log(name) || is_of_glog(name)) {
        result.kind = packed_otherwise ? NameKind::archive : NameKind::log;
        result.stem = name;
    } else if (take_ending(name, kArchiveEndings)) {
        result.kind = NameKind::archive;
    }
    return result;
}

std::optional<std::int64_t> process_of_log_path(std::string_view path) noexcept {
    constexpr std::size_t kDigitsOfTime = 14;  // and mostly three of milliseconds
    const std::string_view name = take_last_part(path);
    take_last_part(path);  // "plog"
    const std::string_view kind = take_last_part(path);
    if (kind != "debug" && kind != "run" && kind != "security") {
        return std::nullopt;
    }
    std::string_view stem = read_log_name(name).stem;
    const std::size_t time = stem.rfind('_');
    if (!take_ending(stem, kLogEndings) || time == std::string_view::npos || stem.size() < time + 1 + kDigitsOfTime ||
        !std::all_of(stem.begin() + static_cast<std::ptrdiff_t>(time) + 1, stem.end(), is_digit)) {
        return std::nullopt;
    }
    stem = stem.substr(0, time);
    const std::string_view digits = stem.substr(stem.rfind('-') + 1);
    std::int64_t process = 0;
    const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), process);
    const bool is_number = failure == std::errc{} && end == digits.data() + digits.size() && process >= 0;
    return is_number && digits.size() < stem.size() ? std::optional(process) : std::nullopt;
}

}  // namespace opdebug::logs
