// No result takes the place of what it is made from, by whatever name the target is called.
#include <doctest/doctest.h>

#include <filesystem>

#include "build_paths.hpp"
#include "official_text.hpp"
#include "tool.hpp"

namespace fs = std::filesystem;
using namespace opdebug::test;

namespace {

const std::string name = "Opdebug.Node_OpDebug.59.7.1597922031178434";
const std::string log_line =
    "[INFO] RUNTIME(1,a):2026-01-02-03:04:05.678.901 [x.cc:1] 1 Launch: device_id=0, stream_id=1, task_id=2\n";

void check_refused(const ProcessResult& run, const std::string& target) {
    CHECK(run.exit_status == 2);
    CHECK(run.out.empty());
    CHECK(contains(run.err, target));
    CHECK(contains(run.err, "one of the inputs"));
}

}  // namespace

TEST_CASE("decode -o refuses a dump that it reads, also by a link or another path") {
    const TemporaryDirectory directory;
    const Buffer bytes = build_overflow_dump(ai_core_example(32));
    const std::string dump = write_file(directory / name, bytes);
    fs::create_symlink(name, directory / "symbolic");
    fs::create_hard_link(dump, directory / "hard");
    fs::create_directory(directory / "folder");
    for (const std::string& target :
         {dump, directory / "symbolic", directory / "hard", directory / ("folder/../" + name)}) {
        CAPTURE(target);
        check_refused(run_tool({"decode", dump, "-o", target}), target);
        check_refused(run_tool({"decode", directory / "missing", dump, "-o", target}), target);
    }
    CHECK(read_file(dump) == text_of(bytes));
    CHECK(fs::is_symlink(directory / "symbolic"));
}

TEST_CASE("decode -o refuses a log, given itself or by its folder") {
    const TemporaryDirectory directory;
    const std::string dump = write_file(directory / name, build_overflow_dump(ai_core_example(32)));
    const std::string log = write_file(directory / "logs/debug/plog.log", log_line);
    check_refused(run_tool({"decode", dump, "--logs", log, "-o", log}), log);
    check_refused(run_tool({"decode", dump, "--logs", directory / "logs", "-o", log}), log);
    CHECK(read_file(log) == log_line);
    // Whatever stands in that folder is kept, whether it is read as a log or not; a new file may be made there.
    const std::string other = write_file(directory / "logs/result.json", "old");
    check_refused(run_tool({"decode", dump, "--logs", directory / "logs", "-o", other}), other);
    CHECK(read_file(other) == "old");
    run_tool({"decode", dump, "--logs", directory / "logs", "-o", directory / "logs/new.json"});
    CHECK(contains(read_file(directory / "logs/new.json"), "opdebug.record/1"));
}

TEST_CASE("decode -o refuses the file that standard input comes from") {
    const TemporaryDirectory directory;
    const Buffer bytes = build_overflow_dump(ai_core_example(32));
    const std::string dump = write_file(directory / name, bytes);
    const std::string line = std::string("'") + tool_path + "' decode - -o '" + dump + "' < '" + dump + "'";
    check_refused(run_process({"/bin/sh", "-c", line}), dump);
    CHECK(read_file(dump) == text_of(bytes));
}

TEST_CASE("convert never replaces a dump that it converts") {
    const TemporaryDirectory directory;
    const std::string first = write_file(directory / name, build_overflow_dump(ai_core_example(8)));
    const Buffer bytes = build_overflow_dump(ai_core_example(16));
    const std::string second = write_file(directory / (name + ".output.0.json"), bytes);
    const ProcessResult run = run_tool({"convert", "-d", first + "," + second, "-out", directory.path().string()});
    CHECK(run.exit_status == 1);
    CHECK(contains(run.err, second + ": not written"));
    CHECK(read_file(second) == text_of(bytes));
    CHECK(read_file(second + ".output.0.json") == official_ai_core_text(16));
}
