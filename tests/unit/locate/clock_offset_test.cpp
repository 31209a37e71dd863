// How far clocks differ, by the votes of dumps.
#include "locate/clock.hpp"

#include <vector>

#include <doctest/doctest.h>

using namespace opdebug::locate_stage;

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
