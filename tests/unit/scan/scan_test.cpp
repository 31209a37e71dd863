// A whole tree: what counts as a dump, in which order, and that nothing is lost or counted twice.
#include <doctest/doctest.h>

#include <sys/stat.h>

#include <atomic>
#include <filesystem>
#include <stdexcept>

#include "dump_builder.hpp"
#include "dump_tree.hpp"
#include "official_text.hpp"
#include "temporary_directory.hpp"
#include "text.hpp"

namespace fs = std::filesystem;
using namespace opdebug;
using namespace opdebug::test;
using Lines = std::vector<std::string>;

namespace {

const std::string kDump = "Opdebug.Node_OpDebug.1.5.1732082705016774";

Buffer bytes(std::uint64_t status = 32) {
    return build_overflow_dump(ai_core_example(status));
}

/// Eight ranks with equal file names and everything that may be wrong.
void write_ranks(const TemporaryDirectory& directory) {
    AcceleratorPayload accelerator;
    accelerator.entries.push_back(counting_entry(AccType::aiv, 7));
    for (int rank = 0; rank < 8; ++rank) {
        const std::string folder = "rank_" + std::to_string(rank) + "/Net/0/3/";
        write_file(directory / (folder + kDump), rank % 2 == 0 ? bytes() : build_overflow_dump(accelerator));
        write_file(directory / (folder + "Add.net_Add.57.563.1732082705016780"), "x");
    }
    write_file(directory / ("cut/" + kDump), cut(bytes(0), 1500));
    write_file(directory / ("zero/" + kDump), bytes(0));
    write_file(directory / "spelling/OpDebug.Node_Opdebug.1.5.1732082705016774", bytes());
    write_file(directory / ("溢出 dump/" + kDump), bytes());
    write_file(directory / ("bytes\xFF/" + kDump), bytes());
    fs::create_symlink("nowhere", directory / ("cut/Opdebug.Node_OpDebug.2.5.1732082705016774"));
    write_file(directory / "readme.txt", "x");
}

}  // namespace

TEST_CASE("scan: eight ranks, damaged, clean, misspelt and oddly named dumps all count once") {
    const TemporaryDirectory directory;
    write_ranks(directory);
    const Scanned scanned = scan_tree({directory.path().string()});
    CHECK(shown(scanned.scan.counts) == "13 11 1 1 8 2");
    CHECK(shown(scanned, directory.path().string() + "/") ==
          Lines{"overflowed bytes\xFF/" + kDump, "failed cut/" + kDump, "overflowed rank_0/Net/0/3/" + kDump,
                "overflowed rank_1/Net/0/3/" + kDump, "overflowed rank_2/Net/0/3/" + kDump,
                "overflowed rank_3/Net/0/3/" + kDump, "overflowed rank_4/Net/0/3/" + kDump,
                "overflowed rank_5/Net/0/3/" + kDump, "overflowed rank_6/Net/0/3/" + kDump,
                "overflowed rank_7/Net/0/3/" + kDump, "overflowed spelling/OpDebug.Node_Opdebug.1.5.1732082705016774",
                "clean zero/" + kDump, "overflowed 溢出 dump/" + kDump});
    CHECK(scanned.scan.complete);
    CHECK(scanned.scan.failures.empty());
    REQUIRE(scanned.scan.diagnostics.size() == 1);
    CHECK(scanned.scan.diagnostics[0].code == "dangling_links");
    const ScannedDump& failed = scanned.dumps[1];
    REQUIRE(failed.failure.has_value());
    CHECK(to_string(failed.failure->code) == "payload_truncated");
    CHECK(failed.dump.has_value());
    const ScannedDump& rank_0 = scanned.dumps[2];
    REQUIRE(rank_0.location.op.has_value());
    CHECK(rank_0.location.op->best.type == std::optional<std::string>("Add"));
    CHECK(rank_0.dump->path_ids.rank == std::optional<std::uint64_t>(0));
}

