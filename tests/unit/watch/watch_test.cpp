// Following dumps: what the system's events say, when a dump is given, what is new about it.
#include <doctest/doctest.h>

#include <sys/inotify.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

#include "dump_builder.hpp"
#include "temporary_directory.hpp"
#include "watch/folder_events.hpp"
#include "watch/network_file_system.hpp"
#include "watch/numbered_dumps.hpp"
#include "watched_dumps.hpp"

#include <opdebug/watch.hpp>

namespace fs = std::filesystem;
using namespace opdebug;
using namespace opdebug::test;
using std::chrono::milliseconds;

namespace {

/// An event as the kernel writes it: the name is filled up with zeros.
std::string event(int folder, std::uint32_t mask, const std::string& name = "") {
    inotify_event header{};
    header.wd = folder;
    header.mask = mask;
    header.len = name.empty() ? 0 : static_cast<std::uint32_t>((name.size() / 16 + 1) * 16);
    std::string bytes(sizeof header, '\0');
    std::memcpy(bytes.data(), &header, sizeof header);
    return bytes + name + std::string(header.len - name.size(), '\0');
}

}  // namespace

TEST_CASE("watch: events name files and folders; folders that are gone are forgotten") {
    watch::FoldersByNumber folders{{1, "a"}, {2, "b/"}, {3, "c"}};
    watch::FolderChanges changes;
    watch::take_events(event(1, IN_CLOSE_WRITE, "dump") + event(2, IN_CREATE | IN_ISDIR, "sixteen letters.") +
                           event(3, IN_MOVE_SELF) + event(3, IN_CREATE, "elsewhere") + event(9, IN_CREATE, "unknown"),
                       folders, changes);
    CHECK(changes.files == std::vector<std::string>{"a/dump"});
    CHECK(changes.folders == std::vector<std::string>{"b/sixteen letters."});
    CHECK_FALSE(changes.lost);
    CHECK(folders.count(3) == 0);
    CHECK(changes.gone == std::vector<std::string>{"c"});
}

TEST_CASE("watch: events that the system had no room for are noticed; cut bytes do no harm") {
    watch::FoldersByNumber folders{{1, "a"}};
    watch::FolderChanges changes;
    watch::take_events(event(-1, IN_Q_OVERFLOW), folders, changes);
    CHECK(changes.lost);
    const std::string whole = event(1, IN_CREATE, "dump");
    for (std::size_t size = 0; size < whole.size(); ++size) {
        watch::take_events(std::string_view(whole).substr(0, size), folders, changes);
    }
    CHECK(folders.size() == 1);
}

TEST_CASE("watch: network file systems by the numbers of statfs(2)") {
    CHECK(watch::network_file_system_name(0x6969) == "nfs");
    CHECK(watch::network_file_system_name(0x0BD00BD0) == "lustre");
    CHECK(watch::network_file_system_name(0xFF534D42) == "cifs");
    CHECK_FALSE(watch::network_file_system_name(0xEF53));      // ext4
    CHECK_FALSE(watch::network_file_system_name(0x01021994));  // tmpfs, next to 9p's 0x01021997
}

