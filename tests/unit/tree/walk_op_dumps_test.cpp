// The names of operators' dumps that a walk keeps, so that nobody lists their folders again.
#include <doctest/doctest.h>

#include "temporary_directory.hpp"
#include "tree/walk.hpp"

using namespace opdebug;
using namespace opdebug::test;
using Names = std::vector<std::string>;

namespace {

const std::string kDump = "Opdebug.Node_OpDebug.1.5.1732082705016774";
const std::string kAdd = "Add.add.1.5.1732082705016770";
const std::string kMul = "Mul.mul.2.5.1732082705016771";

/// What is kept of each folder with dumps; "-" where nothing is.
std::vector<Names> kept(const TemporaryDirectory& directory, const tree::WalkOptions& options = {}) {
    std::vector<Names> all;
    const Result<tree::Walk> found = tree::walk({directory.path().string()}, options);
    REQUIRE(found.ok());
    for (const tree::WalkedFolder& folder : found->folders) {
        all.emplace_back();
        if (folder.operator_files) {
            folder.operator_files->each([&all](std::string_view name) { all.back().emplace_back(name); });
        } else {
            all.back().emplace_back("-");
        }
    }
    return all;
}

}  // namespace

TEST_CASE("walk: operators' dumps are kept in order of their names, other files are not") {
    const TemporaryDirectory directory;
    for (const std::string& name : {kDump, kMul, kAdd, std::string("Add.add.txt"), std::string("Add.add.1.5.123")}) {
        write_file(directory / ("a/" + name), "");
    }
    write_file(directory / ("b/" + kDump), "");
    write_file(directory / ("no_dumps/" + kAdd), "");
    CHECK(kept(directory) == std::vector<Names>{{kAdd, kMul}, {}});
}

TEST_CASE("walk: nothing is kept of a folder where a mapping.csv may name further ones") {
    const TemporaryDirectory directory;
    for (const std::string& name : {kDump, kAdd, std::string("17")}) {
        write_file(directory / ("a/" + name), "");
    }
    CHECK(kept(directory) == std::vector<Names>{{"-"}});
}

TEST_CASE("walk: the names of a folder are kept as long as there is room for all of them") {
    const TemporaryDirectory directory;
    for (const char* folder : {"a/", "b/", "c/"}) {
        write_file(directory / (folder + kDump), "");
        write_file(directory / (folder + kAdd), "");
    }
    write_file(directory / ("b/" + kMul), "");
    tree::WalkOptions options;
    options.operator_file_name_bytes = 2 * (kAdd.size() + 1);
    CHECK(kept(directory, options) == std::vector<Names>{{kAdd}, {"-"}, {kAdd}});
    --options.operator_file_name_bytes;  // the last folder is read first
    CHECK(kept(directory, options) == std::vector<Names>{{"-"}, {"-"}, {kAdd}});
}

TEST_CASE("packed names: every one comes back as it was, also what no system should call a file") {
    const Names names{"a", "", "b/c", std::string(300, 'd'), "\xff"};
    tree::PackedNames packed;
    for (const std::string& name : names) {
        packed.add(name);
    }
    const tree::PackedNames moved = std::move(packed);
    Names back;
    moved.each([&back](std::string_view name) { back.emplace_back(name); });
    CHECK(back == names);
}
