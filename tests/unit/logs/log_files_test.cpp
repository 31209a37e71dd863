// Which files are logs, and in which order they are read.
#include "logs/files/log_files.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "packed_text.hpp"
#include "temporary_directory.hpp"
#include "text.hpp"

using namespace opdebug;
using namespace opdebug::test;
using logs::NameKind;
using logs::read_log_name;

namespace {

/// The files found below the folder, as paths inside it.
std::vector<std::string> found_in(const TemporaryDirectory& folder, const std::vector<std::string>& paths) {
    std::vector<std::string> inside;
    for (const std::string& path : logs::find_log_files(paths).paths) {
        inside.push_back(path.substr(folder.path().string().size() + 1));
    }
    return inside;
}

std::vector<std::string> found_in(const TemporaryDirectory& folder) {
    return found_in(folder, {folder.path().string()});
}

using Paths = std::vector<std::string>;

}  // namespace

TEST_CASE("log names: plain, rotated and packed logs are known by their endings") {
    for (const std::string_view name :
         {"plog-7_20260304100000123.log", "console.txt", "train.out", "host-0_2020.log", "a.log.1", "a.log.12",
          "a.log.gz", "a.log.zst", "a.log.3.gz", "a.txt.zst", "a.log-20260304", "a.log-20260304.gz"}) {
        CHECK_MESSAGE(read_log_name(name).kind == NameKind::log, name);
    }
    for (const std::string_view name : {"mindspore.node-1.toy.user.log.WARNING.20230110-091546.4100",
                                        "mindspore.node-1.toy.log.INFO.20230110-091546.4100.gz"}) {
        CHECK_MESSAGE(read_log_name(name).kind == NameKind::log, name);
    }
    for (const std::string_view name :
         {"a.log.WARNING.20230110-091546.", "a.log.WARNING.20230110.4100", "a.log.warning.20230110-091546.4100",
          "a.csv.WARNING.20230110-091546.4100", "log.WARNING.20230110-091546.4100", "20230110-091546.4100"}) {
        CHECK_MESSAGE(read_log_name(name).kind == NameKind::other, name);
    }
    for (const std::string_view name : {"log", ".log", "model.om", "a.log.bak", "a.log.", "a.log.x1", "a.log.1x",
                                        "a.gz", "data.csv.gz", "a.5", "a.log.1.2", "catalog", "", ".", ".gz"}) {
        CHECK_MESSAGE(read_log_name(name).kind == NameKind::other, name);
    }
    for (const std::string_view name :
         {"a.tar", "a.tar.gz", "a.tar.zst", "a.tgz", "a.tar.bz2", "a.zip", "a.7z", "a.log.bz2", "a.log.1.xz"}) {
        CHECK_MESSAGE(read_log_name(name).kind == NameKind::archive, name);
    }
}

TEST_CASE("log names: files of one log have the same stem, and a larger number is older") {
    for (const std::string_view name : {"a.log", "a.log.1", "a.log.10.gz", "a.log.zst", "a.log-20260304.gz"}) {
        CHECK_MESSAGE(read_log_name(name).stem == "a.log", name);
    }
    CHECK(read_log_name("a.log").age < read_log_name("a.log.0").age);
    CHECK(read_log_name("a.log.2").age < read_log_name("a.log.10.gz").age);
    CHECK(read_log_name("a.log-20260305").age < read_log_name("a.log-20260304.gz").age);
    CHECK(read_log_name("a.log").age < read_log_name("a.log-20260305").age);
}

TEST_CASE("log files: rotated files stand from the oldest to the newest") {
    const TemporaryDirectory folder;
    for (const std::string_view name : {"a.log", "a.log.1", "a.log.2.gz", "a.log.10", "b.log", "a.txt"}) {
        write_file(folder / name, name);
    }
    CHECK(found_in(folder) == Paths{"a.log.10", "a.log.2.gz", "a.log.1", "a.log", "a.txt", "b.log"});
}

TEST_CASE("log files: plogs of a process stand in the order of the times in their names") {
    const TemporaryDirectory folder;
    write_file(folder / "debug/plog/plog-7_20260304110000001.log", "b");
    write_file(folder / "debug/plog/plog-7_20260304100000999.log", "a");
    write_file(folder / "debug/plog/plog-7_20260304110000000.log.gz", "c");
    CHECK(found_in(folder) == Paths{"debug/plog/plog-7_20260304100000999.log",
                                    "debug/plog/plog-7_20260304110000000.log.gz",
                                    "debug/plog/plog-7_20260304110000001.log"});
}

