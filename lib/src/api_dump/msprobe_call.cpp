#include "api_dump/msprobe_call.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "api_dump/call_name.hpp"
#include "json/values.hpp"

namespace opdebug::api_dump {
namespace {

/// The group and the reduction among the arguments. Other APIs than those between ranks have texts of the same kinds.
void add_communication_of_arguments(const std::optional<ApiCommunication>& group, const std::string& reduction,
                                    ApiEntry& entry) {
    const bool is_distributed = entry.api.starts_with("Distributed.") || entry.api.starts_with("MintDistributed.");
    const bool has_reduction = is_distributed && !reduction.empty();
    if (group || has_reduction) {
        ApiCommunication& communication = entry.communication.emplace_back(group.value_or(ApiCommunication()));
        communication.reduction = has_reduction ? reduction : std::string();
    }
}

struct Section {
    std::string_view key;
    ApiValueKind kind;
    bool is_list = true;  ///< false: an object with names and values
};

// Until 31 July 2024 (msprobe 1.0.1) a backward has torch's names: grad_output is its input, grad_input its output.
// Parsing does not depend on the version of the writer.
constexpr Section kSections[] = {
    {"input_args", ApiValueKind::input},
    {"input_kwargs", ApiValueKind::keyword, false},
    {"output", ApiValueKind::output},
    {"input", ApiValueKind::input},
    {"parameters", ApiValueKind::parameter, false},
    {"grad_output", ApiValueKind::input},
    {"grad_input", ApiValueKind::output},
};

const Section* section_of(std::string_view key) {
    const auto* const section =
        std::find_if(std::begin(kSections), std::end(kSections), [key](const Section& s) { return s.key == key; });
    return section == std::end(kSections) ? nullptr : section;
}

/// Parameters are no inputs here: data_mode drops arguments but keeps parameters.
bool is_input(ApiValueKind kind) {
    return kind == ApiValueKind::input || kind == ApiValueKind::keyword;
}

/// The register's first word as a number, possibly written as unsigned.
std::optional<std::int64_t> register_value(const JsonScalar& value) {
    if (value.kind == JsonScalar::Kind::truth) {
        return value.text == "true" ? 1 : 0;
    }
    if (const auto number = integer_of(value)) {
        return number;
    }
    const std::optional<double> number = number_of(value);
    return number ? std::optional<std::int64_t>(*number == 0 ? 0 : 1) : std::nullopt;
}

/// Whether the call has parameters of a module or their gradients.
bool has_parameters(const ApiEntry& entry) {
    return entry.phase == ApiPhase::parameters_grad ||
           std::any_of(entry.values.begin(), entry.values.end(),
                       [](const ApiValue& value) { return value.kind == ApiValueKind::parameter; });
}

}  // namespace

bool CallReader::read(JsonCursor& cursor, std::string_view name, ApiEntry& entry) {
    walk_.begin();
    entry = {};
    entry.name = name;
    read_call_name(entry);
    has_register_placeholder_ = has_torch_words_ = has_inputs_ = false;
    char next = 0;
    if (!cursor.peek(next)) {
        return false;
    }
    if (next != '{' || entry.phase == ApiPhase::debug) {  // a saved value, or null: no gradient
        return walk_.read(cursor, ApiValueKind::output, {}, true, entry);
    }
    const auto read_one = [&](std::string_view key) { return read_member(cursor, key, entry); };
    if (!json_stage::each_member(cursor, read_one)) {
        return false;
    }
    entry.inputs_dumped = has_inputs_ || entry.phase == ApiPhase::parameters_grad;
    add_communication_of_arguments(walk_.group(), walk_.reduction(), entry);
    return true;
}

bool CallReader::read_member(JsonCursor& cursor, std::string_view key, ApiEntry& entry) {
    if (entry.phase == ApiPhase::parameters_grad) {
        return read_parameter_gradient(cursor, key, entry);
    }
    if (const Section* const section = section_of(key)) {
        has_inputs_ = has_inputs_ || is_input(section->kind);
        has_torch_words_ = has_torch_words_ || key.front() == 'g';
        const std::size_t before = entry.values.size();
        if (!walk_.read(cursor, section->kind, {}, section->is_list, entry)) {
            return false;
        }
        if (entry.values.size() == before + 1 && entry.values.back().index.empty()) {
            entry.values.back().index =
                "0";  // a single value without a list: not from msprobe, but possibly from other tools
        }
        return true;
    }
    if (key == "is_nan") {
        JsonScalar value;
        if (!cursor.scalar(value)) {
            return false;
        }
        entry.is_nan = register_value(value);
        entry.is_nan_unread = !entry.is_nan;
        return true;
    }
    if (key == "is_recompute") {
        JsonScalar value;
        if (!cursor.scalar(value)) {
            return false;
        }
        entry.is_recompute = value.text == "true";
        return true;
    }
    if (key == "is_nan_index") {
        has_register_placeholder_ = true;
        entry.is_nan_unread = true;
    }
    return cursor.skip_value();
}

/// "weight": [gradient]. The list always has one item, which is null without a gradient.
bool CallReader::read_parameter_gradient(JsonCursor& cursor, std::string_view key, ApiEntry& entry) {
    const std::size_t before = entry.values.size();
    if (!walk_.read(cursor, ApiValueKind::output, key, false, entry)) {
        return false;
    }
    if (entry.values.size() == before + 1) {
        entry.values.back().index = key;
    }
    return true;
}

void CallReader::note_signs(const ApiEntry& entry, CallSigns& signs) {
    signs.placeholders += walk_.has_placeholder_value() || has_register_placeholder_ ? 1U : 0U;
    signs.has_parameters = signs.has_parameters || has_parameters(entry);
    signs.has_torch_words = signs.has_torch_words || has_torch_words_;
    if (signs.tensor_type.empty()) {
        signs.tensor_type = walk_.first_tensor_type();
    }
}

}  // namespace opdebug::api_dump
