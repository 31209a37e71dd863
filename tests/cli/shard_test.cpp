// scan --shard and --host, and opdebug merge.
#include <doctest/doctest.h>

#include <filesystem>
#include <utility>

#include "packed_text.hpp"
#include "sanitized.hpp"
#include "scan_job.hpp"
#include "shard_reports.hpp"
#include "tool.hpp"

namespace fs = std::filesystem;
using namespace opdebug;
using namespace opdebug::test;

namespace {

using Environment = std::vector<std::pair<std::string, std::string>>;

ProcessResult run_in(const Environment& environment, std::vector<std::string> arguments) {
    ProcessOptions options;
    options.environment = environment;
    return run_tool(std::move(arguments), options);
}

/// "I/N" that `--shard auto` takes from these variables, by the partial report; else what is stated.
std::string shard_of(const Environment& environment) {
    const TemporaryDirectory directory;
    write_file(directory / "Opdebug.Node_OpDebug.57.5.1772618405000000", build_overflow_dump(ai_core_example()));
    const ProcessResult run =
        run_in(environment, {"scan", directory.path().string(), "--shard", "auto", "--format", "jsonl"});
    if (run.exit_status != 0) {
        CHECK(run.exit_status == 2);
        return run.err;
    }
    const auto begin = nlohmann::json::parse(run.out.substr(0, run.out.find('\n')));
    const auto& shard = begin["merge"]["shard"];
    return shard["index"].dump() + "/" + shard["count"].dump();
}

bool holds(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

const Environment array_of_four{{"SLURM_ARRAY_TASK_ID", "7"},
                                {"SLURM_ARRAY_TASK_MIN", "1"},
                                {"SLURM_ARRAY_TASK_MAX", "10"},
                                {"SLURM_ARRAY_TASK_STEP", "3"},
                                {"SLURM_ARRAY_TASK_COUNT", "4"}};

Environment with(Environment some, const Environment& more) {
    some.insert(some.end(), more.begin(), more.end());
    return some;
}

}  // namespace

TEST_CASE("scan --shard auto: what launchers say") {
    CHECK(shard_of({{"SLURM_PROCID", "3"}, {"SLURM_STEP_NUM_TASKS", "8"}, {"SLURM_STEP_ID", "0"}}) == "3/8");
    CHECK(shard_of(array_of_four) == "2/4");
    CHECK(shard_of({{"OMPI_COMM_WORLD_RANK", "1"}, {"OMPI_COMM_WORLD_SIZE", "2"}}) == "1/2");
    CHECK(shard_of({{"PMI_RANK", "0"}, {"PMI_SIZE", "5"}}) == "0/5");
    CHECK(shard_of({{"JOB_COMPLETION_INDEX", "2"}, {"JOB_COMPLETIONS", "3"}}) == "2/3");
    // A step of two processes in a job of eight.
    CHECK(shard_of(
              {{"SLURM_PROCID", "1"}, {"SLURM_NTASKS", "8"}, {"SLURM_STEP_NUM_TASKS", "2"}, {"SLURM_STEP_ID", "3"}}) ==
          "1/2");
    // The last id that is one of a step.
    CHECK(shard_of({{"SLURM_PROCID", "1"}, {"SLURM_STEP_NUM_TASKS", "8"}, {"SLURM_STEP_ID", "4294967280"}}) == "1/8");
}

TEST_CASE("scan --shard auto: a launcher inside another") {
    // An element of a job array with a step of two processes.
    CHECK(shard_of(with(array_of_four,
                        {{"SLURM_PROCID", "1"}, {"SLURM_STEP_NUM_TASKS", "2"}, {"SLURM_STEP_ID", "0"}})) == "5/8");
    // A batch script of an array: one process, whatever was requested.
    CHECK(shard_of(with(array_of_four, {{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "2"}})) == "2/4");
    // mpirun in a batch script.
    CHECK(shard_of({{"SLURM_PROCID", "0"},
                    {"SLURM_NTASKS", "4"},
                    {"OMPI_COMM_WORLD_RANK", "3"},
                    {"OMPI_COMM_WORLD_SIZE", "4"}}) == "3/4");
}

TEST_CASE("scan --shard auto: the first launcher counts, and messages name the variables") {
    CHECK(shard_of(
              {{"OMPI_COMM_WORLD_RANK", "1"}, {"OMPI_COMM_WORLD_SIZE", "2"}, {"PMI_RANK", "0"}, {"PMI_SIZE", "2"}}) ==
          "1/2");
    const std::string none = shard_of({});
    for (const char* name :
         {"SLURM_ARRAY_TASK_ID", "SLURM_PROCID", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "JOB_COMPLETION_INDEX"}) {
        CHECK(holds(none, name));
    }
    CHECK(holds(shard_of({{"PMI_RANK", "x"}, {"PMI_SIZE", "2"}}), "PMI_RANK is 'x'"));
    CHECK(holds(shard_of({{"PMI_RANK", "2"}, {"PMI_SIZE", "2"}}), "PMI_SIZE is '2'"));
    CHECK(holds(shard_of({{"JOB_COMPLETION_INDEX", "2"}}), "JOB_COMPLETIONS is ''"));
    CHECK(holds(shard_of({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "4"}}), "srun"));
    // Interactive, batch, external, pending; 4294967294 was the batch script of Slurm up to 20.02.
    for (const char* step : {"4294967290", "4294967291", "4294967292", "4294967293", "4294967294"}) {
        CAPTURE(step);
        const Environment special{
            {"SLURM_STEP_ID", step}, {"SLURM_PROCID", "0"}, {"SLURM_STEP_NUM_TASKS", "1"}, {"SLURM_NTASKS", "4"}};
        CHECK(holds(shard_of(special), "srun"));
        CHECK(shard_of(with(array_of_four, special)) == "2/4");
    }
    CHECK(holds(shard_of({{"SLURM_STEP_ID", "x"}, {"SLURM_PROCID", "0"}, {"SLURM_STEP_NUM_TASKS", "4"}}), "srun"));
    Environment uneven = array_of_four;
    uneven[4].second = "3";
    CHECK(holds(shard_of(uneven), "not evenly spaced"));
}

