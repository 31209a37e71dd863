// Following dumps: many paths to one dump, links that lead elsewhere, folders that come and go.
#include <doctest/doctest.h>

#include <filesystem>

#include "temporary_directory.hpp"
#include "watched_dumps.hpp"

#include <opdebug/watch.hpp>

namespace fs = std::filesystem;
using namespace opdebug;
using namespace opdebug::test;
using std::chrono::milliseconds;

TEST_CASE("watch: a link is waited for until what it leads to comes; one that leads nowhere is no dump that was gone") {
    const TemporaryDirectory directory;
    const std::string link = directory / "tree/Opdebug.Node_OpDebug.1.563.1772618405000000";
    fs::create_directories(directory / "tree");
    fs::create_symlink("../store/data.bin", link);
    fs::create_symlink("nowhere", directory / "tree/Opdebug.Node_OpDebug.2.563.1772618405000000");
    WatchOptions options = quick(false);
    options.quiet = milliseconds(600);
    DumpWatch watch({directory / "tree"}, options);
    watch.look([](WatchedDump&&) { FAIL("it leads nowhere"); });
    CHECK(watch.waiting() == 2);
    write_file(directory / "store/data.bin", overflowed());
    const auto given = look_until(watch, 1);
    REQUIRE(given.size() == 1);
    CHECK(given[0].scanned.file == link);
    watch.finish([](WatchedDump&&) { FAIL("it leads nowhere"); });
    CHECK(watch.waiting() == 0);
    CHECK(watch.take_diagnostics().empty());
    const Scan scan = watch.scan();
    CHECK(scan.counts.other_files == 1);
    REQUIRE(scan.diagnostics.size() == 1);
    CHECK(scan.diagnostics[0].code == "dangling_links");
}

TEST_CASE("watch: a folder that was deleted and made again between two looks is watched again") {
    const TemporaryDirectory directory;
    const std::string root = directory / "dump";
    fs::create_directories(root);
    DumpWatch watch({root}, quick(false));
    watch.look([](WatchedDump&&) {});
    fs::remove_all(root);
    fs::create_directories(root);
    watch.look([](WatchedDump&&) {});
    write_file(root + "/Opdebug.Node_OpDebug.1.563.1772618405000000", overflowed());
    CHECK(look_until(watch, 1).size() == 1);
}

TEST_CASE("watch: links in circles and files that are given themselves") {
    const TemporaryDirectory directory;
    const std::string file = dump_below(directory, 0, 1);
    write_file(file, overflowed());
    fs::create_directory_symlink("..", directory / "rank_0/around");
    for (const bool poll : {false, true}) {
        DumpWatch watch({directory / "", file}, quick(poll));
        CHECK(look_until(watch, 1).size() == 1);
        watch.look([](WatchedDump&&) { FAIL("each dump comes once"); });
    }
}

TEST_CASE("watch: one dump, whatever paths lead to it: other spellings, links, a folder that is renamed") {
    for (const bool poll : {false, true}) {
        CAPTURE(poll);
        const TemporaryDirectory directory;
        const std::string root = directory / "dump";
        const std::string file = write_file(root + "/a/Opdebug.Node_OpDebug.57.563.1772618405000000", overflowed());
        write_file(root + "/a/Add.net_Add.57.563.1772618405000001", "an operator's dump");
        fs::create_symlink(file, root + "/Opdebug.Node_OpDebug.58.563.1772618405000002");
        fs::create_directory_symlink("a", root + "/link_of_a");
        fs::create_directory_symlink("dump", directory / "link");
        DumpWatch watch({root, root + "/.", directory / "link"}, quick(poll));
        const auto first = look_until(watch, 1);
        REQUIRE(first.size() == 1);
        CHECK(fs::path(first[0].scanned.file).parent_path().filename() == "a");
        fs::rename(root + "/a", root + "/rank_0");
        write_file(root + "/rank_0/Opdebug.Node_OpDebug.59.563.1772618406000000", overflowed());
        const auto later = look_until(watch, 1);
        REQUIRE(later.size() == 1);
        CHECK(fs::path(later[0].scanned.file).filename() == "Opdebug.Node_OpDebug.59.563.1772618406000000");
        // The end gives the renamed one again, as a scan names it: by the folder rather than a link; and the other
        // overflow, for the first of both may be another one now.
        std::vector<std::string> again;
        watch.finish([&again](WatchedDump&& dump) { again.push_back(dump.scanned.file); });
        REQUIRE(again.size() == 2);
        CHECK(again[0] == root + "/rank_0/Opdebug.Node_OpDebug.57.563.1772618405000000");
        CHECK(again[1] == later[0].scanned.file);
        const ScanCounts counts = watch.scan().counts;
        CHECK(counts.dumps == 2);
        CHECK(counts.op_dumps == 1);
    }
}

