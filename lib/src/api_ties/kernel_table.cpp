#include "api_ties/kernel_table.hpp"

#include <iterator>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "embedded/api_kernels_data.hpp"
#include "json/data_file.hpp"
#include "json/node.hpp"
#include "tree/name.hpp"

namespace opdebug::api_ties {
namespace {

constexpr std::string_view kSchema = "opdebug.api_kernels/1";
constexpr std::string_view kPrefix = "aclnn";

std::vector<std::string> texts_of(const std::vector<json_stage::Node>& items) {
    std::vector<std::string> texts;
    texts.reserve(items.size());
    for (const json_stage::Node& item : items) {
        texts.push_back(item.text());
    }
    return texts;
}

std::vector<ApiKernels> read_rows(const nlohmann::json& document, json_stage::Fault& fault) {
    const json_stage::Node root(document, "", fault);
    root.only({"schema", "kernels"});
    if (root.member("schema").text() != kSchema) {
        root.member("schema").report("the schema is another one", fmt::format("write \"{}\"", kSchema));
    }
    std::vector<ApiKernels> rows;
    std::set<std::string> apis;
    for (const json_stage::Node& item : root.member("kernels").some_items()) {
        item.only({"apis", "operations", "only_api", "forward", "backward", "source"});
        ApiKernels row;
        row.apis = texts_of(item.member("apis").some_items());
        if (item.has("operations")) {
            row.operations = texts_of(item.member("operations").some_items());
        }
        row.only_api = item.has("only_api");
        row.forward = texts_of(item.member("forward").some_items());
        row.backward = texts_of(item.member("backward").items());
        row.source = item.member("source").text();
        for (const std::string& api : row.apis) {
            if (!apis.insert(api).second) {
                item.member("apis").report(api + " has another row", "put all its kernels into one");
            }
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

std::vector<ApiKernels> embedded_rows() {
    const embedded::File& file = embedded::api_kernels_files().front();
    // Tests of the library check this file.
    Result<std::vector<ApiKernels>> rows = read_kernel_table(std::string(file.name), std::string(file.text));
    return rows ? std::move(*rows) : std::vector<ApiKernels>();
}

}  // namespace

Result<std::vector<ApiKernels>> read_kernel_table(const std::string& name, const std::string& text) {
    return json_stage::read_data_file(name, text, read_rows);
}

KernelTable::KernelTable() : KernelTable(embedded_rows()) {}

KernelTable::KernelTable(std::vector<ApiKernels> rows) : rows_(std::move(rows)) {
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
