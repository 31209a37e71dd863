// The verdict on one call, from its own values and earlier values of the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <opdebug/api.hpp>

#include "api_culprits/file_facts.hpp"
#include "api_culprits/known_apis.hpp"
#include "api_culprits/value_state.hpp"

namespace opdebug::api_culprits {

/// Meaning of a result with bad values. constant: see DraftFinding::is_constant. received: -Inf or the negative limit
/// that another rank sent unchanged; that rank knows whether it is a mask.
enum class Meaning { real, deliberate, constant, unwritten, received };

class SeenValues {
public:
    struct Seen {
        Meaning meaning = Meaning::real;
        std::optional<std::size_t> draft;  ///< the finding that showed it
    };

    /// The newest result of a fingerprint counts. Unwritten memory, constants and possible masks never hide a real one.
    /// All NaN look alike, and so do scores before and after a mask is added. Adds nothing over the limit.
    void add(const ApiValue& value, Meaning meaning, std::optional<std::size_t> draft) {
        if (by_value_.size() >= kBound) {
            return;
        }
        const auto [slot, is_new] = by_value_.try_emplace(fingerprint_of(value), Seen{meaning, draft});
        const bool hides =
            meaning == Meaning::unwritten || meaning == Meaning::deliberate || meaning == Meaning::constant;
        if (!is_new && !(hides && slot->second.meaning == Meaning::real)) {
            slot->second = {meaning, draft};
        }
        if (meaning == Meaning::real) {
            real_statistics_.insert(statistics_fingerprint_of(value));
        } else if (meaning == Meaning::deliberate) {
            deliberate_statistics_.insert(statistics_fingerprint_of(value));
        }
    }

    const Seen* find(const ApiValue& value) const {
        const auto slot = by_value_.find(fingerprint_of(value));
        return slot == by_value_.end() ? nullptr : &slot->second;
    }

    bool was_real(const ApiValue& value) const {
        const Seen* const earlier = find(value);
        return earlier != nullptr && earlier->meaning == Meaning::real;
    }

    /// In any shape: views change the shape and are often not dumped.
    bool was_real_in_any_shape(const ApiValue& value) const {
        return real_statistics_.count(statistics_fingerprint_of(value)) != 0;
    }
    bool was_deliberate_in_any_shape(const ApiValue& value) const {
        return deliberate_statistics_.count(statistics_fingerprint_of(value)) != 0;
    }

private:
    static constexpr std::size_t kBound = 1U << 14U;
    std::unordered_map<std::uint64_t, Seen> by_value_;
    std::unordered_set<std::uint64_t> real_statistics_, deliberate_statistics_;
};

/// The messages of a batch by argument: index into ApiEntry::values.
using Messages = std::unordered_map<std::size_t, const ApiCommunication*>;

/// A call with the facts for its verdict.
struct Call {
    const ApiEntry& entry;
    const KnownApi& api;
    std::span<const ApiState> states;                 ///< of its values
    const CommunicationApi* communication = nullptr;  ///< null: no call between ranks
    std::optional<std::uint64_t> rank;
    bool rounded = false;                 ///< numbers have six digits
    Messages messages;                    ///< only for a batch
    std::optional<std::int64_t> partner;  ///< call between ranks: an integer argument
    std::int64_t tag = 0;                 ///< the same
    bool makes_masks = false;             ///< by its function, or by a bad number that the function writes
    bool gives_only_tensor = false;       ///< no result buffer: its only tensor is its input
};

/// Computes common facts of all values once.
Call call_of(const ApiEntry& entry, const KnownApi& api, std::span<const ApiState> states,
             std::optional<std::uint64_t> rank, bool rounded);

/// The values of a call by kind of evidence. Indices into ApiEntry::values.
struct Evidence {
    std::vector<std::size_t> bad_inputs, bad_weights, masks, unwritten, unknown_inputs, bad_outputs;
    std::size_t known_inputs = 0, outputs = 0, known_outputs = 0;

    bool clean_inputs() const { return bad_inputs.empty() && bad_weights.empty(); }
};

Evidence evidence_of(const Call& call, const SeenValues& seen);

/// The verdict and its reason; `clean` if there is no finding. Sets the finding except name and position, and its
/// missing facts.
DraftFinding judge_call(const Call& call, const Evidence& evidence, const SeenValues& seen);

/// Whether a call between ranks writes its result into that argument, whose old content is no input.
bool is_received_into(const Call& call, std::size_t value);

/// Fingerprints of the values, in their order.
std::vector<std::uint64_t> fingerprints(const std::vector<std::size_t>& values, const Call& call);

/// "input[0] Max inf and output[1] Max nan"; at most three values, then the number of others.
LocalizedText words_of(const std::vector<std::size_t>& values, const Call& call);

}  // namespace opdebug::api_culprits
