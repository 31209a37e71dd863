// Files that the tool writes: private, whole, where they belong, and nowhere else.
#include <doctest/doctest.h>

#include <sys/stat.h>
#include <sys/types.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "hostile_names.hpp"
#include "log_builder.hpp"
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

mode_t mode_of(const fs::path& path) {
    struct stat status {};
    REQUIRE(::lstat(path.c_str(), &status) == 0);
    return status.st_mode & 07777U;
}

/// Everything below a folder: type, mode, size, and when content or location last changed.
std::map<std::string, std::string> listing_of(const std::string& folder) {
    std::map<std::string, std::string> listing;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        struct stat status {};
        REQUIRE(::lstat(entry.path().c_str(), &status) == 0);
        listing[entry.path().string()] = std::to_string(status.st_mode) + " " + std::to_string(status.st_size) + " " +
                                         std::to_string(status.st_ctim.tv_sec) + "." +
                                         std::to_string(status.st_ctim.tv_nsec);
    }
    return listing;
}

std::vector<std::string> with_output(std::vector<std::string> arguments, const std::string& path) {
    arguments.insert(arguments.end(), {"-o", path});
    return arguments;
}

/// The tool after a shell that does `before` first.
ProcessResult run_behind(const std::string& before, const std::vector<std::string>& arguments) {
    std::vector<std::string> line{"/bin/sh", "-c", before + "\"$@\"", "sh", tool_path};
    line.insert(line.end(), arguments.begin(), arguments.end());
    return run_process(line);
}

std::size_t entries_in(const std::string& folder) {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

}  // namespace

TEST_CASE("output files: -o has the mode that the umask allows, generated files have 0600") {
    for (const auto& row : {std::pair<std::string, unsigned>("022", 0644U), {"077", 0600U}, {"777", 0600U}}) {
        const auto& [umask, mode] = row;
        CAPTURE(row.first);
        const TemporaryDirectory directory;
        const Inputs inputs(directory);
        const std::string out = directory / "out";
        fs::create_directory(out);
        int number = 0;
        for (const auto& arguments : inputs.of_one_file()) {
            const std::string file = out + "/" + std::to_string(++number);
            CAPTURE(arguments.front());
            CHECK(run_behind("umask " + umask + "; exec ", with_output(arguments, file)).exit_status == 0);
        }
        for (const auto& arguments : inputs.of_folder(out)) {
            CAPTURE(arguments.front());
            // The summary's folders are those of the two dumps' one folder: none has to be made with that umask.
            CHECK(run_behind("umask " + umask + "; exec ", arguments).exit_status == 0);
        }
        std::size_t files = 0;
        for (const auto& entry : fs::recursive_directory_iterator(out)) {
            if (entry.is_regular_file()) {
                const bool is_given =
                    entry.path().filename().string().find_first_not_of("0123456789") == std::string::npos;
                CHECK_MESSAGE(mode_of(entry.path()) == (is_given ? mode : 0600U), entry.path().string());
                ++files;
            }
        }
        // Nine of -o; the JSON; two .npy files of the dumps and the one of the overflow; mapping.csv; the summary.
        CHECK(files >= 9 + 1 + 2 + 1 + 1);
    }
}

TEST_CASE("output files: -o keeps the mode of the file that it replaces") {
    const TemporaryDirectory directory;
    for (const mode_t mode : {0600U, 0640U}) {
        const std::string file = write_file(directory / "report.json", "old");
        REQUIRE(::chmod(file.c_str(), mode) == 0);
        CHECK(run_behind("umask 022; exec ", with_output({"status", "ai-core", "32"}, file)).exit_status == 0);
        CHECK(mode_of(file) == mode);
        CHECK(read_file(file) != "old");
    }
}

