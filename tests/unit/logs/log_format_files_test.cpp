// Format files that are faulty: each fault is found at load and reported with file, entry, member, reason and remedy.
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "logs/formats/format_pattern.hpp"
#include "logs/formats/formats.hpp"

using namespace opdebug::logs;
using opdebug::Diagnostic;
using opdebug::Error;
using opdebug::ErrorCode;
using opdebug::NamedText;

namespace {

using Members = std::vector<std::pair<std::string, std::string>>;

/// A sound entry of a made-up module.
Members sound_entry() {
    return {{"id", R"("toy.first")"},
            {"catalogue", R"("T1")"},
            {"states", R"("operator_of_task")"},
            {"log", R"("ge_log")"},
            {"modules", R"(["TOY"])"},
            {"literal", R"j("runs ")j"},
            {"pattern", R"j("runs (?<operator_name>\\w+) at (?<stream_id>\\d+)/(?<task_id>\\d+)")j"},
            {"versions", R"("1")"},
            {"source", R"("made up")"},
            {"samples", R"(["[INFO] TOY(1,toy):2030-01-01-00:00:00.000 [t.c:1]1 F:runs mul at 3/4"])"}};
}

std::string entry_text(const Members& members) {
    std::string text;
    for (const auto& [key, value] : members) {
        text += (text.empty() ? "{\"" : ", \"") + key + "\": " + value;
    }
    return text + "}";
}

NamedText file_of(const std::string& entries, const std::string& name = "toy.json") {
    return {name, R"({"schema": "opdebug.log_formats/1", "formats": [)" + entries + "]}"};
}

/// The sound entry with one member set to another JSON value (added when it is new).
std::string with(const std::string& key, const std::string& value, Members members = sound_entry()) {
    for (auto& member : members) {
        if (member.first == key) {
            member.second = value;
            return entry_text(members);
        }
    }
    members.emplace_back(key, value);
    return entry_text(members);
}

std::string without(const std::string& key) {
    Members members = sound_entry();
    std::erase_if(members, [&key](const auto& member) { return member.first == key; });
    return entry_text(members);
}

Error error_of(const std::vector<NamedText>& files) {
    const auto loaded = LogFormats::load(files);
    REQUIRE_FALSE(loaded.ok());
    CHECK(loaded.error().code == ErrorCode::log_format_invalid);
    return loaded.error();
}

void check_error(const std::string& entries, const std::vector<std::string_view>& parts) {
    const Error error = error_of({file_of(entries)});
    CHECK(error.file == "toy.json");
    for (const std::string_view part : parts) {
        CHECK_MESSAGE(error.message.find(part) != std::string::npos, error.message << " lacks " << part);
    }
}

}  // namespace

TEST_CASE("log format file: a sound entry loads and reads its line") {
    const auto loaded = LogFormats::load({file_of(entry_text(sound_entry()))});
    REQUIRE_MESSAGE(loaded.ok(), (loaded ? "" : loaded.error().message));
    const std::string text = "[INFO] TOY(1,toy):2030-01-01-00:00:00.000 [t.c:1]1 F:runs add at 7/8";
    const std::optional<Match> match = (*loaded)->match(*parse_line(text));
    REQUIRE(match);
    const Fact* fact = &match->fact;
    CHECK(fact->operator_name == "add");
    CHECK(fact->stream_id == 7);
    CHECK(fact->task_id == 8);
}

TEST_CASE("log format file: text that is no JSON is told with its place") {
    const Error error = error_of({{"toy.json", "{\"schema\": nonsense}"}});
    CHECK(error.file == "toy.json");
    CHECK(error.offset == 12);  // the second letter of "nonsense": "n" could begin "null"
    CHECK(error_of({{"toy.json", ""}}).message.find("not valid JSON") != std::string::npos);
}

TEST_CASE("log format file: the document has a schema and formats only") {
    CHECK(error_of({{"a", "[]"}}).message.find("schema") != std::string::npos);
    CHECK(error_of({{"a", R"({"schema": "opdebug.log_formats/3", "formats": [1]})"}})
              .message.find("opdebug.log_formats/2") != std::string::npos);
    CHECK(error_of({{"a", R"({"schema": "opdebug.log_formats/1", "formats": []})"}}).message.find("at least one") !=
          std::string::npos);
    CHECK(error_of({{"a", R"({"more": 1, "schema": "opdebug.log_formats/1", "formats": []})"}}).message.find("only") !=
          std::string::npos);
    check_error("3", {"formats[0]", "not an object"});
}

