// Facts in packed form: what comes back, in which order.
#include "logs/packing/packed_facts.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "check_fact.hpp"

using namespace opdebug;
using namespace opdebug::logs;
using namespace opdebug::test;

namespace {

/// With every other number, text, flag and line, beginning with the first (`odd` 0) or the second.
StoredFact some_fact(std::size_t odd, std::uint64_t value = ~std::uint64_t{0}) {
    StoredFact stored;
    stored.fact.kind = FactKind::model_execute;
    stored.fact.log = LogKind::device_log;
    stored.fact.format_id = "some.format";
    stored.tid = -7;
    stored.time_us = -5'000'000'000;
    stored.place = {3, ~std::uint64_t{0}, std::string("with \0 zero", 11), {}};
    stored.from_saved_map = odd == 1;
    for (std::size_t i = odd; i < kNumbers.size(); i += 2) {
        stored.fact.*kNumbers[i].member = value - i;
    }
    for (std::size_t i = odd; i < kTexts.size(); i += 2) {
        stored.fact.*kTexts[i].member = fmt::format("{} {}", kTexts[i].name, value);
    }
    for (std::size_t i = odd; i < kFlags.size(); i += 2) {
        stored.fact.*kFlags[i].member = true;
    }
    for (std::size_t i = odd; i < kPlaces.size(); i += 2) {
        stored.*kPlaces[i].member = LogPlace{4, 5, std::string(kPlaces[i].name), LogKind::ge_log};
    }
    return stored;
}

StoredFact at(std::int64_t time_us, std::uint64_t line) {
    StoredFact stored;
    stored.time_us = time_us;
    stored.place.line = line;
    return stored;
}

std::string lines_of(const PackedFacts& facts) {
    std::string lines;
    for (std::size_t place = 0; place < facts.size(); ++place) {
        lines += fmt::format("{} ", facts[place].place.line);
    }
    return lines;
}

}  // namespace

TEST_CASE("packed facts: every member comes back, with numbers of any size") {
    PackedFacts facts;
    const std::vector<std::uint64_t> values{~std::uint64_t{0}, 255, 127 + 16, std::uint64_t{1} << 35U};
    for (const std::uint64_t value : values) {
        facts.add(view_of(some_fact(0, value)));
        facts.add(view_of(some_fact(1, value)));
    }
    facts.add(view_of(StoredFact()));
    REQUIRE(facts.size() == 2 * values.size() + 1);
    for (std::size_t i = 0; i < values.size(); ++i) {
        CAPTURE(values[i]);
        check_fact(stored_fact(facts[2 * i]), some_fact(0, values[i]));
        check_fact(stored_fact(facts[2 * i + 1]), some_fact(1, values[i]));
    }
    check_fact(stored_fact(facts[2 * values.size()]), StoredFact());
}

TEST_CASE("packed facts: what a fact is about") {
    PackedFacts facts;
    facts.add(view_of(some_fact(0, 300)));  // a stream
    facts.add(view_of(some_fact(1, 300)));  // a task
    CHECK(facts.subject(0).kind == FactKind::model_execute);
    CHECK(facts.subject(0).stream_id == std::uint64_t{300});
    CHECK_FALSE(facts.subject(0).task_id.has_value());
    CHECK_FALSE(facts.subject(1).stream_id.has_value());
    CHECK(facts.subject(1).task_id == std::uint64_t{299});
}

TEST_CASE("packed facts: ids of more than 32 bits are what a fact is about, also beside short ones") {
    constexpr std::uint64_t wide = std::uint64_t{1} << 32U;
    PackedFacts facts;
    const auto add = [&facts](std::optional<std::uint64_t> stream_id, std::optional<std::uint64_t> task_id) {
        StoredFact stored;
        stored.fact.kind = FactKind::submit;
        stored.fact.stream_id = stream_id;
        stored.fact.task_id = task_id;
        stored.fact.task_sn = 9;
        facts.add(view_of(stored));
    };
    add(wide, 7);
    add(7, wide + 1);
    add(wide - 1, wide - 1);
    add({}, wide + 2);
    CHECK(facts.subject(0).stream_id == wide);
    CHECK(facts.subject(0).task_id == std::uint64_t{7});
    CHECK(facts.subject(1).stream_id == std::uint64_t{7});
    CHECK(facts.subject(1).task_id == wide + 1);
    CHECK(facts.subject(2).stream_id == wide - 1);
    CHECK(facts.subject(2).task_id == wide - 1);
    CHECK_FALSE(facts.subject(3).stream_id.has_value());
    CHECK(facts.subject(3).task_id == wide + 2);
    for (std::size_t place = 0; place < facts.size(); ++place) {
        CAPTURE(place);
        CHECK(facts.numbers(place).task_id() == facts.subject(place).task_id);
        CHECK(facts.numbers(place).number<&Fact::task_sn>() == std::uint64_t{9});
    }
}

