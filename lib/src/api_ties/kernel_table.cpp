#include "api_ties/kernel_table.hpp"

#include <iterator>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "api_culprits/known_apis.hpp"
#include "api_dump/call_name.hpp"
#include "embedded/api_kernels_data.hpp"
#include "json/document.hpp"
#include "tree/name.hpp"

namespace opdebug::api_ties {
namespace {

constexpr std::string_view kPrefix = "aclnn";

}  // namespace

KernelTable::KernelTable() {
    using Texts = std::vector<std::string>;
    const auto document = json_stage::parse_data(embedded::api_kernels_files().front().text);
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

CallName call_name_of(const ApiFinding& finding) {
    if (finding.source == ApiSource::statistic_csv) {
        return {finding.operator_type, false, false, true, std::nullopt};
    }
    ApiEntry entry;
    entry.name = finding.api;
    finding.source == ApiSource::ptdbg ? api_dump::read_ptdbg_name(entry) : api_dump::read_call_name(entry);
    const bool is_backward = entry.phase == ApiPhase::backward || entry.phase == ApiPhase::parameters_grad;
    return {std::string(api_culprits::function_of(entry.api)), is_backward, entry.is_module, false, entry.count};
}

std::string operation_name(std::string_view function, bool is_backward) {
    return fmt::format("{} {}", is_backward ? "backward" : "call", function);
}

std::string task_name(std::uint64_t stream, std::uint64_t task, const std::string& type) {
    return fmt::format("task {} {} {}", stream, task, plain_name(type));
}

/// The default type of a backward is {type}Grad, unless the table has another: this is
/// how CANN names them (inferred from ReluGrad, GeluGrad, SigmoidGrad, ...).
std::vector<std::string> kernel_names_of(const CallName& call, const KernelTable& table) {
    if (call.is_kernel) {
        return {"type " + call.function};
    }
    std::vector<std::string> names;
    const std::string name = plain_name(call.function) + (call.is_backward ? "grad" : "");
    if (!call.function.empty()) {
        names = {"name " + name, "family " + name};
    }
    if (call.is_backward) {
        names.push_back("family " + plain_name(call.function) + "backward");
    }
    if (const ApiKernels* const row = table.row_of(call.function)) {
        for (const std::string& type : call.is_backward ? row->backward : row->forward) {
            names.push_back("type " + type);
        }
    }
    return names;
}

std::vector<std::vector<std::string>> kernel_names_of(const KernelOverflow& overflow) {
    std::vector<std::vector<std::string>> groups;
    const std::string type = type_of(overflow);
    if (type.empty()) {
        return groups;
    }
    if (overflow.stream_id && overflow.task_id) {
        groups.push_back({task_name(*overflow.stream_id, *overflow.task_id, type)});
    }
    if (const std::string_view family = family_in_kernel(overflow.kernel); !family.empty()) {
        groups.push_back({"family " + plain_name(family)});
    }
    groups.push_back({"type " + type, "name " + plain_name(type)});
    return groups;
}

}  // namespace opdebug::api_ties
