// The tables by which uses of the ids are excluded and put in order, and how far clocks differ.
#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "locate/clock.hpp"
#include "locate/fit.hpp"

using namespace opdebug::locate_stage;

namespace {

/// The rows that exclude a use among others, by their names; soft ones in brackets.
std::string excluded_by(const Fit& fit) {
    std::string names;
    for (const ExcludeRow& row : exclude_rows()) {
        if (row.excludes(fit)) {
            names += (names.empty() ? "" : ", ") +
                     (row.agrees != nullptr ? "[" + std::string(row.name) + "]" : std::string(row.name));
        }
    }
    return names;
}

/// The first row that puts `a` before `b`.
std::string put_first_by(const Fit& a, const Fit& b) {
    for (const RankRow& row : rank_rows()) {
        if (row.value(a) != row.value(b)) {
            return row.value(a) < row.value(b) ? std::string(row.name) : "other: " + std::string(row.name);
        }
    }
    return "none";
}

Fit with(Agreement Fit::*member, Agreement agreement) {
    Fit fit;
    fit.time = Inside::wholly;
    fit.*member = agreement;
    return fit;
}

}  // namespace

TEST_CASE("a use is excluded by what contradicts it, never by what is unknown") {
    struct Row {
        Agreement Fit::*member;
        std::string contradicts, doubtful;
    };
    const std::vector<Row> rows{
        {&Fit::host, "host", ""},
        {&Fit::device, "device, [device number]", "[device number]"},
        {&Fit::is_of_model, "model or none, [kind of task]", "[kind of task]"},
        {&Fit::model_id, "[model id]", "[model id]"},
        {&Fit::folder, "[folder]", "[folder]"},
        {&Fit::folder_time, "", ""},
        {&Fit::device_line, "", ""},
        {&Fit::model_name, "", ""},
        {&Fit::model_number, "", ""},
        {&Fit::task_type, "", ""},
    };
    for (const Row& row : rows) {
        CAPTURE(row.contradicts);
        CHECK(excluded_by(with(row.member, Agreement::contradicts)) == row.contradicts);
        CHECK(excluded_by(with(row.member, Agreement::doubtful)) == row.doubtful);
        CHECK(excluded_by(with(row.member, Agreement::unknown)).empty());
        CHECK(excluded_by(with(row.member, Agreement::agrees)).empty());
    }
    Fit never;
    never.time = Inside::never;
    CHECK(excluded_by(never) == "time");
    Fit partly;
    partly.time = Inside::partly;
    CHECK(excluded_by(partly).empty());
    Fit of_stream;
    of_stream.has_lines = false;
    CHECK(excluded_by(of_stream) == "[no line]");
    of_stream.model_id = Agreement::agrees;
    CHECK(excluded_by(of_stream).empty());
}

TEST_CASE("a soft reason needs a use that agrees in the same") {
    const auto row = std::find_if(exclude_rows().begin(), exclude_rows().end(),
                                  [](const ExcludeRow& each) { return each.name == "model id"; });
    REQUIRE(row != exclude_rows().end());
    CHECK(row->agrees(with(&Fit::model_id, Agreement::agrees)));
    CHECK_FALSE(row->agrees(with(&Fit::model_id, Agreement::unknown)));
}

TEST_CASE("uses are put in order by the first row in which they differ") {
    Fit likely;
    likely.is_at_best_offset = true;
    Fit wholly;
    wholly.time = Inside::wholly;
    Fit reported;
    reported.is_reported = true;
    Fit inferred;
    inferred.is_zone_inferred = true;
    const Fit device_line = with(&Fit::device_line, Agreement::agrees);
    const Fit device = with(&Fit::device, Agreement::agrees);
    CHECK(put_first_by(device_line, device) == "device line");
    CHECK(put_first_by(device, with(&Fit::model_name, Agreement::agrees)) == "device");
    CHECK(put_first_by(with(&Fit::folder, Agreement::agrees), Fit()) == "folder");
    CHECK(put_first_by(with(&Fit::model_id, Agreement::agrees), Fit()) == "model id");
    CHECK(put_first_by(with(&Fit::model_name, Agreement::agrees), likely) == "model name");
    CHECK(put_first_by(with(&Fit::model_number, Agreement::agrees), Fit()) == "model number");
    CHECK(put_first_by(Fit(), with(&Fit::task_type, Agreement::doubtful)) == "task type");
    CHECK(put_first_by(Fit(), with(&Fit::folder_time, Agreement::doubtful)) == "folder time");
    CHECK(put_first_by(Fit(), inferred) == "zone");
    CHECK(put_first_by(reported, wholly) == "report");
    CHECK(put_first_by(wholly, likely) == "time");
    CHECK(put_first_by(likely, Fit()) == "likely offset");
    CHECK(put_first_by(with(&Fit::host, Agreement::agrees), device) == "host");
    Fit named;
    named.naming = Naming::type;
    CHECK(put_first_by(named, device_line) == "name");
    Fit serial;
    serial.number = TaskNumber::from_serial_number;
    CHECK(put_first_by(Fit(), serial) == "id");
    Fit newer;
    newer.begin_us = 2;
    CHECK(put_first_by(newer, Fit()) == "newest");
    CHECK(put_first_by(Fit(), Fit()) == "none");
}

