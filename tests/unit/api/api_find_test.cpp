// Which files of a tree are API dumps, in which order, and how they follow one another.
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <opdebug/api.hpp>

#include "api_dump/dump_files.hpp"
#include "api_run.hpp"
#include "temporary_directory.hpp"
#include "text.hpp"

using namespace opdebug::test;
using namespace opdebug;

namespace {

constexpr const char* kDump = R"({"task":"statistics","level":"L1","data":{}})";
constexpr const char* kLine = "[\"Tensor_add_1_forward_output\", 1, [], \"torch.float32\", [3], [1.0, 0.0, 0.5]]\n";

using Paths = std::vector<std::string>;

/// Paths below the folder, then codes of failures.
Paths found(const TemporaryDirectory& directory, const std::vector<std::string>& paths) {
    const auto tree = api_dump::find_dumps(paths, {});
    if (!tree) {
        return {std::string(to_string(tree.error().code))};
    }
    Paths shown;
    for (const api_dump::DumpFile& dump : tree->files) {
        shown.push_back(dump.file.substr(directory.path().string().size() + 1));
    }
    for (const Error& failure : tree->failures) {
        shown.push_back("! " + std::string(to_string(failure.code)));
    }
    return shown;
}

}  // namespace

TEST_CASE("API dumps are found by name and content, in the order of their paths") {
    const TemporaryDirectory directory;
    for (const char* path : {"step10/rank0/dump.json", "step2/rank10/dump.json", "step2/rank2/dump.json"}) {
        write_file(directory / path, kDump);
    }
    write_file(directory / "step2/rank2/debug.json", kDump);
    write_file(directory / "step2/rank2/stack.json", "{}");
    write_file(directory / "step2/rank2/construct.json", "{}");
    write_file(directory / "other/dump.json", R"({"a":[1]})");
    write_file(directory / "ptdbg_dump_v4.0/rank0/Tensor_add_1_forward_1.pkl", kLine);
    write_file(directory / "ptdbg_dump_v4.0/rank0/dump.pkl", "\x80\x04");
    write_file(directory / "checkpoints/model.pkl", "\x80\x04");
    write_file(directory / "rank_0/net/1/2/statistic.csv", "IO,Data Type,Shape\n");
    write_file(directory / "rank_0/table.csv", "a,b\n");
    const Paths all = {"ptdbg_dump_v4.0/rank0/Tensor_add_1_forward_1.pkl",
                       "ptdbg_dump_v4.0/rank0/dump.pkl",
                       "rank_0/net/1/2/statistic.csv",
                       "step10/rank0/dump.json",
                       "step2/rank10/dump.json",
                       "step2/rank2/debug.json",
                       "step2/rank2/dump.json"};
    CHECK(found(directory, {directory.path().string()}) == all);
    CHECK(found(directory, {directory / "step2/rank2", directory / "step2", directory / "step2/rank2/dump.json"}) ==
          Paths{"step2/rank10/dump.json", "step2/rank2/debug.json", "step2/rank2/dump.json"});
    CHECK(found(directory, {directory / "other/dump.json"}) == Paths{"other/dump.json"});
}

TEST_CASE("API dumps: where msprobe writes, a dump.json without its form is one that cannot be read") {
    for (const std::string& text : {std::string("garbage"), std::string(4, '\0'), std::string(R"({"data": 17})")}) {
        const TemporaryDirectory directory;
        for (const char* folder : {"step0/rank1", "step0/proc12", "step0/pid9", "step0/other", "rank1"}) {
            write_file(directory / (std::string(folder) + "/dump.json"), text);
        }
        CHECK(found(directory, {directory.path().string()}) ==
              Paths{"rank1/dump.json", "step0/pid9/dump.json", "step0/proc12/dump.json", "step0/rank1/dump.json"});
        const auto read = read_api_dump(directory / "step0/rank1/dump.json", {}, [](ApiEntry&&) {});
        REQUIRE_FALSE(read.ok());
        CHECK(read.error().code == ErrorCode::api_dump_invalid);
    }
}

TEST_CASE("API dumps: a .pkl whose first line is damaged is found by a line after it") {
    const TemporaryDirectory directory;
    write_file(directory / "step0/rank0/dump.pkl", std::string(4, '\0') + "\n" + kLine);
    write_file(directory / "checkpoints/notes.pkl", "garbage\nmore of it\n");
    CHECK(found(directory, {directory.path().string()}) == Paths{"step0/rank0/dump.pkl"});
}

