// The dump's UTC time in the logs' local clock: given, from the time folder, the machine's, inferred.
#include "locate/clock.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "location.hpp"
#include "log_builder.hpp"
#include "text.hpp"

using namespace opdebug;
using namespace opdebug::test;
using opdebug::locate_stage::least_offset_by_folder;
using opdebug::locate_stage::local_times_of;
using opdebug::locate_stage::LocalTime;

namespace {

constexpr std::int64_t hour_us = 3600LL * 1'000'000;
constexpr std::int64_t hour_ms = 3600LL * 1000;

/// A log from 10:00:00 to 10:10:00 of local time.
constexpr logs::Span logged{log_begin_us, log_begin_us + hour_us / 6};

/// A dump that was written at 10:05:00 in a zone so many minutes ahead of UTC.
Dump dump_in_zone(int minutes) {
    return dump_of({21, 118, 3}, 5 * 60'000 - minutes * 60'000LL);
}

std::vector<LocalTime> possible_times(const Dump& dump, const logs::Span& span, const LocateOptions& options) {
    return local_times_of(dump.timestamp_us, dump.path_ids.time, span, options);
}

LocalTime local_time(const Dump& dump, const LocateOptions& options) {
    const std::vector<LocalTime> times = possible_times(dump, logged, options);
    REQUIRE(times.size() == 1);
    return times.front();
}

constexpr std::uint64_t utc(std::int64_t milliseconds) {
    return static_cast<std::uint64_t>(log_time_us(milliseconds));
}

}  // namespace

TEST_CASE("clock: the offset that the user gives is taken, even when the dump falls outside of the log") {
    LocateOptions options;
    options.utc_offset_minutes = 330;
    options.host_utc_offset_minutes = 480;
    const LocalTime time = local_time(dump_in_zone(480), options);
    CHECK(time.offset_minutes == 330);
    CHECK(time.time_us == log_time_us(5 * 60'000 - 150 * 60'000));
    CHECK(contains(found_by(time).en, "UTC+05:30 (as specified)"));
    CHECK_FALSE(time.is_inferred);
}

namespace {

/// Minutes ahead of UTC by which the time can be, the likeliest first.
std::string zones_of(const std::vector<LocalTime>& times) {
    std::string minutes;
    for (const LocalTime& time : times) {
        minutes += (minutes.empty() ? "" : " ") + std::to_string(time.offset_minutes);
    }
    return minutes;
}

struct ClockCase {
    const char* what;
    std::int64_t local_ms;      ///< of the dump, after 10:00 in `zone`
    int zone;                   ///< minutes ahead of UTC
    const char* folder;         ///< the time folder, in local time; empty: none
    int host;                   ///< the zone of this machine
    double log_begin, log_end;  ///< hours after 10:00
    const char* zones;          ///< zones_of() the times
    const char* inferred = "";  ///< "yes", "no"; empty: not compared
    const char* found_by = "";
};

constexpr std::int64_t minute_ms = 60'000;
constexpr double ten_minutes = 1.0 / 6;
constexpr const char* at_ten = "20260304100000";

}  // namespace

