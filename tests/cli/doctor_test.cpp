// `opdebug doctor` of paths: dumps and dump settings.
#include <doctest/doctest.h>

#include <sys/stat.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "doctor_findings.hpp"
#include "reference_data.hpp"
#include "scan_job.hpp"

namespace fs = std::filesystem;
using namespace opdebug::test;
using nlohmann::ordered_json;

TEST_CASE("doctor: a dump path before, during and after the run") {
    const TemporaryDirectory directory;
    const std::string root = directory / "dump";
    CHECK(findings_of(examine_paths({root})) == listed({"error path_missing"}));
    fs::create_directories(root);
    CHECK(findings_of(examine_paths({root})) == listed({"info nothing_there_yet"}));
    write_file(root + "/20260304100000/0/Add.net_Add.9.9." + std::to_string(dump_us), "x");
    CHECK(findings_of(examine_paths({root})) == listed({"warning operator_dumps_only"}));
    write_file(root + "/20260304100000/0/" + dump_name(57), legacy());
    const ProcessResult whole = examine_paths({root});
    CHECK(findings_of(whole) == listed({"info ranks_unknown"}));
    CHECK(whole.exit_status == 0);
    write_file(root + "/20260304100000/0/" + dump_name(58), cut(legacy(), 900));
    write_file(root + "/loose/" + dump_name(59), legacy());
    const ProcessResult damaged = examine_paths({root});
    CHECK(findings_of(damaged) == listed({"info ranks_unknown", "error damaged_dumps", "warning layout_unknown"}));
    CHECK(damaged.exit_status == 1);
}

TEST_CASE("doctor: dumps that cannot be decoded are reported apart from those that are damaged") {
    const TemporaryDirectory directory;
    const std::string folder = directory / "rank_0/Net/0/3/";
    write_file(folder + dump_name(57), cut(legacy(), 1));  // its records are there
    write_file(folder + dump_name(58), std::string());
    write_file(folder + dump_name(59), legacy());
    fs::create_symlink("nowhere", folder + dump_name(60));
    const ProcessResult run = examine_paths({directory / ""});
    CHECK(findings_of(run) == listed({"error damaged_dumps"}));
    CHECK(contains(run.out, "Of 3 dumps examined, 1 cannot be decoded and 1 only in part"));
    CHECK(document_of(run).at("counts").at("dumps") == 3);  // as a scan counts
}

TEST_CASE("doctor: links and converted dumps count as for scan") {
    const TemporaryDirectory directory;
    const std::string tree = directory / "tree", folder = tree + "/rank_0/Net/0/3/";
    write_file(folder + dump_name(57), legacy());
    write_file(folder + dump_name(58), legacy());
    REQUIRE(run_tool({"convert", "-d", folder, "-out", directory / "converted"}).exit_status == 0);
    const std::string output = ".output.0.json";
    for (const int task : {57, 58}) {  // one has its binary next to it, the other's is gone
        fs::copy_file(directory / ("converted/" + dump_name(task) + output), folder + dump_name(task) + output);
    }
    fs::remove(folder + dump_name(58));
    fs::create_symlink(dump_name(57), folder + dump_name(59));
    const ordered_json scanned = ordered_json::parse(run_tool({"scan", tree, "--format", "json"}).out);
    REQUIRE(scanned.at("counts").at("dumps") == 2);
    const ProcessResult run = examine_paths({tree});
    CHECK(document_of(run).at("counts").at("dumps") == 2);
    CHECK(findings_of(run).empty());
    fs::remove_all(folder);
    fs::copy(directory / "converted", folder);
    CHECK(document_of(examine_paths({tree})).at("counts").at("dumps") == 2);
}

TEST_CASE("doctor: folders inside others count once") {
    const TemporaryDirectory directory;
    const std::string folder = directory / "tree/rank_0/Net/0/3/";
    write_file(folder + dump_name(57), legacy());
    write_file(folder + "Add.net_Add.9.9." + std::to_string(dump_us), "");
    const ordered_json counts =
        document_of(examine_paths({directory / "tree/rank_0", directory / "tree", directory / "tree/rank_0/.."}))
            .at("counts");
    CHECK(counts.at("dumps") == 1);
    CHECK(counts.at("op_dumps") == 1);
}