TEST_CASE(
    "scan: no dump is lost for a name of few or many digits, and names that are nearly those of dumps are reported") {
    const TemporaryDirectory directory;
    for (const char* name : {"Opdebug.Node_OpDebug.1.1.1000", "Opdebug.Node_OpDebug.1",
                             "OPDEBUG.node_opdebug.1.2.3.4.5.6", "Opdebug.Node_OpDebug.1.99999999999999999999999"}) {
        write_file(directory / name, bytes());
    }
    write_file(directory / "Opdebug.Node_OpDebug.bak", bytes());
    write_file(directory / ("a/" + kDump + ".tmp"), bytes());
    write_file(directory / "Add.Node_OpDebug.bak", bytes());
    const Scanned scanned = scan_tree({directory.path().string()});
    CHECK(shown(scanned.scan.counts) == "4 4 0 0 0 3");
    REQUIRE(scanned.scan.diagnostics.size() == 1);
    CHECK(scanned.scan.diagnostics[0].code == "nearly_dump_names");
    CHECK(
        contains(scanned.scan.diagnostics[0].message, ": 2, for example " + (directory / "Opdebug.Node_OpDebug.bak")));
    CHECK(shown(scan_tree({directory / "Opdebug.Node_OpDebug.bak"}).scan.counts) == "1 1 0 0 0 0");
}

TEST_CASE("scan: order is that of path bytes, also where files and folders alternate") {
    const TemporaryDirectory directory;
    const std::string later = "Opdebug.Node_OpDebug.9.5.1732082705016774";
    for (const std::string& file : {"a/" + kDump, "a/0/" + kDump, "a/z/" + kDump, "a.b/" + kDump, "a/" + later}) {
        write_file(directory / file, bytes());
    }
    CHECK(shown(scan_tree({directory.path().string()}), directory.path().string() + "/") ==
          Lines{"overflowed a.b/" + kDump, "overflowed a/0/" + kDump, "overflowed a/" + kDump, "overflowed a/" + later,
                "overflowed a/z/" + kDump});
}

TEST_CASE("scan: paths given twice or inside one another give each dump once") {
    const TemporaryDirectory directory;
    const std::string file = write_file(directory / ("a/b/" + kDump), bytes());
    const std::string renamed = write_file(directory / "a/b/renamed.bin", bytes());
    const std::string root = directory.path().string();
    const Scanned scanned = scan_tree({directory / "a/b", root, file, renamed, root + "/./a", renamed});
    CHECK(shown(scanned, root) == Lines{"overflowed /a/b/" + kDump, "overflowed /a/b/renamed.bin"});
    CHECK(shown(scanned.scan.counts) == "2 2 0 0 0 0");
}

TEST_CASE("scan: a file given itself is a dump whatever its name, and shown as given") {
    const TemporaryDirectory directory;
    const std::string renamed = write_file(directory / "renamed.bin", bytes());
    const std::string text = write_file(directory / "note.txt", "this is a note, not a dump at all");
    const Scanned scanned = scan_tree({renamed, text});
    CHECK(shown(scanned, directory.path().string()) == Lines{"failed /note.txt", "overflowed /renamed.bin"});
}

TEST_CASE("scan: a link is a dump of its own name, unless its target is found as well") {
    const TemporaryDirectory directory;
    write_file(directory / "store/data.bin", bytes());
    write_file(directory / ("tree/real/" + kDump), bytes());
    const std::string link = "Opdebug.Node_OpDebug.7.5.1732082705016774";
    const std::string second = "Opdebug.Node_OpDebug.8.5.1732082705016774";
    fs::create_symlink("../store/data.bin", directory / ("tree/" + link));
    fs::create_symlink("../store/data.bin", directory / ("tree/" + second));
    fs::create_symlink("real/" + kDump, directory / ("tree/" + kDump));
    const Scanned scanned = scan_tree({directory / "tree"});
    CHECK(shown(scanned, directory / "tree/") == Lines{"overflowed " + link, "overflowed real/" + kDump});
    CHECK(shown(scanned.scan.counts) == "2 2 0 0 0 2");
    REQUIRE(scanned.scan.diagnostics.size() == 1);
    CHECK(scanned.scan.diagnostics[0].code == "linked_twice");
    REQUIRE(scanned.dumps[0].dump->name.has_value());
    CHECK(scanned.dumps[0].dump->name->task_id == std::optional<std::uint64_t>(7));
}

