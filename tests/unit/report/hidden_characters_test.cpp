// Each character of Unicode that nobody sees becomes visible, in the library and in the Python module alike.
#include <opdebug/report.hpp>

#include <cstdint>
#include <string>

#include <doctest/doctest.h>

#include "build_paths.hpp"
#include "process.hpp"
#include "skip.hpp"

using namespace opdebug::test;

namespace {

std::string utf8(std::uint32_t number) {
    const auto continued = [number](unsigned shift) { return static_cast<char>(0x80U | (number >> shift & 0x3FU)); };
    if (number < 0x80) {
        return {static_cast<char>(number)};
    }
    if (number < 0x800) {
        return {static_cast<char>(0xC0U | number >> 6U), continued(0)};
    }
    if (number < 0x10000) {
        return {static_cast<char>(0xE0U | number >> 12U), continued(6), continued(0)};
    }
    return {static_cast<char>(0xF0U | number >> 18U), continued(12), continued(6), continued(0)};
}

}  // namespace

TEST_CASE("hidden characters: those that Unicode gives no sign are shown as bytes, all others stay, also in Python") {
    ProcessOptions options;
    for (std::uint32_t number = 0; number < 0x110000; ++number) {
        const std::string character = utf8(number);
        const bool surrogate = number >= 0xD800 && number <= 0xDFFF;
        if (!surrogate && opdebug::printable(character) != character) {
            options.input += std::to_string(number) + "\n";
        }
    }
    const std::string source = source_folder;
    const ProcessResult judged = run_process(
        {"/usr/bin/python3", source + "/tests/support/hidden_characters.py", source + "/lib/python/opdebug/errors.py"},
        options);
    if (judged.exit_status == 127) {
        skip("python3 is not installed");
        return;
    }
    CHECK(judged.out == "");
    CHECK(judged.err == "");
    CHECK(judged.exit_status == 0);
}
