// opdebug completion bash: the script, called as bash calls it.
#include "bash_completion.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

using namespace opdebug::test;

namespace {

using Words = std::vector<std::string>;

Words sorted(Words words) {
    std::sort(words.begin(), words.end());
    return words;
}

}  // namespace

TEST_CASE("bash: commands and the program's options") {
    const BashCompletion bash;
    CHECK(bash.offered({"dec"}) == Words{"decode"});
    CHECK(bash.offered({"s"}) == Words{"scan", "status"});
    CHECK(sorted(bash.offered({""})) == Words{"completion", "convert", "decode", "formats", "index", "manual",
                                              "overflow", "scan", "status", "tensors"});
    CHECK(bash.offered({"--"}) == Words{"--help", "--version"});
    CHECK(bash.offered({"nonsense", ""}).empty());
}

TEST_CASE("bash: options of a command") {
    const BashCompletion bash;
    CHECK(bash.offered({"decode", "--f"}) == Words{"--format"});
    CHECK(bash.offered({"decode", "DUMP", "--lo"}) == Words{"--logs", "--log-formats"});
    CHECK(sorted(bash.offered({"index", "-"})) ==
          Words{"--help", "--jobs", "--log-formats", "--output", "-h", "-j", "-o"});
    CHECK(bash.offered({"status", "--npy"}).empty());                                        // of another command
    CHECK(bash.offered({"decode", "--", "--f"}).empty());                                    // -- ends the options
    CHECK(sorted(bash.offered({"manual", ""})) == Words{"--help", "--output", "-h", "-o"});  // it takes nothing else
}

TEST_CASE("bash: one dash for the long options of convert and overflow") {
    const BashCompletion bash;
    CHECK(bash.offered({"convert", "-o"}) == Words{"-out"});
    CHECK(sorted(bash.offered({"overflow", "-d"})) == Words{"-d", "-dump-path", "-dump_path"});
    CHECK(bash.offered({"overflow", "--o"}) == Words{"--out", "--output"});
    CHECK(bash.offered({"decode", "-o"}) == Words{"-o"});
    write_file(bash.folder() / "results/empty", "");
    write_file(bash.folder() / "report.json", "");
    CHECK(bash.offered({"convert", "-out", "re"}) == Words{"results"});  // folders only
    CHECK(bash.offered({"overflow", "-out", "re"}) == Words{"results"});
    CHECK(bash.offered({"overflow", "--output", "re"}) == Words{"results"});
    CHECK(sorted(bash.offered({"overflow", "-d", "re"})) == Words{"report.json", "results"});
    CHECK(bash.offered({"overflow", "-n", ""}).empty());  // a number
}

TEST_CASE("bash: words of an option, in each spelling") {
    const BashCompletion bash;
    CHECK(bash.offered({"decode", "--format", ""}) == Words{"json", "jsonl", "text"});
    CHECK(bash.offered({"scan", "--format", "h"}) == Words{"html"});
    CHECK(bash.offered({"status", "ai-core", "32", "--lang", ""}) == Words{"en", "zh"});
    CHECK(bash.offered({"scan", "x", "--fail-on", ""}) == Words{"overflow"});
    // --format=js: three words where "=" divides words, which is so unless COMP_WORDBREAKS was changed.
    CHECK(bash.offered({"decode", "--format", "="}) == Words{"json", "jsonl", "text"});
    CHECK(bash.offered({"decode", "--format", "=", "js"}) == Words{"json", "jsonl"});
    CHECK(bash.offered({"decode", "--format=js"}) == Words{"--format=json", "--format=jsonl"});
    CHECK(bash.offered({"decode", "--format", "=", "json", "--lang", "=", ""}) == Words{"en", "zh"});
}

TEST_CASE("bash: arguments that are no options") {
    const BashCompletion bash;
    const Words units{"ai-core", "dha-atomic", "l2-atomic", "aic", "aiv", "aicpu", "sdma"};
    CHECK(bash.offered({"status", ""}) == units);
    CHECK(bash.offered({"status", "--lang", "zh", ""}) == units);  // zh belongs to --lang
    CHECK(bash.offered({"status", "--lang", "=", "zh", ""}) == units);
    CHECK(bash.offered({"status", "aic", ""}).empty());  // a number
    CHECK(bash.offered({"completion", ""}) == Words{"bash", "zsh"});
    CHECK(bash.offered({"formats", ""}) == Words{"list", "show", "check"});
    write_file(bash.folder() / "my launch.json", "");
    CHECK(bash.offered({"formats", "check", "my"}) == Words{"my launch.json"});
}

TEST_CASE("bash: files and folders") {
    const BashCompletion bash;
    write_file(bash.folder() / "dump/Opdebug.Node_OpDebug.1.2.3", "");
    write_file(bash.folder() / "dump.log", "");
    CHECK(sorted(bash.offered({"decode", "d"})) == Words{"dump", "dump.log"});
    CHECK(bash.offered({"decode", "dump/"}) == Words{"dump/Opdebug.Node_OpDebug.1.2.3"});
    CHECK(sorted(bash.offered({"scan", "x", "--logs", "d"})) == Words{"dump", "dump.log"});
    CHECK(bash.offered({"tensors", "--npy", "d"}) == Words{"dump"});
    CHECK(bash.offered({"scan", "--", "dump."}) == Words{"dump.log"});
    CHECK(bash.offered({"status", "aic", "32", ">", "dump."}) == Words{"dump.log"});
}
