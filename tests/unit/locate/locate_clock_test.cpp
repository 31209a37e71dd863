// The dump's UTC time in the logs' local clock: given, from the time folder, the machine's, inferred.
#include "locate/clock.hpp"

#include <doctest/doctest.h>

#include "location.hpp"
#include "log_builder.hpp"

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
    CHECK(found_by(time).en.find("UTC+05:30 (as specified)") != std::string::npos);
    CHECK_FALSE(time.is_inferred);
}

TEST_CASE("clock: the time folder shows the zone of the machine that dumped") {
    Dump dump = dump_in_zone(480);
    dump.path_ids.time = "20260304100000";
    const LocalTime time = local_time(dump, {});
    CHECK(time.offset_minutes == 480);
    CHECK(time.time_us == log_time_us(5 * 60'000));
    CHECK(found_by(time).en.find("UTC+08:00 (from the time folder") != std::string::npos);
    CHECK_FALSE(time.is_inferred);
}

TEST_CASE("clock: without a time folder the zone of this machine is taken") {
    LocateOptions options;
    options.host_utc_offset_minutes = -210;
    const LocalTime time = local_time(dump_in_zone(-210), options);
    CHECK(time.offset_minutes == -210);
    CHECK(found_by(time).en.find("UTC-03:30") != std::string::npos);
    CHECK_FALSE(time.is_inferred);
}

TEST_CASE("clock: a host zone that puts the dump outside of the log gives way to the only whole hour that does not") {
    LocateOptions options;
    options.host_utc_offset_minutes = 0;
    const LocalTime time = local_time(dump_in_zone(480), options);
    CHECK(time.offset_minutes == 480);
    CHECK(time.is_inferred);
    CHECK(time.time_us == log_time_us(5 * 60'000));
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

TEST_CASE("clock: the zones go from 12 hours behind UTC to 14 hours ahead of it") {
    // Baker Island -12:00, Line Islands +14:00.
    for (const int hours : {-12, 14}) {
        CHECK(local_time(dump_in_zone(hours * 60), {}).offset_minutes == hours * 60);
    }
    CHECK(local_time(dump_in_zone(-13 * 60), {}).offset_minutes == 0);
    CHECK(local_time(dump_in_zone(15 * 60), {}).offset_minutes == 0);
    CHECK(least_offset_by_folder("20260304100000", utc(60'000 - 14 * hour_ms)) == 14 * 60);
    CHECK(least_offset_by_folder("20260304100000", utc(60'000 + 12 * hour_ms)) == -12 * 60);
}

TEST_CASE("clock: where several whole hours fit, all of them are possible and none is sure") {
    // A log of three hours: zones of +6, +7 and +8 all put the dump into it.
    const logs::Span long_log{log_begin_us, log_begin_us + 3 * hour_us};
    const auto times = possible_times(dump_of({21, 118, 3}, 2 * hour_ms + 60'000 - 8 * hour_ms), long_log, {});
    REQUIRE(times.size() == 3);
    for (std::size_t i = 0; i < times.size(); ++i) {
        CHECK(times[i].offset_minutes == 360 + static_cast<int>(i) * 60);
        CHECK(times[i].is_inferred);
    }
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

TEST_CASE("clock: the offset of a folder, rounded up to a quarter of an hour") {
    // The folder states 10:00:00; the dump followed after 0, 1, 14 minutes in a zone 8 h ahead.
    CHECK(least_offset_by_folder("20260304100000", utc(0 - 8 * hour_ms)) == 480);
    CHECK(least_offset_by_folder("20260304100000", utc(60'000 - 8 * hour_ms)) == 480);
    CHECK(least_offset_by_folder("20260304100000", utc(14 * 60'000 - 8 * hour_ms)) == 480);
    CHECK(least_offset_by_folder("20260304100000", utc(60'000 - 5 * hour_ms - hour_ms / 2)) == 330);
    CHECK(least_offset_by_folder("20260304100000", utc(60'000 + 3 * hour_ms)) == -180);
    CHECK(least_offset_by_folder("20260304100000", utc(60'000)) == 0);
}

TEST_CASE("clock: a folder made a little after the dump's time was taken shows the same zone") {
    CHECK(least_offset_by_folder("20260304100000", utc(-2000 - 8 * hour_ms)) == 480);
}

TEST_CASE("clock: a folder further from the dump than any zone shows none") {
    CHECK_FALSE(least_offset_by_folder("20260304100000", utc(15 * hour_ms)).has_value());
    CHECK_FALSE(least_offset_by_folder("20260304100000", utc(-16 * hour_ms)).has_value());
}

TEST_CASE("clock: the folder of the documents, with 66 seconds, carries over") {
    // 16:35:66 is 16:36:06.
    constexpr std::uint64_t at_16_36_06 = 1'596'904'566'000'000;  // date -u -d '2020-08-08 16:36:06' +%s
    CHECK(least_offset_by_folder("20200808163566", at_16_36_06 - 8ULL * hour_us) == 480);
}

TEST_CASE("clock: a folder that is hours older than the dump gives way to the zone of this machine that fits the log") {
    // The run began at 07:00 local time, the overflow came at 10:05; folder and dump alone would give +05:00.
    LocateOptions options;
    options.host_utc_offset_minutes = 480;
    Dump dump = dump_in_zone(480);
    dump.path_ids.time = "20260304070000";
    const LocalTime time = local_time(dump, options);
    CHECK(time.offset_minutes == 480);
    CHECK(time.time_us == log_time_us(5 * 60'000));
}

TEST_CASE(
    "clock: a folder that is minutes older than the dump gives the next whole hour, never one before the folder") {
    // The folder was made at 10:00, the dump at 10:20 in a zone 8 h ahead: at least +07:45, which is no zone.
    Dump dump = dump_of({21, 118, 3}, 20 * 60'000 - 8 * hour_ms);
    dump.path_ids.time = "20260304100000";
    const logs::Span half_hour{log_begin_us, log_begin_us + hour_us / 2};
    for (const int host_hours : {0, 7}) {
        // With a zone of 7 h the dump would be older than its folder, also where the log is.
        for (const logs::Span& span : {half_hour, logs::Span{log_begin_us - 2 * hour_us, half_hour.end}}) {
            LocateOptions options;
            options.host_utc_offset_minutes = host_hours * 60;
            const auto times = possible_times(dump, span, options);
            REQUIRE(times.size() == 1);
            CHECK(times[0].offset_minutes == 480);
            CHECK_FALSE(times[0].is_inferred);
            CHECK(found_by(times[0]).en.find("UTC+08:00 (from the time folder") != std::string::npos);
        }
    }
}

TEST_CASE("clock: in a log that is as old as the run, an old folder does not push the dump hours back") {
    LocateOptions options;
    options.host_utc_offset_minutes = 480;
    Dump dump = dump_in_zone(480);
    dump.path_ids.time = "20260304070000";
    const logs::Span whole_run{log_begin_us - 3 * hour_us, log_begin_us + hour_us};
    const auto times = possible_times(dump, whole_run, options);
    REQUIRE(times.size() == 2);
    CHECK(times[0].offset_minutes == 480);
    CHECK(times[1].offset_minutes == 300);  // what folder and dump alone would give: looked up as well
}

TEST_CASE("clock: a dump right after its time folder is in the folder's zone, or hours later in this machine's") {
    // The log covers twelve hours, so that this machine's zone fits it too: eight hours after the folder was made.
    const logs::Span long_log{log_begin_us, log_begin_us + 12 * hour_us};
    LocateOptions options;
    options.host_utc_offset_minutes = 480;
    Dump dump = dump_of({21, 118, 3}, 10'000);
    dump.path_ids.time = "20260304100000";
    const auto times = possible_times(dump, long_log, options);
    REQUIRE(times.size() == 2);
    CHECK(times[0].offset_minutes == 0);
    CHECK(times[1].offset_minutes == 480);
    options.host_utc_offset_minutes = -480;  // the dump would be older than the folder
    const auto in_the_west = possible_times(dump, long_log, options);
    REQUIRE(in_the_west.size() == 1);
    CHECK(in_the_west[0].offset_minutes == 0);
}

TEST_CASE("clock: right after the folder by a half-hour zone may be hours later by a whole-hour one") {
    // The folder states 10:00:00. The dump came ten seconds later in a zone 6:30 ahead, or 90 minutes and ten seconds
    // later in one 8:00 ahead. The log, of two hours, covers 07:00, 08:00 as well.
    const logs::Span long_log{log_begin_us, log_begin_us + 2 * hour_us};
    Dump dump = dump_of({21, 118, 3}, 10'000 - 6 * hour_ms - hour_ms / 2);
    dump.path_ids.time = "20260304100000";
    const auto times = possible_times(dump, long_log, {});
    REQUIRE(times.size() == 3);
    CHECK(times[0].offset_minutes == 390);
    CHECK(times[1].offset_minutes == 420);
    CHECK(times[2].offset_minutes == 480);
}

TEST_CASE("clock: the way the zone was found is said with the answer, a guess as a warning") {
    LogText log;
    log.at(0).bind(3, 21).save_dump_task("op", 21, 118).at(600'000).ge("Run", "noise");
    LocateOptions options;
    options.task_map = task_map_of(log);
    options.host_utc_offset_minutes = 480;
    const Location of_host = locate(dump_in_zone(480), options);
    CHECK(shown(of_host.op) == "op|-|-|exact");
    CHECK(message_of(of_host, "time_zone").find("UTC+08:00 (the zone of this machine") != std::string::npos);
    CHECK(message_of(of_host, "time_zone").find("2026-03-04 10:05:00") != std::string::npos);
    CHECK(remarks_of(of_host).empty());
    options.host_utc_offset_minutes = 0;
    const Location inferred = locate(dump_in_zone(480), options);
    CHECK(shown(inferred.op) == "op|-|-|exact");
    CHECK(remarks_of(inferred) == "warning time_zone");
    // A folder made 5 minutes before the dump in UTC+06:00: there the log begins 2 hours after the dump.
    Dump other_zone = dump_in_zone(480);
    other_zone.path_ids.time = "20260304080000";
    const Location contradicted = locate(other_zone, options);
    CHECK(shown(contradicted.op) == "op|-|-|type");
    CHECK(remarks_of(contradicted) == "warning time_zone");
}

TEST_CASE("clock: where this machine's zone does not fit, an old folder leaves all whole hours that do") {
    // The run began at 09:55 in a zone 8 h ahead, the overflow came at 11:05; the log goes on until 12:30. The folder
    // states that the zone is at least 7 h ahead: at 10:05, 11:05 and 12:05 the log was written.
    const logs::Span whole_run{log_begin_us - hour_us / 12, log_begin_us + 2 * hour_us + hour_us / 2};
    Dump dump = dump_of({21, 118, 3}, 65 * 60'000 - 8 * hour_ms);
    dump.path_ids.time = "20260304095500";
    const auto times = possible_times(dump, whole_run, {});
    REQUIRE(times.size() == 3);
    for (std::size_t i = 0; i < times.size(); ++i) {
        CHECK(times[i].offset_minutes == 420 + static_cast<int>(i) * 60);
        CHECK(times[i].is_inferred);
    }
}

TEST_CASE(
    "clock: half and quarter hours are tried with a folder, too, where no whole hour puts the dump into the log") {
    for (const int minutes : {330, 345, 570, -210}) {
        Dump dump = dump_in_zone(minutes);
        dump.path_ids.time = "20260304100000";  // five minutes before the dump
        const LocalTime time = local_time(dump, {});
        CHECK(time.offset_minutes == minutes);
        CHECK(time.is_inferred);
    }
}

TEST_CASE("clock: a half hour that is nearer to the folder than the first whole hour is looked up beside whole hours") {
    // The folder states 10:00:00, the dump came at 10:05 in a zone 5:30 ahead; one 5:45 ahead puts it to 10:20, one 6 h
    // ahead to 10:35. The log goes on until 11:00.
    const logs::Span of_an_hour{log_begin_us, log_begin_us + hour_us};
    Dump dump = dump_in_zone(330);
    dump.path_ids.time = "20260304100000";
    const auto times = possible_times(dump, of_an_hour, {});
    REQUIRE(times.size() == 3);
    CHECK(times[0].offset_minutes == 330);
    CHECK(times[1].offset_minutes == 345);
    CHECK(times[2].offset_minutes == 360);
}

TEST_CASE("clock: a log without times tells nothing of zones: the folder's whole hour is taken, for that reason") {
    Dump dump = dump_in_zone(480);
    dump.path_ids.time = "20260304085400";  // 71 minutes before the dump by its own zone
    const std::vector<LocalTime> times = possible_times(dump, logs::Span{}, {});
    REQUIRE(times.size() == 1);
    CHECK(times.front().offset_minutes == 420);  // of 6:49 ahead of UTC, and no less, the next whole hour
    CHECK(found_by(times.front()).en == "UTC+07:00 (from the time folder of the dump)");
    CHECK_FALSE(times.front().is_inferred);
}

TEST_CASE("clock: a first dump right behind the time folder tells the zone of later dumps") {
    // A log from 10:00 to 15:00; the folder of 10:00:00, its first dump of 10:01, this one of 13:05, all 8 h ahead.
    const logs::Span long_log{log_begin_us, log_begin_us + 5 * hour_us};
    Dump dump = dump_of({21, 118, 3}, 3 * hour_ms + 5 * 60'000 - 8 * hour_ms);
    dump.path_ids.time = "20260304100000";
    LocateOptions options;
    const auto zones = [&] {
        std::vector<int> minutes;
        for (const LocalTime& time : possible_times(dump, long_log, options)) {
            minutes.push_back(time.offset_minutes);
        }
        return minutes;
    };
    // By itself: 5 hours and more put it after 10:00, and up to 9 into the log.
    CHECK(zones() == std::vector<int>{300, 360, 420, 480, 540});
    options.first_of_time_folder_us = utc(60'000 - 8 * hour_ms);
    CHECK(zones() == std::vector<int>{480});
    CHECK(found_by(possible_times(dump, long_log, options).front()).en ==
          "UTC+08:00 (from the time folder of the dump and the first dump in it)");

    SUBCASE(
        "and where the log covers both in this machine's zone, too, that one: the first may have come an hour later") {
        options.host_utc_offset_minutes = 540;  // 11:01 and 14:05
        CHECK(zones() == std::vector<int>{480, 540});
    }
    SUBCASE("nor where the log covers the first one in no such zone") {
        options.first_of_time_folder_us = utc(60'000 - 8 * hour_ms);
        const logs::Span late_log{log_begin_us + hour_us, log_begin_us + 5 * hour_us};  // from 11:00
        CHECK(possible_times(dump, late_log, options).size() == 4);                     // 6 to 9 hours: 11:05 to 14:05
    }
    SUBCASE("a first dump of ten minutes later tells nothing") {
        options.first_of_time_folder_us = utc(10 * 60'000 - 8 * hour_ms);
        CHECK(zones() == std::vector<int>{300, 360, 420, 480, 540});
    }
    SUBCASE("nor does one without a time that can be") {
        options.first_of_time_folder_us = 0;
        CHECK(zones() == std::vector<int>{300, 360, 420, 480, 540});
    }
    SUBCASE("nor one that is later than the dump") {
        options.first_of_time_folder_us = utc(60'000 - 4 * hour_ms);
        CHECK(zones() == std::vector<int>{300, 360, 420, 480, 540});
    }
    SUBCASE("nor one that puts this dump out of the log") {  // 13 h ahead, 18:05
        options.first_of_time_folder_us = utc(60'000 - 13 * hour_ms);
        CHECK(zones() == std::vector<int>{300, 360, 420, 480, 540});
    }
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