TEST_CASE("only rows that were always right decide") {
    std::vector<std::string> deciding;
    for (const RankRow& row : rank_rows()) {
        if (row.weight == Weight::decides) {
            deciding.emplace_back(row.name);
        }
    }
    CHECK(deciding == std::vector<std::string>{"device line", "model name"});
}

TEST_CASE("a fit is described by what is known") {
    Fit fit = with(&Fit::device, Agreement::agrees);
    fit.model_id = Agreement::doubtful;
    fit.time = Inside::partly;
    CHECK(facts_of(fit) ==
          FitFacts{{"device", "agrees"}, {"model id", "differs"}, {"time", "inside for some offsets"}});
    CHECK(describe(facts_of(fit)).en == "device agrees, model id differs, time inside for some offsets");
}

namespace {

constexpr std::int64_t kSecond = 1'000'000;

std::vector<Offsets> votes(std::size_t count, std::int64_t begin, std::int64_t end) {
    return std::vector<Offsets>(count, Offsets{{begin, end}});
}

}  // namespace

TEST_CASE("fewer than four dumps narrow nothing") {
    const ClockOffset offset = offset_of_votes(votes(3, 2 * kSecond, 3 * kSecond));
    CHECK(offset.lowest_us == -5 * kSecond);
    CHECK(offset.highest_us == 5 * kSecond);
    CHECK(offset.likely_us == 0);
    CHECK(offset.dumps == 0);
}

TEST_CASE("dumps narrow the offset to what all of them allow") {
    std::vector<Offsets> all = votes(10, 2 * kSecond, 4 * kSecond);
    const std::vector<Offsets> others = votes(10, 3 * kSecond, 5 * kSecond);
    all.insert(all.end(), others.begin(), others.end());
    const ClockOffset offset = offset_of_votes(all);
    CHECK(offset.lowest_us == 3 * kSecond);
    CHECK(offset.highest_us == 4 * kSecond);
    CHECK(offset.likely_us == 3 * kSecond + 1'500);  // the overflow follows the launch
    CHECK(offset.dumps == 20);
}

TEST_CASE("equal clocks stay possible unless four votes and a fifth of them are against it") {
    std::vector<Offsets> most = votes(20, -kSecond, kSecond);
    const std::vector<Offsets> few = votes(3, kSecond / 2, kSecond);
    most.insert(most.end(), few.begin(), few.end());
    const ClockOffset equal = offset_of_votes(most);
    CHECK(equal.lowest_us <= 0);
    CHECK(equal.likely_us == 0);
    const ClockOffset apart = offset_of_votes(votes(5, kSecond, 2 * kSecond));
    CHECK(apart.lowest_us == kSecond);
}

TEST_CASE("a dump that contradicts the others widens the offset and does not decide") {
    std::vector<Offsets> all = votes(10, kSecond, 2 * kSecond);
    all.push_back({{-4 * kSecond, -3 * kSecond}});
    const ClockOffset offset = offset_of_votes(all);
    CHECK(offset.lowest_us == kSecond);
    CHECK(offset.highest_us == 2 * kSecond);
}

TEST_CASE("a dump may vote for several offsets") {
    const ClockOffset offset =
        offset_of_votes(std::vector<Offsets>(4, Offsets{{-3 * kSecond, -2 * kSecond}, {kSecond, 2 * kSecond}}));
    CHECK(offset.lowest_us == -3 * kSecond);
    CHECK(offset.highest_us == 2 * kSecond);
}
