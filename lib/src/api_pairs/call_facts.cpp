#include "api_pairs/call_facts.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "api_culprits/file_judge.hpp"
#include "api_culprits/judge_call.hpp"
#include "api_culprits/known_apis.hpp"
#include "api_culprits/value_state.hpp"
#include "bytes/each_in_parallel.hpp"
#include "bytes/hash_factors.hpp"
#include "embedded/pair_rules_data.hpp"
#include "json/document.hpp"
#include "tree/name.hpp"

namespace opdebug::api_pairs {
namespace {

std::uint64_t hash_of(std::string_view text) {
    return std::hash<std::string_view>{}(text);
}

FloatType float_type_of(std::string_view dtype) {
    return dtype == "bfloat16"  ? FloatType::bfloat16
           : dtype == "float16" ? FloatType::float16
           : dtype == "float32" ? FloatType::float32
                                : FloatType::other;
}

std::uint32_t short_hash(std::uint64_t hash) {
    return static_cast<std::uint32_t>(hash ^ (hash >> 32U));
}

std::uint64_t shape_hash(const std::vector<std::uint64_t>& shape) {
    std::uint64_t hash = shape.size();
    for (const std::uint64_t dimension : shape) {
        bytes::mix(dimension + 3, hash);
    }
    return hash;
}

ValueFacts value_facts(const ApiValue& value, ApiState state, bool rounded) {
    ValueFacts facts;
    facts.kind = value.kind;
    facts.key = short_hash(hash_of(value.index)) + static_cast<std::uint32_t>(value.kind);
    facts.shape = short_hash(shape_hash(value.shape));
    facts.is_empty = std::find(value.shape.begin(), value.shape.end(), 0U) != value.shape.end();
    facts.dtype = short_hash(hash_of(value.dtype));
    facts.float_type = float_type_of(value.dtype);
    facts.checksum = value.checksum.empty() ? 0 : short_hash(hash_of(value.checksum));
    facts.checksum_size = static_cast<std::uint8_t>(value.checksum.size());
    facts.has_max = value.max.has_value();
    facts.has_min = value.min.has_value();
    facts.has_norm = value.norm.has_value();
    facts.max_number = value.max.value_or(0);
    facts.min_number = value.min.value_or(0);
    facts.norm_number = value.norm.value_or(0);
    facts.state = state;
    facts.only_negative_is_bad = api_culprits::is_bad(state) && api_culprits::only_negative_is_bad(value, rounded);
    facts.is_scalar = value.is_scalar;
    facts.is_tensor = api_culprits::has_elements(value);
    return facts;
}

/// A module without parameters may still have weights that differ: those of its children, or not dumped.
bool shows_weights(const ApiEntry& call) {
    return !call.is_module || call.phase != ApiPhase::forward ||
           std::any_of(call.values.begin(), call.values.end(),
                       [](const ApiValue& value) { return value.kind == ApiValueKind::parameter; });
}

/// An argument that makes an API random unless it has the value `off`.
struct RandomArgument {
    std::string api, keyword, position;
    double off = 0;
};

struct PairRules {
    std::map<std::string, double, std::less<>> numbers;
    api_culprits::Names random_apis, cancelling_apis;
    std::vector<RandomArgument> random_arguments;
    /// Modules of two frameworks that have the same functions under the same names.
    std::vector<std::pair<std::string, std::string>> same_modules;
    api_culprits::Names wrappers;  ///< parts of a module's path that a wrapper adds
};

const PairRules& pair_rules() {
    static const PairRules rules = [] {
        const auto document = json_stage::parse_data(embedded::pair_rules_files().front().text);
        PairRules read{document.at("rules"),        document.at("random_apis"), document.at("cancelling_apis"), {},
                       document.at("same_modules"), document.at("wrappers")};
        for (const auto& argument : document.at("random_arguments")) {
            read.random_arguments.push_back({argument.at("api"), argument.at("keyword"), argument.at("position"),
                                             argument.at("off").get<double>()});
        }
        return read;
    }();
    return rules;
}

}  // namespace

CallTable::CallTable() {
    constexpr std::size_t kUsualCalls = std::size_t{1} << 15U;
    calls_.reserve(kUsualCalls);
}

void CallTable::clear() {
    calls_.clear();
    for (std::vector<ValueFacts>& block : blocks_) {
        block.clear();
    }
    block_ = 0;
    names_.clear();
}

const CallTable::ApiFacts& CallTable::facts_of(const ApiEntry& call, std::uint64_t api) {
    const auto [slot, is_new] = apis_.try_emplace(api);
    if (is_new) {
        const std::string_view function = api_culprits::function_of(call.api);
        slot->second = {hash_of(common_name(call.api, call.is_module)), may_cancel(function)};
    }
    return slot->second;
}

/// A block with room for the values of a call.
std::vector<ValueFacts>& CallTable::block_for(std::size_t values) {
    constexpr std::size_t kUsual = 4096;
    while (block_ < blocks_.size() && blocks_[block_].capacity() - blocks_[block_].size() < values) {
        ++block_;
    }
    if (block_ == blocks_.size()) {
        blocks_.emplace_back().reserve(std::max(kUsual, values));
    }
    return blocks_[block_];
}

void CallTable::add(const api_culprits::Call& judged, std::size_t file) {
    const ApiEntry& call = judged.entry;
    CallFacts& facts = calls_.emplace_back();
    facts.api = facts.shapes = hash_of(call.api);
    const ApiFacts& api = facts_of(call, facts.api);
    facts.common_name = api.common_name;
    facts.count = call.count;
    facts.position = call.position;
    facts.other_arguments = call.other_arguments;
    facts.file = file;
    std::vector<ValueFacts>& block = block_for(call.values.size());
    facts.values = {block.data() + block.size(), call.values.size()};
    facts.name = names_.size();
    facts.name_size = call.name.size();
    names_ += call.name;
    facts.phase = call.phase;
    facts.is_module = call.is_module;
    facts.has_known_inputs =
        call.inputs_dumped && shows_weights(call) && !(call.inputs_after_call && judged.api.writes_first);
    facts.is_random = is_random(call);
    facts.may_cancel = api.may_cancel;
    facts.may_break_by_values = (call.phase == ApiPhase::forward || call.phase == ApiPhase::backward) &&
                                judged.api.communication == nullptr && !judged.api.leaves_memory;
    for (std::size_t i = 0; i < call.values.size(); ++i) {
        const ApiValue& value = call.values[i];
        ValueFacts& added = block.emplace_back(value_facts(value, judged.states[i], judged.rounded));
        bytes::mix(static_cast<std::uint64_t>(value.kind), facts.shapes);
        bytes::mix(added.shape, facts.shapes);
        added.is_evidence = value.kind == ApiValueKind::output
                                ? !judged.api.is_no_result(value)
                                : !judged.api.is_not_read(value) && !api_culprits::is_received_into(judged, i);
    }
}

void CallsReadAgain::want(const CallKey& call, const std::optional<std::uint64_t>& rank) {
    Wanted& file = files_[call.first];
    file.rank = rank;
    file.calls.try_emplace(call.second);
}

void CallsReadAgain::read(const ApiOptions& options) {
    std::vector<std::pair<const std::string, Wanted>*> files;
    files.reserve(files_.size());
    for (auto& file : files_) {
        files.push_back(&file);
    }
    bytes::each_in_parallel(files.size(), api_culprits::threads_of(options, files.size()),
                            [&](std::size_t i) { read_file(files[i]->first, options.read, files[i]->second); });
}

/// Stops after the last wanted call.
void CallsReadAgain::read_file(const std::string& path, const ApiReadOptions& options, Wanted& wanted) {
    const Result<std::optional<ApiSource>> source = api_source_of(path);
    const bool rounded = source && *source == ApiSource::statistic_csv;
    bool has_all = false;
    ApiReadOptions reading = options;
    reading.stop = [&] { return has_all || (options.stop && options.stop()); };
    static_cast<void>(read_api_dump(path, reading, [&](ApiEntry&& entry) {
        has_all = has_all || entry.position >= wanted.calls.rbegin()->first;
        if (const auto call = wanted.calls.find(entry.position); call != wanted.calls.end()) {
            call->second = {std::move(entry), wanted.rank, rounded};
        }
    }));
}

ComparedValues CallsReadAgain::compare(const CallKey& here, const CallKey& there) const {
    const ReadCall &one = files_.at(here.first).calls.at(here.second),
                   &other = files_.at(there.first).calls.at(there.second);
    return one.entry.name.empty() || other.entry.name.empty() ? ComparedValues() : compared_values(one, other);
}

double rule(std::string_view name) {
    return pair_rules().numbers.find(name)->second;
}

bool is_random(const ApiEntry& call) {
    const std::string_view function = api_culprits::function_of(call.api);
    const auto is_on = [&](const RandomArgument& argument) {
        return argument.api == function &&
               std::any_of(call.values.begin(), call.values.end(), [&argument](const ApiValue& value) {
                   return value.is_scalar && (value.index == argument.keyword || value.index == argument.position) &&
                          value.max && *value.max != argument.off;
               });
    };
    const std::vector<RandomArgument>& arguments = pair_rules().random_arguments;
    return pair_rules().random_apis.contains(function) || std::any_of(arguments.begin(), arguments.end(), is_on);
}

bool may_cancel(std::string_view function) {
    return pair_rules().cancelling_apis.contains(function);
}

std::string common_name(std::string_view api, bool is_module) {
    if (!is_module) {
        const std::string_view module = api.substr(0, api.find('.'));
        for (const auto& [one, other] : pair_rules().same_modules) {
            if (module == one) {
                return other + std::string(api.substr(module.size()));
            }
        }
        return std::string(api);
    }
    // "Module.{index of the model}.{path}.{Class}": wrappers of the whole model come first, others have reserved names.
    std::string name;
    bool is_front = true;
    for (std::size_t begin = 0; begin < api.size();) {
        const std::size_t end = std::min(api.find('.', begin), api.size());
        const std::string_view part = api.substr(begin, end - begin);
        const bool is_wrapper = begin != 0 && pair_rules().wrappers.contains(part) && (is_front || part.front() == '_');
        is_front = begin == 0 || (is_front && (is_wrapper || tree::is_decimal(part)));
        if (!is_wrapper) {
            name.append(name.empty() ? "" : ".").append(part);
        }
        begin = end + 1;
    }
    return name;
}

}  // namespace opdebug::api_pairs