TEST_CASE("scan --shard: wrong shards are wrong usage") {
    const TemporaryDirectory directory;
    for (const char* shard : {"4/4", "0/0", "1", "1/", "/2", "a/b", "-1/2", "1/2/3", ""}) {
        CHECK_MESSAGE(run_tool({"scan", directory.path().string(), "--shard", shard}).exit_status == 2,
                      std::string(shard));
    }
}

TEST_CASE("scan --shard and merge: the report of one scan, also packed") {
    const TemporaryDirectory directory;
    const std::string root = directory / "tree";
    write_random_tree(root, 99);
    const ProcessResult whole = run_tool({"scan", root});
    std::vector<std::string> parts;
    for (const char* shard : {"0/3", "1/3", "2/3"}) {
        const ProcessResult run = run_tool({"scan", root, "--shard", shard, "--format", "jsonl", "-q"});
        parts.push_back(write_file(directory / ("part" + std::string(1, shard[0])), run.out));
    }
    CHECK(run_tool({"merge", parts[0], parts[1], parts[2]}).out == whole.out);
    const std::string packed = write_file(directory / "packed.zst", zstd_of(read_file(parts[2])));
    const ProcessResult merged = run_tool({"merge", parts[0], packed, parts[1]});
    CHECK(merged.out == whole.out);
    CHECK(merged.exit_status == whole.exit_status);

    const ProcessResult missing = run_tool({"merge", parts[0], parts[2], "-o", directory / "report.json"});
    CHECK(missing.exit_status == 1);
    CHECK(holds(missing.err, "1 shard missing"));
    CHECK(run_tool({"merge", parts[0], "-o", parts[0]}).exit_status == 2);
    CHECK(run_tool({"merge", directory / "absent"}).exit_status == 2);
}

