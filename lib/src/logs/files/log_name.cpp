#include "logs/files/log_name.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>

#include "logs/text/lexer.hpp"

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

/// The number at the end of a name behind `mark`, which is taken off with it.
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

}  // namespace opdebug::logs