TEST_CASE("log format file: missing, unknown and ill-typed members") {
    for (const char* key : {"states", "log", "modules", "pattern", "samples"}) {
        check_error(without(key), {"toy.first", key, "is missing", "add"});
    }
    check_error(without("id"), {"formats[0]", "\"id\" is missing"});
    check_error(with("modul", "[]"), {"toy.first", "\"modul\"", "not a member", "spelling"});
    check_error(with("literal", "3"), {"toy.first", "\"literal\"", "text"});
    check_error(with("literal", "\"\""), {"\"literal\"", "non-empty"});
    check_error(with("modules", "\"TOY\""), {"\"modules\"", "list of texts"});
    check_error(with("samples", "[]"), {"\"samples\"", "non-empty list"});
    check_error(with("samples", "[1]"), {"\"samples\"", "list of texts"});
    check_error(with("task_id_provisional", "1"), {"\"task_id_provisional\"", "true"});
    check_error(with("ignore", "[]"), {"\"ignore\"", "object"});
    check_error(with("ignore", "{\"operator_name\": \"a\"}"), {"\"ignore\"", "lists of texts"});
    check_error(with("ignore", "{\"kernel_name\": [\"a\"]}"), {"\"ignore\"", "kernel_name", "does not capture"});
    check_error(with("states", "\"operator_of_tusk\""), {"\"states\"", "operator_of_tusk", "not known"});
    check_error(with("log", "\"log\""), {"\"log\"", "not known"});
}

