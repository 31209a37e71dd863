// The last line of a partial report: how many dumps must have a line.
#include <doctest/doctest.h>

#include <optional>
#include <string>

#include <fmt/format.h>

#include "report/parts/part_lines.hpp"

using namespace opdebug;

namespace {

std::optional<report::PartEnd> end_of(std::uint64_t dumps, std::uint64_t overflowed, std::uint64_t clean,
                                      std::uint64_t clean_of_second) {
    constexpr const char* kPart = R"({{"op_dumps":0,"other_files":0,"complete":true,"unlisted_overflowed":{},)"
                                  R"("unlisted_clean":{},"failures":[],"diagnostics":[]}})";
    return report::read_part_end(
        fmt::format(R"({{"type":"summary","counts":{{"dumps":{}}},"partial":{{"parts":[{},{}]}}}})", dumps,
                    fmt::format(kPart, overflowed, clean), fmt::format(kPart, 0, clean_of_second)),
        2);
}

}  // namespace

TEST_CASE("parts: dumps that count without a line are some of those that count") {
    const auto left = [](const std::optional<report::PartEnd>& end) { return end ? end->dumps : std::nullopt; };
    CHECK(left(end_of(7, 2, 1, 3)) == 1U);
    CHECK(left(end_of(6, 2, 1, 3)) == 0U);
    CHECK_FALSE(end_of(5, 2, 1, 3));
    CHECK_FALSE(end_of(2, 2, 1, 0));
}
