// opdebug completion zsh: the script, in zsh's own line editor.
#include <doctest/doctest.h>

#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include "build_paths.hpp"
#include "skip.hpp"
#include "tool.hpp"

using namespace opdebug::test;

namespace {

using Words = std::set<std::string>;

/// What zsh offers at the end of each line; nothing where zsh is not installed.
std::optional<std::map<std::string, Words>> offered(const std::vector<std::string>& lines, const std::string& script) {
    const std::string driver = std::string(source_folder) + "/tests/cli/zsh_completion.zsh";
    for (const char* zsh : {"/bin/zsh", "/usr/bin/zsh"}) {
        if (!std::filesystem::exists(zsh)) {
            continue;
        }
        std::vector<std::string> arguments{zsh, "-f", driver, script};
        arguments.insert(arguments.end(), lines.begin(), lines.end());
        const ProcessResult run = run_process(arguments);
        REQUIRE_MESSAGE(run.exit_status == 0, run.err);
        CHECK(run.err.empty());
        std::map<std::string, Words> matches;
        std::string line;
        for (const std::string& row : lines_of(run.out)) {
            if (row.rfind("> ", 0) == 0) {
                line = row.substr(2);
                matches[line];
            } else {
                matches[line].insert(row);
            }
        }
        return matches;
    }
    skip("zsh is not installed");
    return std::nullopt;
}

}  // namespace

TEST_CASE("zsh: commands, options, values, files and folders") {
    const TemporaryDirectory directory;
    const std::string script = directory / "_opdebug";
    REQUIRE(run_tool({"completion", "zsh", "-o", script}).exit_status == 0);
    const std::string folder = directory / "files";
    write_file(folder + "/results/empty", "");
    write_file(folder + "/report.json", "");

    const std::map<std::string, Words> expected{
        {"opdebug s", {"scan", "status"}},
        {"opdebug ",
         {"api", "completion", "convert", "decode", "doctor", "formats", "index", "manual", "merge", "overflow", "scan",
          "status", "tensors", "watch"}},
        {"opdebug --", {"--help", "--version"}},
        {"opdebug decode --f", {"--format"}},
        {"opdebug decode --lo", {"--logs", "--log-formats"}},
        {"opdebug index -",
         {"--help", "--jobs", "--limit", "--log-formats", "--output", "--quiet", "-h", "-j", "-o", "-q"}},
        {"opdebug decode --format ", {"json", "jsonl", "text"}},
        {"opdebug decode --format=js", {"json", "jsonl"}},
        {"opdebug scan --fail-on ", {"overflow"}},
        {"opdebug status aic 32 --lang ", {"en", "zh"}},
        {"opdebug status ", {"ai-core", "dha-atomic", "l2-atomic", "aic", "aiv", "aicpu", "sdma"}},
        {"opdebug status aic ", {}},
        {"opdebug completion ", {"bash", "zsh", "fish"}},
        {"opdebug formats ", {"list", "show", "check"}},
        {"opdebug formats show runtime.task_",
         {"runtime.task_exception", "runtime.task_exception_kernel", "runtime.task_failed", "runtime.task_finished",
          "runtime.task_renumbered", "runtime.task_run_failed"}},
        {"opdebug formats --format json show --lang zh ge.wat", {"ge.watcher"}},
        {"opdebug formats show --lan", {"--lang"}},
        {"opdebug formats show ge.watcher ge.", {}},
        {"opdebug formats check x --lang=zh " + folder + "/re", {"results", "report.json"}},
        {"opdebug formats show " + folder + "/re", {}},
        {"opdebug formats list " + folder + "/re", {}},
        {"opdebug formats check " + folder + "/re", {"results", "report.json"}},
        {"opdebug convert -ou", {"-out", "-output"}},
        {"opdebug overflow --o", {"--out", "--output"}},
        {"opdebug overflow -n ", {}},
        {"opdebug decode " + folder + "/re", {"results", "report.json"}},
        {"opdebug scan x --logs " + folder + "/re", {"results", "report.json"}},
        {"opdebug convert -out " + folder + "/re", {"results"}},
        {"opdebug tensors x --npy=" + folder + "/re", {"results"}},
    };
    std::vector<std::string> lines;
    for (const auto& item : expected) {
        lines.push_back(item.first);
    }
    const auto found = offered(lines, script);
    if (!found) {
        return;
    }
    for (const auto& item : expected) {
        CAPTURE(item.first);
        const auto matches = found->find(item.first);
        REQUIRE(matches != found->end());
        CHECK(matches->second == item.second);
    }
}