TEST_CASE("doctor: dumps whose names mapping.csv has") {
    const TemporaryDirectory directory;
    const std::string folder = directory / "rank_0/Net/0/3/";
    write_file(folder + "1234567890123456", legacy());
    CHECK(findings_of(examine_paths({directory / ""})) == listed({"info nothing_there_yet"}));
    write_file(folder + "mapping.csv", "1234567890123456," + dump_name(57) + "\n");
    for (const std::string& path : {directory / "", folder + "1234567890123456"}) {
        CAPTURE(path);
        const ProcessResult run = examine_paths({path});
        CHECK(findings_of(run).empty());
        CHECK(document_of(run).at("counts").at("dumps") == 1);
    }
    write_file(folder + "mapping.csv", "1234567890123456,Add.net_Add.9.9." + std::to_string(dump_us) + "\n");
    CHECK(findings_of(examine_paths({directory / ""})) == listed({"warning operator_dumps_only"}));
    fs::remove(folder + "mapping.csv");
    fs::create_directory(folder + "mapping.csv");
    CHECK(contains(findings_of(examine_paths({directory / ""})), "error mapping_unusable"));
}

TEST_CASE("doctor: a file that is given itself and is nothing known") {
    const TemporaryDirectory directory;
    for (const auto& file : std::vector<std::pair<std::string, std::string>>{
             {"words", "junk\n"}, {"empty", ""}, {"words.log", "a\nb\n"}}) {
        CAPTURE(file.first);
        const ProcessResult run = examine_paths({write_file(directory / file.first, file.second)});
        CHECK(findings_of(run) == listed({"error file_unknown"}));
        CHECK(document_of(run).at("counts").at("logs") == 0);
        CHECK(run.exit_status == 1);
    }
    // Among others it is none of the tool's business.
    write_file(directory / "rank_0/Net/0/3/" + dump_name(57), legacy());
    CHECK(findings_of(examine_paths({directory / ""})).empty());
    const ProcessResult renamed = examine_paths({write_file(directory / "renamed", legacy())});
    CHECK(document_of(renamed).at("counts").at("dumps") == 1);
    CHECK_FALSE(contains(findings_of(renamed), "file_unknown"));
}

TEST_CASE("doctor: that something is not there is said only of what could be read") {
    const TemporaryDirectory directory;
    write_file(directory / "tree/a/b/notes", "");
    const auto examined = [&](const char* depth) {
        return findings_of(run_tool(
            {"doctor", "--format", "json", "--limit", std::string("folder_depth=") + depth, directory / "tree"}));
    };
    CHECK(examined("1") == listed({"error path_unreadable"}));
    CHECK(examined("2") == listed({"info nothing_there_yet"}));
    write_file(directory / ("tree/Add.net_Add.9.9." + std::to_string(dump_us)), "x");
    CHECK(examined("1") == listed({"error path_unreadable"}));
    CHECK(examined("2") == listed({"warning operator_dumps_only"}));
}

TEST_CASE("doctor: API dumps are pointed to; names from files do not reach the terminal as they are") {
    const TemporaryDirectory directory;
    write_file(directory / "step0/rank0/dump.json", "{}");
    CHECK(findings_of(examine_paths({directory / ""})) == listed({"info api_dumps_found"}));
    const ProcessResult run = run_tool({"doctor", "--format", "text", directory / "\x1b[31mred"});
    CHECK(run.exit_status == 1);
    CHECK_FALSE(contains(run.out, "\x1b"));
    CHECK(contains(run.out, "\\x1b[31mred\n  ✗ This path does not exist\n"));
}

TEST_CASE("doctor: the API dumps of a folder are those of msprobe's debugger and of CANN, too") {
    // The forms of docs/internals/api-rules.md.
    const std::string saved = R"({"task": "statistics", "level": "debug", "framework": "pytorch", "data": {}})";
    const std::string statistics =
        "Input/Output,Index,Data Size,Data Type,Format,Shape,Count,Max Value,Min Value,Avg Value,l2norm,Nan Count,"
        "Negative Inf Count,Positive Inf Count\n";
    const std::string single = "Add.Default_Add.2.5." + std::to_string(dump_us) + ".csv";
    for (const auto& [name, text] :
         {std::pair{std::string("step0/rank0/debug.json"), saved}, {"20260304100000/0/" + single, statistics}}) {
        const TemporaryDirectory directory;
        write_file(directory / name, text);
        const ProcessResult run = examine_paths({directory / ""});
        CHECK(findings_of(run) == listed({"info api_dumps_found"}));
        CHECK(document_of(run).at("counts").at("api_dumps") == 1);
        CHECK(findings_of(examine_paths({directory / name})) == listed({"info api_dumps_found"}));
        // Files of others have such names.
        write_file(directory / name, name.ends_with("csv") ? "time,loss\n1,2\n" : R"({"debug": true})");
        CHECK(findings_of(examine_paths({directory / ""})) == listed({"info nothing_there_yet"}));
    }
}

