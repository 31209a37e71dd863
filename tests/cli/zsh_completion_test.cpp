// opdebug completion zsh: the script, in zsh's own line editor.
#include <doctest/doctest.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "build_paths.hpp"
#include "offered_words.hpp"
#include "skip.hpp"
#include "tool.hpp"

using namespace opdebug::test;

namespace {

/// What zsh offers at the end of each line; nothing where zsh is not installed.
std::optional<WordsOfLines> offered(const std::vector<std::string>& lines, const std::string& script) {
    const std::string driver = std::string(source_folder) + "/tests/cli/zsh_completion.zsh";
    for (const char* zsh : {"/bin/zsh", "/usr/bin/zsh"}) {
        if (!std::filesystem::exists(zsh)) {
            continue;
        }
        std::vector<std::string> arguments{zsh, "-f", driver, script};
        arguments.insert(arguments.end(), lines.begin(), lines.end());
        return words_of_lines(run_process(arguments));
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

    const WordsOfLines expected{
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
    const auto found = offered(lines_in(expected), script);
    if (!found) {
        return;
    }
    check_words(*found, expected);
}