TEST_CASE("scan --shard: a share without dumps is a report; a tree without dumps is nothing to do") {
    const TemporaryDirectory directory;
    write_file(directory / "a/Opdebug.Node_OpDebug.57.5.1772618405000000", build_overflow_dump(ai_core_example()));
    const ProcessResult empty = run_tool({"scan", directory / "a", "--shard", "1/2"});
    CHECK(empty.exit_status == 0);
    CHECK(nlohmann::json::parse(empty.out)["counts"]["dumps"] == 0);
    CHECK(holds(empty.err, "the only dump does not belong to shard 1 of 2"));
    write_file(directory / "b/readme.txt", "x");
    CHECK(run_tool({"scan", directory / "b", "--shard", "1/2"}).exit_status == 2);
}

TEST_CASE("scan --shard: a share's report says in every form that it is not of the whole tree") {
    const TemporaryDirectory directory;
    for (const char* dump :
         {"a/Opdebug.Node_OpDebug.1.5.1772618405000000", "a/Opdebug.Node_OpDebug.2.5.1772618405000000",
          "b/Opdebug.Node_OpDebug.3.5.1772618405000000"}) {
        write_file(directory / dump, build_overflow_dump(ai_core_example()));
    }
    const auto told = [&directory](const std::string& form, const std::string& shard) {
        const ProcessResult run = run_tool({"scan", directory.path().string(), "--format", form, "--shard", shard});
        CHECK(run.exit_status == 0);
        return run.out + run.err;
    };
    for (const char* form : {"json", "jsonl", "text", "html"}) {
        CHECK_MESSAGE(holds(told(form, "0/2"), "only shard 0 of 2, with 2 of the 3 overflow dumps"), form);
        CHECK_MESSAGE(holds(told(form, "2/3"), "only shard 2 of 3, with 0 of the 3 overflow dumps"), form);
        CHECK_MESSAGE(!holds(told(form, "0/1"), "one_shard"), form);
    }
    CHECK(holds(told("csv", "1/2"), "the rows cover only shard 1 of 2: 1 of the 3 dumps"));
    CHECK_FALSE(holds(told("csv", "0/1"), "only"));
}

TEST_CASE("scan --host and --shard: where there is no dump, there is a part that says so") {
    const TemporaryDirectory directory;
    write_file(directory / "some/Opdebug.Node_OpDebug.57.5.1772618405000000", build_overflow_dump(ai_core_example()));
    write_file(directory / "none/readme.txt", "x");
    const auto part_of = [](std::vector<std::string> more) {
        more.insert(more.begin(), {"scan", "--format", "jsonl"});
        return run_tool(std::move(more));
    };
    const ProcessResult none = part_of({directory / "none", "--host", "h9"});
    CHECK(none.exit_status == 0);
    CHECK(holds(none.err, "no overflow dump was found"));
    CHECK(part_of({directory / "none", "--host", "h9", "-q"}).err.empty());
    CHECK(part_of({directory / "none", "--shard", "1/2"}).exit_status == 0);
    // Forms that cannot be merged, and scans of everything, have nothing to report.
    CHECK(run_tool({"scan", directory / "none", "--host", "h9"}).exit_status == 2);
    CHECK(part_of({directory / "none"}).exit_status == 2);
    CHECK(part_of({directory / "absent", "--host", "h9"}).exit_status == 2);
    const ProcessResult partly = part_of({directory / "absent", directory / "none", "--host", "h9"});
    CHECK(partly.exit_status == 1);
    CHECK(holds(partly.out, "absent"));

    const std::string empty = write_file(directory / "none.jsonl", none.out);
    const std::string full = write_file(directory / "some.jsonl", part_of({directory / "some", "--host", "h1"}).out);
    const ProcessResult merged = run_tool({"merge", full, empty});
    CHECK(merged.exit_status == 0);
    const auto report = nlohmann::json::parse(merged.out);
    CHECK(report["counts"]["dumps"] == 1);
    CHECK(report["diagnostics"][0]["code"] == "no_dumps");
    CHECK(holds(report["diagnostics"][0]["message"].get<std::string>(), "none of host h9"));
}

