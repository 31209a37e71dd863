// What the folders above a dump show, and that nothing is guessed where a layout is ambiguous.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include <opdebug/tree.hpp>

#include "temporary_directory.hpp"
#include "tree/path_ids.hpp"

using opdebug::parse_path_ids;
using opdebug::path_ids_of_file;
using opdebug::PathIds;
using opdebug::tree::time_folder_of_file;
using Id = std::optional<std::uint64_t>;
using Text = std::optional<std::string>;

namespace {

const std::string file = "Opdebug.Node_OpDebug.1.5.1732082705016774";

PathIds ids(const std::string& folders) {
    return parse_path_ids(folders + file);
}

void check_none(const PathIds& found) {
    CHECK(found.time == Text());
    CHECK(found.device_id == Id());
    CHECK(found.model_name == Text());
    CHECK(found.model_id == Id());
    CHECK(found.data_index == Id());
    CHECK(found.rank == Id());
}

}  // namespace

TEST_CASE("time, device, model name, model id, data index") {
    const PathIds found = ids("/home/user/output/20200808163566/3/npu_cluster_0/11/7/");
    CHECK(found.time == Text("20200808163566"));
    CHECK(found.device_id == Id(3));
    CHECK(found.model_name == Text("npu_cluster_0"));
    CHECK(found.model_id == Id(11));
    CHECK(found.data_index == Id(7));
    CHECK(found.rank == Id());
}

TEST_CASE("time, device, model id, data index as in old documents") {
    const PathIds found = ids("dump/20200808163556/0/11/1/");
    CHECK(found.time == Text("20200808163556"));
    CHECK(found.device_id == Id(0));
    CHECK(found.model_name == Text());
    CHECK(found.model_id == Id(11));
    CHECK(found.data_index == Id(1));
}

TEST_CASE("time and device only, as for single operators") {
    const PathIds found = ids("20241120060505/2/");
    CHECK(found.time == Text("20241120060505"));
    CHECK(found.device_id == Id(2));
    CHECK(found.model_name == Text());
    CHECK(found.model_id == Id());
    CHECK(found.data_index == Id());
}

TEST_CASE("time, device and a model name") {
    const PathIds found = ids("/d/20241120060505/2/ge_default/");
    CHECK(found.device_id == Id(2));
    CHECK(found.model_name == Text("ge_default"));
    CHECK(found.model_id == Id());
    CHECK(found.data_index == Id());
}

TEST_CASE("a single number may be a model id or a data index: neither is claimed") {
    const PathIds one = ids("/d/20241120060505/2/9/");
    CHECK(one.time == Text("20241120060505"));
    CHECK(one.device_id == Id(2));
    CHECK(one.model_id == Id());
    CHECK(one.data_index == Id());
    const PathIds named = ids("/d/20241120060505/2/ge_default/9/");
    CHECK(named.device_id == Id(2));
    CHECK(named.model_id == Id());
    CHECK(named.data_index == Id());
}

TEST_CASE("folders that fit no layout give no model ids") {
    for (const std::string folders :
         {"/d/20241120060505/2/a/b/1/2/", "/d/20241120060505/2/1/x/", "/d/20241120060505/2/a/1/x/"}) {
        CAPTURE(folders);
        const PathIds found = ids(folders);
        CHECK(found.model_id == Id());
        CHECK(found.data_index == Id());
    }
}

TEST_CASE("only fourteen digits with a device folder below are a time folder") {
    check_none(ids("/d/2024112006050/0/m/1/2/"));
    check_none(ids("/d/202411200605050/0/m/1/2/"));
    check_none(ids("/d/20241120060505/m/1/2/"));
    check_none(ids("/d/20241120060505/"));
    check_none(ids("/d/2024112006050x/0/m/1/2/"));
    check_none(ids("/d/20241120060505/99999999999999999999999/m/1/2/"));
}

TEST_CASE("a path without a known layout says nothing") {
    check_none(ids(""));
    check_none(ids("./"));
    check_none(ids("/"));
    check_none(ids("/some/where/"));
    check_none(ids("/dump/0/"));  // host layout {dump_path}/{device}: a lone number proves nothing
    check_none(parse_path_ids(""));
}

TEST_CASE("doubled slashes and dots do not disturb") {
    const PathIds found = ids(".//d//20200808163556/./0/11//1/");
    CHECK(found.time == Text("20200808163556"));
    CHECK(found.device_id == Id(0));
    CHECK(found.model_id == Id(11));
    CHECK(found.data_index == Id(1));
}

TEST_CASE("numbers too large for an id are not taken for one") {
    const PathIds found = ids("/d/20200808163556/0/m/11/18446744073709551616/");
    CHECK(found.data_index == Id());
    CHECK(found.model_id == Id());
}

