// Where the files of convert, tensors and overflow go, and what they are called.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "results/result_files.hpp"

#include "temporary_directory.hpp"

using namespace opdebug;
using namespace opdebug::test;

TEST_CASE("result files: converted outputs and tensors are called after the dump, without its folder") {
    CHECK(converted_name("a/b/Opdebug.Node_OpDebug.1.2", 0) == "Opdebug.Node_OpDebug.1.2.output.0.json");
    const NpyName name = npy_name("a/Add.n.1.2.3", TensorKind::input, 12);
    CHECK(name.name == "Add.n.1.2.3.input.12.npy");
    CHECK(name.mapping_line.empty());
}

TEST_CASE("result files: names from 255 bytes on are short, and told in one line") {
    const std::string fits(241, 'A');
    CHECK(npy_name(fits, TensorKind::output, 0).name == fits + ".output.0.npy");

    // The digits: uuid.uuid3(uuid.NAMESPACE_DNS, name).hex of Python.
    const std::string too_long(242, 'A');
    const NpyName shortened = npy_name(too_long, TensorKind::output, 0);
    CHECK(shortened.name == "367750710b9238bd80dc5fd09fa982bf.npy");
    CHECK(shortened.mapping_line == shortened.name + "," + too_long + ".output.0.npy\n");

    const NpyName broken = npy_name(std::string(241, 'B') + "\n", TensorKind::input, 12);
    CHECK(broken.name == "8677ad746b543574ad532f13d0f86827.npy");
    CHECK(broken.mapping_line.find('\n') == broken.mapping_line.size() - 1);
}

TEST_CASE("result files: equal names are told apart by the folders in which they differ") {
    const auto folders = result_folders({"/r/0/x/d", "/r/1/x/d", "/r/1/x/e", "/r/0/x/d"});
    CHECK(folders.size() == 3);
    CHECK(folders.at("/r/0/x/d") == "0/x");
    CHECK(folders.at("/r/1/x/d") == "1/x");
    CHECK(folders.at("/r/1/x/e").empty());
}

TEST_CASE("result files: a conversion mirrors the tree, takes a dump once and tells what is not there") {
    const TemporaryDirectory directory;
    const std::string name = "Opdebug.Node_OpDebug.59.1597922031178434";
    for (const char* folder : {"tree/0", "tree/1"}) {
        write_file(directory / (std::string(folder) + "/" + name), "names decide what a dump is");
    }
    const ConversionPlan plan =
        plan_conversion({directory / "tree", directory / "tree/0/../1", directory / "missing"}, {});
    REQUIRE(plan.conversions.size() == 2);
    CHECK(plan.conversions[0].file == directory / ("tree/0/" + name));
    CHECK(plan.conversions[0].result_folder == "0");
    CHECK(plan.conversions[1].result_folder == "1");
    REQUIRE(plan.failures.size() == 1);
    CHECK(plan.failures[0].file == directory / "missing");
    CHECK(plan.dumps_may_be_missing());

    const ConversionPlan nothing = plan_conversion({directory / "missing"});
    CHECK(nothing.conversions.empty());
    CHECK_FALSE(nothing.dumps_may_be_missing());
}

TEST_CASE("result files: where paths of a conversion overlap, each file is converted once") {
    const TemporaryDirectory directory;
    const std::string name = "Opdebug.Node_OpDebug.59.1597922031178434";
    write_file(directory / ("tree/0/" + name), "");
    write_file(directory / "tree/0/renamed_dump", "");
    const std::vector<std::string> paths{directory / "tree/0", directory / "tree", directory / "tree/0/renamed_dump",
                                         directory / "tree"};

    const ConversionPlan plan = plan_conversion(paths);
    CHECK(plan.conversions.size() == 2);  // the dump, and the file that was given itself
}

TEST_CASE("result files: where links lead to folders, each dump is converted once and none is lost") {
    const TemporaryDirectory directory;
    const std::string name = "Opdebug.Node_OpDebug.59.1597922031178434";
    for (const char* folder : {"tree", "real", "real/run"}) {
        write_file(directory / (std::string(folder) + "/" + name), "");
    }
    std::filesystem::create_directory_symlink("../real/run", directory / "tree/link");
    std::filesystem::create_directory_symlink("tree", directory / "alias");
    const std::string tree = directory / "tree";
    const auto planned = [](const std::vector<std::string>& paths) {
        std::vector<std::string> files;
        for (const PlacedResult& dump : plan_conversion(paths).conversions) {
            files.push_back(dump.file);
        }
        return files;
    };
    // tree/link/.. is real, whatever the letters of the path state.
    CHECK(planned({tree, tree + "/link/.."}) ==
          std::vector<std::string>{tree + "/" + name, tree + "/link/" + name, tree + "/link/../" + name});
    CHECK(planned({tree, directory / "alias"}) == std::vector<std::string>{tree + "/" + name, tree + "/link/" + name});
}

TEST_CASE("result files: a folder that lies too deep for one path is counted below another") {
    const TemporaryDirectory directory;
    write_file(directory / "a/b/c/notes", "");
    Limits limits;
    limits.folder_depth = 1;
    const ConversionPlan plan = plan_conversion({directory / "a", directory / "a/b/c"}, limits);
    CHECK(plan.other_files == 1);
    REQUIRE(plan.failures.size() == 1);
    CHECK(plan.failures[0].code == ErrorCode::folder_too_deep);
}
