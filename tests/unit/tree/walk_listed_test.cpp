// What a walk tells of the folders that it lists, so that nobody lists them again.
#include <doctest/doctest.h>

#include <filesystem>
#include <map>

#include "temporary_directory.hpp"
#include "tree/walk.hpp"

using namespace opdebug;
using namespace opdebug::test;

TEST_CASE("walk: each folder is told once with its entries, and which are read because of a link") {
    const TemporaryDirectory directory;
    write_file(directory / "tree/a/notes", "");
    write_file(directory / "elsewhere/below/notes", "");
    std::filesystem::create_directory_symlink("..", directory / "tree/a/back");
    std::filesystem::create_directory_symlink("../elsewhere", directory / "tree/link");

    std::map<std::string, std::pair<std::size_t, bool>> told;  // entries, behind a link
    std::size_t times = 0;
    tree::WalkOptions options;
    options.threads = 2;
    options.listed = [&](const tree::ListedFolder& folder) {
        told[folder.path] = {folder.entries.size(), folder.behind_link};
        ++times;
    };
    const std::string tree = directory / "tree";
    REQUIRE(tree::walk({tree, tree}, options).ok());
    const std::map<std::string, std::pair<std::size_t, bool>> expected{
        {tree, {2, false}}, {tree + "/a", {2, false}}, {tree + "/link", {1, true}}, {tree + "/link/below", {1, true}}};
    CHECK(told == expected);
    CHECK(times == told.size());
}