TEST_CASE("watch: each dump once, the first of its rank and new groups marked") {
    for (const bool poll : {false, true}) {
        const TemporaryDirectory directory;
        write_file(dump_below(directory, 0, 1), overflowed());
        DumpWatch watch({directory / ""}, quick(poll));
        CHECK(watch.method() == (poll ? WatchMethod::polling : WatchMethod::inotify));
        const auto first = look_until(watch, 1);
        REQUIRE(first.size() == 1);
        CHECK(first[0].first_of_rank);
        REQUIRE(first[0].new_groups.size() == 1);
        CHECK(first[0].new_groups[0].cause == "ai_core.float_overflow");
        CHECK(first[0].new_groups[0].model == "Net");

        write_file(dump_below(directory, 0, 2), overflowed());
        const auto second = look_until(watch, 1);
        REQUIRE(second.size() == 1);
        CHECK(second[0].scanned.file == dump_below(directory, 0, 2));
        CHECK_FALSE(second[0].first_of_rank);
        CHECK(second[0].new_groups.empty());

        write_file(dump_below(directory, 1, 1), overflowed(0));  // clean: neither first nor a group
        write_file(dump_below(directory, 1, 2), overflowed(0x120));
        const auto others = look_until(watch, 2);
        REQUIRE(others.size() == 2);
        std::size_t firsts = 0, groups = 0;
        for (const WatchedDump& dump : others) {
            firsts += dump.first_of_rank ? 1U : 0U;
            groups += dump.new_groups.size();
        }
        CHECK(firsts == 1);
        CHECK(groups == 1);  // of the conversion; that of float overflows is known
        const Scan scan = watch.scan();
        CHECK(scan.counts.dumps == 4);
        CHECK(scan.counts.overflowed == 3);
        CHECK(scan.counts.clean == 1);
        CHECK(scan.complete);
    }
}

TEST_CASE("watch: dumps that are there together come in the order of the times in their names") {
    const TemporaryDirectory directory;
    const std::string folder = directory / "rank_0/Net/0/3/Opdebug.Node_OpDebug.";
    write_file(folder + "1.563.1772618405000002", overflowed());
    write_file(folder + "2.563.1772618405000001", overflowed());
    DumpWatch watch({directory / ""}, quick(false));
    const auto given = look_until(watch, 2);
    REQUIRE(given.size() == 2);
    CHECK(given[0].scanned.file == folder + "2.563.1772618405000001");
    CHECK(given[0].first_of_rank);
}

TEST_CASE("watch: a damaged dump is given when it did not change for a while, not before") {
    const TemporaryDirectory directory;
    WatchOptions options = quick(false);
    options.quiet = milliseconds(300);
    const std::string file = dump_below(directory, 0, 1);
    write_file(file, cut(overflowed(0), 1500));
    DumpWatch watch({directory / ""}, options);
    const auto begin = std::chrono::steady_clock::now();
    watch.look([](WatchedDump&&) { FAIL("it may still be written"); });
    CHECK(watch.waiting() == 1);
    const auto given = look_until(watch, 1);
    REQUIRE(given.size() == 1);
    CHECK(given[0].scanned.state == DumpState::failed);
    CHECK(std::chrono::steady_clock::now() - begin >= options.quiet);
    CHECK(watch.waiting() == 0);
}

TEST_CASE("watch: a damaged dump that is old is given at once") {
    const TemporaryDirectory directory;
    const std::string file = dump_below(directory, 0, 1);
    write_file(file, cut(overflowed(0), 1000));
    fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(1));
    WatchOptions options = quick(true);
    options.quiet = std::chrono::hours(1);
    DumpWatch watch({directory / ""}, options);
    std::size_t given = 0;
    watch.look([&given](WatchedDump&&) { ++given; });
    CHECK(given == 1);
}

TEST_CASE("watch: the operator's dump, which is written behind, is waited for") {
    const TemporaryDirectory directory;
    write_file(dump_below(directory, 0, 1), overflowed());
    WatchOptions options = quick(false);
    options.op_dump_wait = milliseconds(200);
    DumpWatch watch({directory / ""}, options);
    watch.look([](WatchedDump&&) { FAIL("its operator may still come"); });
    // The record's task and stream (ai_core_example) stand in the name.
    write_file(directory / "rank_0/Net/0/3/Mul.net_mul.57.563.1772618405000100", Buffer{});
    const auto given = look_until(watch, 1);
    REQUIRE(given.size() == 1);
    CHECK(given[0].item.operator_type == "Mul");
}

