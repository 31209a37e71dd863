// Catalogue files: the built-in ones are complete, bad ones are refused with their location, the reason and a remedy.
#include <opdebug/dump.hpp>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "build_paths.hpp"
#include "embedded/status_data.hpp"
#include "text.hpp"

using namespace opdebug;
using nlohmann::json;
using opdebug::test::contains;

namespace {

json good_file() {
    return json::parse(R"({
      "schema": "opdebug.status_catalogue/1", "register": "lamp", "units": ["sdma"],
      "documents": [{"id": "manual", "title": "Manual", "covers": "all", "source": "shelf"}],
      "codes": [{"mask": "0xf0", "unknown": {"severity": "info", "code": "odd", "message": "code {code}"},
                                 "zero": {"severity": "info", "code": "none", "message": "{status_hex}"}}],
      "entries": [
        {"id": "lamp.on", "mask": "0x1", "value": "0x1", "kind": "overflow", "documents": ["manual"],
         "name": {"en": "on", "zh": "k"}, "text": {"en": "t", "zh": "t"}, "advice": {"en": "a", "zh": "a"},
         "source": "p. 1"},
        {"id": "lamp.red", "mask": "0xf0", "value": "0x30", "kind": "underflow", "documents": ["manual"],
         "name": {"en": "red", "zh": "h"}, "text": {"en": "t", "zh": "t"}, "advice": {"en": "a", "zh": "a"},
         "source": "p. 2"}],
      "remarks": [{"when": "causes", "causes": ["lamp.on"], "severity": "info", "code": "lit", "message": "{bits}"}]
    })");
}

std::string message_of(const std::vector<NamedText>& files) {
    const auto result = load_status_catalogue(files);
    if (result.ok()) {
        return "accepted";
    }
    CHECK(result.error().code == ErrorCode::catalogue_invalid);
    return result.error().file + ": " + result.error().message;
}

/// The file with one change at a JSON pointer.
json with(const char* pointer, const json& value) {
    json file = good_file();
    file[json::json_pointer(pointer)] = value;
    return file;
}

json without(const char* parent, const char* key) {
    json file = good_file();
    file[json::json_pointer(parent)].erase(key);
    return file;
}

struct BadFile {
    json file;
    std::vector<std::string> expected;
};

}  // namespace

TEST_CASE("a good catalogue file is accepted") {
    CHECK(message_of({{"lamp.json", good_file().dump()}}) == "accepted");
    CHECK(contains(message_of({}), "no catalogue file"));
}

