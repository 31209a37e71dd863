// Files that the tool writes: whole, where they belong, and never over an input.
#include <doctest/doctest.h>

#include <sys/stat.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "log_builder.hpp"
#include "official_text.hpp"
#include "tensor_values.hpp"
#include "tool.hpp"

namespace fs = std::filesystem;
using namespace opdebug::test;

namespace {

const std::string kOutputDump = "Opdebug.Node_OpDebug.57.563.1597922031178434";
const std::string op_dump_name = "Add.bert_Add_17.57.563.1597922031178400";
/// With ".output.0.npy" it has 255 bytes, from where on .npy files have short names.
const std::string long_name = "Add." + std::string(214, 'n') + ".58.563.1597922031178400";

/// A dump with its operator's dump, one of a long name, and a log.
struct Inputs {
    std::string root, dump, log;

    explicit Inputs(const TemporaryDirectory& directory)
        : root(directory / "inputs"),
          dump(write_file(root + "/job/" + kOutputDump, build_overflow_dump(ai_core_example(32)))),
          log(write_file(root + "/logs/plog-5100_1.log", LogText().at(0).set_up_stream(563).text())) {
        write_file(root + "/job/" + op_dump_name, build_v2(example_op_dump()));
        write_file(root + "/job/" + long_name, build_v2(example_op_dump()));
    }

    /// Commands that write one file, without "-o FILE".
    std::vector<std::vector<std::string>> of_one_file() const {
        return {{"decode", dump, "--logs", log},
                {"scan", root},
                {"scan", root, "--format", "html"},
                {"tensors", root},
                {"index", log},
                {"status", "--format", "text", "ai-core", "32"},
                {"formats", "--format", "text", "list"},
                {"manual"},
                {"completion", "bash"}};
    }

    /// Commands that write into a folder.
    std::vector<std::vector<std::string>> of_folder(const std::string& out) const {
        return {{"convert", "-d", root, "-out", out},
                {"tensors", root, "--npy", out},
                {"overflow", "-d", root, "-out", out}};
    }
};

std::vector<std::string> with_output(std::vector<std::string> arguments, const std::string& path) {
    arguments.insert(arguments.end(), {"-o", path});
    return arguments;
}

std::size_t entries_in(const std::string& folder) {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

}  // namespace

TEST_CASE("output files: a link is replaced, where it leads nothing changes; further names keep the old content") {
    const TemporaryDirectory directory;
    const Inputs inputs(directory);
    for (const auto& arguments : inputs.of_one_file()) {
        CAPTURE(arguments.front());
        const std::string victim = write_file(directory / "victim", "untouched"), out = directory / "out";
        fs::create_directory(out);
        fs::create_symlink(victim, out + "/link");
        fs::create_hard_link(victim, out + "/hard");
        for (const std::string name : {"/link", "/hard"}) {
            CHECK(run_tool(with_output(arguments, out + name)).exit_status == 0);
            CHECK(fs::is_regular_file(fs::symlink_status(out + name)));
            CHECK(read_file(out + name).size() > 20);
        }
        CHECK(read_file(victim) == "untouched");
        CHECK(entries_in(out) == 2);  // no temporary file is left
        fs::remove_all(out);
    }
}

TEST_CASE("output files: a place that cannot be written is reported by every command before it reads anything") {
    const TemporaryDirectory directory;
    const Inputs inputs(directory);
    write_file(directory / "file", "x");
    for (const auto& arguments : inputs.of_one_file()) {
        CAPTURE(arguments.front());
        for (const auto& [place, message] : {std::pair(std::string(), "needs a file name"),
                                             {inputs.root, "is a folder: use a file name"},
                                             {directory / "absent/file", "No such file or directory"},
                                             {directory / "file/below", "Not a directory"}}) {
            const ProcessResult run = run_tool(with_output(arguments, place));
            CHECK(run.exit_status == 2);
            CHECK(run.out.empty());
            CHECK(contains(run.err, message));
        }
    }
    for (const std::string& place : {directory / "file", directory / "file/below"}) {
        for (const auto& arguments : inputs.of_folder(place)) {
            CAPTURE(arguments.front());
            const ProcessResult run = run_tool(arguments);
            CHECK(run.exit_status == 2);
            CHECK(contains(run.err, place + " cannot be written: "));
        }
    }
}

TEST_CASE("output files: -o refuses an input and what is below one, however it is spelt") {
    const TemporaryDirectory directory;
    const Inputs inputs(directory);
    const std::string dump = read_file(inputs.dump), log = read_file(inputs.log);
    fs::create_directory_symlink("inputs", directory / "way");
    fs::create_symlink(inputs.dump, directory / "link");
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"decode", inputs.dump, "-o", inputs.dump},
          {"decode", inputs.dump, "-o", directory / "link"},
          {"decode", inputs.dump, "--logs", inputs.log, "-o", inputs.log},
          {"decode", inputs.dump, "--logs", inputs.root, "-o", inputs.log},
          {"scan", inputs.root, "-o", inputs.dump},
          {"scan", inputs.root, "-o", inputs.root + "/job/new.json"},
          {"scan", inputs.root, "-o", directory / "way/job/../new.json"},
          {"index", inputs.root, "-o", inputs.root + "/logs/tasks.map"},
          {"tensors", inputs.root, "-o", inputs.root + "/new.json"},
          {"doctor", inputs.root, "-o", inputs.root + "/new.json"},
          {"api", inputs.root, "-o", inputs.root + "/new.json"},
          {"watch", inputs.root, "-o", inputs.root + "/new.json"}}) {
        CAPTURE(arguments.back());
        const ProcessResult run = run_tool(arguments);
        CHECK(run.exit_status == 2);
        CHECK(run.out.empty());
        CHECK(contains(run.err, "-o " + arguments.back() + " is the input "));
    }
    const std::string line =
        std::string("'") + tool_path + "' decode - -o '" + inputs.dump + "' < '" + inputs.dump + "'";
    CHECK(run_process({"/bin/sh", "-c", line}).exit_status == 2);
    CHECK(read_file(inputs.dump) == dump);
    CHECK(read_file(inputs.log) == log);
    CHECK_FALSE(fs::exists(inputs.root + "/new.json"));
    for (int i = 0; i < 2; ++i) {  // next to the inputs, also a second time
        CHECK(run_tool({"scan", inputs.root, "-o", directory / "inputs.json"}).exit_status == 0);
        CHECK(run_tool({"decode", inputs.dump, "-o", inputs.root + "/job/record.json"}).exit_status == 0);
    }
}