TEST_CASE("watch: what comes behind an overflow that waits for its operator's dump is given behind it") {
    const TemporaryDirectory directory;
    const std::string first = dump_below(directory, 0, 1);
    const std::string second = directory / "rank_0/Net/0/4/Opdebug.Node_OpDebug.1.563.1772618405100000";
    WatchOptions options = quick(false);
    options.op_dump_wait = milliseconds(300);
    DumpWatch watch({directory / ""}, options);
    write_file(first, overflowed());
    watch.look([](WatchedDump&&) { FAIL("its operator may still come"); });
    write_file(directory / "rank_0/Net/0/4/Mul.net_mul.57.563.1772618405100100", Buffer{});
    write_file(second, overflowed());  // its operator is there
    const auto given = look_until(watch, 2);
    REQUIRE(given.size() == 2);
    CHECK(given[0].scanned.file == first);
    CHECK(given[0].first_of_rank);
    CHECK(given[1].item.operator_type == "Mul");
    CHECK_FALSE(given[1].first_of_rank);
}

TEST_CASE("watch: several overflows that wait are given in their order, whenever they came") {
    const TemporaryDirectory directory;
    WatchOptions options = quick(false);
    options.op_dump_wait = milliseconds(500);
    const auto dump = [&directory](int rank, int task, const char* time) {
        return directory / ("rank_" + std::to_string(rank) + "/Net/0/4/Opdebug.Node_OpDebug." + std::to_string(task) +
                            ".563." + time);
    };
    const auto look_for = [](DumpWatch& watch, milliseconds how_long, std::vector<std::string>& given) {
        const auto end = std::chrono::steady_clock::now() + how_long;
        do {
            watch.look([&given](WatchedDump&& got) { given.push_back(got.scanned.file); });
            watch.wait(milliseconds(20));
        } while (std::chrono::steady_clock::now() < end);
    };
    DumpWatch watch({directory / ""}, options);
    std::vector<std::string> given;
    const std::string first = write_file(dump(0, 1, "1772618401000000"), overflowed());
    look_for(watch, milliseconds(150), given);
    const std::string second = write_file(dump(1, 2, "1772618402000000"), overflowed());
    look_for(watch, milliseconds(300), given);
    write_file(directory / "rank_1/Net/0/4/Mul.net_mul.57.563.1772618402999999", Buffer{});
    const std::string third = write_file(dump(1, 3, "1772618403000000"), overflowed());
    look_for(watch, milliseconds(1500), given);
    CHECK(given == std::vector<std::string>{first, second, third});
}

TEST_CASE("watch: dumps with earlier times that come again and again hold none up for long") {
    const TemporaryDirectory directory;
    WatchOptions options = quick(false);
    options.op_dump_wait = milliseconds(300);
    DumpWatch watch({directory / ""}, options);
    write_file(directory / "rank_1/Net/0/4/Mul.net_mul.57.563.1772618409999999", Buffer{});
    const std::string late =
        write_file(directory / "rank_1/Net/0/4/Opdebug.Node_OpDebug.1.563.1772618410000000", overflowed());
    bool is_given = false;
    for (int i = 0; i < 20 && !is_given; ++i) {  // two seconds
        write_file(directory / ("rank_0/Net/0/4/Opdebug.Node_OpDebug.2.563.17726184090000" + std::to_string(99 - i)),
                   overflowed());
        watch.look([&](WatchedDump&& got) { is_given = is_given || got.scanned.file == late; });
        std::this_thread::sleep_for(milliseconds(100));
    }
    CHECK(is_given);
}