TEST_CASE("log files: the run log of a root stands before its other logs, which need its captures") {
    const TemporaryDirectory folder;
    for (const std::string_view name : {"a/debug/plog/1.log", "a/run/plog/1.log", "b/debug/plog/1.log"}) {
        write_file(folder / name, name);
    }
    CHECK(found_in(folder) == Paths{"a/run/plog/1.log", "a/debug/plog/1.log", "b/debug/plog/1.log"});
}

TEST_CASE("log files: the trees of a host, of collectors, of 2020 and of small chips are searched") {
    const TemporaryDirectory folder;
    const Paths tree{"dfx/log/device/dev-os-0/application/run/device-app-9/device-app-9_20260304100000000.log",
                     "dfx/log/device/dev-os-0/firmware/debug/device-0/device-0_20260304100000000.log",
                     "dfx/log/host/cann/debug/plog/plog-7_20260304100000000.log",
                     "dfx/log/host/cann/run/device-0/device-7_20260304100000000.log",
                     "run/device-app-9/device-app-9_20260304100000000.log",
                     "slog/device-0/device-0_20200304100000000.log",
                     "slog/host-0/host-0_20200304100000000.log"};
    for (const std::string& path : tree) {
        write_file(folder / path, path);
    }
    write_file(folder / "dfx/data/other.bin", "x");
    CHECK(found_in(folder) == tree);
}

TEST_CASE("log files: the order does not depend on the order of the paths") {
    const TemporaryDirectory folder;
    Paths paths;
    for (const std::string_view name : {"x/a.log", "x/a.log.1", "y/a.log.2", "y/odd name", "z.log"}) {
        paths.push_back(write_file(folder / name, name));
    }
    const Paths expected{"x/a.log.1", "x/a.log", "y/a.log.2", "y/odd name", "z.log"};
    std::sort(paths.begin(), paths.end());
    do {
        REQUIRE(found_in(folder, paths) == expected);
    } while (std::next_permutation(paths.begin(), paths.end()));
}

TEST_CASE("log files: a file is there once, by whatever paths and links it is reached") {
    const TemporaryDirectory folder;
    const std::string file = write_file(folder / "a.log", "x");
    REQUIRE(::symlink("a.log", (folder / "b.log").c_str()) == 0);
    REQUIRE(::link(file.c_str(), (folder / "c.log").c_str()) == 0);
    CHECK(found_in(folder) == Paths{"a.log"});
    CHECK(found_in(folder, {folder / "c.log", file, folder.path().string(), file}) == Paths{"a.log"});
}

TEST_CASE("log files: a packed copy next to its original is left out, other content of that name is not") {
    const TemporaryDirectory folder;
    write_file(folder / "a.log", "same\n");
    write_file(folder / "a.log.gz", gzip_of("same\n"));
    write_file(folder / "b.log", "new\n");
    write_file(folder / "b.log.gz", gzip_of("older lines\n"));
    write_file(folder / "c.log.gz", gzip_of("alone\n"));
    write_file(folder / "d.log", "");
    write_file(folder / "d.log.gz", "");
    CHECK(found_in(folder) == Paths{"a.log", "b.log", "b.log.gz", "c.log.gz", "d.log", "d.log.gz"});
}

TEST_CASE("log files: archives below a folder are reported with what to do") {
    const TemporaryDirectory folder;
    write_file(folder / "logs.tar.gz", "x");
    write_file(folder / "a.log", "x");
    const logs::LogFiles files = logs::find_log_files({folder.path().string()});
    CHECK(files.paths.size() == 1);
    REQUIRE(files.failures.size() == 1);
    CHECK(files.failures[0].file == folder / "logs.tar.gz");
    CHECK(files.failures[0].code == ErrorCode::log_unreadable);
    CHECK(contains(files.failures[0].message, "unpack"));
}

TEST_CASE("log files: a folder that is called like a log is a folder") {
    const TemporaryDirectory folder;
    write_file(folder / "plog.log/a.log", "x");
    CHECK(found_in(folder) == Paths{"plog.log/a.log"});
}
