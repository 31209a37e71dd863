// What the folders above a dump show, and that nothing is guessed where a layout is ambiguous.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

#include <opdebug/tree.hpp>

#include "temporary_directory.hpp"
#include "tree/path_ids.hpp"

using opdebug::parse_path_ids;
using opdebug::path_ids_of_file;
using opdebug::PathIds;
using Id = std::optional<std::uint64_t>;
using Text = std::optional<std::string>;

namespace {

const std::string file = "Opdebug.Node_OpDebug.1.5.1732082705016774";

/// "rank 3 time 20250101000001 device 0 model net id 2 index 9", without what is not there.
std::string shown(const PathIds& ids) {
    std::string text;
    const auto add = [&text](const char* name, const std::string& value) {
        text += (text.empty() ? "" : " ") + std::string(name) + " " + value;
    };
    const auto add_number = [&add](const char* name, const Id& value) {
        if (value) {
            add(name, std::to_string(*value));
        }
    };
    add_number("rank", ids.rank);
    if (ids.time) {
        add("time", *ids.time);
    }
    add_number("device", ids.device_id);
    if (ids.model_name) {
        add("model", *ids.model_name);
    }
    add_number("id", ids.model_id);
    add_number("index", ids.data_index);
    return text;
}

struct Row {
    std::string folders, ids;
};

void check(const std::vector<Row>& rows) {
    for (const Row& row : rows) {
        CHECK_MESSAGE(shown(parse_path_ids(row.folders + file)) == row.ids, row.folders);
    }
}

}  // namespace

TEST_CASE("path ids: layouts of CANN; a single number may be a model id or an index, and neither is claimed") {
    check({{"/home/user/output/20200808163566/3/npu_cluster_0/11/7/",
            "time 20200808163566 device 3 model npu_cluster_0 id 11 index 7"},
           {"dump/20200808163556/0/11/1/", "time 20200808163556 device 0 id 11 index 1"},  // old documents
           {"20241120060505/2/", "time 20241120060505 device 2"},                          // single operators
           {"/d/20241120060505/2/ge_default/", "time 20241120060505 device 2 model ge_default"},
           {"/d/20241120060505/2/9/", "time 20241120060505 device 2"},
           {"/d/20241120060505/2/ge_default/9/", "time 20241120060505 device 2 model ge_default"},
           {"/d/20241120060505/2/a/b/1/2/", "time 20241120060505 device 2"},
           {"/d/20241120060505/2/1/x/", "time 20241120060505 device 2"},
           {"/d/20241120060505/2/a/1/x/", "time 20241120060505 device 2"},
           {".//d//20200808163556/./0/11//1/", "time 20200808163556 device 0 id 11 index 1"},
           {"/d/20200808163556/0/m/11/18446744073709551616/", "time 20200808163556 device 0"}});
}

TEST_CASE("path ids: only fourteen digits with a device folder below are a time folder") {
    for (const std::string folders :
         {"/d/2024112006050/0/m/1/2/", "/d/202411200605050/0/m/1/2/", "/d/20241120060505/m/1/2/", "/d/20241120060505/",
          "/d/2024112006050x/0/m/1/2/", "/d/20241120060505/99999999999999999999999/m/1/2/", "", "./", "/",
          "/some/where/", "/dump/0/"}) {
        check({{folders, ""}});
    }
    CHECK(shown(parse_path_ids("")).empty());
}

TEST_CASE("path ids: MindSpore") {
    check({{"/ms/rank_3/Net/0/12/", "rank 3 model Net index 12"},
           {"/ms/rank_0/debug_files/5/", "rank 0 index 5"},
           // A later layout has a step above the time, which is no more than a number.
           {"/ms/17/20250101000001/6/net/2/9/", "time 20250101000001 device 6 model net id 2 index 9"},
           {"/p/rank_12/x/", "rank 12"},
           {"/p/rank_/x/", ""},
           {"/p/rank_1a/x/", ""},
           {"/p/myrank_1/x/", ""},
           {"/step_9/rank_1/x/", "rank 1"},
           // A model that is called like a rank is none.
           {"/dump/20250101000001/0/rank_5/1/3/", "time 20250101000001 device 0 model rank_5 id 1 index 3"},
           {"/dump/20250101000001/0/rank_5/", "time 20250101000001 device 0 model rank_5"},
           {"rank_2/20250101000001/0/rank_5/1/3/", "rank 2 time 20250101000001 device 0 model rank_5 id 1 index 3"},
           // What is no model's location may be a run's folders, with MindSpore's in them.
           {"/runs/20250101000001/0/rank_5/Net/0/12/", "rank 5 time 20250101000001 device 0 model Net index 12"},
           {"/runs/20250101000001/0/rank_5/debug_files/3/", "rank 5 time 20250101000001 device 0 index 3"}});
}

