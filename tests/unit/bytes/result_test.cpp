// Results and containers of bytes as the library takes and gives them.
#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <opdebug/result.hpp>

using namespace opdebug;
using opdebug::Bytes;

namespace {

Result<std::unique_ptr<int>> number(int value) {
    return std::make_unique<int>(value);
}

Result<std::unique_ptr<int>> failure() {
    return Error{ErrorCode::read_failed, "broken", "file", 7};
}

}  // namespace

TEST_CASE("result: what a temporary holds is given by value, so a name for it stays good") {
    const auto& value = *number(7);
    CHECK(*value == 7);
    const auto& same = number(8).value();
    CHECK(*same == 8);
    const auto& error = failure().error();
    CHECK(to_string(error) == "file: at byte 7: broken");
    CHECK_FALSE(std::is_reference_v<decltype(*number(1))>);
    CHECK_FALSE(std::is_reference_v<decltype(failure().error())>);
}

TEST_CASE("result: of a named one a reference is given, and the value can be moved out") {
    Result<std::unique_ptr<int>> named = number(9);
    CHECK(std::is_lvalue_reference_v<decltype(*named)>);
    const std::unique_ptr<int> moved = std::move(*named);
    CHECK(*moved == 9);
    CHECK(*named == nullptr);
}

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
