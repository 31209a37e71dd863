// Which files of a tree are dumps, and paths that lead nowhere.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include <doctest/doctest.h>

#include <opdebug/dump.hpp>
#include <opdebug/logs.hpp>
#include <opdebug/scan.hpp>
#include <opdebug/tree.hpp>

#include "bytes/system_path.hpp"
#include "dump_builder.hpp"
#include "log_builder.hpp"
#include "outcome.hpp"
#include "temporary_directory.hpp"

namespace fs = std::filesystem;
using namespace opdebug::test;
using namespace opdebug;

namespace {

// Not called find: argument-dependent lookup would then also consider std::find.
opdebug::FoundDumps found_below(const std::string& path) {
    const auto result = opdebug::find(path);
    REQUIRE(outcome(result) == "ok");
    return *result;
}

}  // namespace

TEST_CASE("dumps in nested folders are found in path order, other files are counted") {
    const TemporaryDirectory directory;
    const Buffer bytes = build_overflow_dump(ai_core_example(32));
    const std::string third = write_file(directory / "b/1/Opdebug.Node_OpDebug.1.1.1597922031178434", bytes);
    const std::string first = write_file(directory / "a/Opdebug.Node_OpDebug.2.1.1597922031178434", bytes);
    const std::string second = write_file(directory / "a/z/deep/er/Opdebug.Node_OpDebug.1.1597922031178434", bytes);
    write_file(directory / "a/Add.add.1.2.1597922031178434", "x");
    write_file(directory / "mapping.csv", "1,2\n");
    write_file(directory / "a/Opdebug.Node_OpDebug.2.1.1597922031178434.output.0.json", "{}");
    const opdebug::FoundDumps found = found_below(directory.path().string());
    CHECK(found.files == std::vector<std::string>{first, second, third});
    CHECK(found.other_files == 3);
    CHECK(found.failures.empty());
}

TEST_CASE("the spelling of the documents' text is found too") {
    const TemporaryDirectory directory;
    const std::string path = write_file(directory / "OpDebug.Node_Opdebug.1.1597922031178434", "x");
    CHECK(found_below(directory.path().string()).files == std::vector<std::string>{path});
}

TEST_CASE("a file given itself is taken whatever its name") {
    const TemporaryDirectory directory;
    const std::string path = write_file(directory / "renamed.bin", "x");
    CHECK(found_below(path).files == std::vector<std::string>{path});
}

TEST_CASE("a folder without dumps is an empty list, a missing path an error") {
    const TemporaryDirectory directory;
    write_file(directory / "readme.txt", "x");
    const opdebug::FoundDumps found = found_below(directory.path().string());
    CHECK(found.files.empty());
    CHECK(found.other_files == 1);
    const auto missing = opdebug::find(directory / "missing");
    REQUIRE(outcome(missing) == "file_not_found");
    CHECK(missing.error().file == (directory / "missing"));
}

TEST_CASE("a folder that cannot be read is listed and the rest is found") {
    if (geteuid() == 0) {
        MESSAGE("not checked: root may read every folder");
        return;
    }
    const TemporaryDirectory directory;
    const std::string path = write_file(directory / "open/Opdebug.Node_OpDebug.1.1.1597922031178434", "x");
    write_file(directory / "closed/Opdebug.Node_OpDebug.2.1.1597922031178434", "x");
    fs::permissions(directory / "closed", fs::perms::none);
    const opdebug::FoundDumps found = found_below(directory.path().string());
    fs::permissions(directory / "closed", fs::perms::owner_all);
    CHECK(found.files == std::vector<std::string>{path});
    REQUIRE(found.failures.size() == 1);
    CHECK(found.failures[0].code == opdebug::ErrorCode::permission_denied);
    CHECK(found.failures[0].file == (directory / "closed"));
}

