// SIGINT, SIGTERM and SIGHUP while the tool writes files: they are whole, and it states how many there are.
#include <doctest/doctest.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <vector>

#include "overflow_tree.hpp"
#include "planned_faults.hpp"

namespace fs = std::filesystem;
using namespace opdebug::test;

namespace {

constexpr std::size_t kDumps = 400;

std::string many_dumps(const TemporaryDirectory& directory) {
    const std::string first = write_file(directory / "first", build_overflow_dump(ai_core_example(32)));
    fs::create_directory(directory / "many");
    for (std::size_t task = 0; task < kDumps; ++task) {
        fs::create_hard_link(
            first, directory / ("many/Opdebug.Node_OpDebug." + std::to_string(100 + task) + ".563.1772618405000000"));
    }
    return directory / "many";
}

bool is_held(const std::string& file) {
    return fs::path(file).extension() == ".held";
}

/// `convert` that gets the signals when six files are there, and goes on after that.
ProcessResult interrupted_convert(const std::string& dumps, const std::string& out, std::vector<int> signals) {
    fs::create_directory(out);
    ProcessOptions options;
    options.meanwhile = [&out, signals](const ProcessResult&) mutable {
        const std::vector<std::string> files = file_names(out);
        if (std::none_of(files.begin(), files.end(), is_held)) {
            return 0;
        }
        if (!signals.empty()) {
            const int signal = signals.back();
            signals.pop_back();
            return signal;
        }
        for (const std::string& file : files) {
            if (is_held(file)) {
                fs::remove(out + "/" + file);
            }
        }
        return 0;
    };
    const FaultyRun run =
        run_faulty_tool("rename */out_*/* HOLD skip=6", {"convert", "-d", dumps, "-out", out}, options);
    CHECK(run.hits > 0);
    return run.result;
}

}  // namespace

TEST_CASE("convert that is interrupted ends with whole files only, and says how many") {
    const TemporaryDirectory directory;
    const std::string dumps = many_dumps(directory);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        CAPTURE(signal);
        const std::string out = directory / ("out_" + std::to_string(signal));
        const ProcessResult run = interrupted_convert(dumps, out, {signal});
        CAPTURE(run.err);
        CHECK(run.exit_status == 128 + signal);
        const std::vector<std::string> files = file_names(out);
        for (const std::string& file : files) {
            CHECK_MESSAGE((contains(file, "Opdebug.") && contains(file, ".output.0.json")), file);
        }
        CHECK(files.size() >= 6);
        CHECK(files.size() < kDumps);
        CHECK(contains(run.err, "stopped: " + std::to_string(files.size()) + " of " + std::to_string(kDumps) +
                                    " overflow dumps converted"));
    }
}

TEST_CASE("a signal while arguments are examined ends a command as one that comes later does") {
    const TemporaryDirectory directory;
    const std::string dump = write_file(directory / "Opdebug.Node_OpDebug.57.563.1772618405000000",
                                        build_overflow_dump(ai_core_example(32)));
    const std::string formats = write_file(directory / "formats.json", "no JSON");
    const std::string result = directory / "result";
    ProcessOptions options;
    options.signal_once_caught = SIGTERM;
    options.signal_once_open = formats;
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"decode", dump}, {"scan", dump}, {"index", dump, "-o", result}}) {
        CAPTURE(arguments.front());
        std::vector<std::string> line = arguments;
        line.insert(line.end(), {"--log-formats", formats});
        const FaultyRun run = run_faulty_tool("read *formats.json PAUSE seconds=1", line, options);
        CHECK(run.hits > 0);
        CHECK(run.result.exit_status == 143);
        CHECK(run.result.out.empty());
        CHECK(contains(run.result.err, "stopped before the work began: nothing was written"));
        CHECK_FALSE(fs::exists(result));
    }
}
