// Runs of times less than a second apart, whatever the order in which the times come.
#include "scan/groups.hpp"

#include <algorithm>
#include <random>
#include <vector>

#include <doctest/doctest.h>

using opdebug::scan_stage::Bursts;

namespace {

/// Tenths of a second.
std::uint64_t bursts_of(const std::vector<std::uint64_t>& tenths) {
    Bursts bursts;
    for (const std::uint64_t time : tenths) {
        bursts.add(time * 100'000);
    }
    return bursts.count();
}

/// Sorted, a gap of ten tenths begins the next one.
std::uint64_t counted_in_order(std::vector<std::uint64_t> tenths) {
    std::sort(tenths.begin(), tenths.end());
    std::uint64_t count = tenths.empty() ? 0 : 1;
    for (std::size_t i = 1; i < tenths.size(); ++i) {
        count += tenths[i] - tenths[i - 1] >= 10 ? 1U : 0U;
    }
    return count;
}

}  // namespace

TEST_CASE("bursts: a whole second apart is another one") {
    CHECK(bursts_of({}) == 0);
    CHECK(bursts_of({5}) == 1);
    CHECK(bursts_of({0, 9, 18, 27}) == 1);
    CHECK(bursts_of({0, 10}) == 2);
}

TEST_CASE("bursts: any order gives what the sorted times give, also of two that are put together") {
    for (unsigned seed = 1; seed <= 200; ++seed) {
        CAPTURE(seed);
        std::mt19937 random(seed);
        std::vector<std::uint64_t> times(random() % 200);
        for (std::uint64_t& time : times) {
            time = random() % 2000;
        }
        REQUIRE(bursts_of(times) == counted_in_order(times));
        Bursts one, other;
        for (std::size_t i = 0; i < times.size(); ++i) {
            (i % 3 == 0 ? one : other).add(times[i] * 100'000);
        }
        one.add(other);
        REQUIRE(one.count() == counted_in_order(times));
    }
}
