// Kernel names hold the graph node's name or the operator type, in a form that changed over the years.
// Source of the forms: docs/internals/logs.md, "Kernel names".
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace opdebug::locate_stage {

/// In the evidence of an operator: its name has _ for / . and spaces, as file names do.
constexpr std::string_view kNameOfFile = "the name is from the file name";

/// The parts of a kernel name.
struct KernelName {
    std::optional<std::string> node;           ///< node name, 2020 to 2023: after session, graph and model numbers
    std::optional<std::string> operator_type;  ///< operator type, from 2024 on: before a hash of 32 hex digits
};

KernelName decode_kernel_name(std::string_view kernel);

/// A hash of 64 hex digits or more instead of a name.
bool is_hash(std::string_view text);

/// The numbers before the node of an offline model, "-1_<graph>_<model>_": GE's id of the model. `node`: the
/// node's name where it is known, else the most likely reading.
std::optional<std::uint64_t> ge_model_of_kernel(std::string_view kernel, std::optional<std::string_view> node);

/// The graph of "<session>_<graph>_<node>", the form of online sessions of 2020; nothing for other forms.
std::optional<std::uint64_t> graph_of_kernel(std::string_view kernel, std::optional<std::string_view> node);

/// Without what the compiler of kernels appends: the core ("_mix_aic", "_mix_aiv"), or "__kernel0".
std::string_view without_compiler_suffix(std::string_view kernel);

/// The C++ function of a mangled name ("_Z..."), for people; nothing for others.
std::optional<std::string> demangled(std::string_view kernel);

/// Whether `kernel` is `node` after a prefix of numbers and underscores, for example "-1_0_1_" or "00_1_".
bool kernel_is_of_node(std::string_view kernel, std::string_view node);

/// The known type that is written so in lower case, where it has one spelling: "GatherV2" of "gatherv2".
std::optional<std::string> type_in_lower_case(std::string_view lower);

/// The writers replace space . / \ by _, so a name read from a file or folder compares with a log's only in that form.
inline std::string name_in_files(std::string name) {
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c == ' ' || c == '.' || c == '/' || c == '\\'; }, '_');
    return name;
}

}  // namespace opdebug::locate_stage