TEST_CASE("output files: pipes, devices and open descriptors are written to") {
    const TemporaryDirectory directory;
    const std::vector<std::string> status{"status", "--format", "text", "ai-core", "32"};
    const std::string expected = run_tool(status).out;
    for (const std::string name : {"/proc/self/fd/1", "/dev/fd/1", "/dev/stdout", "-"}) {
        CAPTURE(name);
        const std::string file = write_file(directory / "file", "before\n");
        std::vector<std::string> line{"/bin/sh", "-c", "exec >> \"$0\"; \"$@\"", file, tool_path};
        const std::vector<std::string> arguments = with_output(status, name);
        line.insert(line.end(), arguments.begin(), arguments.end());
        CHECK(run_process(line).exit_status == 0);
        CHECK(read_file(file) == "before\n" + expected);
    }
    CHECK(run_tool(with_output(status, "/dev/null")).exit_status == 0);
    if (fs::is_directory("/dev/shm")) {  // a folder of files like others
        const std::string file = "/dev/shm/" + directory.path().filename().string();
        CHECK(run_tool(with_output(status, file)).exit_status == 0);
        CHECK(read_file(file) == expected);
        fs::remove(file);
    }
    CHECK(run_tool(with_output(status, "/dev/fd/199")).exit_status == 2);
    const std::string pipe = directory / "pipe";
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    const ProcessResult run =
        run_process({"/bin/sh", "-c", "\"$0\" status ai-core 32 -o \"$1\" & cat \"$1\"; wait $!", tool_path, pipe});
    CHECK(contains(run.out, "ai_core.float_overflow"));
    CHECK(fs::is_fifo(fs::symlink_status(pipe)));
}

TEST_CASE("output files: convert never replaces a dump that it converts") {
    const TemporaryDirectory directory;
    const std::string first = write_file(directory / kOutputDump, build_overflow_dump(ai_core_example(8)));
    const Buffer bytes = build_overflow_dump(ai_core_example(16));
    const std::string second = write_file(directory / (kOutputDump + ".output.0.json"), bytes);
    const ProcessResult run = run_tool({"convert", "-d", first + "," + second, "-out", directory.path().string()});
    CHECK(run.exit_status == 1);
    CHECK(contains(run.err, second + ": not written"));
    CHECK(read_file(second) == text_of(bytes));
    CHECK(read_file(second + ".output.0.json") == official_ai_core_text(16));
}

TEST_CASE("output files: mapping.csv has each long name of a tensor once, a line break in it as text") {
    const TemporaryDirectory directory;
    std::string two_lines = long_name;
    two_lines.replace(10, 4, "\n1,x");
    const std::string dump = write_file(directory / ("tree/" + two_lines), build_v2(example_op_dump()));
    for (int i = 0; i < 2; ++i) {
        CHECK(run_tool({"tensors", dump, "--npy", directory / "other"}).exit_status == 0);
    }
    const std::vector<std::string> lines = lines_of(read_file(directory / "other/mapping.csv"));
    REQUIRE(lines.size() == 1);
    CHECK(contains(lines[0], ".npy,Add.nnnnnn\\x0a1,xnnn"));
}

TEST_CASE("output files: a name that becomes too long is reported, and leaves nothing after") {
    const TemporaryDirectory directory;
    // 243 bytes; ".output.0.json" makes 257, and file systems take 255.
    const std::string name = "Opdebug.Node_OpDebug." + std::string(200, '0') + "1.563.1772618405000000";
    const std::string dump = write_file(directory / ("in/" + name), build_overflow_dump(ai_core_example(32)));
    const ProcessResult run = run_tool({"convert", "-d", dump, "-out", directory / "out"});
    CHECK(run.exit_status == 1);
    CHECK(contains(run.err, name + ".output.0.json: cannot rename the temporary file: File name too long"));
    CHECK(fs::is_empty(directory / "out"));
}