TEST_CASE("MindSpore: rank, net, graph, iteration") {
    const PathIds found = ids("/ms/rank_3/Net/0/12/");
    CHECK(found.rank == Id(3));
    CHECK(found.model_name == Text("Net"));
    CHECK(found.model_id == Id());
    CHECK(found.data_index == Id(12));
    CHECK(found.device_id == Id());
}

TEST_CASE("MindSpore: overflow files below debug_files") {
    const PathIds found = ids("/ms/rank_0/debug_files/5/");
    CHECK(found.rank == Id(0));
    CHECK(found.data_index == Id(5));
    CHECK(found.model_name == Text());
    CHECK(found.model_id == Id());
}

TEST_CASE("msprobe: the step folder is the data index, also where an iteration folder is there") {
    const PathIds stored = ids("/p/rank_1/20250101000000/step_4/");
    CHECK(stored.rank == Id(1));
    CHECK(stored.data_index == Id(4));
    const PathIds original = ids("/p/rank_1/20250101000000/step_4/20250101000001/6/net/2/9/");
    CHECK(original.rank == Id(1));
    CHECK(original.time == Text("20250101000001"));
    CHECK(original.device_id == Id(6));
    CHECK(original.model_name == Text("net"));
    CHECK(original.model_id == Id(2));
    CHECK(original.data_index == Id(4));
    // Of each step, the execution has index 0: that of the folders would make one step of all.
    CHECK(ids("/p/rank_0/20250101000000/step_2/20250101000001/0/net/1/0/").data_index == Id(2));
    CHECK(ids("/p/rank_0/20250101000000/step_x/20250101000001/0/net/1/7/").data_index == Id(7));
}

TEST_CASE("MindSpore's later layout has a step above the time, which is no more than a number and not taken") {
    const PathIds found = ids("/ms/17/20250101000001/6/net/2/9/");
    CHECK(found.time == Text("20250101000001"));
    CHECK(found.device_id == Id(6));
    CHECK(found.model_name == Text("net"));
    CHECK(found.model_id == Id(2));
    CHECK(found.data_index == Id(9));
}

TEST_CASE("msprobe's step and rank folders without underscores, only one below the other") {
    const PathIds found = ids("/dump/step4/rank3/20250101000001/0/net/2/9/");
    CHECK(found.rank == Id(3));
    CHECK(found.data_index == Id(4));
    CHECK(found.device_id == Id(0));
    CHECK(ids("/dump/step4/x/rank3/20250101000001/0/").rank == Id());
    CHECK(ids("/dump/rank3/20250101000001/0/").rank == Id());
    CHECK(ids("/dump/step/rank3/x/").rank == Id());
    CHECK(ids("/dump/step4/rank/x/").data_index == Id());
    // The old spelling states it where both are there.
    CHECK(ids("/dump/step4/rank3/rank_7/20250101000001/0/").rank == Id(7));
}

TEST_CASE("msprobe's step folder directly above time and device, a process or a rank is the step") {
    const PathIds kernel = ids("/dump/step3/20260304180000/0/");  // its level L2
    CHECK(kernel.time == Text("20260304180000"));
    CHECK(kernel.device_id == Id(0));
    CHECK(kernel.data_index == Id(3));
    CHECK(kernel.rank == Id());
    CHECK(ids("/dump/step3/20260304180000/0/net/1/0/").data_index == Id(3));  // each step's execution has index 0
    CHECK(ids("/dump/step3/proc99/x/").data_index == Id(3));
    CHECK(ids("/dump/step3/rank_0/x/").data_index == Id(3));
    CHECK(ids("/dump/step3/rank_0/net/0/7/").data_index == Id(7));  // MindSpore's own iteration
    CHECK(ids("/dump/step9/rank_0/20250101000000/step_4/").data_index == Id(4));
}

TEST_CASE("a step folder elsewhere is anybody's") {
    check_none(ids("/dump/step3/"));
    check_none(ids("/dump/step3/x/"));
    check_none(ids("/dump/step3/20260304180000/x/"));
    check_none(ids("/dump/step3/proc/x/"));
    check_none(ids("/dump/step3/x/proc99/"));
    CHECK(ids("/dump/step3/x/20260304180000/0/").data_index == Id());
    CHECK(ids("/dump/step3/x/rank_0/y/").data_index == Id());
    CHECK(ids("/dump/step/20260304180000/0/").data_index == Id());
    CHECK(ids("/dump/step_3/20260304180000/0/").data_index == Id());
}

