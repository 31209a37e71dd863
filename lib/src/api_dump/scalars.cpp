#include "api_dump/readers.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <limits>

#include "tree/name.hpp"

namespace opdebug::api_dump {
namespace {

struct Spelling {
    std::string_view written;
    std::string_view name;
};

// CANN's ge::DataType without "DT_" (source: graph/types.h), only names that differ in more than case.
constexpr Spelling kCannNames[] = {{"FLOAT", "float32"},
                                   {"BF16", "bfloat16"},
                                   {"DOUBLE", "float64"},
                                   {"BOOL", "bool"},
                                   {"HIFLOAT8", "hifloat8"},
                                   {"FLOAT8_E5M2", "float8_e5m2"},
                                   {"FLOAT8_E4M3FN", "float8_e4m3fn"}};

// Names of c10::ScalarType (source: torch, c10/core/ScalarType.h), which msprobe's AclGraphDumper writes, and those of
// ATB (source: msprobe, atb dump).
constexpr Spelling kOtherNames[] = {{"Half", "float16"},
                                    {"Float", "float32"},
                                    {"Double", "float64"},
                                    {"Long", "int64"},
                                    {"Int", "int32"},
                                    {"Short", "int16"},
                                    {"Char", "int8"},
                                    {"Byte", "uint8"},
                                    {"fp16", "float16"},
                                    {"bf16", "bfloat16"},
                                    {"fp32", "float32"},
                                    {"fp64", "float64"},
                                    {"ComplexFloat", "complex64"},
                                    {"ComplexDouble", "complex128"}};

// MindSpore and c10 write these names with an upper-case letter, torch in lower case.
constexpr std::string_view kPlainNames[] = {
    "float16",         "bfloat16",      "float32",       "float64",     "int8",
    "int16",           "int32",         "int64",         "uint8",       "uint16",
    "uint32",          "uint64",        "bool",          "int4",        "qint4x2",
    "complex64",       "complex128",    "float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz",
    "float8_e5m2fnuz", "float8_e8m0fnu"};

/// The part between the quotation marks of "<class 'int'>".
std::string_view without_class(std::string_view written) {
    constexpr std::string_view kClass = "<class '";
    const bool is_class = written.substr(0, kClass.size()) == kClass && written.size() > kClass.size() + 2;
    return is_class ? written.substr(kClass.size(), written.size() - kClass.size() - 2) : written;
}

bool is_plain(std::string_view name) {
    return std::find(std::begin(kPlainNames), std::end(kPlainNames), name) != std::end(kPlainNames);
}

constexpr std::string_view kBlanksAroundNumbers = " \t\r\n";

}  // namespace

std::string element_name(std::string_view written) {
    constexpr std::string_view kCann = "DT_";
    std::string_view name = without_class(written);
    if (name.substr(0, kCann.size()) == kCann) {
        name.remove_prefix(kCann.size());
        const auto* const known = std::find_if(std::begin(kCannNames), std::end(kCannNames),
                                               [name](const Spelling& spelling) { return spelling.written == name; });
        return known != std::end(kCannNames) ? std::string(known->name) : tree::one_spelling(name);
    }
    name.remove_prefix(name.rfind('.') + 1);  // npos + 1 is 0
    const auto* const other = std::find_if(std::begin(kOtherNames), std::end(kOtherNames),
                                           [name](const Spelling& spelling) { return spelling.written == name; });
    if (other != std::end(kOtherNames)) {
        return std::string(other->name);
    }
    if (!name.empty() && name.front() >= 'a' && name.front() <= 'z') {
        return std::string(name);
    }
    std::string small = tree::one_spelling(name);
    return is_plain(small) ? small : std::string(name);
}

std::optional<double> number_in(std::string_view text) noexcept {
    if (const std::size_t first = text.find_first_not_of(kBlanksAroundNumbers); first != 0) {
        text.remove_prefix(first == std::string_view::npos ? text.size() : first);
    }
    text = text.substr(0, text.find_last_not_of(kBlanksAroundNumbers) + 1);
    text.remove_prefix(text.starts_with('+') ? 1 : 0);
    const char* const end = text.data() + text.size();
    double value = 0;
    const auto parsed = std::from_chars(text.data(), end, value);  // also the words, in any case
    if (parsed.ptr != end || parsed.ec == std::errc::invalid_argument) {
        return std::nullopt;
    }
    if (parsed.ec == std::errc()) {
        return value;
    }
    // Out of range: too close to zero, or too large.
    const bool is_small = text.find("0.") <= 1 || text.find("e-") != std::string_view::npos;
    const bool is_integer = text.find_first_of(".eE") == std::string_view::npos;
    using Limits = std::numeric_limits<double>;
    return std::copysign(is_small ? 0 : is_integer ? Limits::max() : Limits::infinity(), text.front() == '-' ? -1 : 1);
}

std::optional<double> number_of(const JsonScalar& member) noexcept {
    switch (member.kind) {
        case JsonScalar::Kind::truth: return member.text == "true" ? 1.0 : 0.0;
        case JsonScalar::Kind::number:
        case JsonScalar::Kind::text: return number_in(member.text);
        default: return std::nullopt;
    }
}

std::optional<std::int64_t> integer_of(const JsonScalar& member) noexcept {
    std::int64_t value = 0;
    const char* const end = member.text.data() + member.text.size();
    const auto parsed = std::from_chars(member.text.data(), end, value);
    const bool is_whole = member.kind == JsonScalar::Kind::number && parsed.ec == std::errc() && parsed.ptr == end;
    return is_whole ? std::optional<std::int64_t>(value) : std::nullopt;
}

}  // namespace opdebug::api_dump
