// Options of the C interface: errors name the wrong option.
#include <doctest/doctest.h>

#include "build_paths.hpp"
#include "c_handles.hpp"
#include "demo_dump.hpp"
#include "temporary_directory.hpp"
#include "text.hpp"

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
    taken(opdebug_scan(paths, 1, nullptr, options.get(), nullptr, nullptr, error.out()));
    return verdict(error);
}

std::string read_with(const COptions& options) {
    const std::string logs = std::string(source_folder) + "/testdata/demo/logs";
    const char* paths[] = {logs.c_str()};
    CError error;
    opdebug_logs_free(opdebug_read_logs(paths, 1, options.get(), nullptr, nullptr, error.out()));
    return verdict(error);
}

/// What the setter states: "1" when the option was set.
std::string set(const char* name, const char* value) {
    opdebug_options* options = opdebug_options_new();
    CError error;
    const int done = opdebug_options_set(options, name, value, error.out());
    opdebug_options_free(options);
    return done == 1 ? "1" : verdict(error);
}

}  // namespace

TEST_CASE("c interface options: all that a function uses") {
    COptions decoding, scanning, reading;
    decoding.set("language", "zh").set("tensors", "1").set("utc_offset_minutes", "-1080");
    decoding.set("system_time_zone", "0").set("file_bytes", "1000000");
    CHECK(decode_with({}) == "none");
    CHECK(decode_with(decoding) == "none");
    scanning.set("language", "en").set("tensors", "0").set("utc_offset_minutes", "1080").set("threads", "1024");
    scanning.set("all", "1").set("first", "9223372036854775807").set("system_time_zone", "1");
    scanning.set("temporary_folder", "/tmp").set("traces", "/does/not/exist");
    CHECK(scan_with(scanning) == "none");
    reading.set("threads", "1").set("line_bytes", "10000").set("wanted", demo_path);
    CHECK(read_with(reading) == "none");
}

TEST_CASE("c interface options: values that are not what was expected") {
    CHECK(set("language", "de") == "options: \"language\" is \"en\" or \"zh\", not \"de\"");
    CHECK(set("tensors", "true") == "options: \"tensors\" is 0 or 1, not \"true\"");
    CHECK(set("utc_offset_minutes", "1081") ==
          "options: \"utc_offset_minutes\" is a whole number from -1080 to 1080, not \"1081\"");
    CHECK(set("wanted", "") == "options: \"wanted\" is a path that is not empty, not \"\"");
    for (const char* wrong : {"1025", "-1", "", "4 ", "0x4", "99999999999999999999"}) {
        CHECK(set("threads", wrong) ==
              "options: \"threads\" is a whole number from 0 to 1024, not \"" + std::string(wrong) + "\"");
    }
    CHECK(set("first", "-1") == "options: \"first\" is a whole number from 0 on, not \"-1\"");
    CHECK(set("findings_per_verdict", "0") ==
          "options: \"findings_per_verdict\" is a whole number from 1 on, not \"0\"");
    CHECK(set("temporary_folder", "") == "options: \"temporary_folder\" is the path of a folder, not \"\"");
    CHECK(set("lang", "1").find("options: \"lang\" is no option; there are language, temporary_folder, ") == 0);
}

TEST_CASE("c interface options: NULL is reported by name") {
    CError error;
    CHECK(opdebug_options_set(nullptr, "all", "1", error.out()) == 0);
    CHECK(error.message() == "options is NULL; a value was expected");
    CHECK(set(nullptr, "1") == "name is NULL; a value was expected");
    CHECK(set("language", nullptr) == "value is NULL; a value was expected");
    opdebug_options_free(nullptr);
}

TEST_CASE("c interface options: paths are bytes, and each is added") {
    const TemporaryDirectory folder;
    const std::string first = write_file(folder / "\xff\"1.json", std::string_view("{ no json"));
    const std::string missing = folder / "2\xfe.json";
    CError error;
    taken(
        opdebug_decode_file(demo_path.c_str(), nullptr, COptions().set("status_catalogue", first).get(), error.out()));
    CHECK(error.code() == "catalogue_invalid");
    CHECK(error.file() == first);
    COptions both;
    both.set("status_catalogue", std::string(source_folder) + "/lib/data/status/ai_core.json");
    both.set("status_catalogue", missing);
    taken(opdebug_decode_file(demo_path.c_str(), nullptr, both.get(), error.out()));
    CHECK(error.code() == "file_not_found");
    CHECK(error.file() == missing);
}

TEST_CASE("c interface options: limits take effect, and names that are none are refused") {
    CHECK(decode_with(COptions().set("file_bytes", "100")) == "file_too_large");
    CHECK(decode_with(COptions().set("header_bytes", "10")) == "header_too_large");
    CHECK(contains(set("file_byte", "100"), "unknown limit \"file_byte\"; the limits are file_bytes, header_bytes, "));
    CHECK(set("limits.first", "1").find("options: unknown limit \"first\"; the limits are file_bytes, ") == 0);
    CHECK(set("limits.file_bytes", "100") == "1");
    CHECK(set("records", "0") == "options: limit \"records\" is a whole number from 1 on, not \"0\"");
    CHECK(set("records", "-1") == "options: limit \"records\" is a whole number from 1 on, not \"-1\"");
}