TEST_CASE("a bad catalogue file is refused with file, place, reason and remedy") {
    const std::vector<BadFile> cases = {
        {json::array(), {"an object is expected, not array"}},
        {with("/schema", "opdebug.status_catalogue/2"), {"/schema", "opdebug.status_catalogue/1"}},
        {with("/colour", "red"), {"\"colour\" is not known", "register"}},
        {without("", "entries"), {"is invalid: the member \"entries\" is missing; add it"}},
        {without("/entries/0", "source"), {"/entries/0", "\"source\" is missing"}},
        {without("/entries/1/advice", "zh"), {"/entries/1/advice", "\"zh\" is missing"}},
        {with("/entries/1/text/en", ""), {"/entries/1/text/en", "empty"}},
        {with("/entries/1/name/zh", " h"), {"/entries/1/name/zh", "blank"}},
        {with("/entries/0/name/de", "an"), {"/entries/0/name", "\"de\" is not known"}},
        {with("/entries/0/source", 7), {"/entries/0/source", "a string is expected, not number"}},
        {with("/entries/0/kind", "fire"), {"/entries/0/kind", "\"fire\" is not known", "nan_operand"}},
        {with("/entries/0/mask", 1), {"/entries/0/mask", "a string is expected"}},
        {with("/entries/0/mask", "0x"), {"/entries/0/mask", "not a set of bits"}},
        {with("/entries/0/mask", "0x0"), {"/entries/0/mask", "not a set of bits"}},
        {with("/entries/0/mask", "-0x1"), {"/entries/0/mask", "not a set of bits"}},
        {with("/entries/0/mask", "0x-1"), {"/entries/0/mask", "not a set of bits"}},
        {with("/entries/0/mask", "0x1g"), {"/entries/0/mask", "not a set of bits"}},
        {with("/entries/0/mask", "0x10000000000000000"), {"/entries/0/mask", "not a set of bits"}},
        {with("/entries/0/value", "0x2"), {"/entries/0 (lamp.on)", "outside the mask 0x1"}},
        {with("/entries/1/value", "0x130"), {"/entries/1 (lamp.red)", "outside the mask 0xf0"}},
        {with("/entries/0/mask", "0x3"), {"/entries/0 (lamp.on)", "several bits", "codes"}},
        {with("/entries/0/id", "lamp"), {"/entries/0 (lamp)", "lamp.name"}},
        {with("/entries/0/id", "lamp."), {"/entries/0 (lamp.)", "lamp.name"}},
        {with("/entries/0/id", "lamp.On"), {"/entries/0 (lamp.On)", "lamp.name"}},
        {with("/entries/0/id", "torch.on"), {"/entries/0 (torch.on)", "lamp.name"}},
        {with("/entries/1/id", "lamp.on"), {"/entries/1 (lamp.on)", "already that of /entries/0"}},
        {with("/entries/0/documents", json::array()), {"/entries/0/documents", "empty"}},
        {with("/entries/0/documents/0", "leaflet"), {"/entries/0/documents/0", "\"leaflet\""}},
        {with("/documents/1", good_file()["documents"][0]), {"/documents/1/id", "another document"}},
        {with("/documents/0/title", nullptr), {"/documents/0/title", "not null"}},
        {with("/units/0", "gpu"), {"/units/0", "\"gpu\" is not known", "l2-atomic"}},
        {with("/units/1", "sdma"), {"/units/1", "twice"}},
        {with("/units", json::array()), {"/units", "empty"}},
        {with("/register", "Lamp 1"), {"/register", "not a name"}},
        {with("/codes", json::object()), {"/codes", "a list is expected, not object"}},
        {with("/codes/0/mask", "0x10"), {"/codes/0/mask", "neighbouring bits"}},
        {with("/codes/0/mask", "0xb0"), {"/codes/0/mask", "neighbouring bits"}},
        {with("/codes/0/unknown/message", "{what}"), {"/codes/0/unknown/message", "\"{what}\"", "{code_hex}"}},
        {with("/codes/0/zero/message", "{code}"), {"/codes/0/zero/message", "\"{code}\""}},
        {with("/codes/0/zero/message", "a } b"), {"/codes/0/zero/message", "\"}\""}},
        {without("/codes/0", "zero"), {"/codes/0", "\"zero\" is missing"}},
        {with("/remarks/0/severity", "error"), {"/remarks/0/severity", "\"error\" is not known"}},
        {with("/remarks/0/when", "never"), {"/remarks/0/when", "four_words"}},
        {with("/remarks/0/when", "nonzero"), {"/remarks/0/causes", "lists causes"}},
        {without("/remarks/0", "causes"), {"/remarks/0", "\"causes\" is missing"}},
        {with("/remarks/0/causes/0", "lamp.blue"), {"/remarks/0/causes", "\"lamp.blue\""}},
        {with("/remarks/0/units", {"aiv"}), {"/remarks/0/units", "not one of this register"}},
        {with("/remarks/0/message", "{bits"), {"/remarks/0/message", "\"{\""}},
        {with("/a~0b~1c", 1), {"\"a~b/c\" is not known"}},
    };
    for (const BadFile& bad : cases) {
        const std::string message = message_of({{"lamp.json", bad.file.dump()}});
        CAPTURE(message);
        CHECK(message.starts_with("lamp.json: "));
        CHECK(contains(message, "; "));
        for (const std::string& part : bad.expected) {
            CAPTURE(part);
            CHECK(contains(message, part));
        }
    }
}

