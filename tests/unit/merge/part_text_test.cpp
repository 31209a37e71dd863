// The lines of a part: how long one may be.
#include "merge/part.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <tuple>

#include "temporary_directory.hpp"

using namespace opdebug;
using namespace opdebug::test;
using merge::PartLines;
using merge::PartText;

namespace {

constexpr std::uint64_t kMegabyte = std::uint64_t{1} << 20U;

/// A text of so many bytes, NULs, which a hole in the file is, and after them `end`.
PartText long_text(const TemporaryDirectory& directory, std::uint64_t size, const char* end) {
    const std::string path = write_file(directory / "part", "");
    std::filesystem::resize_file(path, size);
    std::ofstream(path, std::ios::app) << end;
    Result<PartText> text = PartText::open(path, nullptr);
    REQUIRE(text.ok());
    return std::move(*text);
}

}  // namespace

TEST_CASE("merge: a line of more than 64 MiB is none of a report, and is not read to its end") {
    const TemporaryDirectory directory;
    for (const auto& [size, end, is_line] :
         {std::tuple{64 * kMegabyte, "", true}, {64 * kMegabyte, "!", false}, {200 * kMegabyte, "\n", false}}) {
        const PartText text = long_text(directory, size, end);
        PartLines lines(text, 0, text.size(), kMegabyte);
        const std::optional<std::string_view> line = lines.next();
        CHECK(line.has_value() == is_line);
        CHECK(lines.stopped_early() == !is_line);
    }
}
