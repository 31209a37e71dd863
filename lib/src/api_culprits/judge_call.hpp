// The verdict on one call, by its own values and by what the file showed before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <opdebug/api_culprits.hpp>

#include "api_culprits/found.hpp"
#include "api_culprits/known_apis.hpp"
#include "api_culprits/seen_values.hpp"

namespace opdebug::api_culprits {

/// The messages of a batch by their argument, of whom each tells: index into ApiEntry::values.
using Messages = std::unordered_map<std::size_t, const ApiCommunication*>;

/// The lowest and the highest of some numbers.
struct Ends {
    double lowest = 0, highest = 0;
};

/// A call with what is needed to judge it.
struct Call {
    const ApiEntry& entry;
    std::string_view function;
    const CommunicationApi* communication = nullptr;  ///< null: no call between ranks
    std::optional<std::uint64_t> rank;
    bool rounded = false;                 ///< numbers were written with six digits
    Messages messages;                    ///< of a batch; else empty
    std::optional<std::int64_t> partner;  ///< of a call between ranks: told by the reader, else an integer argument
    bool gives_only_tensor = false;       ///< no buffer to receive into: its one tensor is its input
    std::optional<Ends> written;  ///< the lower ends of its bad results, if a number may have been written there
};

/// What is asked for each value of the call is worked out once.
Call call_of(const ApiEntry& entry, const CommunicationApi* communication, std::optional<std::uint64_t> rank,
             bool rounded);

/// The values of a call, sorted by what they prove. Indices into ApiEntry::values.
struct Evidence {
    std::vector<std::size_t> bad_inputs, bad_weights, masks, unwritten, unknown_inputs, bad_outputs;
    std::size_t known_inputs = 0, outputs = 0, known_outputs = 0;

    bool clean_inputs() const { return bad_inputs.empty() && bad_weights.empty(); }
};

Evidence evidence_of(const Call& call, const SeenValues& seen);

/// The verdict and its reason; `clean` where there is nothing to tell. Fills the finding without name and place, and
/// what it waits for.
Found judge_call(const Call& call, const Evidence& evidence, const SeenValues& seen);

/// To a call that only the register or a list of overflows names.
void tell_results_not_seen(Found& found);

/// Whether a call between ranks writes its result into that argument: what stood there is no input.
bool is_received_into(const Call& call, std::size_t value);

/// Those of the values, in their order.
std::vector<std::uint64_t> fingerprints(const std::vector<std::size_t>& values, const Call& call);

/// "input[0] Max inf and output[1] Max nan"; at most three values, then how many more.
std::string words_of(const std::vector<std::size_t>& values, const Call& call);

}  // namespace opdebug::api_culprits
