// Log formats that build on each other: what one remembers must be used, and complete what the other needs.
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "logs/formats/formats.hpp"

using namespace opdebug::logs;
using opdebug::ErrorCode;
using opdebug::NamedText;

namespace {

/// An entry of a made-up module whose line is "WORD ..."; `more` are more members.
std::string entry(const std::string& word, const std::string& states, const std::string& pattern,
                  const std::string& sample, const std::string& more = "") {
    return R"({"id": "toy.)" + word + R"(", "catalogue": "T", "log": "ge_log", "modules": ["TOY"], "states": ")" +
           states + R"(", "literal": ")" + word + R"(", "pattern": ")" + word + " " + pattern +
           R"(", "versions": "1", "source": "made up", "samples": ["[INFO] TOY(1,t):2030-01-01-00:00:00.000 [t.c:1]1 F:)" +
           word + " " + sample + "\"]" + more + "}";
}

const std::string part = "(?<operator_name>[a-z]+)";
const std::string ids = R"((?<stream_id>\\d+)/(?<task_id>\\d+))";

std::string named(const std::string& more = R"(, "remembers": "toy", "once": true)") {
    return entry("name", "part", part, "mul", more);
}

std::string placed(const std::string& more = R"(, "completed_by": ["toy"])") {
    return entry("ids", "operator_of_task", ids, "3/4", more);
}

opdebug::Result<std::shared_ptr<const LogFormats>> load(const std::vector<std::string>& entries) {
    std::string text;
    for (const std::string& one : entries) {
        text += (text.empty() ? "" : ", ") + one;
    }
    return LogFormats::load({{"toy.json", R"({"schema": "opdebug.log_formats/1", "formats": [)" + text + "]}"}});
}

void check_error(const std::vector<std::string>& entries, const std::vector<std::string_view>& parts) {
    const auto loaded = load(entries);
    REQUIRE_FALSE(loaded.ok());
    CHECK(loaded.error().code == ErrorCode::log_format_invalid);
    CHECK(loaded.error().file == "toy.json");
    for (const std::string_view words : parts) {
        CHECK_MESSAGE(loaded.error().message.find(words) != std::string::npos,
                      loaded.error().message << " lacks " << words);
    }
}

}  // namespace

TEST_CASE("log format links: two lines that make one statement load, in either order") {
    CHECK(load({named(), placed()}).ok());
    CHECK(load({placed(), named()}).ok());
    CHECK(load({named(), placed(), entry("end", "part", "of it", "of it", R"(, "forgets": "toy")")}).ok());
}

TEST_CASE("log format links: names must be remembered by some line and used by some line") {
    check_error({placed()}, {"toy.ids", "\"completed_by\"", "\"toy\"", "no log format remembers", "correct the name"});
    check_error({named(), placed(), entry("end", "part", "of it", "of it", R"(, "forgets": "tory")")},
                {"toy.end", "\"forgets\"", "tory", "no log format remembers"});
    check_error({named()}, {"toy.name", "\"remembers\"", "completes no log format", "add \"completed_by\": [\"toy\"]"});
}

TEST_CASE("log format links: what a statement needs must come from one of its lines") {
    check_error({entry("name", "part", "[a-z]+", "mul", R"(, "remembers": "toy")"), placed()},
                {"toy.ids", "\"pattern\"", "operator_name", "operator_of_task", "nor does a line that completes it"});
    check_error({named(), entry("ids", "model_end", ids, "3/4", R"(, "completed_by": ["toy"])")},
                {"toy.ids", "none of model_id, ge_model_id"});
}

TEST_CASE("log format links: a launch line may lack the ids that its submit line brings, nothing else") {
    const std::string provisional = R"(, "task_id_provisional": true)";
    CHECK(load({entry("run", "kernel_of_task", "(?<kernel_name>[a-z]+)", "mul", provisional)}).ok());
    check_error({entry("run", "kernel_of_task", ids, "3/4", provisional)}, {"toy.run", "kernel_name"});
    check_error({entry("run", "submit", ids, "3/4", provisional)},
                {"toy.run", "\"task_id_provisional\"", "submit", "remove it"});
}

TEST_CASE("log format links: a line that states nothing may not do anything, a part must be remembered") {
    check_error({entry("x", "part", "y", "y")}, {"toy.x", "\"states\"", "part", "remembers"});
    check_error({placed(), named(), entry("x", "nothing", "y", "y", R"(, "forgets": "toy")")},
                {"toy.x", "\"states\"", "nothing"});
    check_error({named(R"(, "remembers": "toy")"), placed(R"(, "completed_by": ["toy"], "once": true)")},
                {"toy.ids", "\"once\"", "remembers"});
}

TEST_CASE("log format links: members of the wrong kind are told") {
    check_error({named(R"(, "remembers": 3)"), placed()}, {"toy.name", "\"remembers\"", "text"});
    check_error({named(), placed(R"(, "completed_by": "toy")")}, {"toy.ids", "\"completed_by\"", "list of texts"});
    check_error({named(R"(, "remembers": "toy", "once": 1)"), placed()}, {"toy.name", "\"once\"", "true"});
}

TEST_CASE("log format links: a line that states nothing is known, but read from no log") {
    const auto loaded = load({entry("x", "nothing", "y", "y")});
    REQUIRE(loaded.ok());
    CHECK_FALSE((*loaded)->match(*parse_line("[INFO] TOY(1,t):2030-01-01-00:00:00.000 [t.c:1]1 F:x y")));
    check_error({entry("x", "nothing", "y", "y 3 net"),
                 entry("y", "graph_name", R"((?<graph_id>\\d+) (?<model_name>.+))", "3 net")},
                {"toy.y", "\"pattern\"", "reads a sample of \"toy.x\" of toy.json as well"});
}