TEST_CASE("API dumps: where ptdbg_ascend and MindSpore write, a file without its form is one that cannot be read") {
    for (const std::string& text : {std::string("Op Type,Op Na"), std::string(4096, '\0'), std::string()}) {
        const TemporaryDirectory directory;
        for (const char* path : {"tag_v5.0/step0/rank1/dump.pkl", "npu_overflow_v2.0/rank3/Tensor_add_1_forward_1.pkl",
                                 "copy/step0/rank102016/dump.pkl", "rank_1/net/1/0/statistic.csv"}) {
            write_file(directory / path, text);
        }
        for (const char* path : {"rank_1/net/1/0/table.csv", "net/1/0/statistic.csv", "rank_1/a/b/c/d/statistic.csv",
                                 "tag_v5.0/other/notes.pkl", "weights.pkl"}) {
            write_file(directory / path, text);  // may be anybody's
        }
        const Paths damaged = {"copy/step0/rank102016/dump.pkl", "npu_overflow_v2.0/rank3/Tensor_add_1_forward_1.pkl",
                               "rank_1/net/1/0/statistic.csv", "tag_v5.0/step0/rank1/dump.pkl"};
        CAPTURE(text);
        CHECK(found(directory, {directory.path().string()}) == damaged);
        for (const std::string& file : damaged) {
            const auto read = read_api_dump(directory / file, {}, [](ApiEntry&&) {});
            CHECK(read.ok() == text.empty());
            CHECK((read.ok() ? read->diagnostics.at(0).code : to_string(read.error().code)) ==
                  (text.empty() ? "api_dump_cut" : "api_dump_invalid"));
        }
    }
}

TEST_CASE("API dumps: a dump.pkl in a rank's folder is a damaged dump, other names are checkpoints") {
    const TemporaryDirectory directory;
    write_file(directory / "copy/rank1/dump.pkl", "garbage");
    write_file(directory / "copy/rank2/dump.pkl", "");
    write_file(directory / "copy/rank0/dump.pkl", kLine);
    write_file(directory / "checkpoint/rank0/optimizer.pkl", "garbage");
    CHECK(found(directory, {directory.path().string()}) ==
          Paths{"copy/rank0/dump.pkl", "copy/rank1/dump.pkl", "copy/rank2/dump.pkl"});
}

TEST_CASE("API dumps: files of others in folders that are called like theirs are left alone") {
    const TemporaryDirectory directory;
    write_file(directory / "checkpoint/step100/rank0/optimizer.pkl", "x\x9c packed");
    write_file(directory / "profile/rank_0/op/statistic.csv", "name,count\nMatMul,3\n");
    CHECK(found(directory, {directory.path().string()}).empty());
}

TEST_CASE("API dumps: a path that is not there is a failure, or the error where none is there") {
    const TemporaryDirectory directory;
    write_file(directory / "a/dump.json", kDump);
    CHECK(found(directory, {directory / "nothing", directory / "a"}) == Paths{"a/dump.json", "! file_not_found"});
    CHECK(found(directory, {directory / "nothing"}) == Paths{"file_not_found"});
}

TEST_CASE("API dumps: links are followed once, loops end, folders that are too deep are shown") {
    const TemporaryDirectory directory;
    write_file(directory / "real/rank0/dump.json", kDump);
    std::filesystem::create_directory_symlink(directory.path(), directory / "real/loop");
    std::filesystem::create_directory_symlink(directory / "real", directory / "again");
    std::filesystem::create_symlink("nowhere", directory / "real/dump.json");
    CHECK(found(directory, {directory.path().string()}) == Paths{"real/rank0/dump.json", "! file_not_found"});

    ApiReadOptions options;
    options.limits.folder_depth = 1;
    const auto shallow = api_dump::find_dumps({directory.path().string()}, options);
    REQUIRE(shallow.ok());
    CHECK(shallow->files.empty());
    bool is_told = false;
    for (const Error& failure : shallow->failures) {
        is_told = is_told || failure.code == ErrorCode::folder_too_deep;
    }
    CHECK(is_told);
}

TEST_CASE("API dumps: a given link gives way to its folder, and step and rank are read from where it leads") {
    const TemporaryDirectory directory;
    write_file(directory / "job/step3/rank2/dump.json", kDump);
    std::filesystem::create_directory_symlink("job/step3/rank2", directory / "link");
    CHECK(found(directory, {directory / "link", directory / "job"}) == Paths{"job/step3/rank2/dump.json"});
    CHECK(found(directory, {directory / "link"}) == Paths{"link/dump.json"});
    const auto read = read_api_dump(directory / "link/dump.json", {}, [](ApiEntry&&) {});
    REQUIRE(read.ok());
    CHECK(read->step == std::optional<std::uint64_t>(3));
    CHECK(read->rank == std::optional<std::uint64_t>(2));
}

