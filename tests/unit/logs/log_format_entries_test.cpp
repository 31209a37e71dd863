// Entries of a file of log formats: several patterns, statements of lines without a name, and the earlier form.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <doctest/doctest.h>

#include <opdebug/logs.hpp>

#include "logs/formats/formats.hpp"

#include "text.hpp"

using namespace opdebug::logs;
using opdebug::LogFormatInfo;
using opdebug::NamedText;
using opdebug::test::contains;

namespace {

std::string sample_of(std::string_view text) {
    return "\"[INFO] TOY(1,toy):2030-01-01-00:00:00.000 [t.c:1]1 F:" + std::string(text) + "\"";
}

NamedText toy_file(const std::string& members, const std::string& schema = "opdebug.log_formats/2") {
    return {"toy.json", R"({"schema": ")" + schema +
                            R"(", "formats": [{"id": "toy.put", "log": "runtime_log", "modules": ["TOY"], )" + members +
                            "}]}"};
}

/// Two texts of one launch line; "none" and nothing are no names.
std::string launch_entry(const std::string& samples) {
    return R"j("states": "kernel_of_task", "else_states": "unnamed_launch",
        "patterns": ["put (?<kernel_name>.*?) at (?<stream_id>\\d+)/(?<task_id>\\d+)",
                     "place kernel (?<kernel_name>.*?), task (?<task_id>\\d+) of (?<stream_id>\\d+)"],
        "ignore": {"kernel_name": ["", "none"]}, "samples": [)j" +
           samples + "]";
}

const std::string kAllSamples = sample_of("put a at 1/2") + ", " + sample_of("put none at 1/2") + ", " +
                                sample_of("place kernel a, task 2 of 1") + ", " +
                                sample_of("place kernel , task 2 of 1");

auto texts_of(const FormatDefinition& format) {
    return std::tie(format.file, format.id, format.alternative, format.of_ignored, format.modules, format.functions,
                    format.literal, format.pattern, format.captures, format.remembers, format.forgets,
                    format.completed_by, format.catalogue, format.versions, format.source, format.samples);
}

}  // namespace

TEST_CASE("log format entries: the earlier form is read as today's") {
    const std::string end = R"("states": "nothing", "pattern": "abc \\d", "samples": [)" + sample_of("abc 1") + "]";
    const auto earlier = opdebug::list_log_formats(
        {toy_file(R"("catalogue": "T1", "literal": "abc", "versions": "1", "source": "made up", )" + end,
                  "opdebug.log_formats/1")});
    const auto today = opdebug::list_log_formats(
        {toy_file(R"("literal": "abc", "about": {"catalogue": "T1", "versions": "1", "source": "made up"}, )" + end)});
    REQUIRE(earlier.ok());
    REQUIRE(today.ok());
    const LogFormatInfo &a = earlier->back(), &b = today->back();
    CHECK(std::tie(a.id, a.catalogue, a.literal, a.literals, a.patterns, a.versions, a.source, a.samples) ==
          std::tie(b.id, b.catalogue, b.literal, b.literals, b.patterns, b.versions, b.source, b.samples));
    CHECK(a.catalogue == "T1");
    CHECK(a.literals == std::vector<std::string>{"abc"});
}

TEST_CASE("log format entries: an entry with several patterns is one in lists") {
    const auto list = opdebug::list_log_formats({toy_file(launch_entry(kAllSamples))});
    REQUIRE(list.ok());
    const LogFormatInfo& info = list->back();
    CHECK(info.id == "toy.put");
    CHECK(info.patterns.size() == 2);
    CHECK(info.literals == std::vector<std::string>{"put ", "place kernel "});
    CHECK(info.literal.empty());
    CHECK(info.else_states == "unnamed_launch");
    CHECK(std::count_if(list->begin(), list->end(), [](const auto& format) { return format.id == "toy.put"; }) == 1);
}

TEST_CASE("log format entries: what is trusted is read as what is checked") {
    for (const NamedText& file : built_in_log_format_files()) {
        CAPTURE(file.name);
        const auto checked = read_format_file(file);
        const auto trusted = read_format_file(file, {}, Samples::trusted);
        REQUIRE(checked.ok());
        REQUIRE(trusted.ok());
        REQUIRE(trusted->size() == checked->size());
        for (std::size_t i = 0; i < checked->size(); ++i) {
            CHECK(texts_of((*trusted)[i]) == texts_of((*checked)[i]));
        }
    }
}

TEST_CASE("log format entries: a format of one's own reads a line before those that only know its keys") {
    std::vector<NamedText> files = built_in_log_format_files();
    files.push_back({"own.json", R"json({"schema": "opdebug.log_formats/1", "formats": [
        {"id": "own.launch", "catalogue": "X1", "states": "kernel_of_task", "log": "runtime_log", "modules": ["RUNTIME"],
         "literal": "ourKey=", "pattern": "stream_id=(?<stream_id>\\d+), task_id=(?<task_id>\\d+), ourKey=\\d+, kernel_name=(?<kernel_name>\\w+)",
         "versions": "1", "source": "made up",
         "samples": ["[INFO] RUNTIME(1,a):2030-01-01-00:00:00.000 [c.cc:1] 9 F: stream_id=5, task_id=6, ourKey=1, kernel_name=K"]}]})json"});
    const auto loaded = LogFormats::load(files);
    REQUIRE_MESSAGE(loaded.ok(), (loaded ? "" : loaded.error().message));
    const auto line = parse_line(
        "[INFO] RUNTIME(1,a):2030-01-01-00:00:00.000 [c.cc:1] 9 F: stream_id=5, task_id=6, ourKey=1, kernel_name=K");
    REQUIRE(line);
    const std::optional<Match> match = (*loaded)->match(*line);
    REQUIRE(match);
    CHECK(match->fact.format_id == "own.launch");
    CHECK_FALSE(match->fact.task_id_provisional);
}

TEST_CASE("log format entries: a pattern that gives up on a line is remarked, and the line states nothing") {
    const auto loaded = LogFormats::load({toy_file(
        R"j("states": "operator_of_task", "pattern": "runs (?<operator_name>(?:\\w+\\w+)+) at (?<stream_id>\\d+)/(?<task_id>\\d+)",
        "samples": [)j" +
        sample_of("runs mul at 3/4") + "]")});
    REQUIRE_MESSAGE(loaded.ok(), (loaded ? "" : loaded.error().message));
    const std::string text =
        "[INFO] TOY(1,toy):2030-01-01-00:00:00.000 [t.c:1]1 F:runs " + std::string(600, 'a') + "! at 3/4";
    std::optional<opdebug::Diagnostic> diagnostic;
    CHECK_FALSE((*loaded)->match(*parse_line(text), &diagnostic));
    REQUIRE(diagnostic);
    CHECK(diagnostic->code == "log_pattern_gave_up");
    CHECK(contains(diagnostic->message, "toy.put"));
}
