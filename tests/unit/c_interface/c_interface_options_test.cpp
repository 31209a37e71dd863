// Options of the C interface: what is wrong is named, nothing is ignored.
#include <doctest/doctest.h>

#include "build_paths.hpp"
#include "c_handles.hpp"
#include "demo_dump.hpp"

using namespace opdebug::test;

namespace {

const std::string demo_path = std::string(source_folder) + "/" + demo_dump_path;

/// "none", or the message of invalid_argument.
std::string decode_with(const char* options) {
    CError error;
    taken(opdebug_decode_file(demo_path.c_str(), nullptr, options, error.out()));
    return error.code() == "invalid_argument" ? error.message() : error.code();
}

std::string scan_with(const char* options) {
    const char* paths[] = {demo_path.c_str()};
    CError error;
    opdebug_scan_free(opdebug_scan_start(paths, 1, nullptr, options, nullptr, nullptr, error.out()));
    return error.code() == "invalid_argument" ? error.message() : error.code();
}

std::string read_with(const char* options) {
    const std::string logs = std::string(source_folder) + "/testdata/demo/logs";
    const char* paths[] = {logs.c_str()};
    CError error;
    opdebug_logs_free(opdebug_read_logs(paths, 1, options, nullptr, nullptr, error.out()));
    return error.code() == "invalid_argument" ? error.message() : error.code();
}

}  // namespace

TEST_CASE("c interface options: all that a function knows") {
    CHECK(decode_with(nullptr) == "none");
    CHECK(decode_with("{}") == "none");
    CHECK(decode_with(R"({"language": "zh", "tensors": true, "utc_offset_minutes": -1080, "system_time_zone": false,
                          "status_catalogue": [], "limits": {"file_bytes": 1000000}})") == "none");
    CHECK(scan_with(R"({"language": "en", "tensors": false, "utc_offset_minutes": 1080, "system_time_zone": true,
                        "status_catalogue": [], "threads": 1024, "all": true, "first": 18446744073709551615, "traces": [],
                        "temporary_folder": "/tmp"})") == "none");
    CHECK(read_with(R"({"log_formats": [], "wanted": [], "threads": 1, "limits": {}})") == "none");
}

TEST_CASE("c interface options: a name that the function does not take, with those that it takes") {
    CHECK(decode_with(R"({"lang": "zh"})") ==
          "options: \"lang\" is not known to this function, which takes language, tensors, utc_offset_minutes, "
          "system_time_zone, status_catalogue, limits");
    CHECK(decode_with(R"({"threads": 2})").find("\"threads\" is not known") != std::string::npos);
    CHECK(read_with(R"({"language": "en"})") ==
          "options: \"language\" is not known to this function, which takes log_formats, wanted, threads, limits");
}

TEST_CASE("c interface options: values that are not what was expected") {
    CHECK(decode_with(R"({"language": "de"})") == "options: \"language\" is \"en\" or \"zh\", not \"de\"");
    CHECK(decode_with(R"({"tensors": 1})") == "options: \"tensors\" is true or false, not 1");
    CHECK(decode_with(R"({"system_time_zone": null})") == "options: \"system_time_zone\" is true or false, not null");
    for (const char* wrong : {"1081", "-1081", "60.0", "18446744073709551615", "\"+08:00\""}) {
        const std::string options = std::string(R"({"utc_offset_minutes": )") + wrong + "}";
        CHECK(decode_with(options.c_str()) ==
              std::string("options: \"utc_offset_minutes\" is a whole number from -1080 to 1080, not ") + wrong);
    }
    CHECK(decode_with(R"({"status_catalogue": "a.json"})") ==
          "options: \"status_catalogue\" is a list of paths that are not empty and hold no NUL, not \"a.json\"");
    CHECK(decode_with(R"({"status_catalogue": ["a.json", ""]})") ==
          "options: \"status_catalogue\" is a list of paths that are not empty and hold no NUL; its item 2 is \"\"");
    CHECK(decode_with(R"({"status_catalogue": [["a.json"]]})").find("; its item 1 is an array") != std::string::npos);
    CHECK(read_with(R"({"wanted": {"a": 1}})") ==
          "options: \"wanted\" is a list of paths that are not empty and hold no NUL, not an object");
    CHECK(
        read_with(R"({"log_formats": ["a\u0000b"]})") ==
        "options: \"log_formats\" is a list of paths that are not empty and hold no NUL; its item 1 is \"a\\u0000b\"");
    CHECK(scan_with(R"({"threads": 1025})") == "options: \"threads\" is a whole number from 0 to 1024, not 1025");
    CHECK(scan_with(R"({"threads": -1})") == "options: \"threads\" is a whole number from 0 to 1024, not -1");
    CHECK(scan_with(R"({"first": -1})") == "options: \"first\" is a whole number that is not negative, not -1");
    CHECK(scan_with(R"({"all": "yes"})") == "options: \"all\" is true or false, not \"yes\"");
    CHECK(scan_with(R"({"temporary_folder": ""})") ==
          "options: \"temporary_folder\" is the path of a folder, not \"\"");
}

