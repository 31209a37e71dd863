// A walk below given paths: each folder once, its dumps, the names of operators' files, what is listed for callers.
#include <doctest/doctest.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "temporary_directory.hpp"
#include "tree/walk.hpp"

namespace fs = std::filesystem;
using namespace opdebug;
using namespace opdebug::test;
using Names = std::vector<std::string>;

namespace {

const std::string kDump = "Opdebug.Node_OpDebug.1.5.1732082705016774";
const std::string kAdd = "Add.add.1.5.1732082705016770";
const std::string kMul = "Mul.mul.2.5.1732082705016771";

/// 40 ranks with two folders of dumps each, names that are numbers, a chain of nested folders, and links.
void write_tree(const TemporaryDirectory& directory) {
    for (int rank = 0; rank < 40; ++rank) {
        const std::string folder = "rank_" + std::to_string(rank) + "/debug_files/";
        for (const std::string step : {"3", "11"}) {
            write_file(directory / (folder + step + "/" + kDump), "x");
            write_file(directory / (folder + step + "/Add.net_Add.57.563.1732082705016780"), "x");
            write_file(directory / (folder + step + "/readme.txt"), "x");
        }
        write_file(directory / (folder + "3/1234"), "x");
        write_file(directory / (folder + "3/mapping.csv"), "1234," + kDump + "\n");
    }
    std::string nested = "nested";
    for (int depth = 0; depth < 30; ++depth) {
        nested += "/" + std::to_string(depth) + "_";
        write_file(directory / (nested + "/" + kDump), "x");
    }
    fs::create_directory_symlink("rank_3/debug_files", directory / "link");
    fs::create_directory_symlink("..", directory / "nested/loop");
    fs::create_symlink("nowhere", directory / ("rank_7/" + kDump));
}

/// The names of operators' files of each folder with dumps; "-" if they are not known.
std::vector<Names> operator_files(const TemporaryDirectory& directory, const tree::WalkOptions& options = {}) {
    std::vector<Names> all;
    const Result<tree::Walk> walk = tree::walk({directory.path().string()}, options);
    REQUIRE(walk.ok());
    for (const tree::WalkedFolder& folder : walk->folders) {
        all.push_back(folder.operator_files.value_or(Names{"-"}));
    }
    return all;
}

}  // namespace

TEST_CASE("walk: each dump once, with links, numbers and folders too deep") {
    const TemporaryDirectory directory;
    write_tree(directory);
    tree::WalkOptions options;
    options.limits.folder_depth = 20;
    const Result<tree::Walk> walk = tree::walk({directory.path().string()}, options);
    REQUIRE(walk);
    CHECK(walk->complete);
    CHECK(walk->op_dumps == 80);
    CHECK(walk->in_path_order.size() == 40 * 3 + 19);
    REQUIRE(walk->failures.size() == 1);
    CHECK(walk->failures[0].code == ErrorCode::folder_too_deep);
    REQUIRE(walk->diagnostics.size() == 1);
    CHECK(walk->diagnostics[0].code == "dangling_links");
}

TEST_CASE("walk: a stop ends it at once") {
    const TemporaryDirectory directory;
    write_tree(directory);
    tree::WalkOptions options;
    int calls = 0;
    options.stop = [&calls] { return ++calls > 10; };
    const Result<tree::Walk> walk = tree::walk({directory.path().string()}, options);
    REQUIRE(walk);
    CHECK_FALSE(walk->complete);
    CHECK(calls == 11);
    CHECK(walk->in_path_order.size() < 30);
}

TEST_CASE("walk: each folder is listed once with its entries, and marked if a link led to it") {
    const TemporaryDirectory directory;
    write_file(directory / "tree/a/notes", "");
    write_file(directory / "elsewhere/below/notes", "");
    fs::create_directory_symlink("..", directory / "tree/a/back");
    fs::create_directory_symlink("../elsewhere", directory / "tree/link");

    std::map<std::string, std::pair<std::size_t, bool>> listed;  // entries, through a link
    std::size_t times = 0;
    tree::WalkOptions options;
    options.listed = [&](const tree::ListedFolder& folder) {
        listed[folder.path] = {folder.entries.size(), folder.behind_link};
        ++times;
    };
    const std::string tree = directory / "tree";
    REQUIRE(tree::walk({tree, tree}, options).ok());
    const std::map<std::string, std::pair<std::size_t, bool>> expected{
        {tree, {2, false}}, {tree + "/a", {2, false}}, {tree + "/link", {1, true}}, {tree + "/link/below", {1, true}}};
    CHECK(listed == expected);
    CHECK(times == listed.size());
}

TEST_CASE("walk: operators' files in order of their names, without other files") {
    const TemporaryDirectory directory;
    for (const std::string& name : {kDump, kMul, kAdd, std::string("Add.add.txt"), std::string("Add.add.1.5.123")}) {
        write_file(directory / ("a/" + name), "");
    }
    write_file(directory / ("b/" + kDump), "");
    write_file(directory / ("no_dumps/" + kAdd), "");
    CHECK(operator_files(directory) == std::vector<Names>{{kAdd, kMul}, {}});
}

TEST_CASE("walk: operators' files are not known where a mapping.csv may name further ones") {
    const TemporaryDirectory directory;
    for (const std::string& name : {kDump, kAdd, std::string("17")}) {
        write_file(directory / ("a/" + name), "");
    }
    CHECK(operator_files(directory) == std::vector<Names>{{"-"}});
}

TEST_CASE("walk: operators' files of a folder are known as long as the limit has space for all of them") {
    const TemporaryDirectory directory;
    for (const char* folder : {"a/", "b/", "c/"}) {
        write_file(directory / (folder + kDump), "");
        write_file(directory / (folder + kAdd), "");
    }
    write_file(directory / ("b/" + kMul), "");
    tree::WalkOptions options;
    options.operator_file_name_bytes = 2 * (kAdd.size() + 1);
    CHECK(operator_files(directory, options) == std::vector<Names>{{kAdd}, {"-"}, {kAdd}});
    --options.operator_file_name_bytes;  // the last folder is read first
    CHECK(operator_files(directory, options) == std::vector<Names>{{"-"}, {"-"}, {kAdd}});
}
