// Log formats by the names that people use for them: ids, catalogue marks, ranges of marks.
#include <doctest/doctest.h>

#include <string>

#include <opdebug/logs.hpp>

using namespace opdebug;

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
