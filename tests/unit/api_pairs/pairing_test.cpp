// Pairs of calls: by number, by the forward of a backward, by order where the numbers of an API differ.
#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "api_pairs/units.hpp"

using namespace opdebug;
using namespace opdebug::api_pairs;

namespace {

ApiEntry pairing_call(const std::string& api, std::uint64_t count, ApiPhase phase = ApiPhase::forward,
                      std::vector<std::uint64_t> shape = {4}) {
    ApiEntry entry;
    entry.api = api;
    entry.count = count;
    entry.phase = phase;
    ApiValue value;
    value.dtype = "float32";
    value.shape = std::move(shape);
    entry.values.push_back(value);
    return entry;
}

std::vector<std::optional<Partner>> pairs_of(const std::vector<ApiEntry>& here, const std::vector<ApiEntry>& there,
                                             bool frameworks_differ = false) {
    Calls of_here, of_there;
    for (const auto& [calls, side] : {std::pair(&here, &of_here), std::pair(&there, &of_there)}) {
        for (const ApiEntry& call : *calls) {
            const api_culprits::KnownApi api = api_culprits::known_api(call.api);
            std::vector<ApiState> states;
            api_culprits::set_states(call, false, states);
            side->push_back(side_call(api_culprits::call_of(call, api, states, {}, false), ApiEntry(call), 0));
        }
    }
    return pair_calls(of_here, of_there, frameworks_differ);
}

/// "0 1~ -": the partner of each call; "~": by order.
std::string partners_of(const std::vector<ApiEntry>& here, const std::vector<ApiEntry>& there,
                        bool frameworks_differ = false) {
    std::string text;
    for (const std::optional<Partner>& partner : pairs_of(here, there, frameworks_differ)) {
        text += text.empty() ? "" : " ";
        text += partner ? std::to_string(partner->call) + (partner->by_order ? "~" : "") : "-";
    }
    return text;
}

}  // namespace

TEST_CASE("pairing: equal numbers are pairs; in another order all are in doubt, and a pair of other shapes is") {
    const std::vector<ApiEntry> here{pairing_call("A", 0), pairing_call("B", 0), pairing_call("A", 1),
                                     pairing_call("C", 0)};
    const std::vector<ApiEntry> there{pairing_call("B", 0), pairing_call("A", 0), pairing_call("A", 1),
                                      pairing_call("C", 0)};
    CHECK(partners_of(here, there) == "1~ 0~ 2~ 3~");
    CHECK(partners_of({pairing_call("A", 0)}, {pairing_call("A", 0, ApiPhase::forward, {8})}) == "0~");
}

TEST_CASE("pairing: a backward whose forward is paired gets no other partner") {
    const auto forward = [](std::uint64_t count) { return pairing_call("A", count); };
    const auto backward = [](std::uint64_t count) { return pairing_call("A", count, ApiPhase::backward); };
    CHECK(partners_of({forward(0), forward(1), forward(2), backward(1), backward(0)},
                      {forward(0), forward(1), forward(2), backward(2), backward(1)}) == "0 1 2 4 -");
}

TEST_CASE("pairing: many repeated calls are paired although some are missing") {
    std::vector<ApiEntry> here, there;
    for (std::uint64_t i = 0; i < 5000; ++i) {
        there.push_back(pairing_call("A", i));
        if (i >= 10) {
            here.push_back(pairing_call("A", i - 10));
        }
    }
    std::size_t pairs = 0;
    for (const std::optional<Partner>& partner : pairs_of(here, there)) {
        pairs += partner && partner->by_order ? 1U : 0U;
    }
    CHECK(pairs == 4990);
}

TEST_CASE("pairing: a missing row leaves a gap in the numbers") {
    const std::vector<ApiEntry> here{pairing_call("A", 0), pairing_call("A", 2)};
    const std::vector<ApiEntry> there{pairing_call("A", 0), pairing_call("A", 1), pairing_call("A", 2)};
    CHECK(partners_of(here, there) == "0 2");
}

