// A task map whose facts are packed: what reading logs gives, and saving takes. Questions need the facts themselves.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <shared_mutex>
#include <utility>
#include <vector>

#include "logs/facts/task_map.hpp"
#include "logs/packing/packed_facts.hpp"

struct opdebug::TaskMap::Packed {
    Contents contents;                     ///< its processes have no facts and no indexes of them, unless they are open
    std::vector<logs::PackedFacts> facts;  ///< of each process
    std::vector<std::uint64_t> tasks;      ///< how many each process tells of

    /// Whether the process has the facts that there are itself: opening the map may have ended for want of memory.
    bool is_open(std::size_t process) const noexcept { return facts[process].size() == 0; }
};

namespace opdebug::logs {

/// Gives the process its facts, which were finished (finish_facts()), and the indexes.
void open_facts(Process& process, const PackedFacts& facts);

/// The other way. `packed`: without facts, with the forms and texts of these facts if they were packed once.
PackedFacts pack_facts(const Process& process, PackedFacts packed = {});

/// All processes', in so many threads; what is packed of one is gone as soon as it is open, but what lines are compared
/// to.
void open_facts(TaskMap::Packed& packed, unsigned threads);

}  // namespace opdebug::logs

/// The facts are opened when the first question is asked: who only saves a map needs an eighth of the memory.
struct opdebug::TaskMap::Inside {
    explicit Inside(std::unique_ptr<const Contents> open) : open_(std::move(open)), opened_(open_.get()) {}
    explicit Inside(std::unique_ptr<Packed> packed) : packed_(std::move(packed)) {}

    const Contents& contents();

    /// Calls `use` with the packed map, be it opened or not, or with the contents where there never was one.
    template <class Use>
    auto as_it_is(const Use& use) const {
        const std::shared_lock lock(mutex_);
        return packed_ != nullptr ? use(std::as_const(*packed_)) : use(*open_);
    }

private:
    mutable std::shared_mutex mutex_;
    std::unique_ptr<const Contents> open_;  ///< null where there is `packed_`
    std::unique_ptr<Packed> packed_;
    std::atomic<const Contents*> opened_{nullptr};  ///< the mutex would be taken for each question
};