TEST_CASE("log format file: the pattern compiles and captures what the statement needs, and nothing unknown") {
    check_error(with("pattern", R"j("runs (?<operator_name>\\w+ (?<stream_id>\\d+)/(?<task_id>\\d+)")j"),
                {"\"pattern\"", "no regular expression"});
    check_error(with("pattern", R"j("runs (?<operator_name>\\w+) at (?<stream_id>\\d+)")j"),
                {"\"pattern\"", "does not capture \"task_id\"", "operator_of_task"});
    CHECK(LogFormats::load(
              {file_of(with("pattern", R"j("runs (?<operator_name>\\w+) at (?<stream_id>\\d+)/(?<task_sn>\\d+)")j"))})
              .ok());
    check_error(with("pattern", R"j("runs (?<operator>\\w+)")j"), {"\"pattern\"", "\"operator\"", "no member"});
    check_error(with("states", "\"ge_model\"",
                     {{"id", "\"x\""},
                      {"catalogue", "\"x\""},
                      {"log", "\"ge_log\""},
                      {"modules", "[\"T\"]"},
                      {"literal", "\"x\""},
                      {"pattern", R"j("x(?<ge_model_id>\\d)")j"},
                      {"versions", "\"x\""},
                      {"source", "\"x\""},
                      {"samples", "[\"x\"]"}}),
                {"captures none of graph_id, model_name"});
}

TEST_CASE("log format file: each sample is a line of the format's own") {
    const auto sample = [](const std::string& text) { return with("samples", "[\"" + text + "\"]"); };
    const std::string head = "[INFO] TOY(1,toy):2030-01-01-00:00:00.000 [t.c:1]1 F:";
    check_error(sample("runs mul at 3/4"), {"samples[0]", "no log line"});
    check_error(sample("[INFO] OTHER(1,toy):2030-01-01-00:00:00.000 [t.c:1]1 F:runs mul at 3/4"),
                {"samples[0]", "OTHER"});
    check_error(sample(head + "walks mul at 3/4"), {"samples[0]", "literal", "runs "});
    check_error(sample(head + "runs mul"), {"samples[0]", "not read by the pattern"});
    check_error(sample(head + "runs mul at 3/99999999999999999999"), {"samples[0]", "not read"});
    check_error(with("functions", "[\"G\"]"), {"samples[0]", "function \"F\""});
    check_error(with("ignore", "{\"operator_name\": [\"mul\"]}"), {"samples[0]", "ignored"});
}

TEST_CASE("log format file: ids are unique and no sample is read twice, across files") {
    const NamedText first = file_of(entry_text(sound_entry()));
    const Error same_id = error_of({first, file_of(entry_text(sound_entry()), "user.json")});
    CHECK(same_id.file == "user.json");
    CHECK(same_id.message.find("toy.json") != std::string::npos);
    const Error twice = error_of({first, file_of(with("id", "\"toy.second\""), "user.json")});
    CHECK(twice.message.find("toy.second") != std::string::npos);
    CHECK(twice.message.find("toy.first") != std::string::npos);
    CHECK(twice.message.find("reads a sample") != std::string::npos);
    CHECK(twice.file == "user.json");
}

TEST_CASE("log format file: a pattern that gives up on a line is remarked, and the line states nothing") {
    const auto loaded = LogFormats::load({file_of(
        with("pattern", R"j("runs (?<operator_name>(?:\\w+\\w+)+) at (?<stream_id>\\d+)/(?<task_id>\\d+)")j"))});
    REQUIRE(loaded.ok());
    const std::string text =
        "[INFO] TOY(1,toy):2030-01-01-00:00:00.000 [t.c:1]1 F:runs " + std::string(600, 'a') + "! at 3/4";
    std::optional<Diagnostic> diagnostic;
    CHECK_FALSE((*loaded)->match(*parse_line(text), &diagnostic));
    REQUIRE(diagnostic);
    CHECK(diagnostic->code == "log_pattern_gave_up");
    CHECK(diagnostic->message.find("toy.first") != std::string::npos);
    CHECK_FALSE((*loaded)->match(*parse_line(text)));
}

TEST_CASE("log format file: named groups are found as the expression means them") {
    using Names = std::vector<std::string>;
    CHECK(named_groups(R"((?<a>x)(?<b_1>y(?<c>z)))") == Names{"a", "b_1", "c"});
    CHECK(named_groups(R"((?<=x)(?<!y)(?:z)(w))") == Names{});
    CHECK(named_groups(R"(\(?<a>\\(?<b>x))") == Names{"b"});
    CHECK(named_groups(R"([(?<a>][](?<b>][^]\](?<c>](?<d>x))") == Names{"d"});
    CHECK(named_groups(R"((?<a>x)|(?<a>y)\)") == Names{"a"});
    CHECK(named_groups("[") == Names{});
}

TEST_CASE("log format files: constants are numbers of a statement that the pattern does not capture") {
    check_error(with("constants", "[1]"), {"toy.first", "constants", "whole numbers"});
    check_error(with("constants", R"({"task_type": -1})"), {"constants", "whole numbers"});
    check_error(with("constants", R"({"operator_type": 1})"), {"constants", "operator_type", "no number"});
    check_error(with("constants", R"({"stream_id": 1})"), {"constants", "stream_id", "captures"});
    const auto loaded = LogFormats::load({file_of(with("constants", R"({"task_type": 3})"))});
    REQUIRE(loaded.ok());
    const auto line = parse_line("[INFO] TOY(1,toy):2030-01-01-00:00:00.000 [t.c:1]1 F:runs mul at 3/4");
    REQUIRE(line);
    const auto match = (*loaded)->match(*line);
    REQUIRE(match);
    CHECK(match->fact.task_type == 3);
}

TEST_CASE("log format files: the device that a process sees needs both numbers, of which one may be a constant") {
    Members device{{"id", R"("toy.device")"},
                   {"catalogue", R"("T2")"},
                   {"states", R"("visible_device")"},
                   {"log", R"("runtime_log")"},
                   {"modules", R"(["TOY"])"},
                   {"literal", R"("device ")"},
                   {"pattern", R"j("device (?<device_id>\\d+)$")j"},
                   {"versions", R"("1")"},
                   {"source", R"("made up")"},
                   {"samples", R"(["[INFO] TOY(1,toy):2030-01-01-00:00:00.000 [t.c:1]1 F:device 5"])"}};
    check_error(entry_text(device), {"toy.device", "does not capture", "user_device_id", "visible_device"});
    CHECK(LogFormats::load({file_of(with("constants", R"({"user_device_id": 0})", device))}).ok());
}

TEST_CASE("log format files: a format of cut lines reads no line that is shorter than the limit") {
    check_error(with("cut_lines", "true"), {"samples[0]", "ends in a number", "cut off"});
    Members members = sound_entry();
    members.back().second = R"(["[INFO] TOY(1,toy):2030-01-01-00:00:00.000 [t.c:1]1 F:runs mul at 3/4, in th"])";
    const auto loaded = LogFormats::load({file_of(with("cut_lines", "true", members))});
    REQUIRE(loaded.ok());
    std::string text = "[INFO] TOY(1,toy):2030-01-01-00:00:00.000 [t.c:1]1 F:runs mul at 3/4";
    const auto reads = [&loaded](const std::string& line) {
        const auto parsed = parse_line(line);
        REQUIRE(parsed);
        return (*loaded)->match(*parsed).has_value();
    };
    CHECK_FALSE(reads(text));
    text.resize(1022, ' ');
    CHECK(reads(text));
}

TEST_CASE(
    "log format files: what is no JSON is told with line, column and what was expected, and nothing of its text") {
    const Error error = error_of({{"toy.json", "{\n  \"schema\": \"a long text\",\n}"}});
    CHECK(error.message ==
          "this is not valid JSON at line 3, column 1: unexpected '}'; expected string literal; correct "
          "it at this place");
    CHECK(error.offset == 29);  // 2 bytes and 27 bytes are before
    const Error behind = error_of({{"toy.json", "{} and more text"}});
    CHECK(behind.message.find("line 1, column ") != std::string::npos);
    CHECK(behind.message.find("expected end of input") != std::string::npos);
    CHECK(behind.message.find("more") == std::string::npos);
}

TEST_CASE("log format files: a key that stands twice in one object is refused") {
    const std::string twice = entry_text(sound_entry());
    check_error(twice.substr(0, twice.size() - 1) + R"(, "literal": "at "})", {"literal", "stands twice"});
    const Error error = error_of({{"toy.json", R"({"schema": "a", "schema": "b", "formats": []})"}});
    CHECK(error.message.find("\"schema\" stands twice") != std::string::npos);
}
