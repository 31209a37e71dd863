#include "api_ties/kernel_table.hpp"

#include <iterator>

#include <nlohmann/json.hpp>

#include "embedded/api_kernels_data.hpp"
#include "tree/name.hpp"

namespace opdebug::api_ties {
namespace {

constexpr std::string_view kPrefix = "aclnn";

}  // namespace

KernelTable::KernelTable() {
    using Texts = std::vector<std::string>;
    const auto document = nlohmann::json::parse(embedded::api_kernels_files().front().text);
    for (const nlohmann::json& row : document.at("kernels")) {
        rows_.push_back({row.at("apis"), row.value("operations", Texts()), row.value("only_api", false),
                         row.at("forward"), row.at("backward")});
    }
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        for (const std::string& api : rows_[i].apis) {
            by_api_.emplace(api, i);
        }
        for (const std::string& operation : rows_[i].operations) {
            by_operation_.emplace(operation, i);
        }
    }
}

const ApiKernels* KernelTable::row_of(std::string_view api) const {
    const auto known = by_api_.find(api);
    return known == by_api_.end() ? nullptr : &rows_[known->second];
}

std::vector<std::string_view> KernelTable::apis_of(std::string_view operation) const {
    std::vector<std::string_view> apis{operation};
    const auto rows = by_operation_.equal_range(operation);
    for (auto row = rows.first; row != rows.second; ++row) {
        for (const std::string& api : rows_[row->second].apis) {
            if (api != operation) {
                apis.push_back(api);
            }
        }
    }
    return apis;
}

bool KernelTable::has_only_api(std::string_view operation) const {
    const auto rows = by_operation_.equal_range(operation);
    return std::distance(rows.first, rows.second) == 1 && rows_[rows.first->second].only_api;
}

std::string plain_name(std::string_view name) {
    std::string plain = tree::one_spelling(name);
    std::erase(plain, '_');
    return plain;
}

std::string_view type_in_kernel(std::string_view kernel) {
    const std::size_t last = kernel.rfind('_');
    const std::size_t first = kernel.find('_');
    const bool is_eager = kernel.starts_with(kPrefix) && first != last;
    return is_eager ? kernel.substr(last + 1) : std::string_view();
}

std::string type_of(const KernelOverflow& overflow) {
    return overflow.operator_type.empty() ? std::string(type_in_kernel(overflow.kernel)) : overflow.operator_type;
}

std::string_view family_in_kernel(std::string_view kernel) {
    constexpr std::string_view kInPlace = "Inplace";
    if (type_in_kernel(kernel).empty()) {
        return {};
    }
    std::string_view family = kernel.substr(kPrefix.size(), kernel.find('_') - kPrefix.size());
    family.remove_prefix(family.starts_with(kInPlace) ? kInPlace.size() : 0);
    return family;
}

}  // namespace opdebug::api_ties
