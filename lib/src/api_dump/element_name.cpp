#include "api_dump/element_name.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>

namespace opdebug::api_dump {
namespace {

struct Spelling {
    std::string_view written;
    std::string_view name;
};

// CANN's ge::DataType without "DT_" (source: graph/types.h), beside those that only differ in the case of letters.
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

// Written with a capital letter by MindSpore and c10; torch writes the same names small.
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

std::string small_letters(std::string_view text) {
    std::string small(text);
    std::transform(small.begin(), small.end(), small.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return small;
}

bool is_plain(std::string_view name) {
    return std::find(std::begin(kPlainNames), std::end(kPlainNames), name) != std::end(kPlainNames);
}

}  // namespace

std::string element_name(std::string_view written) {
    constexpr std::string_view kCann = "DT_";
    std::string_view name = without_class(written);
    if (name.substr(0, kCann.size()) == kCann) {
        name.remove_prefix(kCann.size());
        const auto* const known = std::find_if(std::begin(kCannNames), std::end(kCannNames),
                                               [name](const Spelling& spelling) { return spelling.written == name; });
        return known != std::end(kCannNames) ? std::string(known->name) : small_letters(name);
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
    std::string small = small_letters(name);
    return is_plain(small) ? small : std::string(name);
}

}  // namespace opdebug::api_dump
