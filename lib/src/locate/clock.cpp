#include "locate/clock.hpp"

#include <cmath>
#include <cstdlib>
#include <ctime>

#include <fmt/format.h>

#include "tree/number.hpp"

namespace opdebug::locate_stage {
namespace {

constexpr std::int64_t kMinute = 60'000'000;
constexpr std::int64_t kHour = 60 * kMinute;
/// Device and host clocks differ by seconds in real logs; a dump may also be written just behind the last line.
constexpr std::int64_t kSlack = 5'000'000;
constexpr int kWesternmost = -12 * 60, kEasternmost = 14 * 60;

/// Microseconds of YYYYMMDDhhmmss taken as UTC. timegm carries over 66 seconds, which documents show.
std::int64_t folder_time_us(const std::string& text) {
    const auto number = [&text](std::size_t begin, std::size_t count) {
        return static_cast<int>(tree::parse_number(std::string_view(text).substr(begin, count)).value_or(0));
    };
    std::tm time{};
    time.tm_year = number(0, 4) - 1900;
    time.tm_mon = number(4, 2) - 1;
    time.tm_mday = number(6, 2);
    time.tm_hour = number(8, 2);
    time.tm_min = number(10, 2);
    time.tm_sec = number(12, 2);
    return static_cast<std::int64_t>(::timegm(&time)) * 1'000'000;
}

/// Whether the log covers the time; a log without host lines covers nothing that could contradict.
bool inside(std::int64_t time, const logs::Span& logged) {
    return logged.begin == logs::kBeginOfTime || (time >= logged.begin - kSlack && time <= logged.end + kSlack);
}

std::optional<int> only_hour_that_fits(std::int64_t utc, int least, const logs::Span& logged) {
    std::optional<int> fitting;
    for (int minutes = kWesternmost; minutes <= kEasternmost; minutes += 60) {
        if (minutes >= least && inside(utc + minutes * kMinute, logged)) {
            if (fitting) {
                return std::nullopt;
            }
            fitting = minutes;
        }
    }
    return fitting;
}

bool further_than_any_zone(std::int64_t utc, const logs::Span& logged) {
    return utc + kEasternmost * kMinute + 10 * kHour < logged.begin ||
           utc + kWesternmost * kMinute - 10 * kHour > logged.end;
}

std::string zone_name(int minutes) {
    return fmt::format("UTC{}{:02}:{:02}", minutes < 0 ? '-' : '+', std::abs(minutes) / 60, std::abs(minutes) % 60);
}

/// An offset with its reason.
struct Choice {
    int minutes = 0;
    std::string reason;
    bool is_inferred = false;
};

/// The folder is made before the dump, so its offset is the least possible one, and the right one when the run was
/// short. The host's zone goes before it where that is possible too and the log covers the dump then: runs may take
/// hours.
Choice choose_offset(std::int64_t utc, std::optional<int> of_folder, int host, const logs::Span& logged) {
    const bool host_is_possible = !of_folder || host >= *of_folder;
    if (host_is_possible && inside(utc + host * kMinute, logged)) {
        return {host, of_folder == host ? "from the time folder of the dump" : "the zone of this machine", false};
    }
    if (of_folder && inside(utc + *of_folder * kMinute, logged)) {
        return {*of_folder, "from the time folder of the dump", false};
    }
    if (const auto fitting = only_hour_that_fits(utc, of_folder.value_or(kWesternmost), logged)) {
        return {*fitting, "the only whole-hour zone in which the dump falls into the log", true};
    }
    return {of_folder.value_or(host), of_folder ? "from the time folder of the dump" : "the zone of this machine",
            false};
}

}  // namespace

std::optional<int> least_offset_by_folder(const std::string& folder_time, std::uint64_t timestamp_us) {
    const std::int64_t difference = folder_time_us(folder_time) - static_cast<std::int64_t>(timestamp_us);
    // A little is allowed for a folder that is made after the dump's time was taken.
    const double quarters = std::ceil(static_cast<double>(difference - kSlack) / static_cast<double>(15 * kMinute));
    const double minutes = quarters * 15;
    if (minutes < kWesternmost || minutes > kEasternmost) {
        return std::nullopt;
    }
    return static_cast<int>(minutes);
}

std::optional<LocalTime> local_time_of(const Dump& dump, const logs::Span& logged, const LocateOptions& options) {
    if (!dump.timestamp_us || *dump.timestamp_us > 1ULL << 60U) {  // beyond the year 38000: not a time
        return std::nullopt;
    }
    const auto utc = static_cast<std::int64_t>(*dump.timestamp_us);
    Choice choice;
    if (options.utc_offset_minutes) {
        choice = {*options.utc_offset_minutes, "as given", false};
    } else {
        const auto of_folder =
            dump.path_ids.time ? least_offset_by_folder(*dump.path_ids.time, *dump.timestamp_us) : std::nullopt;
        choice = choose_offset(utc, of_folder, options.host_utc_offset_minutes, logged);
    }
    LocalTime local;
    local.offset_minutes = choice.minutes;
    local.found_by = fmt::format("{}, {}", zone_name(choice.minutes), choice.reason);
    local.is_inferred = choice.is_inferred;
    local.time_us = utc + choice.minutes * kMinute;
    local.unrelated = further_than_any_zone(utc, logged);
    return local;
}

}  // namespace opdebug::locate_stage