TEST_CASE("output files: a link is replaced, where it leads nothing changes; further names keep the old content") {
    const TemporaryDirectory directory;
    const Inputs inputs(directory);
    for (const auto& arguments : inputs.of_one_file()) {
        CAPTURE(arguments.front());
        const std::string victim = write_file(directory / "victim", "untouched"), out = directory / "out";
        fs::create_directory(out);
        fs::create_symlink(victim, out + "/link");
        fs::create_symlink(directory / "absent", out + "/dangling");
        fs::create_hard_link(victim, out + "/hard");
        for (const std::string name : {"/link", "/dangling", "/hard"}) {
            CHECK(run_tool(with_output(arguments, out + name)).exit_status == 0);
            CHECK(fs::is_regular_file(fs::symlink_status(out + name)));
            CHECK(read_file(out + name).size() > 20);
        }
        CHECK(read_file(victim) == "untouched");
        CHECK_FALSE(fs::exists(directory / "absent"));
        CHECK(entries_in(out) == 3);  // no temporary file is left
        fs::remove_all(out);
    }
}

TEST_CASE("output files: a folder as -o is reported and left alone, without a temporary file next to it") {
    const TemporaryDirectory directory;
    const Inputs inputs(directory);
    fs::create_directories(directory / "out/folder");
    for (const auto& arguments : inputs.of_one_file()) {
        CAPTURE(arguments.front());
        const ProcessResult run = run_tool(with_output(arguments, directory / "out/folder"));
        CHECK(run.exit_status == 2);
        CHECK(contains(run.err, "-o " + directory / "out/folder is a folder: use a file name"));
        CHECK(entries_in(directory / "out") == 1);
        CHECK(entries_in(directory / "out/folder") == 0);
    }
}

TEST_CASE("output files: no name, and no folder for the file, is reported by every command before it reads anything") {
    const TemporaryDirectory directory;
    const Inputs inputs(directory);
    for (const auto& arguments : inputs.of_one_file()) {
        CAPTURE(arguments.front());
        const ProcessResult unnamed = run_tool(with_output(arguments, ""));
        CHECK(unnamed.exit_status == 2);
        CHECK(contains(unnamed.err, "-o needs a file name, not an empty text"));
        const ProcessResult nowhere = run_tool(with_output(arguments, directory / "absent/file"));
        CHECK(nowhere.exit_status == 2);
        CHECK(contains(nowhere.err, directory / "absent: No such file or directory"));
    }
}

// By these names only, not by /dev/stdout: a tool that replaced it would do so for the whole machine.
TEST_CASE("output files: an open descriptor as -o is written to, where it stands in its file") {
    const TemporaryDirectory directory;
    const Inputs inputs(directory);
    for (const std::string name : {"/proc/self/fd/1", "/dev/fd/1"}) {
        for (const std::vector<std::string>& arguments :
             {std::vector<std::string>{"status", "--format", "text", "ai-core", "32"},
              {"scan", inputs.root, "--quiet"}}) {
            CAPTURE(name);
            const std::string expected = run_tool(arguments).out;
            const std::string file = write_file(directory / "file", "before\n");
            const ProcessResult run = run_behind("exec >> '" + file + "'; ", with_output(arguments, name));
            CHECK(run.exit_status == 0);
            CHECK(read_file(file) == "before\n" + expected);
        }
        const ProcessResult closed = run_tool({"status", "--format", "text", "ai-core", "32", "-o", name + "99"});
        CHECK(closed.exit_status == 2);
        CHECK(contains(closed.err, "Bad file descriptor"));
    }
}

TEST_CASE("output files: a link to a pipe or device is replaced, a pipe itself is written to") {
    const TemporaryDirectory directory;
    const std::string pipe = directory / "pipe";
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    for (const std::string& target : {pipe, std::string("/dev/null")}) {
        CAPTURE(target);
        const std::string link = directory / "link";
        fs::remove(link);
        fs::create_symlink(target, link);
        CHECK(run_tool({"status", "--format", "text", "ai-core", "32", "-o", link}).exit_status == 0);
        CHECK(fs::is_regular_file(fs::symlink_status(link)));
        CHECK(contains(read_file(link), "floating-point overflow"));
    }
    const ProcessResult run =
        run_process({"/bin/sh", "-c", "\"$0\" status ai-core 32 -o \"$1\" & cat \"$1\"; wait $!", tool_path, pipe});
    CHECK(contains(run.out, "ai_core.float_overflow"));
    CHECK(fs::is_fifo(fs::symlink_status(pipe)));
}