TEST_CASE("dumps of operators: by name, by the name that mapping.csv holds, in path order; overflow dumps are others") {
    const TemporaryDirectory directory;
    const std::string second = write_file(directory / "b/Add.net_Add.57.563.1597922031178434", "x");
    const std::string first = write_file(directory / "a/deep/Mul.net_Mul.0.6.5.1732082705017174", "x");
    const std::string long_name = "Conv2D." + std::string(300, 'n') + ".58.563.1597922031178434";
    const std::string third = write_file(directory / "b/1234567890", "x");
    write_file(directory / "b/mapping.csv", "1234567890," + long_name + "\n");
    write_file(directory / "b/987654321", "x");
    write_file(directory / "b/Opdebug.Node_OpDebug.57.563.1597922031178434", "x");
    write_file(directory / "b/Add.net_Add.57.563.1597922031178434.output.0.npy", "x");
    const auto result = opdebug::find_op_dumps(directory.path().string());
    REQUIRE(outcome(result) == "ok");
    CHECK(result->files == std::vector<std::string>{first, third, second});
    CHECK(result->other_files == 4);
    CHECK(result->failures.empty());
}

TEST_CASE("dumps of operators: a file that is given itself counts whatever its name") {
    const TemporaryDirectory directory;
    const std::string path = write_file(directory / "anything", "x");
    const auto result = opdebug::find_op_dumps(path);
    REQUIRE(outcome(result) == "ok");
    CHECK(result->files == std::vector<std::string>{path});
    CHECK(outcome(opdebug::find_op_dumps(directory / "missing")) == "file_not_found");
}

TEST_CASE("op dumps: tensors as .npy count where the binary dump is not in their folder, also by mapping.csv") {
    const TemporaryDirectory directory;
    const std::string name = "Add.net_Add.57.5.1597922031178434";
    write_file(directory / ("a/" + name + ".output.0.ND.npy"), "x");
    write_file(directory / ("b/" + name), "x");
    write_file(directory / ("b/" + name + ".output.0.ND.npy"), "x");
    write_file(directory / "c/00112233445566778899001122334455.npy", "x");
    write_file(directory / "c/mapping.csv", "00112233445566778899001122334455.npy," + name + ".input.0.npy\n");
    write_file(directory / "d/array.npy", "x");
    const auto found = opdebug::find_op_dumps(directory.path().string());
    REQUIRE(outcome(found) == "ok");
    CHECK(found->files == std::vector<std::string>{directory / ("a/" + name + ".output.0.ND.npy"),
                                                   directory / ("b/" + name),
                                                   directory / "c/00112233445566778899001122334455.npy"});
}

TEST_CASE("op dumps: without any, all .npy files count, as TorchAir names them (data_dump_eager.md)") {
    const TemporaryDirectory directory;
    const std::string input = write_file(directory / "0/add_1-aten.add.Tensor.INPUT.0.20251017071211190258.npy", "x");
    const std::string output = write_file(directory / "0/add_1-aten.add.Tensor.OUTPUT.0.20251017071211190258.npy", "x");
    write_file(directory / "0/readme.txt", "x");
    const auto found = opdebug::find_op_dumps(directory.path().string());
    REQUIRE(outcome(found) == "ok");
    CHECK(found->files == std::vector<std::string>{input, output});
    CHECK(found->other_files == 1);
}

namespace {

/// The path, a NUL, and more.
std::string with_nul(const std::string& path) {
    return path + std::string("\0.more", 6);
}

}  // namespace

TEST_CASE("paths with a NUL: none leads to the file or folder before it") {
    const TemporaryDirectory directory;
    const std::string folder = directory / "tree";
    const std::string dump = folder + "/Opdebug.Node_OpDebug.57.563.1700000000000000";
    write_file(dump, build_overflow_dump(ai_core_example()));
    write_file(directory / "logs/debug/plog/plog-1_20260304100000000.log", rank_on(1, 0, "kernel").text());

    CHECK(outcome(decode_file(dump)) == "ok");
    CHECK(outcome(decode_file(with_nul(dump))) == "file_not_found");
    CHECK(outcome(find(folder)) == "ok");
    CHECK(outcome(find(with_nul(folder))) == "file_not_found");
    CHECK(outcome(find_dump_tree({folder})) == "ok");
    CHECK(outcome(find_dump_tree({with_nul(folder)})) == "file_not_found");
    CHECK(outcome(find_dump_tree({with_nul(dump)})) == "file_not_found");

    CHECK(outcome(read_logs({directory / "logs"})) == "ok");
    CHECK(outcome(read_logs({with_nul(directory / "logs")})) == "file_not_found");  // it did not end
}

TEST_CASE("paths with a NUL: others are given to the system as they are") {
    const std::string path = "/a/b";
    CHECK(bytes::system_path(path) == path.c_str());
    CHECK(std::string(bytes::system_path(with_nul(path))).empty());
}
