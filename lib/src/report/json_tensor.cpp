#include "report/json_tensor.hpp"

#include <variant>

namespace opdebug::report {
namespace {

/// Integers exactly; floating-point numbers in the shortest form that reads back the same.
Json number_or_null(const std::optional<TensorNumber>& number) {
    return number ? std::visit([](const auto value) { return Json(value); }, *number) : Json(nullptr);
}

/// A type without numbers has not zero NaN: it is not known what it has.
void add_statistics(const std::optional<TensorStatistics>& statistics, Json& item) {
    const TensorStatistics values = statistics.value_or(TensorStatistics());
    const auto add = [&](const char* key, std::uint64_t count) {
        item[key] = statistics ? Json(count) : Json(nullptr);
    };
    item["max"] = number_or_null(values.max);
    item["min"] = number_or_null(values.min);
    item["mean"] = value_or_null(values.mean);
    add("nan", values.nan);
    add("pos_inf", values.pos_inf);
    add("neg_inf", values.neg_inf);
    add("saturated", values.saturated);
    add("subnormal", values.subnormal);
    add("zero", values.zero);
}

}  // namespace

Json tensor_to_json(const DumpedTensor& tensor) {
    Json item = {{"kind", to_string(tensor.kind)}, {"index", tensor.index}, {"dtype", tensor.dtype},
                 {"format", tensor.format},        {"shape", tensor.shape}, {"elements", tensor.elements}};
    add_statistics(tensor.statistics, item);
    item["diagnostics"] = diagnostics_to_json(tensor.diagnostics);
    return item;
}

Json origin_to_json(const std::optional<Origin>& origin) {
    if (!origin) {
        return nullptr;
    }
    return {{"verdict", to_string(origin->verdict)},
            {"because", origin->because},
            {"bad_input", origin->bad_input},
            {"bad_output", origin->bad_output}};
}

}  // namespace opdebug::report