TEST_CASE("output files: no link is followed below the folder of results, one to the folder itself is") {
    const TemporaryDirectory directory;
    const Inputs inputs(directory);
    // Equal names in two folders have results in folders of their own.
    for (const char* rank : {"rank_0/", "rank_1/"}) {
        for (const std::string& name : {kOutputDump, op_dump_name}) {
            fs::create_directories(inputs.root + "/twins/" + rank);
            fs::copy_file(inputs.root + "/job/" + name, inputs.root + "/twins/" + rank + name);
        }
    }
    const std::string twins = inputs.root + "/twins", out = directory / "out", victim = directory / "victim";
    for (const std::vector<std::string>& arguments : {std::vector<std::string>{"convert", "-d", twins, "-out", out},
                                                      {"tensors", twins, "--npy", out},
                                                      {"overflow", "-d", twins, "-out", out, "-n", "2"}}) {
        CAPTURE(arguments.front());
        fs::create_directories(directory / "real");
        fs::create_directories(victim);
        fs::create_directory_symlink("real", out);
        fs::create_directory_symlink("../victim", directory / "real/rank_1");
        const ProcessResult run = run_tool(arguments);
        CHECK(run.exit_status == 1);
        CHECK(contains(run.err, "rank_1: cannot create the folder: a file or a link has that name"));
        CHECK(fs::is_empty(victim));
        CHECK_FALSE(fs::is_empty(directory / "real/rank_0"));
        fs::remove(out);
        fs::remove_all(directory / "real");
    }
}

TEST_CASE("output files: mapping.csv is not added to through a hard link, and a name is one line of it") {
    const TemporaryDirectory directory;
    const Inputs inputs(directory);
    const std::string victim = write_file(directory / "victim", "untouched"), out = directory / "out";
    fs::create_directory(out);
    fs::create_hard_link(victim, out + "/mapping.csv");
    const ProcessResult run = run_tool({"tensors", inputs.root + "/job/" + long_name, "--npy", out});
    CHECK(run.exit_status == 1);
    CHECK(contains(run.err, "mapping.csv: the long name of a tensor is not noted"));
    CHECK(read_file(victim) == "untouched");

    std::string two_lines = long_name;
    two_lines.replace(10, 4, "\n1,x");
    const std::string dump = write_file(directory / ("tree/" + two_lines), build_v2(example_op_dump()));
    CHECK(run_tool({"tensors", dump, "--npy", directory / "other"}).exit_status == 0);
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

TEST_CASE("output files: results stay in their folder, however the inputs are spelt") {
    const TemporaryDirectory directory;
    write_hostile_job(directory / "tree/job");
    const std::string root = directory / "tree/job", out = directory / "out";
    const auto before = listing_of(directory / "tree");
    const fs::path home = fs::current_path();
    fs::current_path(root + "/logged");
    std::vector<ProcessResult> runs;
    for (const std::string& spelling :
         {std::string(".."), std::string("."), std::string("../logged/../logged/."), root + "/../job//", root}) {
        for (const std::vector<std::string>& arguments :
             {std::vector<std::string>{"convert", "-d", spelling, "-out", out},
              {"tensors", spelling, "--npy", out},
              {"overflow", "-d", spelling, "-out", out, "-n", "9"}}) {
            runs.push_back(run_tool(arguments));
        }
    }
    fs::current_path(home);
    for (const ProcessResult& run : runs) {
        CHECK_FALSE(contains(run.err, "it is outside of"));
    }
    CHECK(listing_of(directory / "tree") == before);
    CHECK(entries_in(directory.path().string()) == 2);
    // Each dump has a result of its own, whichever names are equal.
    const ProcessResult all = run_tool({"convert", "-d", root, "-out", directory / "all"});
    const std::size_t readable = 3 * hostile_names().size();
    CHECK(contains(all.err, "overflow dumps converted: " + std::to_string(readable)));
    std::size_t results = 0;
    for (const auto& entry : fs::recursive_directory_iterator(directory / "all")) {
        results += entry.is_regular_file() ? 1U : 0U;
    }
    CHECK(results == readable);
}