TEST_CASE("doctor: what is neither a folder nor a regular file is reported and not read") {
    const TemporaryDirectory directory;
    fs::create_directory(directory / "folder.json");
    CHECK(findings_of(examine_paths({directory / "folder.json"})) == listed({"info nothing_there_yet"}));
    for (const char* name : {"pipe", "pipe.json", "pipe.log"}) {
        REQUIRE(::mkfifo((directory / name).c_str(), 0600) == 0);
        CHECK(findings_of(examine_paths({directory / name})) == listed({"error not_a_regular_file"}));
    }
    CHECK(findings_of(examine_paths({"/dev/null"})) == listed({"error not_a_regular_file"}));
}

TEST_CASE("doctor: folders that name their world size show missing ranks") {
    const auto examined = [](const std::vector<std::string>& folders) {
        const TemporaryDirectory directory;
        for (const std::string& folder : folders) {
            write_file(directory / (folder + "/20260304100000/0/graph_1/4/2/" + dump_name(57)), legacy());
        }
        return examine_paths({directory / ""});
    };
    const ProcessResult part = examined({"dump/worldsize8_global_rank3", "dump/worldsize8_global_rank5"});
    CHECK(contains(findings_of(part), "warning ranks_missing"));
    CHECK(contains(part.out, "The world size is 8, but only 2 ranks are here. Missing: 0-2, 4, 6-7."));
    const ProcessResult last = examined({"worldsize16_global_rank0"});
    CHECK(contains(last.out, "only 1 rank is here. Missing: 1-15."));
    // All ranks, two jobs in folders of their own, and names of another form.
    for (const std::vector<std::string>& whole :
         {std::vector<std::string>{"worldsize2_global_rank0", "worldsize2_global_rank1"},
          {"a/worldsize1_global_rank0", "b/worldsize1_global_rank0"},
          {"worldsize2_global_rank2", "worldsize_global_rank0", "worldsize2_rank0", "rank_3"}}) {
        CAPTURE(whole.front());
        CHECK_FALSE(contains(findings_of(examined(whole)), "ranks_missing"));
    }
}

TEST_CASE("doctor: missing ranks of a TorchAir tree (reference data)") {
    const auto data = reference_data();
    if (!data) {
        return;
    }
    const ProcessResult run = examine_paths({(*data / "field/logs/torchair-rank-folder").string()});
    CHECK(contains(run.out, "The world size is 8, but only 2 ranks are here. Missing: 0-2, 4, 6-7."));
}

TEST_CASE("doctor: text is a checklist, the gravest first, each with its setting") {
    const TemporaryDirectory directory;
    const std::string dumps = directory / "dumps", rank = dumps + "/rank_0/Net/0/3/";
    write_file(rank + dump_name(57), cut(legacy(), 900));
    write_file(rank + dump_name(58), legacy());
    const std::string sound = directory / "sound";
    write_file(sound + "/rank_0/Net/0/3/" + dump_name(59), legacy());
    ProcessOptions narrow;
    narrow.environment = {{"COLUMNS", "200"}};
    const auto text_of = [&](std::vector<std::string> more) {
        more.insert(more.begin(), {"doctor", "--format", "text", sound, dumps});
        return run_tool(more, narrow).out;
    };
    const std::string text = text_of({});
    CHECK(text.rfind("1 problem, ", 0) == 0);
    CHECK(contains(text,
                   "checks passed   (-v: explanations, sources, codes)\n\n" + dumps + "\n  ✗ Of 2 dumps examined, "));
    CHECK(contains(text, "\n    → permission to read the dumps; "));
    CHECK(contains(text, "\n" + sound + "\n"));
    CHECK(text.find(sound) > text.find(dumps));
    CHECK(contains(text, "\n  ✓ 1 dump of 1 examined: each can be decoded\n"));
    CHECK_FALSE(contains(text, "source: "));
    CHECK_FALSE(contains(text, "[damaged_dumps]"));
    const std::string all = text_of({"-v"});
    CHECK(contains(all, "The first is " + rank + dump_name(57) + ": "));
    CHECK(contains(all, "source: "));
    CHECK(contains(all, "[damaged_dumps]"));
    CHECK(contains(text_of({"--color", "always"}), "\x1b[1;31m✗\x1b[0m Of 2 dumps"));
}

TEST_CASE("doctor: the environment is examined without a path, or with --environment") {
    const TemporaryDirectory directory;
    const auto examined = [](const std::vector<std::string>& arguments) {
        return document_of(run_tool(arguments)).at("environment_examined").get<bool>();
    };
    CHECK(examined({"doctor", "--format", "json"}));
    CHECK_FALSE(examined({"doctor", "--format", "json", directory / ""}));
    CHECK(examined({"doctor", "--format", "json", "--environment", directory / ""}));
}
