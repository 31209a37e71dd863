// Messages of a catalogue with placeholders: {status} {status_hex} {bits} {code} {code_hex}.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace opdebug::status {

/// What placeholders stand for.
struct RemarkValues {
    std::uint64_t status = 0;  ///< {status} decimal, {status_hex}: the word that was looked up
    std::uint64_t bits = 0;    ///< {bits} hex: the bits of the causes that the remark is about
    std::uint64_t code = 0;    ///< {code} decimal, {code_hex}: the number in the group of bits
};

/// The message with its placeholders replaced.
std::string fill(std::string_view message, const RemarkValues& values);

/// The first part in braces (or the lone brace) that is not one of the `allowed` names, with its braces.
std::optional<std::string> unknown_placeholder(std::string_view message,
                                               std::initializer_list<std::string_view> allowed);

}  // namespace opdebug::status
