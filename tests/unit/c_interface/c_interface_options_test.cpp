// Options of the C interface: errors name the wrong option.
#include <doctest/doctest.h>

#include <limits>

#include "build_paths.hpp"
#include "c_handles.hpp"
#include "demo_dump.hpp"
#include "temporary_directory.hpp"

using namespace opdebug::test;

namespace {

const std::string demo_path = std::string(source_folder) + "/" + demo_dump_path;

/// "none", or the code of the error with its message.
std::string verdict(const CError& error) {
    return error.code() == "invalid_argument" ? error.message() : error.code();
}

std::string decode_with(const COptions& options) {
    CError error;
    taken(opdebug_decode_file(demo_path.c_str(), nullptr, options.get(), error.out()));
    return verdict(error);
}

std::string scan_with(const COptions& options) {
    const char* paths[] = {demo_path.c_str()};
    CError error;
    opdebug_scan_free(opdebug_scan_start(paths, 1, nullptr, options.get(), nullptr, nullptr, error.out()));
    return verdict(error);
}

std::string read_with(const COptions& options) {
    const std::string logs = std::string(source_folder) + "/testdata/demo/logs";
    const char* paths[] = {logs.c_str()};
    CError error;
    opdebug_logs_free(opdebug_read_logs(paths, 1, options.get(), nullptr, nullptr, error.out()));
    return verdict(error);
}

/// What a setter states: "1" when the option was set.
template <class Set>
std::string said(const Set& set) {
    opdebug_options* options = opdebug_options_new();
    CError error;
    const int done = set(options, error.out());
    opdebug_options_free(options);
    return done == 1 ? "1" : verdict(error);
}

std::string text(const char* name, const char* value) {
    return said([=](auto* options, auto** error) { return opdebug_options_set_text(options, name, value, error); });
}

std::string number(const char* name, std::int64_t value) {
    return said([=](auto* options, auto** error) { return opdebug_options_set_number(options, name, value, error); });
}

std::string flag(const char* name, int value) {
    return said([=](auto* options, auto** error) { return opdebug_options_set_flag(options, name, value, error); });
}

std::string path(const char* name, const char* value) {
    return said([=](auto* options, auto** error) { return opdebug_options_add_path(options, name, value, error); });
}

std::string limit(const char* name, std::int64_t value) {
    return said([=](auto* options, auto** error) { return opdebug_options_set_limit(options, name, value, error); });
}

}  // namespace

