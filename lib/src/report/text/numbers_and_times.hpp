// Numbers, bytes and times as reports show them.
#pragma once

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/dump.hpp>
#include <opdebug/report.hpp>
#include <opdebug/tensor.hpp>

namespace opdebug::report {

/// "0x1f": lower case, no padding.
inline std::string hex(std::uint64_t value) {
    std::array<char, 18> text{'0', 'x'};
    const auto written = std::to_chars(text.data() + 2, text.data() + text.size(), value, 16);
    return {text.data(), written.ptr};
}

/// "0x20, 0x8"
std::string hex_words(const std::vector<std::uint64_t>& words, std::string_view separator = ", ");

/// Two lower-case digits for each byte.
inline std::string hex_of_bytes(std::string_view bytes) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string digits;
    digits.reserve(bytes.size() * 2);
    for (const char byte : bytes) {
        digits += kDigits[static_cast<unsigned char>(byte) >> 4U];
        digits += kDigits[static_cast<unsigned char>(byte) & 0xFU];
    }
    return digits;
}

/// The bytes that lower-case digits mean, two for each; false where they do not.
inline bool bytes_of_hex(std::string_view digits, std::string& bytes) {
    const auto value_of = [](char digit) {
        return digit >= '0' && digit <= '9' ? digit - '0' : digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
    };
    bytes.clear();
    for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
        const int high = value_of(digits[i]), low = value_of(digits[i + 1]);
        if (high < 0 || low < 0) {
            return false;
        }
        bytes += static_cast<char>(high * 16 + low);
    }
    return digits.size() % 2 == 0;
}

/// "5,007"
std::string show_count(std::uint64_t count);

/// "+1.349 s", from a minute on "+2 d 3 h", "+2 天 3 小时". Empty: a time is unknown.
std::string show_offset(const std::optional<std::uint64_t>& time_us, const std::optional<std::uint64_t>& from_us,
                        Language language);

/// Runs of numbers: "0-3,8"; after `most` runs "... (N)" with how many numbers there are in all. `numbers`: sorted,
/// each once.
std::string number_ranges(const std::vector<std::uint64_t>& numbers, std::string_view separator, std::size_t most);

/// The same for tables.
inline std::string show_numbers(const std::vector<std::uint64_t>& numbers) {
    return number_ranges(numbers, ",", 6);
}

/// "2026-03-04 10:00:05.000000", in UTC. Microseconds since 1970; what no calendar can show stays a number: "N us".
std::string show_utc(std::uint64_t timestamp_us);

/// The zone of the run in minutes ahead of UTC, where it is known, else that of the reader.
int shown_offset(std::uint64_t timestamp_us, const std::optional<int>& of_run, const ReportOptions& options);

/// "2026-03-04 18:00:05.000 (+08:00)": milliseconds of a zone that is `offset_minutes` ahead of UTC.
std::string show_local_time(std::uint64_t timestamp_us, int offset_minutes);

/// The same as show_utc() with " UTC" after it.
std::string show_time(std::uint64_t timestamp_us);

/// A value as NumPy prints a scalar of that type: with the fewest digits that distinguish it from its neighbours in the
/// type, always with a decimal point or an exponent. 65504 in float16 is "65500.0", in float32 "65504.0". Integers in
/// full; bool: "True" or "False". Types that NumPy lacks are printed as float32, which holds their values.
std::string numpy_text(const TensorNumber& value, std::string_view dtype);

/// A mean as NumPy prints it: rounded to the tensor's type; float64 for integers.
std::string numpy_mean_text(double mean, std::string_view dtype);

/// A value in a table: whole numbers in full ("65504" also in float16), others with the digits of their type.
std::string readable_number(const TensorNumber& value, std::string_view dtype);

/// A mean in a table: float32's digits, which are more than float16 has; float64's for integers and float64.
std::string readable_mean(double mean, std::string_view dtype);

}  // namespace opdebug::report
