#include "locate/clock.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <ctime>

#include <opdebug/locate.hpp>

#include "locate/clock_offset.hpp"
#include "remarks/diagnose.hpp"
#include "tree/name.hpp"

namespace opdebug::locate_stage {
namespace {

constexpr std::int64_t kMinute = 60'000'000;
constexpr std::int64_t kHour = 60 * kMinute;
/// Device and host clocks differ by seconds in real logs; a dump may also be written just behind the last line.
constexpr std::int64_t kSlack = 5'000'000;
constexpr std::uint64_t kLatestTime = 1ULL << 60U;  ///< beyond the year 38000: not a time
constexpr int kWesternmost = -12 * 60, kEasternmost = 14 * 60;

bool inside(std::int64_t time, const logs::Span& logged) {
    return covers(logged, time);
}

bool further_than_any_zone(std::int64_t utc, const logs::Span& logged) {
    return utc + kEasternmost * kMinute + 10 * kHour < logged.begin ||
           utc + kWesternmost * kMinute - 10 * kHour > logged.end;
}

std::string zone_name(int minutes) {
    const int hours = std::abs(minutes) / 60, rest = std::abs(minutes) % 60;
    return std::string(minutes < 0 ? "UTC-" : "UTC+") + (hours < 10 ? "0" : "") + std::to_string(hours) +
           (rest < 10 ? ":0" : ":") + std::to_string(rest);
}

/// An offset with its reason.
struct Choice {
    int minutes = 0;
    const char* reason = "";
    bool is_inferred = false;
};

constexpr const char* kByFolder = "zone_by_folder";
constexpr const char* kByFirstDump = "zone_by_first_dump";
constexpr const char* kByHost = "zone_of_host";
constexpr const char* kByLog = "zone_by_log";
constexpr const char* kByLogOther = "zone_by_log_other";

/// Zones that are no whole hours, in minutes, also those of summer time (tz database, 2025).
bool exists(int minutes) {
    constexpr std::array<int, 13> kOddZones{-570, -210, -150, 210, 270, 330, 345, 390, 525, 570, 630, 765, 825};
    return minutes % 60 == 0 || std::find(kOddZones.begin(), kOddZones.end(), minutes) != kOddZones.end();
}

int next_whole_hour(int minutes) {
    return static_cast<int>(std::ceil(minutes / 60.0)) * 60;
}

/// What the time folder tells: the least possible offset, and the offset itself when the dump came right after it, or
/// the first one below it did.
struct FolderOffset {
    int least = kWesternmost;
    std::optional<int> exact;
    const char* reason = kByFolder;  ///< for `exact`
};

FolderOffset read_folder(std::int64_t utc, int least, std::int64_t folder_local) {
    constexpr std::int64_t kRightAfter = 2 * kMinute;
    const std::int64_t after_folder = utc + least * kMinute - folder_local;
    FolderOffset folder;
    folder.least = least;
    if (exists(least) && after_folder <= kRightAfter) {
        folder.exact = least;
    }
    return folder;
}

/// A log without times tells nothing of zones: none puts the dump into it rather than another.
bool has_times(const logs::Span& logged) noexcept {
    return logged.begin != logs::kBeginOfTime;
}

std::vector<Choice> whole_hours_inside(std::int64_t utc, int least, const logs::Span& logged) {
    std::vector<Choice> choices;
    if (!has_times(logged)) {
        return choices;
    }
    for (int minutes = kWesternmost; minutes <= kEasternmost; minutes += 60) {
        if (minutes >= least && inside(utc + minutes * kMinute, logged)) {
            choices.push_back({minutes, kByLog, true});
        }
    }
    return choices;
}

/// Zones of half and quarter hours, for logs into which no whole hour puts the dump.
std::vector<Choice> other_zones_inside(std::int64_t utc, int least, const logs::Span& logged) {
    std::vector<Choice> choices;
    if (!has_times(logged)) {
        return choices;
    }
    for (int minutes = kWesternmost; minutes <= kEasternmost; minutes += 15) {
        if (minutes >= least && minutes % 60 != 0 && exists(minutes) && inside(utc + minutes * kMinute, logged)) {
            choices.push_back({minutes, kByLogOther, true});
        }
    }
    return choices;
}

/// Whole hours, and in front of them those zones of half and quarter hours that are nearer to the folder than the first
/// whole hour is. Where no whole hour fits, all zones of half and quarter hours.
std::vector<Choice> zones_since_folder(std::int64_t utc, int least, const logs::Span& logged) {
    std::vector<Choice> others = other_zones_inside(utc, least, logged);
    const std::vector<Choice> hours = whole_hours_inside(utc, least, logged);
    if (!hours.empty()) {
        others.erase(std::remove_if(others.begin(), others.end(),
                                    [least](const Choice& zone) { return zone.minutes > next_whole_hour(least); }),
                     others.end());
        for (Choice& zone : others) {
            zone.reason = kByFolder;
        }
        others.insert(others.end(), hours.begin(), hours.end());
    }
    return others;
}

std::vector<Choice> choose_without_folder(std::int64_t utc, int host, const logs::Span& logged) {
    if (!inside(utc + host * kMinute, logged)) {
        std::vector<Choice> fitting = whole_hours_inside(utc, kWesternmost, logged);
        if (fitting.empty()) {
            fitting = other_zones_inside(utc, kWesternmost, logged);
        }
        if (!fitting.empty()) {
            return fitting;
        }
    }
    return {{host, kByHost, false}};
}

/// In a long run a dump may seem to come right after the folder because it came hours after it, in another zone: in
/// this machine's, where the log covers the dump then; or, where the offset is no whole hour, in a whole-hour zone.
std::vector<Choice> right_after_folder(std::int64_t utc, const FolderOffset& folder, const std::optional<int>& host,
                                       const logs::Span& logged) {
    const int exact = *folder.exact;
    std::vector<Choice> choices{{exact, folder.reason, false}};
    if (host && *host != exact) {
        choices.push_back({*host, kByHost, false});
    } else if (!host && exact % 60 != 0) {
        const std::vector<Choice> hours = whole_hours_inside(utc, folder.least, logged);
        choices.insert(choices.end(), hours.begin(), hours.end());
    }
    return choices;
}

std::vector<Choice> choose_with_folder(std::int64_t utc, const FolderOffset& folder, int host,
                                       const logs::Span& logged) {
    const bool host_fits = host >= folder.least && inside(utc + host * kMinute, logged);
    if (folder.exact && inside(utc + *folder.exact * kMinute, logged)) {
        return right_after_folder(utc, folder, host_fits ? std::optional(host) : std::nullopt, logged);
    }
    const int hour = next_whole_hour(folder.least);
    const Choice by_folder{hour, kByFolder, false};
    if (host_fits) {
        std::vector<Choice> choices{{host, host == hour ? kByFolder : kByHost, false}};
        if (hour != host && inside(utc + hour * kMinute, logged)) {
            choices.push_back(by_folder);
        }
        return choices;
    }
    // The folder is made once, when dumping begins: an hour later the least hour is not the zone any more.
    std::vector<Choice> fitting = zones_since_folder(utc, folder.least, logged);
    if (fitting.empty() || (fitting.size() == 1 && fitting.front().minutes == hour)) {
        return {by_folder};
    }
    return fitting;
}

/// least_offset_by_folder(), of the folder's time.
std::optional<int> least_offset(std::int64_t folder_local, std::uint64_t timestamp_us) {
    const std::int64_t difference = folder_local - static_cast<std::int64_t>(timestamp_us);
    // A little is allowed for a folder that is made after the dump's time was taken.
    const double quarters = std::ceil(static_cast<double>(difference - kSlack) / static_cast<double>(15 * kMinute));
    const double minutes = quarters * 15;
    if (minutes < kWesternmost || minutes > kEasternmost) {
        return std::nullopt;
    }
    return static_cast<int>(minutes);
}

/// The same of the first dump below the folder, where that came right after it and the log covers both dumps then. Else
/// it tells nothing: a file of before may have been put there, or the dump came hours later in another zone; in this
/// machine's, where the log covers it in that as well.
std::optional<FolderOffset> by_first_dump(std::int64_t utc, std::int64_t folder_local, const logs::Span& logged,
                                          const LocateOptions& options) {
    const std::optional<std::uint64_t>& first_us = options.first_of_time_folder_us;
    const std::optional<int> least =
        first_us && *first_us < static_cast<std::uint64_t>(utc) ? least_offset(folder_local, *first_us) : std::nullopt;
    if (!least) {
        return std::nullopt;
    }
    const auto first = static_cast<std::int64_t>(*first_us);
    FolderOffset folder = read_folder(first, *least, folder_local);
    folder.reason = kByFirstDump;
    const auto cover = [&](int minutes) {
        return inside(first + minutes * kMinute, logged) && inside(utc + minutes * kMinute, logged);
    };
    const int host = options.host_utc_offset_minutes;
    const bool may_be_host = host != folder.exact && host >= *least && cover(host);
    return folder.exact && cover(*folder.exact) && !may_be_host ? std::optional(folder) : std::nullopt;
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

// timegm does the same in ten times the instructions, which took a twentieth of a scan.
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

std::optional<FolderContradiction> folder_contradiction(const std::string& folder_time, std::uint64_t timestamp_us,
                                                        int offset_minutes) {
    if (timestamp_us > kLatestTime) {
        return std::nullopt;
    }
    const std::int64_t dump = static_cast<std::int64_t>(timestamp_us) + offset_minutes * kMinute;
    const std::int64_t folder = folder_time_us(folder_time);
    return dump + kSlack < folder ? std::optional<FolderContradiction>({dump, folder}) : std::nullopt;
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
    const std::int64_t folder_local = folder_time ? folder_time_us(*folder_time) : 0;
    const std::optional<int> least = folder_time ? least_offset(folder_local, *timestamp_us) : std::nullopt;
    std::vector<Choice> choices;
    if (options.utc_offset_minutes) {
        choices = {{*options.utc_offset_minutes, "zone_given", false}};
    } else if (options.clocks && options.clocks->utc_offset_minutes) {
        choices = {{*options.clocks->utc_offset_minutes, "zone_by_votes", false}};
    } else if (least) {
        const FolderOffset folder =
            by_first_dump(utc, folder_local, logged, options).value_or(read_folder(utc, *least, folder_local));
        choices = choose_with_folder(utc, folder, options.host_utc_offset_minutes, logged);
    } else {
        choices = choose_without_folder(utc, options.host_utc_offset_minutes, logged);
    }
    times.reserve(choices.size());
    for (const Choice& choice : choices) {
        LocalTime local;
        local.offset_minutes = choice.minutes;
        local.reason = choice.reason;
        local.is_inferred = choice.is_inferred;
        local.time_us = utc + choice.minutes * kMinute;
        local.unrelated = further_than_any_zone(utc, logged);
        times.push_back(local);
    }
    return times;
}

std::optional<std::int64_t> latest_local_time(std::optional<std::uint64_t> timestamp_us) {
    return timestamp_us && *timestamp_us <= kLatestTime
               ? std::optional(static_cast<std::int64_t>(*timestamp_us) + kEasternmost * kMinute)
               : std::nullopt;
}

std::optional<std::int64_t> earliest_local_time(std::optional<std::uint64_t> timestamp_us,
                                                const std::optional<std::string>& folder_time,
                                                const LocateOptions& options) {
    if (!timestamp_us || *timestamp_us > kLatestTime) {
        return std::nullopt;
    }
    const std::optional<int> by_folder =
        folder_time ? least_offset_by_folder(*folder_time, *timestamp_us) : std::nullopt;
    const int minutes = options.utc_offset_minutes.value_or(by_folder.value_or(kWesternmost));
    return static_cast<std::int64_t>(*timestamp_us) + minutes * kMinute;
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
