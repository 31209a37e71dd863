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

TEST_CASE("bash: options of a command") {
    const BashCompletion bash;
    CHECK(bash.offered({"decode", "--f"}) == Words{"--format"});
    CHECK(bash.offered({"decode", "DUMP", "--lo"}) == Words{"--logs", "--log-formats"});
    CHECK(sorted(bash.offered({"index", "-"})) == Words{"--format", "--help", "--jobs", "--lang", "--limit",
                                                        "--log-formats", "--output", "--quiet", "-h", "-j", "-o",
                                                        "-q"});
    CHECK(bash.offered({"status", "--npy"}).empty());                                        // of another command
    CHECK(bash.offered({"decode", "--", "--f"}).empty());                                    // -- ends the options
    CHECK(sorted(bash.offered({"manual", ""})) == Words{"--help", "--output", "-h", "-o"});  // it takes nothing else
}

TEST_CASE("bash: words of an option, in each spelling") {
    const BashCompletion bash;
    CHECK(bash.offered({"decode", "--format", ""}) == Words{"text", "json", "jsonl"});
    CHECK(bash.offered({"scan", "--format", "h"}) == Words{"html"});
    CHECK(bash.offered({"status", "ai-core", "32", "--lang", ""}) == Words{"en", "zh"});
    CHECK(bash.offered({"scan", "x", "--fail-on", ""}) == Words{"overflow"});
    // --format=js: three words where "=" divides words, which is so unless COMP_WORDBREAKS was changed.
    CHECK(bash.offered({"decode", "--format", "="}) == Words{"text", "json", "jsonl"});
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
    CHECK(bash.offered({"completion", ""}) == Words{"bash"});
}

TEST_CASE("bash: what follows an action of formats") {
    const BashCompletion bash;
    CHECK(bash.offered({"formats", ""}) == Words{"list", "show", "check", "try"});
    Words ids;
    const auto formats = nlohmann::json::parse(run_tool({"formats", "list", "--format", "json"}).out).at("formats");
    for (const auto& format : formats) {
        ids.push_back(format.at("id").get<std::string>());
    }
    CHECK(bash.offered({"formats", "show", ""}) == ids);
    CHECK(bash.offered({"formats", "--format", "json", "show", "--lang", "=", "zh", ""}) == ids);
    // One name, and no file: what is left are options, as for list.
    const Words options{"--format", "--log-formats", "--limit", "-o", "--output", "--color", "--lang", "-h", "--help"};
    CHECK(bash.offered({"formats", "show", "ge.watcher", ""}) == options);
    CHECK(bash.offered({"formats", "list", ""}) == options);
    CHECK(bash.offered({"formats", "check", ""}).empty());  // files, which bash completes itself
}

TEST_CASE("bash, typed: files and folders, in each way of quoting") {
    const BashCompletion bash;
    write_file(bash.folder() / "my dump/Opdebug.Node_OpDebug.1.2.3", "");
    write_file(bash.folder() / "my.log", "");
    write_file(bash.folder() / "new line", "");
    write_file(bash.folder() / "results/empty", "");
    write_file(bash.folder() / "report.json", "");
    const std::string home = bash.folder().path().string();
    const std::vector<std::pair<std::string, std::string>> lines{
        {"decode my.\t", "<decode><my.log>"},
        {"decode \"my.\t", "<decode><my.log>"},
        {"decode my\\ \tO\t", "<decode><my dump/Opdebug.Node_OpDebug.1.2.3>"},
        {"decode 'my dump/O\t", "<decode><my dump/Opdebug.Node_OpDebug.1.2.3>"},
        {"decode \"my \tO\t", "<decode><my dump/Opdebug.Node_OpDebug.1.2.3>"},
        {"decode ne\t", "<decode><new line>"},
        {"decode ~/my.\t", "<decode><" + home + "/my.log>"},
        {"decode x --logs=\"my \t", "<decode><x><--logs=my dump/>"},
        {"decode x --logs=my.\t", "<decode><x><--logs=my.log>"},
        {"decode x --logs=~/my.\t", "<decode><x><--logs=~/my.>"},  // bash does not replace this ~
        {"decode x --logs ~/my.\t", "<decode><x><--logs><" + home + "/my.log>"},
        {"scan -- my.\t", "<scan><--><my.log>"},
        {"convert -out re\t", "<convert><-out><results/>"},  // folders only
        {"overflow --output=re\t", "<overflow><--output=results/>"},
        {"convert -out rep\t", "<convert><-out><rep>"},
        {"overflow -d rep\t", "<overflow><-d><report.json>"},
        {"formats check rep\t", "<formats><check><report.json>"},
        {"formats list rep\t", "<formats><list><rep>"},
        {"formats show rep\t", "<formats><show><rep>"},
        {"form\tsh\truntime.task_fin\t", "<formats><show><runtime.task_finished>"},
        {"status aic 32 2>rep\t", "<status><aic><32>"},
    };
    std::string keys;
    Words expected;
    for (const auto& [typed, arguments] : lines) {
        keys += "opdebug " + typed + "\n";
        expected.push_back(arguments);
    }
    const Words entered = bash.entered(keys);
    CHECK(entered.size() == expected.size());
    for (std::size_t i = 0; i < std::min(entered.size(), expected.size()); ++i) {
        CHECK(entered[i] == expected[i]);
    }
}

TEST_CASE("bash, typed: a tab runs nothing of a pasted line") {
    const BashCompletion bash;
    const std::string ran = bash.folder() / "ran";
    const std::vector<std::string> pasted{"${x:=$(touch ran)}/", "$((a[$(touch ran)0]))/", "$(touch ran)/",
                                          "`touch ran`/", "\"$(touch ran)/"};
    const std::vector<std::string> places{"",
                                          "decode ",
                                          "decode x --logs=",
                                          "decode x --logs ",
                                          "decode --format=",
                                          "convert -out ",
                                          "status aic ",
                                          "status ",
                                          "formats show ",
                                          "formats check ",
                                          "> "};
    std::string keys;
    for (const std::string& place : places) {
        for (const std::string& text : pasted) {
            keys += "opdebug " + place + text + "\t\x15";
            keys += "opdebug " + place + text + " --f\t\x15";
        }
    }
    CHECK(bash.entered(keys + "opdebug end\n") == Words{"<end>"});
    CHECK(!std::filesystem::exists(ran));
}
