// How far two places' clocks can be trusted: what their common steps tell, and what makes an order doubtful.
#include "scan/clock.hpp"

#include <doctest/doctest.h>

using namespace opdebug;
using scan_stage::ClockComparison;
using scan_stage::compare_clocks;
using scan_stage::doubt_of;
using scan_stage::StepTimes;

namespace {

constexpr std::int64_t second = 1'000'000;

}  // namespace

TEST_CASE("clock skew: the common steps are compared, without the one that is judged") {
    const StepTimes reference{{1, 100}, {2, 200}, {3, 300}, {4, 400}, {5, 500}};
    const StepTimes other{{1, 130}, {2, 190}, {3, 9300}, {4, 410}, {6, 1}};
    const ClockComparison without_third = compare_clocks(reference, other, 3);
    CHECK(without_third.steps == 3);
    CHECK(without_third.least_us == -10);
    CHECK(without_third.most_us == 30);
    const ClockComparison all = compare_clocks(reference, other, std::nullopt);
    CHECK(all.steps == 4);
    CHECK(all.most_us == 9000);
}

TEST_CASE("clock skew: three other steps are a measurement, fewer are none") {
    // 4 s apart, where the two vary by 5 s.
    CHECK(doubt_of({2, 0, 5 * second}, 4 * second).empty());
    CHECK(doubt_of({3, 0, 5 * second}, 4 * second).find("varies by 5.0") != std::string::npos);
    CHECK(doubt_of({0, 0, 0}, second) == "within 1 s");
    CHECK(doubt_of({3, 0, 0}, second + 1).empty());
}

TEST_CASE("clock skew: a place that is always later may have a clock that is ahead, a second more or less") {
    const ClockComparison five_later{4, 5 * second, 5 * second + second / 2};
    CHECK(doubt_of(five_later, 6 * second + second / 2).find("its clock may be ahead") != std::string::npos);
    CHECK(doubt_of(five_later, 6 * second + second / 2 + 1).empty());
    // Not where it is later by no more than clocks differ anyhow, nor where it varies by more.
    CHECK(doubt_of({4, second, second + second / 2}, 2 * second).empty());
    CHECK(doubt_of({4, 5 * second, 7 * second}, 6 * second).empty());
}