TEST_CASE("entries whose bits contradict one another are refused") {
    json same = good_file();
    same["entries"].push_back(same["entries"][0]);
    same["entries"][2]["id"] = "lamp.too";
    CHECK(contains(message_of({{"f", same.dump()}}), "/entries/2 (lamp.too): the same bits already mean lamp.on"));
    json inside = with("/entries/0/mask", "0x20");
    inside["entries"][0]["value"] = "0x20";
    CHECK(contains(message_of({{"f", inside.dump()}}), "overlaps the code 0xf0"));
    json codes = good_file();
    codes["codes"].push_back(codes["codes"][0]);
    codes["codes"][1]["mask"] = "0x180";
    CHECK(contains(message_of({{"f", codes.dump()}}), "/codes/1/mask: bits 0x80"));
}

TEST_CASE("text that is not JSON is refused") {
    CHECK(contains(message_of({{"f", ""}}), "not valid JSON"));
    CHECK(contains(message_of({{"f", "{"}}), "not valid JSON"));
    CHECK(contains(message_of({{"f", good_file().dump() + "x"}}), "not valid JSON"));
    CHECK(contains(message_of({{"f", "{\"schema\": \"\xff\"}"}}), "not valid JSON"));
    CHECK(contains(message_of({{"f", "{\"a\": 1, \"b\": {\"a\": 1}, \"a\": 2}"}}), "\"a\" stands twice"));
}

TEST_CASE("deeply nested JSON is refused without harm") {
    const std::string deep = "{\"schema\": " + std::string(200000, '[') + std::string(200000, ']') + "}";
    const auto result = load_status_catalogue({{"f", deep}});
    REQUIRE_FALSE(result.ok());
    CHECK(result.error().code == ErrorCode::nesting_too_deep);
    CHECK(result.error().file == "f");
    CHECK(contains(result.error().message, "the limit nesting is 64 (to raise it: "));
}

TEST_CASE("two files for one unit or with one register name are refused") {
    const std::string lamp = good_file().dump();
    json torch = json::parse(R"({"schema": "opdebug.status_catalogue/1", "register": "torch", "units": ["aicpu"],
        "documents": [{"id": "d", "title": "t", "covers": "c", "source": "s"}],
        "codes": [], "entries": [], "remarks": []})");
    CHECK(message_of({{"lamp.json", lamp}, {"torch.json", torch.dump()}}) == "accepted");
    torch["units"] = {"aicpu", "sdma"};
    CHECK(message_of({{"lamp.json", lamp}, {"torch.json", torch.dump()}})
              .find("torch.json: The status catalogue is invalid at /units: unit \"sdma\" is already described by "
                    "lamp.json") == 0);
    torch["units"] = {"aicpu"};
    torch["register"] = "lamp";
    CHECK(contains(message_of({{"lamp.json", lamp}, {"torch.json", torch.dump()}}),
                   "register \"lamp\" is already described by lamp.json"));
}

TEST_CASE("the embedded files load, describe every unit and give every entry all texts and a source") {
    std::vector<NamedText> files;
    std::size_t entries = 0;
    std::size_t units = 0;
    for (const embedded::File& file : embedded::status_files()) {
        CAPTURE(file.name);
        files.push_back({std::string(file.name), std::string(file.text)});
        const json document = json::parse(file.text);
        units += document.at("units").size();
        for (const json& entry : document.at("entries")) {
            ++entries;
            CAPTURE(entry.at("id"));
            CHECK_FALSE(entry.at("source").get<std::string>().empty());
            for (const char* const key : {"name", "text", "advice"}) {
                const auto en = entry.at(key).at("en").get<std::string>();
                const auto zh = entry.at(key).at("zh").get<std::string>();
                const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 128; };
                CHECK_FALSE(en.empty());
                CHECK(std::all_of(en.begin(), en.end(), is_ascii));
                CHECK_FALSE(std::all_of(zh.begin(), zh.end(), is_ascii));
            }
        }
    }
    CHECK(files.size() == 5);
    CHECK(units == 7);
    CHECK(entries == 13 + 5 + 5);
    CHECK(message_of(files) == "accepted");
}