TEST_CASE("c interface options: all that a function uses") {
    COptions decoding, scanning, reading;
    decoding.text("language", "zh").flag("tensors", true).number("utc_offset_minutes", -1080);
    decoding.flag("system_time_zone", false).limit("file_bytes", 1'000'000);
    CHECK(decode_with({}) == "none");
    CHECK(decode_with(decoding) == "none");
    scanning.text("language", "en").flag("tensors", false).number("utc_offset_minutes", 1080).number("threads", 1024);
    scanning.flag("all", true).number("first", std::numeric_limits<std::int64_t>::max()).flag("system_time_zone", true);
    scanning.text("temporary_folder", "/tmp").path("traces", "/does/not/exist");
    CHECK(scan_with(scanning) == "none");
    reading.number("threads", 1).limit("line_bytes", 10'000).path("wanted", demo_path);
    CHECK(read_with(reading) == "none");
}

TEST_CASE("c interface options: a call ignores options that it does not use") {
    CHECK(decode_with(COptions().number("threads", 2)) == "none");
    CHECK(read_with(COptions().text("language", "en")) == "none");
}

TEST_CASE("c interface options: values that are not what was expected") {
    CHECK(text("language", "de") == "options: \"language\" is \"en\" or \"zh\", not \"de\"");
    CHECK(number("tensors", 1) == "options: \"tensors\" is true or false, not 1");
    CHECK(flag("threads", 1) == "options: \"threads\" is a whole number from 0 to 1024, not true");
    CHECK(number("utc_offset_minutes", 1081) ==
          "options: \"utc_offset_minutes\" is a whole number from -1080 to 1080, not 1081");
    CHECK(text("utc_offset_minutes", "+08:00") ==
          "options: \"utc_offset_minutes\" is a whole number from -1080 to 1080, not \"+08:00\"");
    CHECK(text("status_catalogue", "a.json") ==
          "options: \"status_catalogue\" is a list of paths that are not empty, not \"a.json\"");
    CHECK(path("wanted", "") == "options: \"wanted\" is a list of paths that are not empty, not the path \"\"");
    CHECK(path("language", "zh") == "options: \"language\" is \"en\" or \"zh\", not the path \"zh\"");
    CHECK(number("threads", 1025) == "options: \"threads\" is a whole number from 0 to 1024, not 1025");
    CHECK(number("threads", -1) == "options: \"threads\" is a whole number from 0 to 1024, not -1");
    CHECK(number("first", -1) == "options: \"first\" is a whole number from 0 on, not -1");
    CHECK(number("findings_per_verdict", 0) == "options: \"findings_per_verdict\" is a whole number from 1 on, not 0");
    CHECK(text("temporary_folder", "") == "options: \"temporary_folder\" is the path of a folder, not \"\"");
    CHECK(number("lang", 1).find("options: \"lang\" is no option; there are language, temporary_folder, ") == 0);
    CHECK(number("limits", 1) == "options: \"limits\": each limit is set with opdebug_options_set_limit()");
}

TEST_CASE("c interface options: NULL is told by name") {
    CError error;
    CHECK(opdebug_options_set_flag(nullptr, "all", 1, error.out()) == 0);
    CHECK(error.message() == "options is NULL; a value was expected");
    CHECK(flag(nullptr, 1) == "name is NULL; a value was expected");
    CHECK(text("language", nullptr) == "value is NULL; a value was expected");
    CHECK(path("wanted", nullptr) == "value is NULL; a value was expected");
    opdebug_options_free(nullptr);
}

TEST_CASE("c interface options: a wrong value changes nothing") {
    opdebug_options* options = opdebug_options_new();
    CHECK(opdebug_options_set_limit(options, "file_bytes", 100, nullptr) == 1);
    CHECK(opdebug_options_set_limit(options, "file_bytes", 0, nullptr) == 0);
    CHECK(opdebug_options_set_number(options, "threads", -1, nullptr) == 0);
    CError error;
    CHECK(opdebug_decode_file(demo_path.c_str(), nullptr, options, error.out()) == nullptr);
    CHECK(error.code() == "file_too_large");
    opdebug_options_free(options);
}

TEST_CASE("c interface options: paths are bytes, and each is added") {
    const TemporaryDirectory folder;
    const std::string first = write_file(folder / "\xff\"1.json", std::string_view("{ no json"));
    const std::string missing = folder / "2\xfe.json";
    CError error;
    taken(
        opdebug_decode_file(demo_path.c_str(), nullptr, COptions().path("status_catalogue", first).get(), error.out()));
    CHECK(error.code() == "catalogue_invalid");
    CHECK(error.file() == first);
    COptions both;
    both.path("status_catalogue", std::string(source_folder) + "/lib/data/status/ai_core.json");
    both.path("status_catalogue", missing);
    taken(opdebug_decode_file(demo_path.c_str(), nullptr, both.get(), error.out()));
    CHECK(error.code() == "file_not_found");
    CHECK(error.file() == missing);
}

TEST_CASE("c interface options: texts of the caller's in messages are shortened and safe for a terminal") {
    const std::string endless(100'000, 'x');
    const std::string cut = "\"" + std::string(200, 'x') + "...\"";
    CHECK(text("language", endless.c_str()) == "options: \"language\" is \"en\" or \"zh\", not " + cut);
    CHECK(text(endless.c_str(), "").find("options: " + cut + " is no option") == 0);
    // Characters stay whole: 66 of three bytes each make 198.
    std::string chinese;
    for (int i = 0; i < 100; ++i) {
        chinese += "\xE4\xB8\xAD";
    }
    CHECK(text("language", chinese.c_str()) ==
          "options: \"language\" is \"en\" or \"zh\", not \"" + chinese.substr(0, 198) + "...\"");
    CHECK(text("language", "a\xE2\x80\xAE\x62") == R"(options: "language" is "en" or "zh", not "a\xe2\x80\xaeb")");
    CHECK(flag("\x1b[31m", 1).find(R"(options: "\x1b[31m" is no option)") == 0);
}

TEST_CASE("c interface options: limits take effect, and names that are none are refused") {
    CHECK(decode_with(COptions().limit("file_bytes", 100)) == "file_too_large");
    CHECK(decode_with(COptions().limit("header_bytes", 10)) == "header_too_large");
    CHECK(limit("file_byte", 100)
              .find("options: \"limits\": unknown limit \"file_byte\"; the limits are file_bytes, header_bytes, ") ==
          0);
    CHECK(limit("records", 0) == "options: \"limits\": \"records\" is a whole number from 1 on, not 0");
    CHECK(limit("records", -1) == "options: \"limits\": \"records\" is a whole number from 1 on, not -1");
}
