// Links in paths: how many, where they lead, and the ids that only the location after them shows.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "temporary_directory.hpp"
#include "tree/folder.hpp"
#include "tree/path_ids.hpp"

namespace fs = std::filesystem;
using namespace opdebug;
using namespace opdebug::test;
using Id = std::optional<std::uint64_t>;
using Text = std::optional<std::string>;

namespace {

const std::string kLinkedDump = "Opdebug.Node_OpDebug.1.5.1732082705016774";

PathIds by_both(const std::string& written, const std::string& real) {
    return tree::with_ids_behind_links(parse_path_ids(written + kLinkedDump), real + kLinkedDump);
}

}  // namespace

TEST_CASE("links are counted as the path is written") {
    const TemporaryDirectory directory;
    const std::string root = fs::canonical(directory.path()).string();
    fs::create_directories(root + "/job/rank_0");
    fs::create_directory_symlink("job", root + "/link");
    fs::create_directory_symlink("rank_0", root + "/job/latest");
    CHECK(tree::links_in(root + "/job/rank_0") == 0);
    CHECK(tree::links_in(root + "/link") == 1);
    CHECK(tree::links_in(root + "/link//") == 1);
    CHECK(tree::links_in(root + "/link/./rank_0") == 1);
    CHECK(tree::links_in(root + "/link/latest") == 2);
    CHECK(tree::links_in(root + "/link/../job/rank_0") == 1);
    CHECK(tree::links_in(root + "/nothing/there") == 0);
    CHECK(tree::links_in("") == 0);
    CHECK(tree::links_in("/") == 0);
    CHECK(tree::real_path(root + "/link/latest/") == root + "/job/rank_0");
    CHECK(tree::real_path(root + "/nothing").empty());
}

TEST_CASE("ids: where a link hides the rank's folder, that tells which number below is the step") {
    const std::string below = "20260304180000/step_1/20260304180005/0/net/1/0/";
    const PathIds ids = by_both("/x/l0/" + below, "/x/job/rank_3/" + below);
    CHECK(ids.rank == Id(3));
    CHECK(ids.data_index == Id(1));  // net/1/0 counts the loops of one execution
    CHECK(ids.time == Text("20260304180005"));
}

TEST_CASE("ids: the path as written comes first, what it leaves open is read after the links") {
    const PathIds rank = by_both("/x/l0/net/0/1/", "/x/job/rank_3/net/0/1/");
    CHECK(rank.rank == Id(3));
    CHECK(rank.model_name == Text("net"));
    CHECK(rank.data_index == Id(1));
    const PathIds time = by_both("/dump/latest/2/net/5/7/", "/dump/20260304180000/2/net/5/7/");
    CHECK(time.time == Text("20260304180000"));
    CHECK(time.device_id == Id(2));
    CHECK(time.model_name == Text("net"));
    CHECK(time.model_id == Id(5));
    CHECK(time.data_index == Id(7));
    // A user's own names for ranks stay.
    const PathIds renamed = by_both("/x/rank_8/net/0/1/", "/store/rank_0/net/0/1/");
    CHECK(renamed.rank == Id(8));
    CHECK(renamed.data_index == Id(1));
    const PathIds below = by_both("/x/rank_8/latest/2/net/5/7/", "/x/rank_8/20260304180000/2/net/5/7/");
    CHECK(below.rank == Id(8));
    CHECK(below.time == Text("20260304180000"));
    CHECK(below.data_index == Id(7));
}

TEST_CASE("ids: device and model are those of the path with the time, never half of each") {
    // As written, debug/1/5 below a rank is MindSpore's {net}/{graph}/{iteration}.
    const PathIds found = by_both("/x/rank_0/debug/1/5/", "/x/20260304180000/4/1/5/");
    CHECK(found.rank == Id(0));
    CHECK(found.time == Text("20260304180000"));
    CHECK(found.device_id == Id(4));
    CHECK(found.model_name == Text());
    CHECK(found.model_id == Id(1));
    CHECK(found.data_index == Id(5));
    const PathIds written = by_both("/x/20250101000000/1/net/2/3/", "/x/20260304180000/4/other/5/6/");
    CHECK(written.time == Text("20250101000000"));
    CHECK(written.device_id == Id(1));
    CHECK(written.model_name == Text("net"));
    CHECK(written.model_id == Id(2));
}

TEST_CASE("ids: a file that is a link, or lies after one, has those of its target") {
    const TemporaryDirectory directory;
    const std::string file = write_file(directory / ("20260304180000/3/net/2/7/" + kLinkedDump), "x");
    fs::create_symlink(file, directory / "first");
    fs::create_directory_symlink("20260304180000", directory / "latest");
    for (const std::string& path : {directory / "first", directory / ("latest/3/net/2/7/" + kLinkedDump)}) {
        CAPTURE(path);
        const PathIds ids = path_ids_of_file(path);
        CHECK(ids.time == Text("20260304180000"));
        CHECK(ids.data_index == Id(7));
    }
}
