// What other tools fail at, where no test of a subject shows it: names that are commands, characters that they refuse,
// links that they resolve, records that they misread. The others: docs/internals/testing.md, "What other tools fail
// at".
#include <doctest/doctest.h>

#include <filesystem>
#include <map>

#include "tensor_values.hpp"
#include "tool.hpp"

namespace fs = std::filesystem;
using namespace opdebug::test;
using nlohmann::ordered_json;

namespace {

const std::string name = "Opdebug.Node_OpDebug.57.563.1597922031178434";

/// Each path below a folder with its size and time.
std::map<std::string, std::string> list_folder(const std::string& folder) {
    std::map<std::string, std::string> listing;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        listing[entry.path().string()] = std::to_string(entry.is_regular_file() ? entry.file_size() : 0) + " " +
                                         std::to_string(entry.last_write_time().time_since_epoch().count());
    }
    return listing;
}

std::size_t json_files_in(const std::string& folder) {
    std::size_t count = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        count += entry.path().extension() == ".json" ? 1U : 0U;
    }
    return count;
}

/// All commands that read a folder of dumps.
std::vector<std::vector<std::string>> commands_on(const std::string& dumps, const std::string& results) {
    return {{"scan", dumps, "--tensors", "--format", "text"},
            {"convert", "-d", dumps, "-out", results + "/converted"},
            {"tensors", dumps, "--npy", results + "/npy"},
            {"overflow", "-d", dumps, "-out", results + "/overflow", "-n", "5"}};
}

void check_counts(const std::string& folder, int overflowed, int clean, int failed) {
    const ProcessResult run = run_tool({"scan", folder, "--format", "json"});
    const ordered_json counts = ordered_json::parse(run.out)["counts"];
    CAPTURE(counts.dump());
    CHECK(counts["overflowed"] == overflowed);
    CHECK(counts["clean"] == clean);
    CHECK(counts["failed"] == failed);
}

}  // namespace

TEST_CASE("peers: a file name is never a command, and nothing in the folder of the dumps is renamed or written") {
    const TemporaryDirectory directory;
    const std::string mark = directory / "mark";
    for (const std::string& command : {"$(touch " + mark + ")", "`touch " + mark + "`", ";touch " + mark + ";",
                                       "|touch " + mark, "&& touch " + mark}) {
        // A name has no slash: the command is a folder's, with the mark's folders below.
        const std::string folder = directory / ("dumps/" + command + "/");
        write_file(folder + name, build_overflow_dump(ai_core_example(32)));
        write_file(folder + "Add.$(touch mark).57.563.1597922031178400",
                   build_v2(example_op_dump("net/$(touch mark)")));
    }
    const auto before = list_folder(directory / "dumps");
    for (const auto& command : commands_on(directory / "dumps", directory / "results")) {
        CAPTURE(command.front());
        const ProcessResult run = run_tool(command);
        CAPTURE(run.err);
        CHECK(run.exit_status == 0);
        CHECK_FALSE(fs::exists(mark));
        CHECK_FALSE(fs::exists("mark"));
        CHECK(list_folder(directory / "dumps") == before);
    }
}

TEST_CASE("peers: characters that the official tool refuses in paths are taken by every command") {
    const TemporaryDirectory directory;
    const std::vector<std::string> folders = {"a b",      "a:b",    "a+b", "a@b", "a~b", "\xe6\xba\xa2\xe5\x87\xba",
                                              "\xff\xfe", "a'b\"c", "a\nb"};
    for (const std::string& folder : folders) {
        write_file(directory / ("dumps/" + folder + "/" + name), build_overflow_dump(ai_core_example(32)));
    }
    check_counts(directory / "dumps", static_cast<int>(folders.size()), 0, 0);
    CHECK(run_tool({"convert", "-d", directory / "dumps", "-out", directory / "out"}).exit_status == 0);
    CHECK(json_files_in(directory / "out") == folders.size());
    for (const std::string& folder : folders) {
        CAPTURE(folder);
        const ProcessResult run = run_tool({"decode", directory / ("dumps/" + folder + "/" + name)});
        CHECK(run.exit_status == 0);
        CHECK(ordered_json::parse(run.out)["overflow"] == true);
    }
}

TEST_CASE("peers: a link to a dump has its own name, whatever its target is called") {
    const TemporaryDirectory directory;
    write_file(directory / "target.bin", build_overflow_dump(ai_core_example(32)));
    fs::create_directories(directory / "links");
    fs::create_symlink(directory / "target.bin", directory / ("links/" + name));
    const ProcessResult decoded = run_tool({"decode", directory / ("links/" + name)});
    CHECK(decoded.exit_status == 0);
    CHECK(ordered_json::parse(decoded.out)["name_ids"]["task_id"] == 57);
    CHECK(run_tool({"convert", "-d", directory / ("links/" + name), "-out", directory / "out"}).exit_status == 0);
    CHECK(fs::exists(directory / ("out/" + name + ".output.0.json")));
}

TEST_CASE("peers: a pipe and a folder called like a dump are refused by name, and do not block") {
    const TemporaryDirectory directory;
    fs::create_directories(directory / name);
    const ProcessResult folder = run_tool({"decode", directory / name});
    CHECK(folder.exit_status == 2);
    CHECK(contains(folder.err, name));
    const ProcessResult device = run_tool({"decode", "/dev/null"});
    CHECK(device.exit_status != 0);
    CHECK(contains(device.err, "/dev/null"));
}

TEST_CASE("peers: four status words of 0, and an entry that is not valid, are no overflow") {
    const TemporaryDirectory directory;
    AcceleratorPayload zero;
    zero.version = 1;
    zero.entries = {counting_entry(AccType::aiv, 1, 1)};
    for (std::size_t word = 10; word < 14; ++word) {
        zero.entries[0].data[word] = 0;
    }
    AcceleratorPayload not_valid;
    not_valid.entries = {core_entry(AccType::aiv, 7, 0x20)};
    not_valid.entries[0].valid = 0;
    write_file(directory / ("0/" + name), build_overflow_dump(zero));
    write_file(directory / ("1/" + name), build_overflow_dump(not_valid));
    check_counts(directory.path().string(), 0, 2, 0);
}
