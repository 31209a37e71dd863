// opdebug completion fish: the script, as fish completes with it.
#include <doctest/doctest.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "offered_words.hpp"
#include "skip.hpp"
#include "tool.hpp"

using namespace opdebug::test;

namespace {

constexpr const char* fish = "/usr/bin/fish";

/// What fish offers at the end of each line, without the descriptions; nothing where fish is not installed.
std::optional<WordsOfLines> offered(const std::vector<std::string>& lines, const std::string& script,
                                    const std::string& home) {
    if (!std::filesystem::exists(fish)) {
        skip("fish is not installed");
        return std::nullopt;
    }
    ProcessOptions options;
    options.environment = {{"HOME", home}};
    std::vector<std::string> arguments{
        fish, "--no-config", "-c",
        "source $argv[1]; for line in $argv[2..-1]; echo \"> $line\"; complete -C $line; end", script};
    arguments.insert(arguments.end(), lines.begin(), lines.end());
    return words_of_lines(run_process(arguments, options));
}

}  // namespace

TEST_CASE("fish: commands, options, values, files and folders") {
    const TemporaryDirectory directory;
    const std::string script = directory / "opdebug.fish";
    REQUIRE(run_tool({"completion", "fish", "-o", script}).exit_status == 0);
    const std::string folder = directory / "files";
    write_file(folder + "/results/empty", "");
    write_file(folder + "/report.json", "");
    const std::string results = folder + "/results/", report = folder + "/report.json";

    const WordsOfLines expected{
        {"opdebug s", {"scan", "status"}},
        {"opdebug ",
         {"api", "completion", "convert", "decode", "doctor", "formats", "index", "manual", "merge", "overflow", "scan",
          "status", "tensors", "watch"}},
        {"opdebug --", {"--help", "--version"}},
        {"opdebug decode --f", {"--format"}},
        {"opdebug decode --lo", {"--logs", "--log-formats"}},
        {"opdebug decode --format ", {"json", "jsonl", "text"}},
        {"opdebug decode --format=js", {"--format=json", "--format=jsonl"}},
        {"opdebug scan --fail-on ", {"overflow"}},
        {"opdebug status aic 32 --lang ", {"en", "zh"}},
        {"opdebug status ", {"ai-core", "dha-atomic", "l2-atomic", "aic", "aiv", "aicpu", "sdma"}},
        {"opdebug status --format json l2", {"l2-atomic"}},
        {"opdebug status aic ", {}},
        {"opdebug completion ", {"bash", "zsh", "fish"}},
        {"opdebug formats ", {"list", "show", "check"}},
        {"opdebug formats --format json show --lang zh ge.wat", {"ge.watcher"}},
        {"opdebug formats show --lan", {"--lang"}},
        {"opdebug formats show ge.watcher ge.", {}},
        {"opdebug formats check x --lang=zh " + folder + "/re", {results, report}},
        {"opdebug formats show " + folder + "/re", {}},
        {"opdebug formats list " + folder + "/re", {}},
        {"opdebug convert -ou", {"-out", "-output"}},
        {"opdebug overflow --o", {"--out", "--output"}},
        {"opdebug overflow -n ", {}},
        {"opdebug decode " + folder + "/re", {results, report}},
        {"opdebug decode scan " + folder + "/re", {results, report}},
        {"opdebug decode -- " + folder + "/re", {results, report}},
        {"opdebug scan x --logs " + folder + "/re", {results, report}},
        {"opdebug convert -out " + folder + "/re", {results}},
        {"opdebug tensors x --npy " + folder + "/re", {results}},
        {"opdebug manual " + folder + "/re", {}},
    };
    const auto found = offered(lines_in(expected), script, directory.path().string());
    if (!found) {
        return;
    }
    check_words(*found, expected);
}

TEST_CASE("fish: the options of a command are those of --help, whatever stands on the line") {
    const TemporaryDirectory directory;
    const std::string script = directory / "opdebug.fish";
    REQUIRE(run_tool({"completion", "fish", "-o", script}).exit_status == 0);
    const auto found = offered({"opdebug index -", "opdebug index x -j 2 -"}, script, directory.path().string());
    if (!found) {
        return;
    }
    const Words options{"--help", "--jobs", "--limit", "--log-formats", "--output", "--quiet", "-h", "-j", "-o", "-q"};
    CHECK(found->at("opdebug index -") == options);
    for (const std::string& option : found->at("opdebug index x -j 2 -")) {
        CHECK(options.count(option) == 1);
    }
}
