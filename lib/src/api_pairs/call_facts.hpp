// What the comparison keeps of each call. Texts and shapes are hashes: the calls of both sides then fit into the
// caches of the processor. The values of reported calls are read again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <opdebug/api.hpp>

#include "api_culprits/judge_call.hpp"
#include "api_pairs/bench.hpp"

namespace opdebug::api_pairs {

// Numbers and names of the comparison: lib/data/api/pair_rules.json.

/// A number of the table. The names are part of the library and checked by its tests.
double rule(std::string_view name);

/// Whether results of the call depend on a random state, by its function or an argument.
bool is_random(const ApiEntry& call);

/// Whether the function adds: its result may be small because large inputs cancel.
bool may_cancel(std::string_view function);

/// One name for the API in both frameworks, and for a module with and without the wrappers around it.
std::string common_name(std::string_view api, bool is_module);

/// Types that are compared with each other.
enum class FloatType : std::uint8_t { other, float16, bfloat16, float32 };

/// Small, because a step has a hundred thousand.
struct ValueFacts {
    std::uint32_t key = 0;  ///< of kind and index
    std::uint32_t shape = 0, dtype = 0;
    std::uint32_t checksum = 0;  ///< of the text; 0: none
    double max_number = 0, min_number = 0, norm_number = 0;
    bool has_max : 1 = false, has_min : 1 = false, has_norm : 1 = false;
    bool is_scalar : 1 = false, is_empty : 1 = false;
    bool is_tensor : 1 = false;  ///< of numbers that can be bad
    bool only_negative_is_bad : 1 = false;
    bool is_evidence : 1 = true;  ///< false: an argument that is only written, or a random state
    FloatType float_type = FloatType::other;
    std::uint8_t checksum_size = 0;
    ApiValueKind kind : 8 = ApiValueKind::input;
    ApiState state : 8 = ApiState::unknown;

    std::optional<double> max() const { return has_max ? std::optional(max_number) : std::nullopt; }
    std::optional<double> min() const { return has_min ? std::optional(min_number) : std::nullopt; }
    std::optional<double> norm() const { return has_norm ? std::optional(norm_number) : std::nullopt; }
};

struct CallFacts {
    std::uint64_t api = 0;          ///< its name
    std::uint64_t common_name = 0;  ///< see common_name()
    std::uint64_t shapes = 0;       ///< equal for calls of one API with equal shapes
    std::optional<std::uint64_t> count;
    std::uint64_t position = 0;
    std::uint64_t other_arguments = 0;
    std::size_t file = 0;                 ///< index in the dumps of the side
    std::size_t name = 0, name_size = 0;  ///< in the table
    std::span<const ValueFacts> values;
    ApiPhase phase = ApiPhase::forward;
    bool is_module = false;
    bool has_known_inputs = false;  ///< all inputs are dumped, as they were before the call
    bool is_random = false;
    bool may_cancel = false;           ///< it adds
    bool may_break_by_values = false;  ///< finite values show a fault: no call between ranks, no unwritten memory
};

using Calls = std::span<const CallFacts>;
using Values = std::span<const ValueFacts>;

/// The calls of one side of a unit. The next unit uses its memory again.
class CallTable {
public:
    CallTable();

    void add(const api_culprits::Call& call, std::size_t file);
    void clear();

    Calls calls() const { return calls_; }
    std::string_view name_of(const CallFacts& call) const {
        return std::string_view(names_).substr(call.name, call.name_size);
    }

private:
    /// What the rules state on an API, looked up once.
    struct ApiFacts {
        std::uint64_t common_name = 0;
        bool may_cancel = false;
    };
    const ApiFacts& facts_of(const ApiEntry& call, std::uint64_t api);
    std::vector<ValueFacts>& block_for(std::size_t values);

    std::unordered_map<std::uint64_t, ApiFacts> apis_;  ///< by the hash of the name
    std::vector<CallFacts> calls_;
    /// Blocks that never move: a growing vector would touch twice the memory.
    std::vector<std::vector<ValueFacts>> blocks_;
    std::size_t block_ = 0;  ///< in use
    std::string names_;
};

/// The values of two calls agree, do not agree, or that is not known.
enum class Agreement { agree, apart, unknown };

/// Two paired calls. Values agree if each value of a side has a comparable partner that is the same or close.
struct CallPair {
    Agreement inputs = Agreement::agree, outputs = Agreement::agree;
    std::size_t inputs_compared = 0;
    bool bad_here_only = false;                                 ///< a result is
    bool bad_there = false;                                     ///< a result is
    bool any_bad_here = false, any_bad_there = false;           ///< a value is, and not the same event on both sides
    bool any_here_only = false, any_there_only = false;         ///< a value is bad, and clean on the other side
    bool any_agreed = false;                                    ///< a value is bad, but the same event on both sides
    Distance output = Distance::same;                           ///< of the worst result with clean states
    std::optional<double> input_difference, output_difference;  ///< the largest
    double input_size = 0, output_gap = 0;  ///< the largest magnitude of the inputs, and of |Δ| of the results
    bool is_compared = true;                ///< false: no value has a partner with the same shape and a comparable type
    bool differs_below = false;             ///< a result does
    bool results_known = true;              ///< each result has a state or a checksum on both sides
};

/// `use` receives the indices of comparable values; may be empty.
CallPair compare_calls(const CallFacts& here, const CallFacts& there,
                       const std::function<void(std::size_t, std::size_t, const Comparison&)>& use = {});

/// The comparable values of two calls: inputs, then results, those that differ most first.
struct ComparedValues {
    std::vector<ValuePair> inputs, outputs;
};

/// A call with its numbers.
struct ReadCall {
    ApiEntry entry;
    std::optional<std::uint64_t> rank;
    bool rounded = false;
};

ComparedValues compared_values(const ReadCall& here, const ReadCall& there);

/// File and position of a call.
using CallKey = std::pair<std::string, std::uint64_t>;

/// The calls of reported pairs, read again: the table keeps no values.
class CallsReadAgain {
public:
    /// `rank`: of the file.
    void want(const CallKey& call, const std::optional<std::uint64_t>& rank);
    void read(const ApiOptions& options);

    /// Wanted calls. Empty if a file changed in the meantime.
    ComparedValues compare(const CallKey& here, const CallKey& there) const;

private:
    struct Wanted {
        std::optional<std::uint64_t> rank;
        std::map<std::uint64_t, ReadCall> calls;  ///< by position
    };
    static void read_file(const std::string& path, const ApiReadOptions& options, Wanted& wanted);

    std::map<std::string, Wanted> files_;
};

}  // namespace opdebug::api_pairs
