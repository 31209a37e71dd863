// Files read whole: the same bytes whether they fit where small ones are kept or not.
#include <doctest/doctest.h>

#include <string>

#include "bytes/file.hpp"
#include "temporary_directory.hpp"

using namespace opdebug;
using namespace opdebug::test;

TEST_CASE("file content: empty, small and large files, and those beyond the limit or not there") {
    const TemporaryDirectory directory;
    for (const std::size_t size : {0U, 1U, 2129U, 4095U, 4096U, 4097U, 100'000U}) {
        std::string text(size, 'x');
        for (std::size_t i = 0; i < size; ++i) {
            text[i] = static_cast<char>(i * 31 % 251);
        }
        const std::string path = write_file(directory / std::to_string(size), text);
        bytes::FileContent content;
        REQUIRE_FALSE(content.read(path, {}));
        CHECK(content.bytes().text() == text);
        Limits limits;
        limits.file_bytes = size - (size == 0 ? 0 : 1);
        const auto too_large = bytes::FileContent().read(path, limits);
        CHECK((too_large ? to_string(too_large->code) : "ok") == (size == 0 ? "ok" : "file_too_large"));
    }
    const auto missing = bytes::FileContent().read(directory / "none", {});
    REQUIRE(missing);
    CHECK(to_string(missing->code) == "file_not_found");
}

TEST_CASE("file content: read again, it is the other file, or nothing where that could not be read") {
    const TemporaryDirectory directory;
    const std::string large = write_file(directory / "large", std::string(5000, 'l'));
    const std::string small = write_file(directory / "small", "small");
    bytes::FileContent content;
    for (const std::string& path : {large, small, large}) {
        REQUIRE_FALSE(content.read(path, {}));
        CHECK(content.bytes().text() == (path == small ? "small" : std::string(5000, 'l')));
    }
    CHECK(content.read(directory / "none", {}));
    CHECK(content.bytes().text().empty());
}
