// File names of dumps, converted dumps, tensors and API dumps → ids, kind and time.
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <opdebug/tree.hpp>

namespace opdebug::tree {

/// The number, if the whole text is decimal digits and fits into 64 bits.
inline std::optional<std::uint64_t> parse_number(std::string_view text) noexcept {
    std::uint64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data(), end, value);
    return parsed.ec == std::errc() && parsed.ptr == end ? std::optional<std::uint64_t>(value) : std::nullopt;
}

/// Whether the text is decimal digits only, of any length.
inline bool is_decimal(std::string_view text) noexcept {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// 65535 and 4294967295: "not set" in 16- and 32-bit ids (runtime INVALID_VAL, msaccucmp INVALID_ID;
/// docs/internals/formats.md, "Ids").
constexpr bool is_no_id(std::uint64_t id) noexcept {
    return id == 65535 || id == 4294967295;
}

/// Lower case of ASCII letters; other bytes are unchanged, as in the locale "C".
constexpr char lower_case_of(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

inline bool equals_ignoring_case(std::string_view text, std::string_view lower_case) {
    return text.size() == lower_case.size() && std::equal(text.begin(), text.end(), lower_case.begin(),
                                                          [](char a, char b) { return lower_case_of(a) == b; });
}

/// "Opdebug" and "Node_OpDebug" in any case: documents and writers spell them differently.
inline bool is_overflow_spelling(std::string_view op_type, std::string_view op_name) {
    return equals_ignoring_case(op_type, "opdebug") && equals_ignoring_case(op_name, "node_opdebug");
}

/// Whether a file name starts like that of an overflow dump.
inline bool begins_like_overflow_dump(std::string_view name) {
    const std::size_t first = name.find('.');
    if (first == std::string_view::npos) {
        return false;
    }
    const std::string_view rest = name.substr(first + 1);
    return is_overflow_spelling(name.substr(0, first), rest.substr(0, rest.find('.')));
}

/// Normalizes a dump's name for comparison with its converted outputs: the case of the fixed part differs between
/// writers and documents.
inline std::string one_spelling(std::string_view name) {
    std::string text(name);
    std::transform(text.begin(), text.end(), text.begin(), lower_case_of);
    return text;
}

/// Whether the name is that of an overflow dump. Empty if parse_dump_name() rejects it.
std::optional<bool> names_overflow_dump(std::string_view name);

/// The name of the dump: the file itself, or the dump that it was converted from ({dump name}.output.{index}.json).
std::optional<DumpName> parse_name_of_dump(std::string_view file_name);

/// The task in the name of an operator dump. Empty for other names, names without a task, and exception dumps: these
/// are of an operator that failed, and never of one that overflowed.
std::optional<std::uint64_t> task_of_op_dump(std::string_view name);

struct ConvertedName {
    std::string_view dump_name;  ///< view of the parameter
    std::uint64_t output_index = 0;
};

/// Parses the name of a converted output. Empty for other names. Does not check `dump_name`.
inline std::optional<ConvertedName> parse_converted_name(std::string_view name) noexcept {
    constexpr std::string_view kEnding = ".json";
    constexpr std::string_view kOutput = ".output.";
    if (name.size() < kEnding.size() || name.substr(name.size() - kEnding.size()) != kEnding) {
        return std::nullopt;
    }
    name.remove_suffix(kEnding.size());
    const std::size_t output = name.rfind(kOutput);
    if (output == std::string_view::npos || output == 0) {
        return std::nullopt;
    }
    const auto index = parse_number(name.substr(output + kOutput.size()));
    return index ? std::optional<ConvertedName>({name.substr(0, output), *index}) : std::nullopt;
}

/// Parts of the name of a tensor file, as views of it.
struct TensorFileName {
    std::string_view dump_name;  ///< {type}.{name}.{task}[.{stream}].{timestamp}, or another name
    bool is_output = true;
    std::uint64_t index = 0;
    std::string_view format;  ///< "ND"; empty: not in the name
    std::string_view dtype;   ///< "bfloat16"; empty: not in the name
};

/// Empty for other names, including overflow dumps.
std::optional<TensorFileName> parse_tensor_file_name(std::string_view name);

/// The same for .npy files of any writer ({name}.input.0.npy). A name without kind and index is an output's.
TensorFileName parse_npy_name(std::string_view name);

/// {dump name} of an operator's statistics. Empty for other names.
std::optional<std::string_view> dump_name_of_statistics(std::string_view name);

/// MindSpore's and msprobe's list of the operators of one iteration.
constexpr std::string_view kStatisticList = "statistic.csv";

/// Whether the name contains an operator, or is kStatisticList.
bool names_operator_values(std::string_view name);

inline bool may_be_api_dump(std::string_view name) noexcept {
    // mapping.csv names dumps (tree/mapping.hpp): thousands of folders have one.
    return name == "dump.json" || name == "debug.json" || name.ends_with(".pkl") ||
           (name.ends_with(".csv") && name != "mapping.csv");
}

/// step0.tgz, rank_3.tar: an archive of a run's folder.
inline bool is_packed_part_of_run(std::string_view name) noexcept {
    constexpr std::array<std::string_view, 2> kFolders = {"step", "rank"};
    constexpr std::array<std::string_view, 5> kEndings = {".tar", ".tgz", ".tar.gz", ".tar.zst", ".zip"};
    for (const std::string_view folder : kFolders) {
        for (const std::string_view ending : kEndings) {
            if (name.starts_with(folder) && name.ends_with(ending) && name.size() > folder.size() + ending.size()) {
                std::string_view number = name.substr(folder.size(), name.size() - folder.size() - ending.size());
                number.remove_prefix(number.front() == '_' ? 1 : 0);
                return is_decimal(number);
            }
        }
    }
    return false;
}

}  // namespace opdebug::tree
