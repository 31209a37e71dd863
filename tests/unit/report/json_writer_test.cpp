// JSON as text, against nlohmann_json, which writes the same values from a tree of its own.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "report/json/json_writer.hpp"

using namespace opdebug;
using nlohmann::ordered_json;
using report::JsonWriter;

namespace {

std::string by_nlohmann(const ordered_json& value, int indent = -1) {
    return value.dump(indent, ' ', false, ordered_json::error_handler_t::replace);
}

template <class T>
std::string json_of(const T& value) {
    JsonWriter json{JsonWriter::Indent()};
    json.value(value);
    return json.take();
}

/// One of each that a document may hold, with nothing inside and with something.
std::string sample(JsonWriter json) {
    json.begin_object();
    json.member("text", "a \"quoted\" back\\slash");
    json.member("number", std::uint64_t{7});
    json.member("true", true);
    json.null_member("null");
    json.member("unknown", std::optional<std::uint64_t>());
    json.member("list", std::vector<std::uint64_t>{1, 2, 3});
    json.member("empty list", std::vector<std::string>());
    json.key("empty object");
    json.begin_object();
    json.end_object();
    json.begin_array("objects");
    for (const std::uint64_t number : {1U, 2U}) {
        json.begin_object();
        json.member("n", number);
        json.end_object();
    }
    json.end_array();
    json.end_object();
    return json.take();
}

const char* const kSample = R"({"text": "a \"quoted\" back\\slash", "number": 7, "true": true, "null": null,
    "unknown": null, "list": [1, 2, 3], "empty list": [], "empty object": {}, "objects": [{"n": 1}, {"n": 2}]})";

}  // namespace

TEST_CASE("JSON writer: objects and lists, in one line and indented, as nlohmann_json writes them") {
    const ordered_json expected = ordered_json::parse(kSample);
    CHECK(sample(JsonWriter{JsonWriter::Indent()}) == by_nlohmann(expected));
    CHECK(sample(JsonWriter(2)) == by_nlohmann(expected, 2));
    CHECK(sample(JsonWriter(4)) == by_nlohmann(expected, 4));
    CHECK(sample(JsonWriter(ReportOptions())) == by_nlohmann(expected, 2));
}

TEST_CASE("JSON writer: numbers to their ends") {
    for (const std::uint64_t number :
         {std::uint64_t{0}, std::uint64_t{10}, std::numeric_limits<std::uint64_t>::max()}) {
        CHECK(json_of(number) == std::to_string(number));
    }
    for (const std::int64_t number : {std::numeric_limits<std::int64_t>::min(), std::int64_t{-1}}) {
        CHECK(json_of(number) == std::to_string(number));
    }
    for (const double number : {0.0, -0.0, 1.0, 0.1, 65504.0, 1e20, 1e-7, 5e-324, 1.7976931348623157e308}) {
        CHECK(json_of(number) == by_nlohmann(number));
    }
    CHECK(json_of(std::numeric_limits<double>::infinity()) == "\"inf\"");
    CHECK(json_of(-std::numeric_limits<double>::infinity()) == "\"-inf\"");
    CHECK(json_of(std::nan("")) == "\"nan\"");
}

TEST_CASE("JSON writer: every byte alone, and after other text of each length up to 17") {
    for (std::size_t before = 0; before < 18; ++before) {
        for (int byte = 0; byte < 256; ++byte) {
            const std::string text = std::string(before, 'x') + static_cast<char>(byte) + "yz";
            if (byte == 0x7F) {  // nlohmann_json lets it through to terminals
                CHECK(json_of(text) == '"' + std::string(before, 'x') + "\\u007fyz\"");
            } else {
                CHECK(json_of(text) == by_nlohmann(text));
            }
        }
    }
}

TEST_CASE("JSON writer: bytes that are no UTF-8 become as many U+FFFD as nlohmann_json makes of them") {
    // Begins, ends and middles of characters, bytes that never occur; none of them together makes a hidden character.
    const std::vector<std::string> parts{"a",    "\"",   "\\",   "\n",   "\x80", "\xBF",         "\xC1",    "\xC3",
                                         "\xDF", "\xE0", "\xA0", "\x9F", "\xED", "\xEF",         "\xF0",    "\x90",
                                         "\xF3", "\xF4", "\x8F", "\xF5", "\xFF", "\xE6\xBA\xA2", "\xC3\xA9"};
    std::mt19937 random(7);  // the same texts in each run
    for (int run = 0; run < 20000; ++run) {
        std::string text;
        for (std::size_t length = random() % 9; length > 0; --length) {
            text += parts[random() % parts.size()];
        }
        // Escapes of hidden characters are the writer's own (json_text_test.cpp): what they mean must be the same.
        CHECK(ordered_json::parse(json_of(text)) == ordered_json::parse(by_nlohmann(text)));
    }
}
