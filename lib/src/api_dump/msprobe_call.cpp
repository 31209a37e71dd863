#include "api_dump/msprobe_call.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "api_dump/call_name.hpp"
#include "json/values.hpp"

namespace opdebug::api_dump {
namespace {

/// Positions of ranks among the arguments of an API if they have no names, from 0.
struct RankPlaces {
    std::string_view api;  ///< without "Distributed."
    std::string_view source, destination, tag;
};

// Source: signatures of torch.distributed (distributed_c10d.py); mindspore.mint.distributed has the same.
constexpr RankPlaces kRankPlaces[] = {
    {"send", {}, "1", "3"},
    {"isend", {}, "1", "3"},
    {"recv", "1", {}, "3"},
    {"irecv", "1", {}, "3"},
    {"broadcast", "1", {}, {}},
    {"reduce", {}, "1", {}},
    {"gather", {}, "2", {}},
    {"scatter", "2", {}, {}},
    {"send_object_list", {}, "1", {}},
    {"recv_object_list", "1", {}, {}},
    {"broadcast_object_list", "1", {}, {}},
    {"gather_object", {}, "2", {}},
    {"scatter_object_list", "2", {}, {}},
};

/// The part after "Distributed." or "MintDistributed."; empty for other APIs.
std::string_view distributed_api(std::string_view api) {
    for (const std::string_view prefix : {"Distributed.", "MintDistributed."}) {
        if (api.substr(0, prefix.size()) == prefix) {
            return api.substr(prefix.size());
        }
    }
    return {};
}

std::optional<std::int64_t> rank_in(const ApiValue& value) {
    constexpr double kMost = 1e15;
    const bool is_rank = value.is_scalar && value.dtype == "int" && value.max && std::abs(*value.max) < kMost;
    return is_rank ? std::optional<std::int64_t>(static_cast<std::int64_t>(*value.max)) : std::nullopt;
}

/// The global rank of a member of the group. The default group has all ranks; the ranks of a group with only an id are
/// unknown.
std::optional<std::int64_t> rank_of_member(const ApiValue& value, const ApiCommunication& group) {
    const std::optional<std::int64_t> member = rank_in(value);
    const auto& ranks = group.group_ranks;
    if (!member || ranks.empty()) {
        return group.group_id.empty() ? member : std::nullopt;
    }
    const bool is_member = *member >= 0 && static_cast<std::size_t>(*member) < ranks.size();
    return is_member ? std::optional(ranks[static_cast<std::size_t>(*member)]) : std::nullopt;
}

void take_rank(const ApiValue& value, const RankPlaces* places, ApiCommunication& communication) {
    const auto is_place = [&value, places](std::string_view RankPlaces::*place) {
        return places != nullptr && value.kind == ApiValueKind::input && !(places->*place).empty() &&
               value.index == places->*place;
    };
    const auto is_named = [&value](std::string_view name) {
        return value.kind == ApiValueKind::keyword && value.index == name;
    };
    if (is_place(&RankPlaces::source) || is_named("src")) {
        communication.source = rank_in(value);
    } else if (is_place(&RankPlaces::destination) || is_named("dst")) {
        communication.destination = rank_in(value);
    } else if (is_named("group_src")) {
        communication.source = rank_of_member(value, communication);
    } else if (is_named("group_dst")) {
        communication.destination = rank_of_member(value, communication);
    } else if (is_place(&RankPlaces::tag) || is_named("tag")) {
        communication.tag = rank_in(value);
    }
}

void add_communication_of_arguments(const std::optional<ApiCommunication>& group, const std::string& reduction,
                                    ApiEntry& entry) {
    const std::string_view api = distributed_api(entry.api);
    if (api.empty() && !group) {
        return;
    }
    ApiCommunication communication = group.value_or(ApiCommunication());
    if (!api.empty()) {
        communication.reduction = reduction;
        const auto* const places = std::find_if(std::begin(kRankPlaces), std::end(kRankPlaces),
                                                [api](const RankPlaces& row) { return row.api == api; });
        for (const ApiValue& value : entry.values) {
            take_rank(value, places == std::end(kRankPlaces) ? nullptr : places, communication);
        }
    }
    const bool says_something = group || communication.source || communication.destination || communication.tag ||
                                !communication.reduction.empty();
    if (says_something) {
        entry.communication.push_back(std::move(communication));
    }
}

constexpr std::size_t kMostReserved = 16;

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

/// Python keeps the last of several equal members. Values of a kind are contiguous, so only later values move. A search
/// of the whole call for each member would take quadratic time.
void CallReader::forget_values(ApiEntry& entry, ApiValueKind kind) {
    const ValueRange range = std::exchange(ranges_[static_cast<std::size_t>(kind)], {});
    if (range.begin == range.end) {
        return;
    }
    const auto values = entry.values.begin();
    entry.values.erase(values + static_cast<std::ptrdiff_t>(range.begin),
                       values + static_cast<std::ptrdiff_t>(range.end));
    for (ValueRange& other : ranges_) {
        if (other.begin >= range.end) {
            other.begin -= range.end - range.begin;
            other.end -= range.end - range.begin;
        }
    }
    entry.communication.clear();
}

bool CallReader::read(JsonCursor& cursor, std::string_view name, ApiEntry& entry) {
    ApiEntry fresh;
    walk_.begin(entry);
    std::swap(fresh.values, entry.values);  // its memory
    std::swap(fresh.name, entry.name);
    std::swap(fresh.api, entry.api);
    entry = std::move(fresh);
    entry.values.reserve(usual_values_);
    entry.name = name;
    read_call_name(entry);
    ranges_ = {};
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
        forget_values(entry, section->kind);
        has_inputs_ = has_inputs_ || is_input(section->kind);
        has_torch_words_ = has_torch_words_ || key.front() == 'g';
        const std::size_t before = entry.values.size();
        if (!walk_.read(cursor, section->kind, {}, section->is_list, entry)) {
            return false;
        }
        ranges_[static_cast<std::size_t>(section->kind)] = {before, entry.values.size()};
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
    usual_values_ = std::min(entry.values.size(), kMostReserved);
    signs.placeholders += walk_.found_placeholder() || has_register_placeholder_ ? 1U : 0U;
    signs.has_parameters = signs.has_parameters || has_parameters(entry);
    signs.has_torch_words = signs.has_torch_words || has_torch_words_;
    if (signs.tensor_type.empty()) {
        signs.tensor_type = walk_.first_tensor_type();
    }
}

}  // namespace opdebug::api_dump