TEST_CASE("clock: the zones in which the log has the dump's time") {
    const std::vector<ClockCase> cases{
        {"the time folder shows the zone of the machine that dumped", 5 * minute_ms, 480, at_ten, 0, 0, ten_minutes,
         "480", "no", "UTC+08:00 (from the time folder"},
        {"without a time folder the zone of this machine is taken", 5 * minute_ms, -210, "", -210, 0, ten_minutes,
         "-210", "no", "UTC-03:30"},
        {"a host zone that puts the dump outside of the log gives way to the only whole hour that does not",
         5 * minute_ms, 480, "", 0, 0, ten_minutes, "480", "yes"},
        {"where several zones fit, all of them are possible and none is sure", 2 * hour_ms + minute_ms, 480, "", 0, 0,
         3, "360 390 420 480 525", "yes"},
        // The run began at 07:00, the overflow came at 10:05; folder and dump alone would give +05:00.
        {"a folder that is hours older gives way to the zone of this machine that fits the log", 5 * minute_ms, 480,
         "20260304070000", 480, 0, ten_minutes, "480"},
        {"in a log that is as old as the run the folder's zone is looked up as well", 5 * minute_ms, 480,
         "20260304070000", 480, -3, 1, "480 300"},
        // At least +07:45, which is no zone; in one of 7 h the dump would be older than its folder, also where the log
        // is.
        {"a folder that is minutes older than the dump gives the next whole hour", 20 * minute_ms, 480, at_ten, 0, 0,
         0.5, "480", "no", "UTC+08:00 (from the time folder"},
        {"never one before the folder", 20 * minute_ms, 480, at_ten, 420, 0, 0.5, "480", "no", "UTC+08:00 (from"},
        {"and not where the log is longer", 20 * minute_ms, 480, at_ten, 0, -2, 0.5, "480", "no", "UTC+08:00 (from"},
        {"and not both", 20 * minute_ms, 480, at_ten, 420, -2, 0.5, "480", "no", "UTC+08:00 (from"},
        // A log of twelve hours, so that this machine's zone fits it too: eight hours after the folder was made.
        {"right after its time folder a dump is in the folder's zone, or hours later in this machine's", 10'000, 0,
         at_ten, 480, 0, 12, "0 480"},
        {"not in one in which it would be older than the folder", 10'000, 0, at_ten, -480, 0, 12, "0"},
        // 10 s later in a zone 6:30 ahead, or 90 minutes and 10 s later in one 8:00 ahead; the log covers 7:00 and
        // 8:00.
        {"right after the folder by a half-hour zone may be hours later by a whole-hour one", 10'000, 390, at_ten, 0, 0,
         2, "390 420 480"},
        // The overflow came at 11:05. The folder states at least 7 h: at 10:05, 11:05 and 12:05 the log was written.
        {"where this machine's zone does not fit, an old folder leaves all zones that do", 65 * minute_ms, 480,
         "20260304095500", 0, -1.0 / 12, 2.5, "420 480 525 540", "yes"},
        // 10:05 in a zone 5:30 ahead; 10:20 in one 5:45 ahead, 10:35 in one 6 h ahead.
        {"a half hour nearer to the folder than the first whole hour is looked up next to whole hours", 5 * minute_ms,
         330, at_ten, 0, 0, 1, "330 345 360"},
    };
    for (const ClockCase& one : cases) {
        CAPTURE(one.what);
        Dump dump = dump_of({21, 118, 3}, one.local_ms - one.zone * minute_ms);
        if (*one.folder != '\0') {
            dump.path_ids.time = one.folder;
        }
        LocateOptions options;
        options.host_utc_offset_minutes = one.host;
        const auto in_log = [](double hours) {
            return log_begin_us + static_cast<std::int64_t>(hours * static_cast<double>(hour_us));
        };
        const auto times = possible_times(dump, {in_log(one.log_begin), in_log(one.log_end)}, options);
        CHECK(zones_of(times) == one.zones);
        for (const LocalTime& time : times) {
            CHECK(time.time_us == log_time_us(one.local_ms + (time.offset_minutes - one.zone) * minute_ms));
            CHECK(one.inferred != std::string(time.is_inferred ? "no" : "yes"));
            CHECK(contains(found_by(time).en, one.found_by));
        }
    }
}

TEST_CASE("clock: zones of half and quarter hours are tried where no whole hour puts the dump into the log") {
    // A log of ten minutes: of the zones that exist, only the one of the dump fits. All such offsets of the tz database
    // are tested. They are Marquesas -9:30; Newfoundland -3:30 and -2:30; Iran +3:30; Afghanistan +4:30; India +5:30;
    // Nepal +5:45; Myanmar +6:30; Eucla +8:45; central Australia +9:30 and +10:30; Chatham Islands +12:45 and +13:45.
    for (const int minutes : {-570, -210, -150, 210, 270, 330, 345, 390, 525, 570, 630, 765, 825}) {
        CAPTURE(minutes);
        const LocalTime time = local_time(dump_in_zone(minutes), {});
        CHECK(time.offset_minutes == minutes);
        CHECK(time.is_inferred);
    }
    // No zone is 15 minutes ahead of UTC.
    CHECK(local_time(dump_in_zone(15), {}).offset_minutes == 0);
}

TEST_CASE("clock: the least offset by a folder, rounded up to a quarter of an hour") {
    const auto least = [](std::int64_t utc_ms) { return least_offset_by_folder(at_ten, utc(utc_ms)); };
    // The dump followed after 0, 1, 14 minutes in a zone 8 h ahead, and in others; or its time is earlier.
    CHECK(least(-8 * hour_ms) == 480);
    CHECK(least(minute_ms - 8 * hour_ms) == 480);
    CHECK(least(14 * minute_ms - 8 * hour_ms) == 480);
    CHECK(least(minute_ms - 5 * hour_ms - hour_ms / 2) == 330);
    CHECK(least(minute_ms + 3 * hour_ms) == -180);
    CHECK(least(minute_ms) == 0);
    CHECK(least(-2000 - 8 * hour_ms) == 480);
    CHECK(least(minute_ms - 14 * hour_ms) == 14 * 60);
    CHECK(least(minute_ms + 12 * hour_ms) == -12 * 60);
    // Beyond any zone.
    CHECK_FALSE(least(15 * hour_ms).has_value());
    CHECK_FALSE(least(-16 * hour_ms).has_value());
    // The folder of the documents, with 66 seconds: 16:35:66 is 16:36:06.
    constexpr std::uint64_t at_16_36_06 = 1'596'904'566'000'000;  // date -u -d '2020-08-08 16:36:06' +%s
    CHECK(least_offset_by_folder("20200808163566", at_16_36_06 - 8ULL * hour_us) == 480);
}

TEST_CASE("clock: a log without times shows nothing of zones: the folder's whole hour is taken, for that reason") {
    Dump dump = dump_in_zone(480);
    dump.path_ids.time = "20260304085400";  // 71 minutes before the dump by its own zone
    const std::vector<LocalTime> times = possible_times(dump, logs::Span{}, {});
    CHECK(zones_of(times) == "420");  // of 6:49 ahead of UTC, and no less, the next whole hour
    CHECK(found_by(times.front()).en == "UTC+07:00 (from the time folder of the dump)");
    CHECK_FALSE(times.front().is_inferred);
}

TEST_CASE("clock: a dump without time, or with a number that is no time, is not placed") {
    CHECK(possible_times(dump_of({21, 118}, std::nullopt), logged, {}).empty());
    Dump dump = dump_of({21, 118}, 0);
    dump.timestamp_us = ~std::uint64_t{0};
    CHECK(possible_times(dump, logged, {}).empty());
}

TEST_CASE("clock: a dump that no zone brings to the log is of another run") {
    CHECK(local_time(dump_of({21, 118}, 3 * 24 * hour_ms), {}).unrelated);
    CHECK(local_time(dump_of({21, 118}, -3 * 24 * hour_ms), {}).unrelated);
    CHECK_FALSE(local_time(dump_of({21, 118}, 12 * hour_ms), {}).unrelated);
    CHECK_FALSE(local_time(dump_of({21, 118}, -14 * hour_ms), {}).unrelated);
    // 10 hours farther than the last zone: 14 + 10 before the log, which begins at 0, 12 + 10 after its end at 0:10.
    CHECK_FALSE(local_time(dump_of({21, 118}, -23 * hour_ms), {}).unrelated);
    CHECK(local_time(dump_of({21, 118}, -25 * hour_ms), {}).unrelated);
    CHECK_FALSE(local_time(dump_of({21, 118}, 21 * hour_ms), {}).unrelated);
    CHECK(local_time(dump_of({21, 118}, 23 * hour_ms), {}).unrelated);
}

TEST_CASE("clock: the way the zone was found is said with the answer, a guess as a warning") {
    LogText log;
    log.at(0).bind(3, 21).save_dump_task("op", 21, 118).at(600'000).ge("Run", "noise");
    LocateOptions options;
    options.task_map = task_map_of(log);
    options.host_utc_offset_minutes = 480;
    const Location of_host = locate(dump_in_zone(480), options);
    check_located(of_host, {.op = "op|-|-|exact", .said = {"time_zone", "UTC+08:00 (the zone of this machine"}});
    CHECK(contains(message_of(of_host, "time_zone"), "2026-03-04 10:05:00"));
    CHECK(remarks_of(of_host).empty());
    options.host_utc_offset_minutes = 0;
    check_located(locate(dump_in_zone(480), options), {.op = "op|-|-|exact", .remarks = "warning time_zone"});
    // A folder made 5 minutes before the dump in UTC+06:00: there the log begins 2 hours after the dump.
    Dump other_zone = dump_in_zone(480);
    other_zone.path_ids.time = "20260304080000";
    check_located(locate(other_zone, options), {.op = "op|-|-|type", .remarks = "warning time_zone"});
}

TEST_CASE("clock: a first dump right after the time folder tells the zone of later dumps") {
    // A log from 10:00 to 15:00; the folder of 10:00:00, its first dump of 10:01, this one of 13:05, all 8 h ahead.
    const logs::Span long_log{log_begin_us, log_begin_us + 5 * hour_us};
    const logs::Span late_log{log_begin_us + hour_us, long_log.end};
    Dump dump = dump_of({21, 118, 3}, 3 * hour_ms + 5 * minute_ms - 8 * hour_ms);
    dump.path_ids.time = at_ten;
    const char* const by_itself =
        "300 330 345 360 390 420 480 525 540 570";  // 5 hours and more after 10:00, up to 9 into the log
    const std::uint64_t right_after = utc(minute_ms - 8 * hour_ms);
    const auto with_first = [](const std::optional<std::uint64_t>& first_us) {
        auto clocks = std::make_shared<ClockEstimate>();
        if (first_us) {
            clocks->first_times.emplace(at_ten, *first_us);
        }
        LocateOptions options;
        options.clocks = clocks;
        return options;
    };
    struct Row {
        const char* what;
        std::optional<std::uint64_t> first;
        int host;
        const logs::Span& log;
        const char* zones;
    };
    for (const Row& row : std::vector<Row>{
             {"no first dump", std::nullopt, 0, long_log, by_itself},
             {"right after the folder", right_after, 0, long_log, "480"},
             {"the first may have come an hour later in this machine's zone", right_after, 540, long_log, "480 540"},
             {"the log covers the first in no such zone", right_after, 0, late_log, "480 525 540 570"},
             {"ten minutes later", utc(10 * minute_ms - 8 * hour_ms), 0, long_log, by_itself},
             {"no time that can be", 0, 0, long_log, by_itself},
             {"later than the dump", utc(minute_ms - 4 * hour_ms), 0, long_log, by_itself},
             {"13 h ahead: this dump is of 18:05, after the log", utc(minute_ms - 13 * hour_ms), 0, long_log, "780"}}) {
        CAPTURE(row.what);
        LocateOptions options = with_first(row.first);
        options.host_utc_offset_minutes = row.host;
        CHECK(zones_of(possible_times(dump, row.log, options)) == row.zones);
    }
    CHECK(found_by(possible_times(dump, long_log, with_first(right_after)).front()).en ==
          "UTC+08:00 (from the time folder of the dump and the first dump in it)");
}

TEST_CASE(
    "clock: a time folder made right before the dump shows the zone of the run, unless this machine's zone fits") {
    Dump dump = dump_of({5, 7}, 3000);  // 10:00:03 UTC
    const auto zone_with = [&dump](const char* folder, int host_minutes) {
        dump.path_ids.time = folder;
        LocateOptions options;
        options.host_utc_offset_minutes = host_minutes;
        return locate(dump, options).utc_offset_minutes;
    };
    CHECK(zone_with("20260304180000", 0) == 480);
    CHECK_FALSE(zone_with("20260304180000", 540));  // dumping may have begun an hour before
    CHECK_FALSE(zone_with("20260304153000", 0));    // half hours: a whole hour and a late dump are as likely
    CHECK_FALSE(zone_with("20260304090000", 0));
    CHECK_FALSE(zone_with("20260304174500", 0));
}
