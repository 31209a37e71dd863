// What is known of the kernels behind APIs: lib/data/api/kernels.json.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/api.hpp>
#include <opdebug/result.hpp>

namespace opdebug::api_ties {

/// The kernels of some APIs.
struct ApiKernels {
    std::vector<std::string> apis;        ///< functions, operators, classes of modules, as dumps name them
    std::vector<std::string> operations;  ///< names in traces, without "aten::", where they differ from `apis`
    bool only_api = false;  ///< nothing else that is dumped makes these operations, so that counts can be compared
    std::vector<std::string> forward, backward;  ///< operator types
    std::string source;
};

class KernelTable {
public:
    /// The embedded table.
    KernelTable();
    explicit KernelTable(std::vector<ApiKernels> rows);
    KernelTable(const KernelTable&) = delete;  // its index leads into its rows
    KernelTable& operator=(const KernelTable&) = delete;

    /// The row of an API; null where nothing is known of it.
    const ApiKernels* row_of(std::string_view api) const;

    /// The APIs that make an operation of a trace ("linear" of "aten::linear"): itself and those that the table names.
    std::vector<std::string_view> apis_of(std::string_view operation) const;

    /// Whether only one API makes the operation.
    bool has_only_api(std::string_view operation) const;

private:
    std::vector<ApiKernels> rows_;
    std::map<std::string_view, std::size_t> by_api_;
    std::multimap<std::string_view, std::size_t> by_operation_;
};

/// Reads a file of that format. Error: catalogue_invalid, with the place.
Result<std::vector<ApiKernels>> read_kernel_table(const std::string& name, const std::string& text);

/// In small letters and without underscores: "__add__", "add_" and "Add" are the same.
std::string plain_name(std::string_view name);

/// The operator type in a kernel's name of eager mode, "MatMulV2" of "aclnnAddmm_MatMulCommon_MatMulV2". Empty for
/// other formats.
std::string_view type_in_kernel(std::string_view kernel);

/// The operator type of an overflow, where it or its kernel's name tells it; else empty.
std::string type_of(const KernelOverflow& overflow);

/// The API family in it, "Addmm"; "Muls" of "aclnnInplaceMuls_MulAiCore_Mul". Empty for other formats.
std::string_view family_in_kernel(std::string_view kernel);

}  // namespace opdebug::api_ties
