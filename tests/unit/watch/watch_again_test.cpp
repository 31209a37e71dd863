// Following dumps: those that were given come again when what they tell has changed.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "temporary_directory.hpp"
#include "tensor_values.hpp"
#include "watched_dumps.hpp"

#include <opdebug/watch.hpp>

namespace fs = std::filesystem;
using namespace opdebug;
using namespace opdebug::test;

namespace {

std::string op_dump_below(const TemporaryDirectory& directory, const std::string& name = "Mul.net_mul.57.563.") {
    return directory / ("rank_0/Net/0/3/" + name + "1772618405000100");
}

std::vector<WatchedDump> finish(DumpWatch& watch) {
    std::vector<WatchedDump> dumps;
    watch.finish([&dumps](WatchedDump&& dump) { dumps.push_back(std::move(dump)); });
    return dumps;
}

/// The clock of files goes on in steps: what is written next has another time than this.
std::string write_earlier(const std::string& file, const Buffer& bytes) {
    write_file(file, bytes);
    fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::seconds(2));
    return file;
}

void append(const std::string& file, const Buffer& bytes) {
    std::ofstream(file, std::ios::binary | std::ios::app)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace

TEST_CASE("watch: an operator's dump that comes late is found at the end, and only its overflow comes again") {
    const TemporaryDirectory directory;
    write_file(dump_below(directory, 0, 1), overflowed());
    write_file(dump_below(directory, 0, 2), overflowed(0));  // clean: it asks for no operator
    write_file(dump_below(directory, 1, 1), overflowed());   // in another folder
    DumpWatch watch({directory / ""}, quick(false));
    CHECK(look_until(watch, 3).size() == 3);
    write_file(op_dump_below(directory), build_v2(example_op_dump("net/mul")));
    const auto again = finish(watch);
    REQUIRE(again.size() == 1);
    CHECK(again[0].reason == WatchReason::looked_again);
    CHECK(again[0].scanned.file == dump_below(directory, 0, 1));
    CHECK(again[0].item.operator_name == "net/mul");
    CHECK_FALSE(again[0].first_of_rank);
    CHECK(again[0].new_groups.empty());
    CHECK(watch.scan().counts.overflowed == 2);
}

TEST_CASE("watch: what came beside dumps, and is about other tasks, makes no dump come again") {
    const TemporaryDirectory directory;
    write_file(dump_below(directory, 0, 1), overflowed());
    write_earlier(op_dump_below(directory), build_v2(example_op_dump("net/mul")));
    DumpWatch watch({directory / ""}, quick(false));
    CHECK(look_until(watch, 1).size() == 1);
    write_file(op_dump_below(directory, "Mul.net_mul.58.563."), build_v2(example_op_dump("net/other")));
    CHECK(finish(watch).empty());
}

TEST_CASE("watch: a dump that comes late with the ids of the overflow dump's name is found at the end, too") {
    const TemporaryDirectory directory;
    write_file(dump_below(directory, 0, 1), overflowed());  // stream 563 task 1 in the name, task 57 in the record
    DumpWatch watch({directory / ""}, quick(false));
    CHECK(look_until(watch, 1).size() == 1);
    write_file(op_dump_below(directory, "Mul.net_mul.1.563."), build_v2(example_op_dump("net/mul")));
    const auto again = finish(watch);
    REQUIRE(again.size() == 1);
    CHECK(again[0].item.operator_name == "net/mul");
}

TEST_CASE("watch: an operator's dump that was being written is measured whole at the end") {
    const TemporaryDirectory directory;
    const Buffer op_dump = build_v2(example_op_dump("net/mul"));
    write_file(dump_below(directory, 0, 1), overflowed());
    write_file(op_dump_below(directory), cut(op_dump, op_dump.size() - 2));
    WatchOptions options = quick(false);
    options.scan.tensors = true;
    DumpWatch watch({directory / ""}, options);
    const auto first = look_until(watch, 1);
    REQUIRE(first.size() == 1);
    CHECK_FALSE(first[0].scanned.tensors.complete());
    CHECK(watch.scan().damage.unmeasured == 1);
    write_file(op_dump_below(directory), op_dump);
    const auto again = finish(watch);
    REQUIRE(again.size() == 1);
    CHECK(again[0].number == first[0].number);
    CHECK(again[0].scanned.tensors.complete());
    CHECK(watch.scan().damage.unmeasured == 0);
}

TEST_CASE("watch: a dump that grew, or was made anew, comes again and counts once, as it is now") {
    for (const bool poll : {false, true}) {
        for (const bool anew : {false, true}) {
            CAPTURE(poll);
            CAPTURE(anew);
            const TemporaryDirectory directory;
            const std::string file = write_earlier(dump_below(directory, 0, 1), overflowed(0));
            write_file(dump_below(directory, 0, 2), overflowed(0));
            DumpWatch watch({directory / ""}, quick(poll));
            CHECK(look_until(watch, 2).size() == 2);
            if (anew) {
                fs::remove(file);
                write_file(directory / "elsewhere", overflowed());
                fs::rename(directory / "elsewhere", file);
            } else {
                append(file, overflowed());
            }
            const auto again = look_until(watch, 1);
            REQUIRE(again.size() == 1);
            CHECK(again[0].reason == WatchReason::written);
            CHECK(again[0].scanned.file == file);
            CHECK(again[0].scanned.state == DumpState::overflowed);
            CHECK(again[0].first_of_rank);
            const ScanCounts counts = watch.scan().counts;
            CHECK(counts.dumps == 2);
            CHECK(counts.overflowed == 1);
            CHECK(counts.clean == 1);
        }
    }
}

TEST_CASE("watch: the end finds what was written while nobody told of it") {
    const TemporaryDirectory directory;
    const std::string file = write_file(dump_below(directory, 0, 1), overflowed(0));
    DumpWatch watch({directory / ""}, quick(false));
    CHECK(look_until(watch, 1).size() == 1);
    std::ofstream open(file, std::ios::binary | std::ios::app);  // told when it is closed
    const Buffer second = overflowed();
    open.write(reinterpret_cast<const char*>(second.data()), static_cast<std::streamsize>(second.size()));
    open.flush();
    const auto again = finish(watch);
    REQUIRE(again.size() == 1);
    CHECK(again[0].reason == WatchReason::written);
    CHECK(watch.scan().counts.overflowed == 1);
}

TEST_CASE("watch: the end reads the folders once more where they are read again and again") {
    const TemporaryDirectory directory;
    WatchOptions options = quick(true);
    options.poll_interval = std::chrono::hours(1);
    DumpWatch watch({directory / ""}, options);
    watch.look([](WatchedDump&&) { FAIL("there is none"); });
    write_file(dump_below(directory, 0, 1), overflowed());
    CHECK(finish(watch).size() == 1);
}

TEST_CASE("watch: where the first overflow is none any more, all others come again: one of them is the first") {
    const TemporaryDirectory directory;
    const std::string first = write_earlier(dump_below(directory, 0, 1), overflowed());
    write_file(dump_below(directory, 1, 1), overflowed());
    DumpWatch watch({directory / ""}, quick(false));
    CHECK(look_until(watch, 2).size() == 2);
    write_file(first, overflowed(0));
    const auto again = finish(watch);
    REQUIRE(again.size() == 2);
    CHECK(again[0].scanned.file == first);
    CHECK(again[0].scanned.state == DumpState::clean);
    CHECK(again[1].scanned.file == dump_below(directory, 1, 1));
}

TEST_CASE("watch: a renamed dump counts once, under its name at the end; one that was deleted stays") {
    for (const bool poll : {false, true}) {
        CAPTURE(poll);
        const TemporaryDirectory directory;
        const std::string renamed = write_file(dump_below(directory, 0, 1), overflowed());
        const std::string deleted = write_file(dump_below(directory, 1, 1), overflowed());
        DumpWatch watch({directory / ""}, quick(poll));
        CHECK(look_until(watch, 2).size() == 2);
        const std::string now = dump_below(directory, 0, 2);
        fs::rename(renamed, now);
        fs::remove(deleted);
        watch.wait(std::chrono::milliseconds(100));
        watch.look([](WatchedDump&&) { FAIL("it is no new one"); });
        const auto again = finish(watch);
        REQUIRE(again.size() == 1);
        CHECK(again[0].scanned.file == now);
        CHECK(watch.scan().counts.dumps == 2);
    }
}

TEST_CASE("watch: a dump has its own path rather than that of a link, also while it is written and when it grew") {
    for (const bool poll : {false, true}) {
        CAPTURE(poll);
        const TemporaryDirectory directory;
        const std::string file = write_file(dump_below(directory, 0, 2), cut(overflowed(), 1500));
        DumpWatch watch({directory / ""}, quick(poll));
        watch.look([](WatchedDump&&) { FAIL("it is being written"); });
        fs::create_symlink(file, dump_below(directory, 0, 1));  // its name comes first
        const auto given = look_until(watch, 1);
        REQUIRE(given.size() == 1);
        CHECK(given[0].scanned.file == file);
        append(file, overflowed());
        fs::create_symlink(file, dump_below(directory, 0, 3));
        const auto again = look_until(watch, 1);
        REQUIRE(again.size() == 1);
        CHECK(again[0].scanned.file == file);
        CHECK(finish(watch).empty());
        CHECK(watch.scan().counts.dumps == 1);
    }
}

TEST_CASE("watch: a dump that was known by a link only has its own path when that comes") {
    const TemporaryDirectory directory;
    const std::string store = write_file(directory / "store/Opdebug.Node_OpDebug.1.563.1772618405000000", overflowed());
    const std::string link = directory / "tree/Opdebug.Node_OpDebug.1.563.1772618405000000";
    fs::create_directories(directory / "tree");
    fs::create_symlink(store, link);
    DumpWatch watch({directory / "tree", directory / "later"}, quick(false));
    CHECK(look_until(watch, 1).size() == 1);
    fs::create_directory_symlink("store", directory / "later");
    watch.look([](WatchedDump&&) { FAIL("it is no new one"); });
    const auto again = finish(watch);
    REQUIRE(again.size() == 1);
    CHECK(again[0].scanned.file == directory / "later/Opdebug.Node_OpDebug.1.563.1772618405000000");
    CHECK(watch.scan().counts.dumps == 1);
}

TEST_CASE("watch: a watch that is stopped says what it did not look at again") {
    const TemporaryDirectory directory;
    write_file(dump_below(directory, 0, 1), overflowed());
    WatchOptions options = quick(false);
    bool stop = false;
    options.scan.stop = [&stop] { return stop; };
    DumpWatch watch({directory / ""}, options);
    CHECK(look_until(watch, 1).size() == 1);
    write_file(op_dump_below(directory), build_v2(example_op_dump("net/mul")));
    stop = true;
    CHECK(finish(watch).empty());
    const Scan scan = watch.scan();
    CHECK(scan.complete);  // every dump was read
    REQUIRE(scan.diagnostics.size() == 1);
    CHECK(scan.diagnostics[0].code == "not_looked_again");
}