TEST_CASE("API dumps: a path tells step and rank, so a file comes before links to it, and each of its names counts") {
    const TemporaryDirectory directory;
    const std::string file = write_file(directory / "step0/rank0/dump.json", kDump);
    std::filesystem::create_directories(directory / "step0/rank1");
    std::filesystem::create_hard_link(file, directory / "step0/rank1/dump.json");
    std::filesystem::create_symlink(file, directory / "dump.json");
    const Paths both{"step0/rank0/dump.json", "step0/rank1/dump.json"};
    CHECK(found(directory, {directory.path().string()}) == both);
    CHECK(found(directory, {directory / "dump.json", directory / "step0"}) == both);
    CHECK(found(directory, {directory / "dump.json"}) == Paths{"dump.json"});
}

TEST_CASE("api files: kernels of a statistic.csv, by the columns that count") {
    ApiRun run;
    run.add_file("rank_2/net/0/3/statistic.csv",
                 "Op Type,Op Name,Task ID,Stream ID,Timestamp,IO,Slot,Data "
                 "Size,Data Type,Shape,Max Value,Min Value,Nan Count,"
                 "Negative Inf Count,Positive Inf Count\n"
                 "MatMul,Default/"
                 "MatMul-op1,7,2,1700000000000001,input,0,16,float16,\"(2,4)\",1."
                 "5,-1.5,0,0,0,\n"
                 "MatMul,Default/"
                 "MatMul-op1,7,2,1700000000000001,output,0,16,float16,\"(2,4)\","
                 "null,null,0,0,8,\n"
                 "ReLU,Default/"
                 "ReLU-op2,8,2,1700000000000002,input,0,16,float16,\"(2,4)\","
                 "null,null,0,0,8,\n"
                 "ReLU,Default/"
                 "ReLU-op2,8,2,1700000000000002,output,0,16,float16,\"(2,4)\","
                 "null,null,0,0,8,\n");
    const ApiReport report = run.report();
    REQUIRE(report.first.size() == 1);
    CHECK(report.first[0].verdict == ApiVerdict::born_here);
    CHECK(report.first[0].rank == 2U);
    CHECK(report.first[0].step == 3U);
    CHECK(contains(report.first[0].api, "MatMul-op1"));
    CHECK(report.first[0].because == "inputs clean, output[0] contains 8 +Inf");
    REQUIRE(report.findings.size() == 2);
    CHECK(report.findings[1].verdict == ApiVerdict::inherited);
}

TEST_CASE("api files: processes without a rank are time lines of their own") {
    ApiRun run;
    run.add_file("step0/proc11/dump.json", dump_json({"statistics", "L1", "pytorch", {born()}}));
    run.add_file("step0/proc12/dump.json", dump_json({"statistics", "L1", "pytorch", {born()}}));
    const ApiReport report = run.report();
    REQUIRE(report.first.size() == 2);
    CHECK_FALSE(report.first[0].rank);
    CHECK(report.first[0].process == 11U);
    CHECK(report.counts.ranks == 2);
}

TEST_CASE(
    "api files: overflow files follow one another by their number, not "
    "by their name") {
    ApiRun run;
    PtdbgForm form;
    form.is_overflow_file = true;
    run.add_file("ptdbg_dump_v4.0/step0/rank0/Tensor_add_0_forward_2.pkl",
                 ptdbg_text({made_call("Tensor.add.0.forward", {nan_tensor()}, {nan_tensor()})}, form));
    run.add_file("ptdbg_dump_v4.0/step0/rank0/Torch_matmul_0_forward_1.pkl",
                 ptdbg_text({born("Torch.matmul.0.forward")}, form));
    const ApiReport report = run.report();
    CHECK(lines_of(report.first) == "step 0 rank 0 Torch_matmul_0_forward born_here\n");
    CHECK(report.findings.front().api == "Torch_matmul_0_forward");
}

TEST_CASE("api files: the same rank below two folders is two runs") {
    ApiRun run;
    for (const char* const root : {"before", "after"}) {
        run.add_file(std::string(root) + "/step0/rank0/dump.json",
                     dump_json({"statistics", "L1", "pytorch", {born()}}));
    }
    const ApiReport report = run.report();
    CHECK(report.first.size() == 2);
    CHECK(contains(codes_of(report.diagnostics), "several_runs "));
}

TEST_CASE(
    "api files: the number of threads changes nothing, a bound of "
    "findings is told") {
    ApiRun run;
    const MadeCall passed_on = made_call("Functional.relu.0.forward", {nan_tensor()}, {nan_tensor()});
    for (std::uint64_t rank = 0; rank < 6; ++rank) {
        run.add(0, rank, {rank == 4 ? born() : clean_call("Functional.linear.0.forward"), passed_on, passed_on});
    }
    ApiOptions one, many;
    one.threads = 1;
    many.threads = 6;
    many.findings_per_verdict = one.findings_per_verdict = 1;
    const ApiReport alone = run.report(one), together = run.report(many);
    CHECK(lines_of(alone.findings) == lines_of(together.findings));
    CHECK(lines_of(alone.first) == lines_of(together.first));
    CHECK(contains(codes_of(alone.diagnostics), "findings_left_out "));
}
