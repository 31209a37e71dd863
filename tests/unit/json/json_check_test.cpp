// Whether a text is JSON: the answer is nlohmann_json's, on hard texts and on what random damage makes of documents.
#include <doctest/doctest.h>

#include <string>

#include <nlohmann/json.hpp>

#include "json/check.hpp"
#include "random.hpp"

using namespace std::string_literals;
using opdebug::json_stage::is_json;
using opdebug::test::Random;

namespace {

/// nlohmann_json passes over a byte order mark in front, and takes a NUL for the end of the text.
bool is_expected(const std::string& text) {
    return nlohmann::json::accept(text) && text.compare(0, 3, "\xEF\xBB\xBF") != 0 &&
           text.find('\0') == std::string::npos;
}

std::string nested(std::size_t depth, const std::string& open, const std::string& close, const std::string& inside) {
    std::string text;
    for (std::size_t i = 0; i < depth; ++i) {
        text += open;
    }
    text += inside;
    for (std::size_t i = 0; i < depth; ++i) {
        text += close;
    }
    return text;
}

/// A document with all that JSON has.
const std::string kDocument =
    R"({"schema":"opdebug.record/1","file":"/local/dump/rank_3/\u4e2d\u6587/Opdebug.Node_OpDebug.57.563.1772618400000003",)"
    R"("host":null,"overflow":true,"clean":false,"numbers":[0,-0,17,-18446744073709551616,1.5,-2.25e-7,6.5E+10,1e300],)"
    R"("records":[{"unit":"AIC","pc_start":"0x0","empty":{},"none":[],"causes":[{"id":"ai_core.float_overflow"}]}, [] ],)"
    R"("escapes":"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00","text":"h)"
    "\xC3\xA9\xE4\xB8\xAD\xF0\x9F\x98\x80\x7F"
    R"(llo"})";

}  // namespace

TEST_CASE("json_check: texts that are JSON") {
    for (const std::string& text :
         {"{}"s,
          "[]"s,
          "null"s,
          "true"s,
          "false"s,
          "0"s,
          "-0"s,
          "10"s,
          "-1.5e+300"s,
          "1E2"s,
          "1e-999"s,
          "\"\""s,
          " \t\r\n[ 1 , 2 ] \n"s,
          "{ \"a\" : { } , \"a\" : [ ] }"s,
          R"("\ud83d\ude00\u0000\uFfFf")"s,
          "\"\x7F\""s,
          "\"\xC2\x80\xDF\xBF\xE0\xA0\x80\xED\x9F\xBF\xEE\x80\x80\xEF\xBF\xBF\xF0\x90\x80\x80\xF4\x8F\xBF\xBF\""s,
          "18446744073709551616"s,
          std::string(309, '1'),
          "0." + std::string(400, '3'),
          nested(20000, "[", "]", ""),
          nested(3000, "{\"a\":[", "]}", "null"),
          kDocument}) {
        CAPTURE(text);
        CHECK(is_json(text));
        CHECK(nlohmann::json::accept(text));
    }
}