TEST_CASE("watch: a dump that is gone before it could be read is told; finish() takes what waits; stop ends early") {
    const TemporaryDirectory directory;
    const std::string file = dump_below(directory, 0, 1);
    write_file(file, cut(overflowed(0), 1000));
    DumpWatch watch({directory / ""}, quick(false));
    watch.look([](WatchedDump&&) {});
    CHECK(watch.waiting() == 1);
    fs::remove(file);
    std::this_thread::sleep_for(milliseconds(220));  // until it is tried again
    watch.look([](WatchedDump&&) {});
    CHECK(watch.waiting() == 0);
    bool told = false;
    for (const Diagnostic& diagnostic : watch.take_diagnostics()) {
        told = told || diagnostic.code == "dumps_gone";
    }
    CHECK(told);
    CHECK(watch.take_diagnostics().empty());

    write_file(dump_below(directory, 0, 2), cut(overflowed(0), 1000));
    watch.look([](WatchedDump&&) {});
    std::size_t given = 0;
    watch.finish([&given](WatchedDump&&) { ++given; });
    CHECK(given == 1);

    WatchOptions stopping = quick(false);
    bool stop = false;
    stopping.scan.stop = [&stop] { return stop; };
    DumpWatch stopped({directory / ""}, stopping);
    stopped.look([](WatchedDump&&) {});
    stop = true;
    stopped.finish([](WatchedDump&&) { FAIL("it was told to stop"); });
    CHECK_FALSE(stopped.scan().complete);
}

TEST_CASE("watch: a dump that is called by a number, however late the line comes that names it") {
    const std::string line = "1234567890123456,Opdebug.Node_OpDebug.57.563.1772618405000000\n";
    const std::string other = "77,Add.net_Add.9.9.1772618405000000\n";
    for (const bool poll : {false, true}) {
        for (const bool list_first : {false, true}) {
            CAPTURE(poll);
            CAPTURE(list_first);
            const TemporaryDirectory directory;
            const std::string list = write_file(directory / "m/mapping.csv", other);
            write_file(directory / "m/77", "an operator's dump");
            DumpWatch watch({directory / ""}, quick(poll));
            watch.look([](WatchedDump&&) { FAIL("there is none"); });
            const auto add_line = [&] { std::ofstream(list, std::ios::app) << line; };
            const auto write_dump = [&] { write_file(directory / "m/1234567890123456", overflowed()); };
            list_first ? add_line() : write_dump();
            watch.look([](WatchedDump&&) { FAIL("one half of it is there"); });
            list_first ? write_dump() : add_line();
            const auto given = look_until(watch, 1);
            REQUIRE(given.size() == 1);
            CHECK(given[0].scanned.file == directory / "m/1234567890123456");
            CHECK(given[0].scanned.state == DumpState::overflowed);
            CHECK(watch.scan().counts.op_dumps == 1);
        }
    }
}

TEST_CASE("watch: the end takes a dump whose name came a moment before") {
    const TemporaryDirectory directory;
    const std::string list = write_file(directory / "mapping.csv", "77,Add.net_Add.9.9.1772618405000000\n");
    write_file(directory / "78", overflowed());
    DumpWatch watch({directory / ""}, quick(false));
    watch.look([](WatchedDump&&) { FAIL("it has no name yet"); });
    std::ofstream(list, std::ios::app) << "78,Opdebug.Node_OpDebug.57.563.1772618405000000\n";
    std::size_t given = 0;
    watch.finish([&given](WatchedDump&&) { ++given; });
    CHECK(given == 1);
}

TEST_CASE("watch: the list of a folder is asked anew when it changed, and tells of overflow dumps only") {
    const TemporaryDirectory directory;
    const Limits limits;
    watch::NumberedDumps numbered(limits);
    CHECK(numbered.of_folder(directory / "").empty());
    const std::string list = write_file(directory / "mapping.csv", "1,Add.net_Add.9.9.1772618405000000\n");
    CHECK(numbered.of_folder(directory / "").empty());
    std::ofstream(list, std::ios::app) << "2,Opdebug.Node_OpDebug.57.563.1772618405000000\n";
    REQUIRE(numbered.of_folder(directory / "").size() == 1);
    CHECK(numbered.of_folder(directory / "").begin()->first == "2");
    fs::remove(list);
    CHECK(numbered.of_folder(directory / "").empty());
}
