// API dumps for tests and benchmarks: a plain description of calls, written in the form of each tool and version.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace opdebug::test {

/// A value of a call. Lists and dicts hold more of them.
struct MadeValue {
    enum class Kind { tensor, scalar, list, dict, null, process_group, point_to_point };
    Kind kind = Kind::tensor;

    std::string dtype = "float16";  ///< without "torch."; scalars: "int", "float", "bool", "str"
    std::vector<std::int64_t> shape = {4, 8};
    std::string max = "1.5", min = "-1.5", norm = "3.25";  ///< as Python writes them: "NaN", "-Infinity", "null"
    std::string value = "0";                               ///< of scalars; texts with their quotation marks

    std::vector<MadeValue> items;    ///< of a list or dict; the tensor of a point-to-point operation
    std::vector<std::string> names;  ///< of a dict: the key of each item

    std::vector<std::int64_t> group_ranks;
    std::string group_id, operation;  ///< operation: "isend" or "irecv"
    std::int64_t peer = 0, tag = 0;
};

MadeValue made_tensor(std::string max = "1.5", std::string min = "-1.5", std::string dtype = "float16",
                      std::vector<std::int64_t> shape = {4, 8});
MadeValue made_scalar(std::string type, std::string value);
MadeValue made_list(std::vector<MadeValue> items);
MadeValue made_dict(std::vector<std::pair<std::string, MadeValue>> members);
MadeValue made_group(std::vector<std::int64_t> ranks, std::string id);
MadeValue made_point_to_point(std::string operation, std::int64_t peer, MadeValue tensor, std::int64_t tag = 0,
                              std::string group_id = "00000000");

/// One call. The name has msprobe's form: "Functional.linear.0.forward", "Module.fc.Linear.forward.0",
/// "Module.fc.Linear.parameters_grad.0" (its gradients are the parameters).
struct MadeCall {
    std::string name;
    std::vector<MadeValue> inputs;  ///< of a backward: what enters it
    std::vector<std::pair<std::string, MadeValue>> named_inputs;
    std::vector<std::pair<std::string, MadeValue>> parameters;
    std::vector<MadeValue> outputs;
    std::optional<std::int64_t> is_nan;
    bool is_recompute = false;
};

/// Who wrote the file. The names are dates of msprobe's versions (docs/internals/api-rules.md, "Versions").
enum class MsprobeVersion {
    may_2024,       ///< grad_input and grad_output, Max_except_inf_nan, no framework
    august_2024,    ///< input and output
    december_2024,  ///< 1.2.0: parameters, still no framework
    february_2025,  ///< framework, Max_except_inf_nan
    june_2025,      ///< without Max_except_inf_nan
    march_2026
};

struct MadeDump {
    std::string task = "statistics", level = "L1";
    std::string framework = "pytorch";  ///< or "mindspore"
    std::vector<MadeCall> calls;
};

/// dump.json as that version writes it. `indent`: 1, as msprobe; 0: all in one line.
std::string dump_json(const MadeDump& dump, MsprobeVersion version = MsprobeVersion::june_2025, int indent = 1);

/// The same calls as text of ptdbg_ascend: names with underscores up to 5.0, three statistics up to 3.0. As overflow
/// file: flag 101, and a backward's outputs first.
struct PtdbgForm {
    int major = 4;
    bool is_overflow_file = false;
    std::vector<std::pair<std::string, std::string>> stack;  ///< file and line number, innermost first; empty: no line
};
std::string ptdbg_text(const std::vector<MadeCall>& calls, const PtdbgForm& form);

/// A step of training of a language model, `calls` long, clean: linear, add, matmul, layer_norm, attention, gelu, each
/// with its backward; about a kilobyte each. The numbers depend on `seed` only.
MadeDump language_model_step(std::size_t calls, std::uint64_t seed);

}  // namespace opdebug::test
