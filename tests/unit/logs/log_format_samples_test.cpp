// How many log formats a set may have, and how many of them may have to be tried on one line.
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <opdebug/logs.hpp>

#include "logs/formats/formats.hpp"

using namespace opdebug::logs;
using namespace opdebug;
using opdebug::ErrorCode;

namespace {

/// The entry of a made-up module: a line begins with `text`.
std::string entry(int number, const std::string& text, const std::string& literal,
                  const std::string& modules = "\"TOY\"") {
    return fmt::format(R"({{"id": "toy.{}", "catalogue": "T", "log": "ge_log", "modules": [{}], "states": "nothing", )"
                       R"("literal": "{}", "pattern": "^{}", "versions": "1", "source": "made up", )"
                       R"("samples": ["[INFO] TOY(1,t):2030-01-01-00:00:00.000 [t.c:1]1 F:{}"]}})",
                       number, modules, literal, text, text);
}

opdebug::Result<std::shared_ptr<const LogFormats>> load(int count, const std::function<std::string(int)>& entry_of,
                                                        Samples samples = Samples::checked) {
    std::string text;
    for (int number = 0; number < count; ++number) {
        text += (number == 0 ? "" : ", ") + entry_of(number);
    }
    return LogFormats::load({{"toy.json", R"({"schema": "opdebug.log_formats/1", "formats": [)" + text + "]}"}}, {},
                            samples);
}

void check_refused(const opdebug::Result<std::shared_ptr<const LogFormats>>& loaded, std::string_view message) {
    REQUIRE_FALSE(loaded.ok());
    CHECK(loaded.error().code == ErrorCode::log_format_invalid);
    CHECK(loaded.error().file == "toy.json");
    CHECK(loaded.error().message == message);
}

/// Lines that differ in a number after a literal that all have.
std::string of_one_literal(int number) {
    return entry(number, fmt::format("word {};", number), "word ");
}

}  // namespace

TEST_CASE("log format samples: 257 log formats may share a literal, for each has 256 others; no more may") {
    CHECK(load(257, of_one_literal).ok());
    check_refused(
        load(258, of_one_literal),
        "log format \"toy.0\": \"samples[0]\" holds the literals of more than 256 other log formats; give the "
        "log formats literals that few other lines hold");
}

TEST_CASE("log format samples: a second format that reads a sample is reported before their number is") {
    const auto loaded = load(
        300, [](int number) { return number == 255 ? entry(number, "word 0;", "word ") : of_one_literal(number); });
    check_refused(loaded,
                  "log format \"toy.255\": \"pattern\" reads a sample of \"toy.0\" of toy.json as well: [INFO] "
                  "TOY(1,t):2030-01-01-00:00:00.000 [t.c:1]1 F:word 0;; make the patterns exclude each other");
}

TEST_CASE("log format samples: a literal inside that of another does not hide that both read the line") {
    const auto loaded = load(2, [](int number) {
        return number == 0 ? entry(number, "word of it", "word of it") : entry(number, "word", "ord");
    });
    check_refused(loaded,
                  "log format \"toy.1\": \"pattern\" reads a sample of \"toy.0\" of toy.json as well: [INFO] "
                  "TOY(1,t):2030-01-01-00:00:00.000 [t.c:1]1 F:word of it; make the patterns exclude each other");
}

TEST_CASE("log format samples: 10,000 log formats in all, no more") {
    const auto of_own_literal = [](int number) {
        const std::string text = fmt::format("word {};", number);
        return entry(number, text, text);
    };
    CHECK(load(10'000, of_own_literal, Samples::trusted).ok());
    check_refused(load(10'001, of_own_literal),
                  "log format \"toy.10000\": \"id\" is over the limit of 10000 log formats; leave "
                  "out log formats that are not needed");
}

TEST_CASE("log format samples: 1,000 modules in all, no more; one that is named twice counts once") {
    const auto of_modules = [](int count) {
        return [count](int number) {
            std::string modules = R"("TOY", "TOY")";
            for (int module = 1; module < count; ++module) {
                modules += fmt::format(", \"M{}\"", module);
            }
            return entry(number, "word", "word", modules);
        };
    };
    CHECK(load(1, of_modules(1'000)).ok());
    check_refused(load(1, of_modules(1'001)),
                  "log format \"toy.0\": \"modules\" names one more module than the 1000 that all log formats together "
                  "may name; leave out modules that are not needed");
}

namespace {

LogFormatInfo format(const char* id, const char* marks) {
    LogFormatInfo made;
    made.id = id;
    made.catalogue = marks;
    return made;
}

/// The ids of the formats with that name, each with a blank after it.
std::string format_named(const std::string& name) {
    const std::vector<LogFormatInfo> formats{format("old.launch", "L1"), format("launch", "L4-L10"),
                                             format("launch.handle", "L7"), format("bind", "M2"),
                                             format("mixed", "L8-M9")};
    std::string ids;
    for (const LogFormatInfo& found : log_formats_named(formats, name)) {
        ids += found.id + " ";
    }
    return ids;
}

}  // namespace

TEST_CASE("log format names: an id, a mark, and a mark inside a range, in either case of its letter") {
    CHECK(format_named("launch") == "launch ");
    CHECK(format_named("M2") == "bind ");
    CHECK(format_named("L7") == "launch launch.handle ");
    CHECK(format_named("l10") == "launch ");
    CHECK(format_named("L4-L10") == "launch ");
}

TEST_CASE("log format names: what is no id and no mark has no format") {
    for (const char* name : {"", "L", "L3", "L11", "M9", "L7x", "LAUNCH", "L4-"}) {
        CAPTURE(name);
        CHECK(format_named(name).empty());
    }
    CHECK(format_named("L8-M9") == "mixed ");  // a range of two letters is no range, but a name all the same
}