TEST_CASE("c interface options: what is no JSON object") {
    CHECK(decode_with("").find("options: this is not valid JSON at line 1, column 1") == 0);
    CHECK(decode_with("{\"tensors\": true,}").find("options: this is not valid JSON at line 1, column 18") == 0);
    CHECK(decode_with("[]") == "options: a JSON object was expected, not an array");
    CHECK(decode_with("null") == "options: a JSON object was expected, not null");
    CHECK(decode_with(R"({"tensors": true, "tensors": false})") ==
          "options: the key \"tensors\" stands twice in one object; remove one of them");
    CHECK(decode_with("{\"language\": \"\xff\"}").find("options: this is not valid JSON") == 0);
}

TEST_CASE("c interface options: texts of the caller's in messages are shortened and safe for a terminal") {
    // 200 bytes: the quote and 199 of the letters.
    const std::string endless(100'000, 'x');
    const std::string cut = "\"" + std::string(199, 'x') + "...";
    CHECK(decode_with((R"({"language": ")" + endless + "\"}").c_str()) ==
          "options: \"language\" is \"en\" or \"zh\", not " + cut);
    CHECK(decode_with((R"({")" + endless + "\": 1}").c_str()).find("options: " + cut + " is not known") == 0);
    const std::string twice = "{\"" + endless + "\": 1, \"" + endless + "\": 1}";
    CHECK(decode_with(twice.c_str()).size() < 300);
    // Characters stay whole: behind the quote, 66 of three bytes each make 199.
    std::string chinese;
    for (int i = 0; i < 100; ++i) {
        chinese += "\xE4\xB8\xAD";
    }
    CHECK(decode_with((R"({"language": ")" + chinese + "\"}").c_str()) ==
          "options: \"language\" is \"en\" or \"zh\", not \"" + chinese.substr(0, 198) + "...");
    CHECK(decode_with("{\"language\": \"a\xE2\x80\xAE\x62\"}") ==
          R"(options: "language" is "en" or "zh", not "a\xe2\x80\xaeb")");
    CHECK(decode_with(R"({"\u001b[31m": 1})").find(R"(options: "\u001b[31m" is not known)") == 0);
}

TEST_CASE("c interface options: limits take effect, and names that are none are refused") {
    CHECK(decode_with(R"({"limits": {"file_bytes": 100}})") == "file_too_large");
    CHECK(decode_with(R"({"limits": {"header_bytes": 10}})") == "header_too_large");
    CHECK(decode_with(R"({"limits": {"file_byte": 100}})")
              .find("options: \"limits\": \"file_byte\" is no limit; there are file_bytes, header_bytes, ") == 0);
    CHECK(decode_with(R"({"limits": {"records": 0}})") ==
          "options: \"limits\": the limit records is a number from 1 on, not 0");
    for (const char* wrong : {"-1", "1.0", "true", "null", "\"64M\"", "18446744073709551616"}) {
        CAPTURE(wrong);
        const std::string options = std::string(R"({"limits": {"records": )") + wrong + "}}";
        CHECK(decode_with(options.c_str()).find("options: \"limits\": \"records\" is a whole number from 1 on, not ") ==
              0);
    }
    CHECK(decode_with(R"({"limits": [1]})") ==
          "options: \"limits\" is an object of names and whole numbers, not an array");
}