TEST_CASE("watch: of a given link and the folder that it leads to, the folder names the dumps, as for scans") {
    for (const bool poll : {false, true}) {
        CAPTURE(poll);
        const TemporaryDirectory directory;
        write_file(dump_below(directory, 0, 1), overflowed());
        fs::create_directory_symlink("rank_0", directory / "link");
        const auto given_by = [&](const std::vector<std::string>& paths) {
            DumpWatch watch(paths, quick(poll));
            const auto given = look_until(watch, 1);
            REQUIRE(given.size() == 1);
            CHECK(given[0].item.path_ids.rank == std::optional<std::uint64_t>(0));
            CHECK(given[0].item.path_ids.data_index == std::optional<std::uint64_t>(3));
            return given[0].scanned.file;
        };
        CHECK(given_by({directory / "link", directory / "rank_0"}) == dump_below(directory, 0, 1));
        CHECK(given_by({directory / "link"}).starts_with(directory / "link/"));
    }
}

TEST_CASE("watch: further names of a file are dumps of their own, as for scans") {
    const TemporaryDirectory directory;
    const std::string file = write_file(directory / "Opdebug.Node_OpDebug.57.563.1772618405000000", overflowed());
    fs::create_hard_link(file, directory / "Opdebug.Node_OpDebug.58.563.1772618405000000");
    DumpWatch watch({directory / ""}, quick(false));
    CHECK(look_until(watch, 2).size() == 2);
}

TEST_CASE("watch: dumps that count although they are damaged are told, as by scans") {
    const TemporaryDirectory directory;
    Buffer cut = overflowed();
    cut.resize(cut.size() - 8);
    const std::string file = write_file(directory / "Opdebug.Node_OpDebug.57.563.1772618405000000", cut);
    DumpWatch watch({directory / ""}, quick(false));
    CHECK(look_until(watch, 1).size() == 1);
    const Scan scan = watch.scan();
    CHECK(scan.damage.first == std::vector<std::string>{file});
    REQUIRE(scan.diagnostics.size() == 1);
    CHECK(scan.diagnostics[0].code == "dumps_damaged");
}

TEST_CASE("watch: links to folders that come, and that are led elsewhere, inside of a path and as one") {
    for (const bool poll : {false, true}) {
        for (const bool inside : {false, true}) {
            CAPTURE(poll);
            CAPTURE(inside);
            const TemporaryDirectory directory;
            const auto dump_in = [&directory](const std::string& folder, int task) {
                return write_file(
                    directory / (folder + "/0/Opdebug.Node_OpDebug." + std::to_string(task) + ".563.1772618405000000"),
                    overflowed());
            };
            const std::string latest = directory / "tree/latest";
            const auto lead_to = [&](const std::string& run) {
                fs::create_directory_symlink(directory / run, directory / "link");
                fs::rename(directory / "link", latest);
            };
            for (const char* folder : {"tree", "run1/0", "run2"}) {
                fs::create_directories(directory / folder);
            }
            DumpWatch watch({inside ? directory / "tree" : latest, directory / "run1"}, quick(poll));
            watch.look([](WatchedDump&&) { FAIL("there is none"); });
            lead_to("run1");
            watch.look([](WatchedDump&&) { FAIL("there is none"); });
            dump_in("run1", 1);
            CHECK(look_until(watch, 1).size() == 1);
            lead_to("run2");
            watch.look([](WatchedDump&&) { FAIL("there is no new one"); });
            dump_in("run2", 2);
            const auto of_run2 = look_until(watch, 1);
            REQUIRE(of_run2.size() == 1);
            CHECK(of_run2[0].scanned.file == latest + "/0/Opdebug.Node_OpDebug.2.563.1772618405000000");
            const std::string other = dump_in("run1", 3);  // it is watched by its own path as well
            const auto of_run1 = look_until(watch, 1);
            REQUIRE(of_run1.size() == 1);
            CHECK(of_run1[0].scanned.file == other);
        }
    }
}