TEST_CASE("a rank folder is a rank only when it is exactly rank_ and a number") {
    CHECK(ids("/p/rank_12/x/").rank == Id(12));
    CHECK(ids("/p/rank_/x/").rank == Id());
    CHECK(ids("/p/rank_1a/x/").rank == Id());
    CHECK(ids("/p/myrank_1/x/").rank == Id());
}

TEST_CASE("TorchAir's folder names world size and rank") {
    const PathIds found = ids("/dump/worldsize16_global_rank11/20260101000000/2/graph_1/4/7/");
    CHECK(found.rank == Id(11));
    CHECK(found.device_id == Id(2));
    CHECK(found.model_name == Text("graph_1"));
    CHECK(found.data_index == Id(7));
    CHECK(ids("/p/worldsize_global_rank3/x/").rank == Id());
    CHECK(ids("/p/worldsize8_global_rank/x/").rank == Id());
    CHECK(ids("/p/worldsize8_global_rank3a/x/").rank == Id());
    CHECK(ids("/p/old_worldsize8_global_rank3/x/").rank == Id());
    CHECK(ids("/p/20260101000000/0/worldsize8_global_rank3/1/2/").rank == Id());
}

TEST_CASE("a model that is called like a rank is none, the folder above the time is") {
    const PathIds found = ids("/dump/20250101000001/0/rank_5/1/3/");
    CHECK(found.rank == Id());
    CHECK(found.model_name == Text("rank_5"));
    CHECK(found.model_id == Id(1));
    CHECK(found.data_index == Id(3));
    CHECK(ids("/dump/20250101000001/0/rank_5/").rank == Id());
    CHECK(ids("rank_2/20250101000001/0/rank_5/1/3/").rank == Id(2));
    // What is no model's location may be a run's folders, with MindSpore's in them.
    CHECK(ids("/runs/20250101000001/0/rank_5/Net/0/12/").rank == Id(5));
    CHECK(ids("/runs/20250101000001/0/rank_5/debug_files/3/").rank == Id(5));
}

TEST_CASE("dump server: the device below the process, and only together") {
    CHECK(ids("/var/log/npu/dump/pid4711/device3/").device_id == Id(3));
    CHECK(ids("/dump/pid4711/device3/20250101000001/6/").device_id == Id(6));
    check_none(ids("/dump/device3/"));
    check_none(ids("/dump/pid4711/3/"));
    check_none(ids("/dump/pid/device3/"));
    check_none(ids("/dump/pid4711/x/device3/"));
}

TEST_CASE("msprobe: a step folder above the rank is not its step") {
    CHECK(ids("/step_9/rank_1/x/").data_index == Id());
}

TEST_CASE("the path of the time folder that a file lies below") {
    CHECK(time_folder_of_file("/a/20250101000001/6/" + file) == Text("/a/20250101000001"));
    CHECK(time_folder_of_file("/a//20250101000001/./6/net/2/9/" + file) == Text("/a//20250101000001"));
    CHECK(time_folder_of_file("/20240101000001/6/20250101000001/7/" + file) ==
          Text("/20240101000001/6/20250101000001"));
    CHECK(time_folder_of_file("/a/20250101000001/" + file) == Text());
    CHECK(time_folder_of_file("/a/rank_3/x/" + file) == Text());
    const std::string here = std::filesystem::current_path().string();
    CHECK(time_folder_of_file("b/../20250101000001/6/" + file) == here + "/20250101000001");
}

TEST_CASE("a relative path: the working folder and those above it count, however deep it is") {
    const opdebug::test::TemporaryDirectory directory;
    const std::filesystem::path before = std::filesystem::current_path();
    const std::filesystem::path folder = directory / "rank_3/20250101000001/6/net/2";
    std::filesystem::create_directories(folder);
    std::filesystem::current_path(folder);
    for (const std::string path : {"9/", "./9/", "../2/9/", "9/../../2/./9/"}) {
        CAPTURE(path);
        const PathIds found = path_ids_of_file(path + file);
        CHECK(found.rank == Id(3));
        CHECK(found.time == Text("20250101000001"));
        CHECK(found.model_id == Id(2));
        CHECK(found.data_index == Id(9));
    }
    CHECK(path_ids_of_file(file).data_index == Id());
    for (int depth = 0; depth < 20; ++depth) {  // deeper than the longest path that the system opens
        const std::string part(250, 'd');
        std::filesystem::create_directory(part);
        std::filesystem::current_path(part);
    }
    CHECK(path_ids_of_file("rank_4/20250101000001/6/net/2/9/" + file).rank == Id(4));
    CHECK(path_ids_of_file("x/" + file).rank == Id(3));
    std::filesystem::current_path(before);
}