TEST_CASE("scan --host: every record names the machine and the rank") {
    const TemporaryDirectory directory;
    write_file(directory / "rank_3/debug_files/0/Opdebug.Node_OpDebug.57.5.1772618405000000",
               build_overflow_dump(ai_core_example()));
    const auto first = [&directory](std::vector<std::string> more) {
        more.insert(more.begin(), {"scan", directory.path().string()});
        return nlohmann::json::parse(run_tool(more).out)["first"];
    };
    CHECK(first({})["host"].is_null());
    CHECK(first({})["rank"] == 3);
    CHECK(first({"--host", "node-4"})["host"] == "node-4");
    CHECK(first({"--host", "auto"})["host"].get<std::string>().size() > 0);
}

TEST_CASE("merge: damaged dumps and operators' dumps of an ordinary report count in the closing line and the status") {
    const TemporaryDirectory directory;
    const std::string folder = directory / "tree/rank_0/Net/0/3/";
    for (const int task : {57, 58}) {
        write_file(folder + dump_name(task), cut(legacy(), 1));  // its records are there
    }
    write_file(folder + dump_name(59), legacy());
    for (const char* host : {"", "node"}) {  // the second is partial
        CAPTURE(host);
        std::vector<std::string> scan{"scan", directory / "tree", "--format", "jsonl", "-o", directory / "report"};
        if (*host != '\0') {
            scan.insert(scan.end(), {"--host", host});
        }
        CHECK(holds(run_tool(scan).err, ": 3 dumps, 3 overflowed, 2 damaged\n"));
        const ProcessResult merge = run_tool({"merge", directory / "report"});
        CHECK(merge.err == "opdebug: 1 of 1 report merged: 3 dumps, 3 overflowed, 2 damaged\n");
        CHECK(merge.exit_status == 1);
    }
    fs::remove_all(folder);
    write_file(folder + dump_name(57), legacy());
    write_file(folder + "Add.n.57.563." + std::to_string(dump_us), "cut");
    for (const char* host : {"", "node"}) {
        CAPTURE(host);
        std::vector<std::string> scan{"scan", directory / "tree",  "--tensors", "--format", "jsonl",
                                      "-o",   directory / "report"};
        if (*host != '\0') {
            scan.insert(scan.end(), {"--host", host});
        }
        CHECK(run_tool(scan).exit_status == 1);
        CHECK(run_tool({"merge", directory / "report"}).exit_status == 1);
    }
}

TEST_CASE("merge: what it says of what is not there, and what it refuses") {
    const TemporaryDirectory directory;
    const std::string root = directory / "tree";
    write_random_tree(root, 99);
    std::vector<std::string> parts;
    for (int i = 0; i < 40; ++i) {
        const std::string shard = std::to_string(i);
        parts.push_back(directory / ("part" + shard));
        write_file(parts.back(), part_text({root}, {}, ScanShard{static_cast<std::uint64_t>(i), 40}));
    }
    const ProcessResult missing = run_tool({"merge", parts[0], parts[2], "-o", directory / "report.json"});
    CHECK(holds(missing.err, "2 of 2 reports merged: incomplete: "));
    CHECK_FALSE(holds(missing.err, "stopped"));
    CHECK(holds(run_tool({"merge", parts[0], parts[0], "--format", "text", "-v"}).out, "info [part_repeated] "));
    CHECK(holds(run_tool({"merge", write_file(directory / "text", "no report\n")}).err,
                "no report can be merged: not a scan report"));
    CHECK(run_tool({"scan", root, "--host", "node\n7"}).exit_status == 2);

    // Few files may be open at once: some are left for the report and what it needs.
    const ProcessResult scanned = run_tool({"scan", root});
    const char* const fewest = kIsSanitized ? "20" : "12";  // UBSan opens pipes to see whether an object may be read
    for (const char* files : {fewest, "20", "33", "64"}) {
        const std::string report = directory / "report";
        std::vector<std::string> line{"/usr/bin/prlimit", std::string("--nofile=") + files, tool_path, "merge"};
        line.insert(line.end(), parts.begin(), parts.end());
        line.insert(line.end(), {"--format", "json", "-o", report});
        const ProcessResult run = run_process(line);
        CAPTURE(files);
        CAPTURE(run.err);
        CHECK(run.exit_status == scanned.exit_status);
        CHECK(read_file(report) == scanned.out);
    }
}