TEST_CASE("scan: loops end, and a real folder comes before a link to it") {
    const TemporaryDirectory directory;
    write_file(directory / ("z/20241120060505/" + kDump), bytes());
    fs::create_directory_symlink("z", directory / "a");
    fs::create_directory_symlink("../..", directory / "z/20241120060505/up");
    CHECK(shown(scan_tree({directory.path().string()}), directory.path().string() + "/") ==
          Lines{"overflowed z/20241120060505/" + kDump});
}

TEST_CASE("scan: pipes, sockets and their like are other files and do not block") {
    const TemporaryDirectory directory;
    const std::string fifo = directory / kDump;
    REQUIRE(mkfifo(fifo.c_str(), 0600) == 0);
    fs::create_symlink(kDump, directory / "Opdebug.Node_OpDebug.7.5.1732082705016774");
    const Scanned scanned = scan_tree({directory.path().string()});
    CHECK(shown(scanned.scan.counts) == "0 0 0 0 0 2");
    CHECK(shown(scan_tree({fifo}), directory.path().string()) == Lines{"failed /" + kDump});
    REQUIRE(scanned.scan.diagnostics.size() == 1);
    CHECK(scanned.scan.diagnostics[0].code == "special_files");
    CHECK(contains(scanned.scan.diagnostics[0].message, ": 2, for example " + fifo));
}

TEST_CASE("scan: converted JSON counts where the binary is not there, its outputs together") {
    const TemporaryDirectory directory;
    const std::string text = official_ai_core_text(32);
    const std::string lone = "lone/Opdebug.Node_OpDebug.2.5.1732082705016774.output.";
    const std::string bad = "bad/Opdebug.Node_OpDebug.3.5.1732082705016774.output.0.json";
    write_file(directory / ("both/" + kDump), bytes());
    write_file(directory / ("both/" + kDump + ".output.0.json"), text);
    write_file(directory / (lone + "0.json"), text);
    write_file(directory / (lone + "1.json"), official_ai_core_text(0));
    write_file(directory / bad, text.substr(0, 40));
    const Scanned scanned = scan_tree({directory.path().string()});
    CHECK(shown(scanned, directory.path().string() + "/") ==
          Lines{"failed " + bad, "overflowed both/" + kDump, "overflowed " + lone + "0.json"});
    CHECK(shown(scanned.scan.counts) == "3 2 0 1 0 2");
    REQUIRE(scanned.dumps[2].dump->payloads.size() == 2);
    CHECK(scanned.dumps[2].dump->payloads[1].output_index == 1);
}

TEST_CASE("scan: numbers for names are looked up in mapping.csv") {
    const TemporaryDirectory directory;
    write_file(directory / "12", bytes());
    write_file(directory / "13", "x");
    write_file(directory / "14", "x");
    write_file(directory / "mapping.csv", "12," + kDump + "\n13,Add.add.1.5.1732082705016774\n");
    const Scanned scanned = scan_tree({directory.path().string()});
    CHECK(shown(scanned.scan.counts) == "1 1 0 0 1 2");
    REQUIRE(scanned.dumps.size() == 1);
    CHECK(scanned.dumps[0].dump->timestamp_us == std::optional<std::uint64_t>(1732082705016774));
}

