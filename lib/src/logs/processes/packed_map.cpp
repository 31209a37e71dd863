#include "logs/processes/packed_map.hpp"

#include <mutex>

#include "logs/processes/each_in_parallel.hpp"
#include "logs/processes/process_facts.hpp"

namespace opdebug::logs {

void open_facts(Process& process, const PackedFacts& facts) {
    StoredFacts opened;
    for (std::size_t place = 0; place < facts.size(); ++place) {
        opened.push_back(stored_fact(facts[place]));
    }
    process.facts = std::move(opened);
    index_places(process);
}

PackedFacts pack_facts(const Process& process, PackedFacts packed) {
    for (const StoredFact& fact : process.facts) {
        packed.add(view_of(fact));
    }
    return packed;
}

void open_facts(TaskMap::Packed& packed, unsigned threads) {
    each_in_parallel(packed.facts.size(), threads, [&packed](std::size_t index) {
        if (packed.is_open(index)) {
            return;
        }
        open_facts(packed.contents.processes[index], packed.facts[index]);
        packed.facts[index] = packed.facts[index].without_facts();
    });
}

}  // namespace opdebug::logs

namespace opdebug {
inline namespace v0 {

const TaskMap::Contents& TaskMap::Inside::contents() {
    const Contents* opened = opened_.load(std::memory_order_acquire);
    if (opened == nullptr) {
        const std::unique_lock lock(mutex_);
        if (opened_.load(std::memory_order_relaxed) == nullptr) {
            // Where memory ends, this ends between two steps, and the next question goes on from there.
            logs::open_facts(*packed_, 1);
            opened_.store(&packed_->contents, std::memory_order_release);
        }
        opened = opened_.load(std::memory_order_relaxed);
    }
    return *opened;
}

}  // namespace v0
}  // namespace opdebug
