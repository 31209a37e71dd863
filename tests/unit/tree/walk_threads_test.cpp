// Folders that further threads list before their turn: what is found must not depend on them.
#include <doctest/doctest.h>

#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

#include "temporary_directory.hpp"
#include "tree/walk.hpp"

namespace fs = std::filesystem;
using namespace opdebug;
using namespace opdebug::test;

namespace {

const std::string kThreadedDump = "Opdebug.Node_OpDebug.1.5.1732082705016774";

/// 40 ranks with two folders of dumps each, names that are numbers, a chain of nested folders, and links.
void write_tree(const TemporaryDirectory& directory) {
    for (int rank = 0; rank < 40; ++rank) {
        const std::string folder = "rank_" + std::to_string(rank) + "/debug_files/";
        for (const std::string step : {"3", "11"}) {
            write_file(directory / (folder + step + "/" + kThreadedDump), "x");
            write_file(directory / (folder + step + "/Add.net_Add.57.563.1732082705016780"), "x");
            write_file(directory / (folder + step + "/readme.txt"), "x");
        }
        write_file(directory / (folder + "3/1234"), "x");
        write_file(directory / (folder + "3/mapping.csv"), "1234," + kThreadedDump + "\n");
    }
    std::string nested = "nested";
    for (int depth = 0; depth < 30; ++depth) {
        nested += "/" + std::to_string(depth) + "_";
        write_file(directory / (nested + "/" + kThreadedDump), "x");
    }
    fs::create_directory_symlink("rank_3/debug_files", directory / "link");
    fs::create_directory_symlink("..", directory / "nested/loop");
    fs::create_symlink("nowhere", directory / ("rank_7/" + kThreadedDump));
}

/// All that a walk tells, in lines.
std::vector<std::string> shown(const Result<tree::Walk>& walk) {
    REQUIRE(walk);
    std::vector<std::string> lines{std::to_string(walk->op_dumps), std::to_string(walk->other_files),
                                   walk->complete ? "complete" : "stopped"};
    for (const tree::DumpPlace& place : walk->in_path_order) {
        lines.push_back(walk->folders[place.folder].prefix + walk->folders[place.folder].dumps[place.dump].name);
    }
    for (const Error& failure : walk->failures) {
        lines.push_back(to_string(failure));
    }
    for (const Diagnostic& diagnostic : walk->diagnostics) {
        lines.push_back(diagnostic.code + " " + diagnostic.message);
    }
    return lines;
}

}  // namespace

TEST_CASE("walk: any number of threads finds the same, links, numbers and folders too deep included") {
    const TemporaryDirectory directory;
    write_tree(directory);
    tree::WalkOptions options;
    options.limits.folder_depth = 20;
    const std::vector<std::string> alone = shown(tree::walk({directory.path().string()}, options));
    CHECK(alone.size() ==
          3 + 40 * 3 + 19 + 1 + 1);  // dumps of ranks and nested folders, one too deep, one dangling link
    CHECK(alone[0] == "80");
    for (const unsigned threads : {2U, 3U, 16U}) {
        options.threads = threads;
        for (int run = 0; run < 10; ++run) {
            CHECK(shown(tree::walk({directory.path().string()}, options)) == alone);
        }
    }
}

TEST_CASE("walk: a stop ends it at once, whatever further threads have listed") {
    const TemporaryDirectory directory;
    write_tree(directory);
    tree::WalkOptions options;
    options.threads = 4;
    std::atomic<int> asked = 0;
    options.stop = [&asked] { return ++asked > 10; };
    const Result<tree::Walk> walk = tree::walk({directory.path().string()}, options);
    REQUIRE(walk);
    CHECK_FALSE(walk->complete);
    CHECK(asked <= 12);
    CHECK(walk->in_path_order.size() < 30);
}
