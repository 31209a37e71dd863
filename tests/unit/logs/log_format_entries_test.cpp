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

using namespace opdebug::logs;
using opdebug::Error;
using opdebug::LogFormatInfo;
using opdebug::NamedText;

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

std::string message_of(const std::vector<NamedText>& files) {
    const auto loaded = LogFormats::load(files);
    return loaded ? "" : loaded.error().message;
}

std::optional<Fact> fact_of_text(const LogFormats& formats, std::string_view text) {
    const std::string line = "[INFO] TOY(1,toy):2030-01-01-00:00:00.000 [t.c:1]1 F:" + std::string(text);
    const auto match = formats.match(*parse_line(line));
    return match ? std::optional(match->fact) : std::nullopt;
}

auto texts_of(const FormatDefinition& format) {
    return std::tie(format.file, format.id, format.alternative, format.of_ignored, format.modules, format.functions,
                    format.literal, format.pattern, format.captures, format.remembers, format.forgets,
                    format.completed_by, format.catalogue, format.versions, format.source, format.samples);
}

}  // namespace

TEST_CASE("log format entries: each of several patterns reads its lines, by one id") {
    const auto loaded = LogFormats::load({toy_file(launch_entry(kAllSamples))});
    REQUIRE_MESSAGE(loaded.ok(), (loaded ? "" : loaded.error().message));
    for (const char* text : {"put mul at 3/4", "place kernel mul, task 4 of 3"}) {
        const auto fact = fact_of_text(**loaded, text);
        REQUIRE(fact);
        CHECK(fact->format_id == "toy.put");
        CHECK(fact->kind == FactKind::kernel_of_task);
        CHECK(fact->kernel_name == "mul");
        CHECK(fact->stream_id == 3);
        CHECK(fact->task_id == 4);
    }
}

TEST_CASE("log format entries: a line with an ignored value makes the other statement, without that value") {
    const auto loaded = LogFormats::load({toy_file(launch_entry(kAllSamples))});
    REQUIRE(loaded.ok());
    for (const char* text : {"put none at 3/4", "put  at 3/4", "place kernel none, task 4 of 3"}) {
        const auto fact = fact_of_text(**loaded, text);
        REQUIRE_MESSAGE(fact, text);
        CHECK(fact->kind == FactKind::unnamed_launch);
        CHECK(fact->kernel_name.empty());
        CHECK(fact->stream_id == 3);
    }
    CHECK(fact_of_text(**loaded, "put nonesuch at 3/4")->kind == FactKind::kernel_of_task);
}

TEST_CASE("log format entries: each pattern and each statement has a sample") {
    const std::string without_second = sample_of("put a at 1/2") + ", " + sample_of("put none at 1/2");
    CHECK(message_of({toy_file(launch_entry(without_second))}).find("no line of the pattern place kernel") !=
          std::string::npos);
    const std::string without_unnamed = sample_of("put a at 1/2") + ", " + sample_of("place kernel a, task 2 of 1");
    CHECK(message_of({toy_file(launch_entry(without_unnamed))}).find("that states unnamed_launch") !=
          std::string::npos);
}

TEST_CASE("log format entries: the other statement needs ignored values, and its members beside them") {
    const std::string pattern = R"j("pattern": "put (?<kernel_name>.*?) at (?<stream_id>\\d+)/(?<task_id>\\d+)", )j";
    const std::string samples = R"("samples": [)" + sample_of("put a at 1/2") + ", " + sample_of("put  at 1/2") + "]";
    CHECK(message_of({toy_file(R"("states": "kernel_of_task", "else_states": "unnamed_launch", )" + pattern + samples)})
              .find("\"else_states\" has no lines to read; add \"ignore\"") != std::string::npos);
    CHECK(message_of({toy_file(R"("states": "kernel_of_task", "else_states": "fault_kernel", )" + pattern +
                               R"("ignore": {"kernel_name": [""]}, )" + samples)})
              .find("does not capture \"kernel_name\", which fault_kernel needs") != std::string::npos);
}

TEST_CASE("log format entries: a literal of one's own is needed only where the pattern has none") {
    const std::string end = R"("states": "nothing", "samples": [)" + sample_of("abc 12") + "]";
    CHECK(message_of({toy_file(R"("pattern": "[abc]+ \\d\\d", )" + end)}).empty());  // the blank
    CHECK(message_of({toy_file(R"("pattern": "[abc]+\\W\\d\\d", )" + end)}).find("add \"literal\": \"...\"") !=
          std::string::npos);
    CHECK(message_of({toy_file(R"("literal": "abc", "pattern": "[abc]+\\W\\d\\d", )" + end)}).empty());
    CHECK(message_of({toy_file(R"("pattern": "abc", "patterns": ["abc"], )" + end)}).find("exclude each other") !=
          std::string::npos);
    CHECK(message_of({toy_file(end)}).find("\"pattern\" is missing") != std::string::npos);
}

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

TEST_CASE("log format entries: the built-in ones say where they come from") {
    for (const FormatDefinition* format : built_in_log_formats()->definitions()) {
        CAPTURE(format->id);
        CHECK_FALSE(format->catalogue.empty());
        CHECK_FALSE(format->versions.empty());
        CHECK_FALSE(format->source.empty());
    }
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

TEST_CASE("log format entries: rules are in the order of their names, escapes are read") {
    const auto formats = read_format_file(
        toy_file(
            R"("states": "nothing", "pattern": "a\"\\d+", "ignore": {"b": ["x", "y"], "a": ["z"]}, "samples": ["x"],
                   "constants": {"d": 18446744073709551615, "c": 2})"),
        {}, Samples::trusted);
    REQUIRE(formats.ok());
    const FormatDefinition& format = formats->front();
    CHECK(format.pattern == "a\"\\d+");
    REQUIRE(format.ignore.size() == 2);
    CHECK(format.ignore[0].member == "a");
    CHECK(format.ignore[1].values == std::vector<std::string>{"x", "y"});
    REQUIRE(format.constants.size() == 2);
    CHECK(format.constants[0].member == "c");
    CHECK(format.constants[1].value == 18446744073709551615ULL);
}
