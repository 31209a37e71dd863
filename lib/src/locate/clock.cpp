#include "locate/clock.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <ctime>

#include <opdebug/locate.hpp>

#include "remarks/diagnose.hpp"
#include "tree/name.hpp"

namespace opdebug::locate_stage {
namespace {

constexpr std::int64_t kHour = 60 * kMinuteUs;
/// Device and host clocks differ by seconds in real logs; a dump may also be written just after the last line.
constexpr std::int64_t kSlack = 5'000'000;
constexpr std::uint64_t kLatestTime = 1ULL << 60U;  ///< beyond the year 38000: not a time
constexpr int kWesternmost = -12 * 60, kEasternmost = 14 * 60;

bool further_than_any_zone(std::int64_t utc, const logs::Span& logged) {
    return utc + kEasternmost * kMinuteUs + 10 * kHour < logged.begin ||
           utc + kWesternmost * kMinuteUs - 10 * kHour > logged.end;
}

std::string zone_name(int minutes) {
    const int hours = std::abs(minutes) / 60, rest = std::abs(minutes) % 60;
    return std::string(minutes < 0 ? "UTC-" : "UTC+") + (hours < 10 ? "0" : "") + std::to_string(hours) +
           (rest < 10 ? ":0" : ":") + std::to_string(rest);
}

/// Zones that are no whole hours, in minutes, also those of summer time (tz database, 2025).
bool exists(int minutes) {
    constexpr std::array<int, 13> kOddZones{-570, -210, -150, 210, 270, 330, 345, 390, 525, 570, 630, 765, 825};
    return minutes % 60 == 0 || std::find(kOddZones.begin(), kOddZones.end(), minutes) != kOddZones.end();
}

int next_whole_hour(int minutes) {
    return static_cast<int>(std::ceil(minutes / 60.0)) * 60;
}

/// A log without times does not help to find the zone: the dump is in it by no zone rather than another.
bool has_times(const logs::Span& logged) noexcept {
    return logged.begin != logs::kBeginOfTime;
}

/// least_offset_by_folder(), of the folder's time.
std::optional<int> least_offset(std::int64_t folder_local, std::uint64_t timestamp_us) {
    const std::int64_t difference = folder_local - static_cast<std::int64_t>(timestamp_us);
    // Some slack: the folder may be made slightly after the dump got its time.
    const double quarters = std::ceil(static_cast<double>(difference - kSlack) / static_cast<double>(15 * kMinuteUs));
    const double minutes = quarters * 15;
    if (minutes < kWesternmost || minutes > kEasternmost) {
        return std::nullopt;
    }
    return static_cast<int>(minutes);
}

/// What the dump's time folder shows of the zone. The folder is made once, before the first dump below it.
struct FolderZone {
    std::optional<int> least;  ///< minutes: the folder is not newer than that dump
    std::optional<int> zone;   ///< the dump came right after the folder was made
    std::int64_t first_us = 0;
    const char* reason = "zone_by_folder";
};

FolderZone zone_of_folder(const std::string& folder, std::uint64_t timestamp_us, const LocateOptions& options) {
    constexpr std::int64_t kRightAfter = 2 * kMinuteUs;
    const std::int64_t folder_local = folder_time_us(folder);
    const auto zone_by = [folder_local](std::uint64_t dump_us, const char* reason) {
        FolderZone by{least_offset(folder_local, dump_us), std::nullopt, static_cast<std::int64_t>(dump_us), reason};
        const bool is_right_after = by.least && by.first_us + *by.least * kMinuteUs - folder_local <= kRightAfter;
        by.zone = is_right_after && exists(*by.least) ? by.least : std::nullopt;
        return by;
    };
    const auto first = options.clocks ? options.clocks->first_of_folder(folder) : std::nullopt;
    if (first && *first < timestamp_us) {
        if (const FolderZone by_first = zone_by(*first, "zone_by_first_dump"); by_first.zone) {
            return by_first;
        }
    }
    return zone_by(timestamp_us, "zone_by_folder");
}

/// The zones in which the log covers the dump, and the time folder is not newer than the first dump below it. First the
/// folder's own zone; then this machine's; else all that there are.
std::vector<LocalTime> possible_zones(std::int64_t utc, const FolderZone& folder, int host, const logs::Span& logged) {
    const auto fits = [&](int minutes) {
        return minutes >= folder.least.value_or(kWesternmost) && covers(logged, utc + minutes * kMinuteUs);
    };
    const int hour = folder.zone ? *folder.zone : folder.least ? next_whole_hour(*folder.least) : host;
    const LocalTime usual{hour, folder.least ? folder.reason : "zone_of_host"};
    std::optional<LocalTime> right_after;
    if (folder.zone && covers(logged, folder.first_us + *folder.zone * kMinuteUs) && fits(*folder.zone)) {
        right_after = usual;
    }
    std::vector<LocalTime> zones;
    if (right_after) {
        zones.push_back(*right_after);
    }
    if (fits(host) && (!right_after || right_after->offset_minutes != host)) {
        zones.push_back(host == hour ? usual : LocalTime{host, "zone_of_host"});
        if (!right_after && host != hour && fits(hour)) {
            zones.push_back(usual);
        }
    }
    // A dump that seems to come right after the folder by a half hour may have come hours later.
    const bool is_odd = zones.size() == 1 && right_after && right_after->offset_minutes % 60 != 0 &&
                        right_after->offset_minutes != host;
    if ((zones.empty() || is_odd) && has_times(logged)) {
        for (const int minutes : all_zones()) {
            if (fits(minutes) && (zones.empty() || zones.front().offset_minutes != minutes)) {
                zones.push_back({minutes, "zone_by_log", /*is_inferred=*/true});
            }
        }
    }
    const bool is_usual = zones.size() == 1 && !right_after && zones.front().offset_minutes == hour;
    return zones.empty() || is_usual ? std::vector{usual} : zones;
}

}  // namespace

std::vector<int> all_zones() {
    std::vector<int> zones;
    for (int minutes = kWesternmost; minutes <= kEasternmost; minutes += 15) {
        if (exists(minutes)) {
            zones.push_back(minutes);
        }
    }
    return zones;
}

std::int64_t folder_time_us(const std::string& folder_time) {
    const auto number = [&folder_time](std::size_t begin, std::size_t count) {
        return static_cast<int>(tree::parse_number(std::string_view(folder_time).substr(begin, count)).value_or(0));
    };
    const std::chrono::year_month month = std::chrono::year(number(0, 4)) / 1 + std::chrono::months(number(4, 2) - 1);
    const auto time = std::chrono::sys_days(month / 1) + std::chrono::days(number(6, 2) - 1) +
                      std::chrono::hours(number(8, 2)) + std::chrono::minutes(number(10, 2)) +
                      std::chrono::seconds(number(12, 2));
    return std::chrono::microseconds(time.time_since_epoch()).count();
}

bool covers(const logs::Span& logged, std::int64_t time_us) noexcept {
    return !has_times(logged) || (time_us >= logged.begin - kSlack && time_us <= logged.end + kSlack);
}

std::optional<int> least_offset_by_folder(const std::string& folder_time, std::uint64_t timestamp_us) {
    return least_offset(folder_time_us(folder_time), timestamp_us);
}

LocalizedText found_by(const LocalTime& time) {
    return remarks::phrase(time.is_reported ? "zone_reported" : "zone",
                           {{"zone", zone_name(time.offset_minutes)}, {"reason", remarks::phrase(time.reason)}});
}

std::vector<LocalTime> local_times_of(std::optional<std::uint64_t> timestamp_us,
                                      const std::optional<std::string>& folder_time, const logs::Span& logged,
                                      const LocateOptions& options) {
    std::vector<LocalTime> times;
    if (!timestamp_us || *timestamp_us > kLatestTime) {
        return times;
    }
    const auto utc = static_cast<std::int64_t>(*timestamp_us);
    if (options.utc_offset_minutes) {
        times = {{*options.utc_offset_minutes, "zone_given"}};
    } else if (options.clocks && options.clocks->utc_offset_minutes) {
        times = {{*options.clocks->utc_offset_minutes, "zone_by_votes"}};
    } else {
        const FolderZone folder = folder_time ? zone_of_folder(*folder_time, *timestamp_us, options) : FolderZone();
        times = possible_zones(utc, folder, options.host_utc_offset_minutes, logged);
    }
    for (LocalTime& time : times) {
        time.time_us = utc + time.offset_minutes * kMinuteUs;
        time.unrelated = further_than_any_zone(utc, logged);
    }
    return times;
}

std::optional<int> sure_offset(std::optional<std::uint64_t> timestamp_us, const std::optional<std::string>& folder_time,
                               const LocateOptions& options) {
    if (options.utc_offset_minutes) {
        return options.utc_offset_minutes;
    }
    if (options.clocks && options.clocks->utc_offset_minutes) {
        return options.clocks->utc_offset_minutes;
    }
    if (!timestamp_us || *timestamp_us > kLatestTime || !folder_time) {
        return std::nullopt;
    }
    // In this machine's zone the folder may be older by hours: then it shows no other zone.
    const std::optional<int> zone = zone_of_folder(*folder_time, *timestamp_us, options).zone;
    return zone && options.host_utc_offset_minutes < *zone && *zone % 60 == 0 ? zone : std::nullopt;
}

}  // namespace opdebug::locate_stage

namespace opdebug {
inline namespace v0 {

int system_utc_offset_minutes(std::optional<std::uint64_t> timestamp_us) {
    const auto seconds = static_cast<std::time_t>(timestamp_us.value_or(0) / 1'000'000);
    std::tm local{};
    return ::localtime_r(&seconds, &local) == nullptr ? 0 : static_cast<int>(local.tm_gmtoff / 60);
}

}  // namespace v0
}  // namespace opdebug