TEST_CASE("pairing: a fused call moves the numbers of the calls after it; shapes find the partners") {
    // Here A.1 of shape 8 is part of a fused call, so A.1 here is A.2 there.
    const std::vector<ApiEntry> here{pairing_call("A", 0), pairing_call("Fused", 0, ApiPhase::forward, {8}),
                                     pairing_call("A", 1, ApiPhase::forward, {16})};
    const std::vector<ApiEntry> there{pairing_call("A", 0), pairing_call("A", 1, ApiPhase::forward, {8}),
                                      pairing_call("A", 2, ApiPhase::forward, {16})};
    CHECK(partners_of(here, there) == "0~ - 2~");
}

TEST_CASE("pairing: a backward follows its forward") {
    const std::vector<ApiEntry> here{pairing_call("A", 0), pairing_call("B", 0, ApiPhase::forward, {2}),
                                     pairing_call("A", 1, ApiPhase::forward, {16}),
                                     pairing_call("A", 1, ApiPhase::backward)};
    const std::vector<ApiEntry> there{pairing_call("A", 0), pairing_call("A", 1, ApiPhase::forward, {8}),
                                      pairing_call("B", 0, ApiPhase::forward, {2}),
                                      pairing_call("A", 2, ApiPhase::forward, {16}),
                                      pairing_call("A", 2, ApiPhase::backward)};
    CHECK(partners_of(here, there) == "0~ 2 3~ 4~");
}

TEST_CASE("pairing: APIs of one side have no partner") {
    CHECK(partners_of({pairing_call("A", 0)}, {pairing_call("B", 0)}) == "-");
    CHECK(partners_of({pairing_call("A", 0)}, {}) == "-");
}

TEST_CASE("pairing: a wrapper around the model changes no pair of modules") {
    const auto module = [](const std::string& api, ApiPhase phase = ApiPhase::forward, std::uint64_t count = 0) {
        ApiEntry entry = pairing_call(api, count, phase);
        entry.is_module = true;
        return entry;
    };
    CHECK(partners_of({module("Module.module.0.fc.Linear")}, {module("Module.module.module.0.fc.Linear")}) == "0");
    CHECK(partners_of({module("Module.0.fc.Linear")}, {module("Module.0.module.fc.Linear")}) == "0");
    CHECK(partners_of({module("Module.layers.0.mlp.fc.Linear", ApiPhase::backward)},
                      {module("Module._fsdp_wrapped_module.layers.0._fsdp_wrapped_module._checkpoint_wrapped_module."
                              "mlp.fc.Linear",
                              ApiPhase::backward)}) == "0");
    // A part of the model has that name, or two modules would have one name.
    CHECK(partners_of({module("Module.block.module.fc.Linear")}, {module("Module.block.fc.Linear")}) == "-");
    CHECK(partners_of({module("Module.fc.Linear"), module("Module.module.fc.Linear")},
                      {module("Module.module.module.fc.Linear")}) == "- -");
    CHECK(partners_of({module("Module.fc.Linear")}, {module("Module.module.fc.LinearNoBias")}) == "-");
}

TEST_CASE("pairing: numbers of parameters_grad count on over the steps of a run") {
    const auto gradient = [](std::uint64_t count) {
        ApiEntry entry = pairing_call("Module.fc.Linear", count, ApiPhase::parameters_grad);
        entry.is_module = true;
        return entry;
    };
    CHECK(partners_of({gradient(1)}, {gradient(0)}) == "0");
    CHECK(partners_of({gradient(4), gradient(5)}, {gradient(0), gradient(1)}) == "0 1");
}

TEST_CASE("pairing: the other framework's name is a partner only if no call here has that name") {
    const std::vector<ApiEntry> mint{pairing_call("Mint.exp", 0)}, torch{pairing_call("Torch.exp", 0)};
    const std::vector<ApiEntry> both{pairing_call("Mint.exp", 0), pairing_call("Torch.exp", 0)};
    CHECK(partners_of(mint, torch, true) == "0~");
    CHECK(partners_of(torch, mint, true) == "0~");
    CHECK(partners_of(both, torch, true) == "- 0");
    CHECK(partners_of(both, mint, true) == "0 -");
    CHECK(partners_of(mint, torch) == "-");
}
