// Result: a value or an error, also of a temporary.
#include <doctest/doctest.h>

#include <memory>
#include <type_traits>
#include <utility>

#include <opdebug/result.hpp>

using namespace opdebug;

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