TEST_CASE("path ids: msprobe's step is the data index, also where an iteration folder is there") {
    check(
        {{"/p/rank_1/20250101000000/step_4/", "rank 1 index 4"},
         {"/p/rank_1/20250101000000/step_4/20250101000001/6/net/2/9/",
          "rank 1 time 20250101000001 device 6 model net id 2 index 4"},
         // Of each step, the execution has index 0: that of the folders would make one step of all.
         {"/p/rank_0/20250101000000/step_2/20250101000001/0/net/1/0/",
          "rank 0 time 20250101000001 device 0 model net id 1 index 2"},
         {"/p/rank_0/20250101000000/step_x/20250101000001/0/net/1/7/",
          "rank 0 time 20250101000001 device 0 model net id 1 index 7"},
         {"/dump/step4/rank3/20250101000001/0/net/2/9/", "rank 3 time 20250101000001 device 0 model net id 2 index 4"},
         {"/dump/step4/x/rank3/20250101000001/0/", "time 20250101000001 device 0"},
         {"/dump/rank3/20250101000001/0/", "time 20250101000001 device 0"},
         {"/dump/step/rank3/x/", ""},
         {"/dump/step4/rank/x/", ""},
         {"/dump/step4/rank3/rank_7/20250101000001/0/", "rank 7 time 20250101000001 device 0 index 4"},
         {"/dump/step3/20260304180000/0/", "time 20260304180000 device 0 index 3"},  // level L2
         {"/dump/step3/20260304180000/0/net/1/0/", "time 20260304180000 device 0 model net id 1 index 3"},
         {"/dump/step3/proc99/x/", "index 3"},
         {"/dump/step3/rank_0/x/", "rank 0 index 3"},
         {"/dump/step3/rank_0/net/0/7/", "rank 0 model net index 7"},  // MindSpore's own iteration
         {"/dump/step9/rank_0/20250101000000/step_4/", "rank 0 index 4"}});
}

TEST_CASE("path ids: a step folder elsewhere is anybody's") {
    check({{"/dump/step3/", ""},
           {"/dump/step3/x/", ""},
           {"/dump/step3/20260304180000/x/", ""},
           {"/dump/step3/proc/x/", ""},
           {"/dump/step3/x/proc99/", ""},
           {"/dump/step3/x/20260304180000/0/", "time 20260304180000 device 0"},
           {"/dump/step3/x/rank_0/y/", "rank 0"},
           {"/dump/step/20260304180000/0/", "time 20260304180000 device 0"},
           {"/dump/step_3/20260304180000/0/", "time 20260304180000 device 0"}});
}

TEST_CASE("path ids: TorchAir's folder names world size and rank, the dump server's the device below the process") {
    check({{"/dump/worldsize16_global_rank11/20260101000000/2/graph_1/4/7/",
            "rank 11 time 20260101000000 device 2 model graph_1 id 4 index 7"},
           {"/p/worldsize_global_rank3/x/", ""},
           {"/p/worldsize8_global_rank/x/", ""},
           {"/p/worldsize8_global_rank3a/x/", ""},
           {"/p/old_worldsize8_global_rank3/x/", ""},
           {"/p/20260101000000/0/worldsize8_global_rank3/1/2/",
            "time 20260101000000 device 0 model worldsize8_global_rank3 id 1 index 2"},
           {"/var/log/npu/dump/pid4711/device3/", "device 3"},
           {"/dump/pid4711/device3/20250101000001/6/", "time 20250101000001 device 6"},
           {"/dump/device3/", ""},
           {"/dump/pid4711/3/", ""},
           {"/dump/pid/device3/", ""},
           {"/dump/pid4711/x/device3/", ""}});
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
