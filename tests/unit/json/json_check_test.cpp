// Texts that are JSON, and texts that are not.
#include <doctest/doctest.h>

#include <string>

#include "json/check.hpp"

using namespace std::string_literals;
using opdebug::json_stage::is_json;

namespace {

const std::string kDocument =
    R"({"schema":"opdebug.record/1","file":"/local/dump/\u4e2d\u6587","host":null,"overflow":true,"numbers":[0,-2.25e-7],)"
    R"("records":[{"empty":{},"none":[]}],"escapes":"\"\\\/\b\f\n\r\t\ud83d\ude00"})";

}  // namespace

TEST_CASE("json: values with blanks around them") {
    for (const std::string& text :
         {"{}"s, "null"s, "-1.5e+300"s, " \t\r\n[ 1 , 2 ] \n"s, "\"\xE4\xB8\xAD\""s, kDocument}) {
        CAPTURE(text);
        CHECK(is_json(text));
    }
}

TEST_CASE("json: Python's words, byte order marks, NUL, broken characters and infinite numbers are refused") {
    for (const std::string& text : {""s, "NaN"s, "[1,]"s, "{} {}"s, "\xEF\xBB\xBF{}"s, "{}\0"s, "{}\0{}"s, "\"\xFF\""s,
                                    "\"\\ud83d\""s, "1e999"s, "01"s, std::string(20000, '[')}) {
        CAPTURE(text);
        CHECK_FALSE(is_json(text));
    }
}

TEST_CASE("json: a document that ends early is refused") {
    for (std::size_t length = 0; length < kDocument.size(); ++length) {
        CHECK_FALSE(is_json(std::string_view(kDocument).substr(0, length)));
    }
}