TEST_CASE("packed facts: one is replaced by a shorter and by a longer one, and by its like") {
    PackedFacts facts;
    facts.add(view_of(some_fact(0)));
    facts.add(view_of(some_fact(1)));
    facts.replace(0, view_of(StoredFact()));
    check_fact(stored_fact(facts[0]), StoredFact());
    StoredFact longer = some_fact(1);
    longer.place.text = std::string(100'000, 'x');
    facts.replace(0, view_of(longer));
    facts.replace(0, view_of(longer));
    check_fact(stored_fact(facts[0]), longer);
    check_fact(stored_fact(facts[1]), some_fact(1));
}

TEST_CASE("packed facts: sorted by time, then by line, then as they were added; some are left out") {
    PackedFacts facts;
    PackedFacts further;
    facts.add(view_of(at(20, 4)));
    facts.add(view_of(at(10, 3)));
    further.add(view_of(at(10, 2)));
    further.add(view_of(at(5, 9)));
    facts.append(further);
    facts.add(view_of(at(-1, 8)));
    facts.sort_by_time();
    CHECK(lines_of(facts) == "8 9 2 3 4 ");
    facts.leave_out({false, true, false, true, false});
    CHECK(lines_of(facts) == "8 2 4 ");
}

TEST_CASE("packed facts: whether one names a node that is called by numbers") {
    PackedFacts facts;
    StoredFact stored;
    stored.fact.kind = FactKind::operator_of_task;
    for (const char* const name : {"11_GatherV2", "GatherV2"}) {
        stored.fact.operator_name = name;
        facts.add(view_of(stored));
    }
    CHECK(facts.subject(0).names_numbered_node);
    CHECK_FALSE(facts.subject(1).names_numbered_node);
    stored.fact.operator_name = "11_GatherV2";
    facts.replace(1, view_of(stored));
    CHECK(facts.subject(1).names_numbered_node);
}

TEST_CASE("packed facts: those of many streams come back in the order in which they were added") {
    PackedFacts facts;
    constexpr std::uint64_t kFacts = 3000;  // each stream's take more than a piece of memory
    const auto stream_of = [](std::uint64_t i) { return i * 7 % 11; };
    for (std::uint64_t i = 0; i < kFacts; ++i) {
        StoredFact stored;
        stored.fact.stream_id = stream_of(i);
        stored.fact.task_id = i;
        stored.place.text = fmt::format("{:>{}}", i, i % 1000);
        facts.add(view_of(stored));
    }
    for (std::uint64_t i = 0; i < kFacts; ++i) {
        const FactView fact = facts[i];
        REQUIRE(fact.stream_id() == stream_of(i));
        REQUIRE(fact.task_id() == i);
        REQUIRE(whole_line(fact, fact.place) == fmt::format("{:>{}}", i, i % 1000));
    }
}

TEST_CASE("packed facts: sorted by time where some are a few places, many places, or all out of place") {
    constexpr std::int64_t kFacts = 2000;
    for (const std::int64_t distance : {3, 1500, 2000}) {
        CAPTURE(distance);
        PackedFacts facts;
        std::vector<std::int64_t> times;
        for (std::int64_t i = 0; i < kFacts; ++i) {
            times.push_back(i % 4 == 0 ? i - distance : (distance == kFacts ? -i : i) / 2);
            facts.add(view_of(at(times.back(), static_cast<std::uint64_t>(i))));
        }
        std::sort(times.begin(), times.end());
        facts.sort_by_time();
        for (std::size_t place = 0; place < times.size(); ++place) {
            REQUIRE(facts.time_us(place) == times[place]);
            REQUIRE((place == 0 || times[place - 1] < times[place] ||
                     facts[place - 1].place.line < facts[place].place.line));
        }
    }
}
