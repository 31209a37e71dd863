// Facts that are open, asked for as PackedFacts are: for what treats both alike.
#pragma once

#include <cstddef>
#include <cstdint>

#include "logs/facts/numbered_node.hpp"
#include "logs/facts/task_map.hpp"
#include "logs/packing/fact_view.hpp"
#include "logs/packing/packed_facts.hpp"

namespace opdebug::logs {

/// The facts must stay as they are as long as this is used.
class OpenFacts {
public:
    explicit OpenFacts(const StoredFacts& facts) : facts_(facts) {}
    std::size_t size() const noexcept { return facts_.size(); }
    FactView operator[](std::size_t place) const noexcept { return view_of(facts_[place]); }
    FactSubject subject(std::size_t place) const noexcept {
        const Fact& fact = facts_[place].fact;
        return {fact.kind, fact.stream_id, fact.task_id, names_numbered_node(fact)};
    }
    std::int64_t time_us(std::size_t place) const noexcept { return facts_[place].time_us; }

private:
    const StoredFacts& facts_;
};

}  // namespace opdebug::logs