TEST_CASE("json_check: texts that are none") {
    for (const std::string& text : {""s,
                                    " "s,
                                    "{"s,
                                    "["s,
                                    "]"s,
                                    "{]"s,
                                    "[}"s,
                                    "[1,]"s,
                                    "[,1]"s,
                                    "[1 2]"s,
                                    "{\"a\"}"s,
                                    "{\"a\":}"s,
                                    "{\"a\":1,}"s,
                                    "{,}"s,
                                    "{1:2}"s,
                                    "{null:1}"s,
                                    "{} {}"s,
                                    "1 2"s,
                                    "[1]]"s,
                                    "nul"s,
                                    "nulll"s,
                                    "True"s,
                                    "NaN"s,
                                    "-Infinity"s,
                                    "+1"s,
                                    "-"s,
                                    "--1"s,
                                    "01"s,
                                    "-01"s,
                                    "1."s,
                                    ".5"s,
                                    "1.e5"s,
                                    "1e"s,
                                    "1e+"s,
                                    "1e5.5"s,
                                    "0x10"s,
                                    "1_000"s,
                                    "'a'"s,
                                    "\"a"s,
                                    "\"\\\""s,
                                    "\"\\a\""s,
                                    "\"\\u12\""s,
                                    "\"\\u12g4\""s,
                                    "\"\\U1234\""s,
                                    "\"\\ud800\""s,
                                    "\"\\udc00\""s,
                                    "\"\\ud800\\u0041\""s,
                                    "\"\\ud800\\ud800\""s,
                                    "\"\\ud83d\\n\""s,
                                    "\"\t\""s,
                                    "\"\n\""s,
                                    "\"\x1F\""s,
                                    "/**/1"s,
                                    "1//"s,
                                    "\xEF\xBB\xBF{}"s,
                                    "\"\x80\""s,
                                    "\"\xC0\x80\""s,
                                    "\"\xC1\xBF\""s,
                                    "\"\xC2\""s,
                                    "\"\xE0\x9F\xBF\""s,
                                    "\"\xED\xA0\x80\""s,
                                    "\"\xF0\x8F\xBF\xBF\""s,
                                    "\"\xF4\x90\x80\x80\""s,
                                    "\"\xF5\x80\x80\x80\""s,
                                    "\"\xE4\xB8\""s,
                                    "\"\xFF\""s,
                                    "{}\0"s,
                                    "{}\0{}"s,
                                    "\0"s,
                                    "\"\0\""s,
                                    "1e999"s,
                                    "-1e999"s,
                                    "[1e400]"s,
                                    std::string(310, '9'),
                                    nested(20000, "[", "]", "") + "]",
                                    "[" + nested(20000, "[", "]", ""),
                                    nested(20000, "[", "", "")}) {
        CAPTURE(text);
        CHECK_FALSE(is_json(text));
        CHECK_FALSE(is_expected(text));
    }
}

TEST_CASE("json_check: of a document that ends early nothing is JSON") {
    for (std::size_t length = 0; length < kDocument.size(); ++length) {
        CHECK_FALSE(is_json(std::string_view(kDocument).substr(0, length)));
    }
}

TEST_CASE("json_check: random damage is seen where nlohmann_json sees it") {
    constexpr std::string_view kTelling =
        "{}[]:,\"\\/ \n\t0123456789+-.eEtrufalsn\x80\xBF\xC2\xE0\xED\xF0\xF4\xFF\x01\x7F";
    constexpr int kTries = 20000;
    Random random(815);
    int sound = 0;
    for (int i = 0; i < kTries; ++i) {
        std::string text = kDocument;
        for (std::uint64_t changes = random.below(3) + 1; changes != 0; --changes) {
            const auto place = static_cast<std::size_t>(random.below(text.size()));
            const char byte = random.one_in(4) ? static_cast<char>(random.below(256)) : random.one_of(kTelling);
            switch (random.below(4)) {
                case 0: text[place] = byte; break;
                case 1: text.insert(place, 1, byte); break;
                case 2: text.erase(place, 1); break;
                default:
                    text.insert(place,
                                text.substr(static_cast<std::size_t>(random.below(text.size())), random.below(12)));
            }
        }
        CAPTURE(text);
        REQUIRE(is_json(text) == is_expected(text));
        sound += is_json(text) ? 1 : 0;
    }
    CHECK(sound > kTries / 20);
    CHECK(sound < kTries / 2);
}

TEST_CASE("json_check: short random texts of JSON's own characters") {
    constexpr std::string_view kCharacters = "{}[]:,\"\\ 01-.e\xC3\xA9u";
    Random random(4711);
    for (int i = 0; i < 200000; ++i) {
        std::string text;
        for (std::uint64_t length = random.below(7) + 1; length != 0; --length) {
            text += random.one_of(kCharacters);
        }
        if (is_json(text) != is_expected(text)) {
            FAIL(text);
        }
    }
}
