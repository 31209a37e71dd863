// Dumps that are not at their paths any more when they are to be read: deleted, or in a folder that was renamed.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "temporary_directory.hpp"
#include "watch/missed_dumps.hpp"
#include "watched_dumps.hpp"

#include <opdebug/watch.hpp>

namespace fs = std::filesystem;
using namespace opdebug;
using namespace opdebug::test;
using std::chrono::milliseconds;

namespace {

constexpr const char* kBelowRank = "/Net/0/3/Opdebug.Node_OpDebug.57.563.177261840500000";

/// The dump of that number below a folder of the watched tree.
std::string dump_in(const TemporaryDirectory& directory, const std::string& folder, int number) {
    return directory / (folder + kBelowRank + std::to_string(number));
}

/// The messages of dumps_gone.
std::string told_gone(DumpWatch& watch) {
    std::string text;
    for (const Diagnostic& diagnostic : watch.take_diagnostics()) {
        text += diagnostic.code == "dumps_gone" ? diagnostic.message : "";
    }
    return text;
}

/// Damaged dumps are not given before their second try, however busy the machine is.
WatchOptions slow(bool poll) {
    WatchOptions options = quick(poll);
    options.quiet = milliseconds(500);
    return options;
}

void wait_for_next_try() {
    std::this_thread::sleep_for(milliseconds(220));
}

watch::SeenDump seen(const std::string& file, ino_t number, std::int64_t changed_ns) {
    return {file, {{1, number}, 2048, changed_ns}};
}

}  // namespace

TEST_CASE("missed dumps: the same file under another path is not gone, nor one moved to another file system") {
    const auto gone = [](const watch::SeenDump& missed, const std::vector<watch::SeenDump>& there) {
        watch::MissedDumps dumps;
        dumps.add(missed);
        CHECK(dumps.count() == 1);
        const std::uint64_t number = dumps.take_gone(there);
        CHECK(dumps.count() == 0);
        return number;
    };
    const watch::SeenDump missed = seen("proc1/a", 7, 100);
    CHECK(gone(missed, {}) == 1);
    CHECK(gone(missed, {seen("rank_0/a", 7, 100)}) == 0);
    CHECK(gone(missed, {seen("rank_0/a", 7, 200)}) == 0);  // it was written on
    CHECK(gone(missed, {seen("rank_0/b", 7, 100)}) == 0);  // the file was renamed
    watch::SeenDump elsewhere = seen("rank_0/a", 8, 100);
    CHECK(gone(missed, {elsewhere}) == 1);  // of another rank, written at the same time
    elsewhere.version.number.first = 2;
    CHECK(gone(missed, {elsewhere}) == 0);                 // moved to another file system
    CHECK(gone(missed, {seen("rank_0/b", 7, 200)}) == 1);  // a new file with a number that was free
    CHECK(gone(missed, {{"rank_0/a", {}}}) == 1);
}

TEST_CASE("missed dumps: one that was never examined is taken for one of its name, each for another one") {
    watch::MissedDumps dumps;
    dumps.add({"proc1/a", {}});
    dumps.add({"proc2/a", {}});
    dumps.add({"proc1/b", {}});
    CHECK(dumps.take_gone({seen("rank_0/a", 7, 100), seen("rank_0/c", 8, 100)}) == 2);
    dumps.add({"proc1/a", {}});
    dumps.add(seen("proc2/a", 7, 100));  // it is this one
    CHECK(dumps.take_gone({seen("rank_0/a", 7, 100)}) == 1);
}

TEST_CASE("watch: dumps that wait while their folder is renamed are not gone") {
    for (const bool poll : {false, true}) {
        for (const bool at_the_end : {false, true}) {
            CAPTURE(poll);
            CAPTURE(at_the_end);
            const TemporaryDirectory directory;
            write_file(dump_in(directory, "proc1", 1), cut(overflowed(0), 1000));
            write_file(dump_in(directory, "proc1", 2), cut(overflowed(0), 1000));
            DumpWatch watch({directory / ""}, slow(poll));
            watch.look([](WatchedDump&&) { FAIL("they may still be written"); });
            fs::rename(directory / "proc1", directory / "rank_0");
            wait_for_next_try();
            if (!at_the_end) {
                CHECK(look_until(watch, 2).size() == 2);
            }
            watch.finish([](WatchedDump&&) {});
            CHECK(told_gone(watch).empty());
            CHECK(watch.scan().counts.dumps == 2);
        }
    }
}

TEST_CASE("watch: a folder that is renamed while its dumps are read, once or twice, is found again at once") {
    for (const bool poll : {false, true}) {
        for (const bool twice : {false, true}) {
            CAPTURE(poll);
            CAPTURE(twice);
            const TemporaryDirectory directory;
            write_file(dump_in(directory, "rank_1", 0), overflowed());  // the earliest, so the first that is given
            for (int number = 1; number <= 3; ++number) {
                write_file(dump_in(directory, "proc1", number), overflowed());
            }
            DumpWatch watch({directory / ""}, quick(poll));
            std::vector<std::string> given;
            watch.look([&](WatchedDump&& dump) {
                given.push_back(dump.scanned.file);
                if (given.size() == 1) {
                    fs::rename(directory / "proc1", directory / "tmp");
                } else if (twice && given.size() == 2) {
                    fs::rename(directory / "tmp", directory / "rank_0");
                }
            });
            CHECK(told_gone(watch).empty());
            CHECK(given.size() == 4);
            CHECK(given.back() == dump_in(directory, twice ? "rank_0" : "tmp", 3));
            watch.finish([](WatchedDump&&) {});
            CHECK(watch.scan().counts.dumps == 4);
            CHECK(watch.scan().diagnostics.empty());
        }
    }
}

TEST_CASE("watch: a dump whose folder is renamed before the watch can look at it is not gone, a deleted one is") {
    const TemporaryDirectory directory;
    fs::create_directories(directory / "proc1/Net/0/3");
    fs::create_directories(directory / "rank_1/Net/0/3");
    DumpWatch watch({directory / ""}, quick(false));
    watch.look([](WatchedDump&&) { FAIL("there is none"); });
    REQUIRE(watch.method() == WatchMethod::inotify);
    write_file(dump_in(directory, "proc1", 1), overflowed());
    fs::rename(directory / "proc1", directory / "rank_0");
    fs::remove(write_file(dump_in(directory, "rank_1", 2), overflowed()));
    CHECK(look_until(watch, 1).size() == 1);
    CHECK(told_gone(watch) == "1 dump was gone before it could be read");
    CHECK(watch.scan().counts.dumps == 1);
}

TEST_CASE("watch: deleted dumps are gone, though another rank has dumps of the same names") {
    for (const bool poll : {false, true}) {
        CAPTURE(poll);
        const TemporaryDirectory directory;
        for (const char* rank : {"rank_0", "rank_1"}) {
            write_file(dump_in(directory, rank, 1), cut(overflowed(0), 1000));
            write_file(dump_in(directory, rank, 2), cut(overflowed(0), 1000));
        }
        DumpWatch watch({directory / ""}, slow(poll));
        watch.look([](WatchedDump&&) { FAIL("they may still be written"); });
        fs::remove_all(directory / "rank_0");
        wait_for_next_try();
        CHECK(look_until(watch, 2).size() == 2);
        CHECK(told_gone(watch) == "2 dumps were gone before they could be read");
        CHECK(watch.scan().counts.dumps == 2);
    }
}
