// Which dump comes first in a report, and the order in which a scan hands them over.
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

#include "scan/ordered_work.hpp"
#include "scan_items.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

/// Makes batches of one dump, which is called as the batch's number, and remembers who made and what was used.
struct WatchedWork {
    scan_stage::OrderedWork work;
    std::map<std::size_t, std::thread::id> makers;
    std::vector<std::string> taken;
    std::mutex mutex;
    std::condition_variable made;
    std::chrono::seconds wait{0};  ///< at most so long the first batch waits for one that another thread makes

    WatchedWork() {
        work.make = [this](std::size_t index) {
            std::unique_lock<std::mutex> lock(mutex);
            const std::thread::id self = makers[index] = std::this_thread::get_id();
            made.notify_all();
            const auto others_make = [this, self] {
                return std::any_of(makers.begin(), makers.end(), [self](const auto& m) { return m.second != self; });
            };
            if (index == 0) {
                made.wait_for(lock, wait, others_make);
            }
            scan_stage::Batch batch;
            batch.counts.dumps = index;
            return batch;
        };
        work.take = [this](scan_stage::Batch& batch) { taken.push_back(std::to_string(batch.counts.dumps)); };
        work.tick = [] {};
    }
};

}  // namespace

TEST_CASE("report order: the step decides before the time, the time before the path") {
    CHECK(comes_before(overflowed_item("z", 3, 900), overflowed_item("a", 4, 100)));
    CHECK_FALSE(comes_before(overflowed_item("a", 4, 100), overflowed_item("z", 3, 900)));
    CHECK(comes_before(overflowed_item("z", 3, 100), overflowed_item("a", 3, 101)));
    CHECK(comes_before(overflowed_item("a", 3, 100), overflowed_item("b", 3, 100)));
    CHECK_FALSE(comes_before(overflowed_item("a", 3, 100), overflowed_item("a", 3, 100)));
}

TEST_CASE("report order: of one path on the disks of two hosts the host decides, by its name") {
    ScanItem a = overflowed_item("run/x", 3, 100), b = a, later = a;
    a.host = "a";
    b.host = "b";
    later.timestamp_us = 101;
    CHECK(comes_before(a, b));
    CHECK_FALSE(comes_before(b, a));
    CHECK(comes_before(b, later));
}

TEST_CASE("report order: numbers compare as numbers, not as text") {
    CHECK(comes_before(overflowed_item("a", 9, 1), overflowed_item("a", 10, 1)));
    CHECK(comes_before(overflowed_item("a", 1, 999), overflowed_item("a", 1, 1000)));
}

TEST_CASE("report order: what has no step or no time comes behind what has one") {
    CHECK(comes_before(overflowed_item("z", 7, std::nullopt), overflowed_item("a", std::nullopt, 1)));
    CHECK(comes_before(overflowed_item("z", 7, 900), overflowed_item("a", 7, std::nullopt)));
    CHECK(comes_before(overflowed_item("z", std::nullopt, 900), overflowed_item("a", std::nullopt, std::nullopt)));
    CHECK(comes_before(overflowed_item("a"), overflowed_item("b")));
}

TEST_CASE("report order: sorting gives the same sequence from any beginning") {
    std::vector<ScanItem> items;
    for (const auto step : {std::optional<std::uint64_t>(), std::optional<std::uint64_t>(1), {2}}) {
        for (const auto time : {std::optional<std::uint64_t>(), std::optional<std::uint64_t>(5), {6}}) {
            items.push_back(overflowed_item("b", step, time));
            items.push_back(overflowed_item("a", step, time));
        }
    }
    const auto shown = [](const std::vector<ScanItem>& list) {
        std::string text;
        for (const ScanItem& item : list) {
            text += std::to_string(item.path_ids.data_index.value_or(0)) +
                    std::to_string(item.timestamp_us.value_or(0)) + item.file + " ";
        }
        return text;
    };
    const std::string expected = "15a 15b 16a 16b 10a 10b 25a 25b 26a 26b 20a 20b 05a 05b 06a 06b 00a 00b ";
    for (std::size_t shift = 0; shift < items.size(); ++shift) {
        std::rotate(items.begin(), items.begin() + 7, items.end());
        std::vector<ScanItem> sorted = items;
        std::sort(sorted.begin(), sorted.end(), comes_before);
        CHECK(shown(sorted) == expected);
    }
}

TEST_CASE("batches: several threads make them, the calling one ticks meanwhile and takes all in order") {
    for (const unsigned threads : {1U, 2U, 5U}) {
        CAPTURE(threads);
        WatchedWork watched;
        watched.work.batches = 40;
        watched.work.threads = threads;
        watched.wait = std::chrono::seconds(threads == 1 ? 0 : 20);
        std::size_t ticks = 0;
        watched.work.tick = [&ticks] { ++ticks; };
        scan_stage::run_in_order(watched.work);
        const bool made_by_caller = std::any_of(watched.makers.begin(), watched.makers.end(), [](const auto& maker) {
            return maker.second == std::this_thread::get_id();
        });
        CHECK(made_by_caller == (threads == 1));
        CHECK(ticks >= 40);
        REQUIRE(watched.taken.size() == 40);
        for (std::size_t i = 0; i < watched.taken.size(); ++i) {
            CHECK(watched.taken[i] == std::to_string(i));
        }
    }
}

TEST_CASE("batches: one that is stopped is the last, whoever makes it") {
    for (const unsigned threads : {1U, 2U, 5U}) {
        for (std::size_t last = 0; last < 12; ++last) {
            WatchedWork watched;
            watched.work.batches = 12;
            watched.work.threads = threads;
            watched.work.make = [make = watched.work.make, last](std::size_t index) {
                scan_stage::Batch batch = make(index);
                batch.stopped = index == last;
                return batch;
            };
            scan_stage::run_in_order(watched.work);
            CHECK(watched.taken.size() == last + 1);
        }
    }
}

TEST_CASE("batches: what making throws comes out, whoever makes") {
    for (const unsigned threads : {1U, 2U, 5U}) {
        WatchedWork watched;
        watched.work.batches = 30;
        watched.work.threads = threads;
        watched.work.make = [make = watched.work.make](std::size_t index) {
            return index == 7 ? throw index : make(index);
        };
        CHECK_THROWS_AS(scan_stage::run_in_order(watched.work), std::size_t);
        CHECK(watched.taken.size() <= 7);
    }
}
