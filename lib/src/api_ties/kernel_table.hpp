// The kernels of APIs (lib/data/api/kernels.json), and the names by which findings and overflows are compared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/api.hpp>

namespace opdebug::api_ties {

/// The kernels of some APIs.
struct ApiKernels {
    std::vector<std::string> apis;        ///< names in dumps: functions, operators, classes of modules
    std::vector<std::string> operations;  ///< names in traces without "aten::", if not in `apis`
    bool only_api = false;                ///< no other dumped API makes these operations, so counts are comparable
    std::vector<std::string> forward, backward;  ///< operator types
};

class KernelTable {
public:
    KernelTable();
    KernelTable(const KernelTable&) = delete;  // its index refers to its rows
    KernelTable& operator=(const KernelTable&) = delete;

    /// The row of an API, or null.
    const ApiKernels* row_of(std::string_view api) const;

    /// The APIs that make an operation of a trace ("linear" in "aten::linear"): the operation itself and those in the
    /// table.
    std::vector<std::string_view> apis_of(std::string_view operation) const;

    /// Whether only one API makes the operation.
    bool has_only_api(std::string_view operation) const;

private:
    std::vector<ApiKernels> rows_;
    std::map<std::string_view, std::size_t> by_api_;
    std::multimap<std::string_view, std::size_t> by_operation_;
};

/// In lower case without underscores: "__add__", "add_" and "Add" are equal.
std::string plain_name(std::string_view name);

/// The operator type in a kernel's name of eager mode, "MatMulV2" in "aclnnAddmm_MatMulCommon_MatMulV2". Empty for
/// other formats.
std::string_view type_in_kernel(std::string_view kernel);

/// The operator type of an overflow or in its kernel's name; otherwise empty.
std::string type_of(const KernelOverflow& overflow);

/// The API family in it, "Addmm"; "Muls" in "aclnnInplaceMuls_MulAiCore_Mul". Empty for other formats.
std::string_view family_in_kernel(std::string_view kernel);

/// The name of a finding's call, split into its parts.
struct CallName {
    std::string function;  ///< "linear" of Functional.linear.4.forward; a module's class; a kernel's operator type
    bool is_backward = false, is_module = false;
    bool is_kernel = false;              ///< a row group of a statistic.csv
    std::optional<std::uint64_t> count;  ///< index of the call of its API in the step
};
CallName call_name_of(const ApiFinding& finding);

/// Name of an operation in a trace.
std::string operation_name(std::string_view function, bool is_backward);

/// Stream, task and type as one name: a row of statistic.csv contains all three.
std::string task_name(std::uint64_t stream, std::uint64_t task, const std::string& type);

/// Names of the kernels of a call.
std::vector<std::string> kernel_names_of(const CallName& call, const KernelTable& table);

/// Names of the overflow's possible kernels, from the most to the least specific group. A type of the table and an
/// equal name have the same weight.
std::vector<std::vector<std::string>> kernel_names_of(const KernelOverflow& overflow);

}  // namespace opdebug::api_ties
