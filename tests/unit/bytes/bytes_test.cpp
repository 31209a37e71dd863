// Bytes: what people hold dumps in.
#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/result.hpp>

using opdebug::Bytes;

namespace {

/// Takes Bytes as decode() does: what is not Bytes must become it by itself.
std::string text_of(Bytes bytes) {
    return std::string(bytes.text());
}

}  // namespace

TEST_CASE("bytes: every contiguous container of bytes will do") {
    const std::string text("a\0\xff", 3);
    CHECK(text_of(text) == text);
    CHECK(text_of(std::string_view(text)) == text);
    CHECK(text_of(std::vector<char>(text.begin(), text.end())) == text);
    CHECK(text_of(std::vector<std::uint8_t>{'a', 0, 0xff}) == text);
    CHECK(text_of(std::vector<std::byte>{std::byte{'a'}, std::byte{0}, std::byte{0xff}}) == text);
    CHECK(text_of(std::array<unsigned char, 3>{'a', 0, 0xff}) == text);
    const void* memory = text.data();
    CHECK(text_of({memory, text.size()}) == text);
    CHECK(text_of({}).empty());
}

TEST_CASE("bytes: containers of larger elements are no bytes") {
    CHECK_FALSE(std::is_convertible_v<std::vector<int>, Bytes>);
    CHECK_FALSE(std::is_convertible_v<std::wstring, Bytes>);
    CHECK(std::is_convertible_v<std::vector<char>, Bytes>);
}