TEST_CASE("scan: stopping leaves what was done, in order, and says so") {
    const TemporaryDirectory directory;
    for (int i = 100; i < 300; ++i) {
        write_file(directory / ("Opdebug.Node_OpDebug." + std::to_string(i) + ".5.1732082705016774"), bytes());
    }
    for (const unsigned threads : {1U, 4U}) {
        std::atomic<int> asked{0};
        ScanOptions options;
        options.threads = threads;
        options.stop = [&asked] { return ++asked > 60; };
        const Scanned scanned = scan_tree({directory.path().string()}, options);
        CHECK_FALSE(scanned.scan.complete);
        CHECK(scanned.scan.diagnostics.back().code == "stopped_early");
        CHECK(scanned.scan.counts.dumps == scanned.dumps.size());
        CHECK(scanned.dumps.size() < 200);
        for (std::size_t i = 0; i < scanned.dumps.size(); ++i) {
            CHECK(scanned.dumps[i].dump->name->task_id == std::optional<std::uint64_t>(100 + i));
        }
    }
}

TEST_CASE("scan: what the caller throws ends the scan") {
    const TemporaryDirectory directory;
    for (int i = 100; i < 300; ++i) {
        write_file(directory / ("Opdebug.Node_OpDebug." + std::to_string(i) + ".5.1732082705016774"), bytes());
    }
    ScanOptions options;
    options.threads = 4;
    const auto use = [](ScannedDump&&) { throw std::runtime_error("enough"); };
    CHECK_THROWS_AS((void)scan({directory.path().string()}, options, use), std::runtime_error);
}

TEST_CASE("scan: a path that is not there costs only itself, and is an error where no other one is") {
    const TemporaryDirectory directory;
    write_file(directory / ("a/" + kDump), bytes());
    const std::string missing = directory / "missing";
    const std::string too_long = directory / std::string(300, 'n');
    const Scanned scanned = scan_tree({missing, directory / "a", too_long});
    CHECK(shown(scanned.scan.counts) == "1 1 0 0 0 0");
    REQUIRE(scanned.scan.failures.size() == 2);
    CHECK(scanned.scan.failures[0].file == missing);
    CHECK(to_string(scanned.scan.failures[0].code) == "file_not_found");
    CHECK(scanned.scan.failures[1].file == too_long);
    CHECK(to_string(scanned.scan.failures[1].code) == "read_failed");
    CHECK(contains(scanned.scan.failures[1].message, "path is too long"));

    const auto result = scan({missing, too_long}, {}, [](ScannedDump&&) {});
    REQUIRE_FALSE(result.ok());
    CHECK(to_string(result.error().code) == "file_not_found");
    CHECK(result.error().file == missing);
}

TEST_CASE("scan: damaged dumps that count all the same are named in a remark") {
    const TemporaryDirectory directory;
    write_file(directory / ("whole/" + kDump), bytes());
    write_file(directory / ("failed/" + kDump), cut(bytes(0), 1500));
    CHECK(scan_tree({directory.path().string()}).scan.diagnostics.empty());
    for (const char* folder : {"1/", "2/", "3/", "4/"}) {
        // The AI Core's unit, which overflowed, is whole; what is cut belongs to the unit after it.
        write_file(directory / (folder + kDump), cut(bytes(32), 500));
    }
    const Scanned scanned = scan_tree({directory.path().string()});
    CHECK(shown(scanned.scan.counts) == "6 5 0 1 0 0");
    REQUIRE(scanned.scan.diagnostics.size() == 1);
    CHECK(scanned.scan.diagnostics[0].code == "dumps_damaged");
    const std::string& message = scanned.scan.diagnostics[0].message;
    CHECK(message.rfind("4 dumps are damaged", 0) == 0);
    CHECK(contains(message, directory / ("3/" + kDump)));
    CHECK_FALSE(contains(message, directory / ("4/" + kDump)));
}

TEST_CASE("scan: a converted output next to its dump is known whatever the case of the dump's name") {
    const TemporaryDirectory directory;
    const std::string text = official_ai_core_text(32);
    write_file(directory / "a/OpDebug.Node_Opdebug.1.5.1732082705016774", bytes());
    write_file(directory / ("a/" + kDump + ".output.0.json"), text);
    write_file(directory / ("b/" + kDump + ".output.0.json"), text);
    write_file(directory / ("b/" + kDump + ".output.00.json"), text);
    const Scanned scanned = scan_tree({directory / "a"});
    CHECK(shown(scanned.scan.counts) == "1 1 0 0 0 1");
    const Scanned twice = scan_tree({directory / "b"});
    CHECK(shown(twice.scan.counts) == "1 1 0 0 0 1");
    CHECK(twice.dumps[0].dump->payloads.size() == 1);
}

TEST_CASE("scan: converted JSON in another folder counts once with its binary, unless it may be another rank's") {
    const TemporaryDirectory directory;
    const std::string converted = kDump + ".output.0.json";
    write_file(directory / ("rank_0/Net/0/3/" + kDump), bytes());
    write_file(directory / ("json/" + converted), official_ai_core_text(32));
    const Scanned copy = scan_tree({directory.path().string()});
    CHECK(shown(copy, directory.path().string() + "/") == Lines{"overflowed rank_0/Net/0/3/" + kDump});
    CHECK(shown(copy.scan.counts) == "1 1 0 0 0 1");
    REQUIRE(copy.scan.diagnostics.size() == 1);
    CHECK(copy.scan.diagnostics[0].code == "converted_copies");
    CHECK(contains(copy.scan.diagnostics[0].message, ": 1, for example " + (directory / ("json/" + converted))));
    // Another rank, another name.
    write_file(directory / ("rank_1/Net/0/3/" + converted), official_ai_core_text(32));
    write_file(directory / "json/Opdebug.Node_OpDebug.2.5.1732082705016774.output.0.json", official_ai_core_text(32));
    CHECK(shown(scan_tree({directory.path().string()}).scan.counts) == "3 3 0 0 0 1");
    // Without its binary each one counts.
    CHECK(shown(scan_tree({directory / "json"}).scan.counts) == "2 2 0 0 0 0");
}

TEST_CASE("scan: converted JSON in another folder counts if its binary is damaged or has other records") {
    const TemporaryDirectory directory;
    write_file(directory / ("json/" + kDump + ".output.0.json"), official_ai_core_text(32));
    write_file(directory / ("bin/" + kDump), cut(bytes(), bytes().size() - 40));
    CHECK(shown(scan_tree({directory.path().string()}).scan.counts) == "2 1 0 1 0 0");
    write_file(directory / ("bin/" + kDump), bytes(0));
    CHECK(shown(scan_tree({directory.path().string()}).scan.counts) == "2 1 1 0 0 0");
}

TEST_CASE("scan: the overflowed dumps of a tree ask the logs for their tasks, clean and broken ones for nothing") {
    const TemporaryDirectory directory;
    LegacyPayload other = ai_core_example(32);
    other.ai_core.stream_id = 7;
    other.ai_core.task_id = 8;
    write_file(directory / ("a/" + kDump), bytes());
    write_file(directory / ("b/" + kDump), bytes(0));
    write_file(directory / ("c/" + kDump), "x");
    write_file(directory / ("d/" + kDump), build_overflow_dump(other));
    const Result<DumpTree> tree = find_dump_tree({directory.path().string()});
    REQUIRE(tree.ok());
    const Result<WantedTasks> wanted = wanted_tasks(*tree);
    REQUIRE(wanted.ok());
    CHECK(wanted->tasks == std::vector<std::pair<std::uint64_t, std::uint64_t>>{{563, 57}, {7, 8}});
    ScanOptions stopped;
    stopped.stop = [] { return true; };
    const Result<WantedTasks> none = wanted_tasks(*tree, stopped);
    REQUIRE_FALSE(none.ok());
    CHECK(none.error().code == ErrorCode::interrupted);
}
