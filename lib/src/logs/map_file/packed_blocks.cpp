#include "logs/map_file/packed_blocks.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "bytes/hash_factors.hpp"
#include "logs/map_file/block.hpp"
#include "logs/map_file/checksum.hpp"
#include "logs/map_file/memory.hpp"
#include "logs/map_file/text_lists.hpp"
#include "logs/packing/packed_numbers.hpp"
#include "logs/processes/places_by_task.hpp"

namespace opdebug::logs::map_file {
namespace {

constexpr std::array kAddresses{number_index(&Fact::address1), number_index(&Fact::address2)};

GroupKey group_of(const FactSubject& subject) noexcept {
    return map_file::group_of(subject.kind, subject.stream_id, subject.task_id, subject.names_numbered_node);
}

/// Packs the facts of one process, run by run.
class BlockPacker {
public:
    BlockPacker(std::size_t process, const PackedFacts& facts) : process_(process), facts_(facts) {}

    void add(FactRun run) {
        while (!run.empty()) {
            run = run.subspan(add_block(run));
        }
    }
    void add_shared_texts() {
        if (facts_.shared_texts() == nullptr || facts_.size() == 0) {
            return;
        }
        content_.clear();
        write_texts(facts_.shared_texts()->texts(), content_);
        made_.shared_texts.push_back(pack_part(packer_, content_.result(), kMostBlockBytes));
        made_.memory += ListMemory::kOfText * facts_.shared_texts()->texts().size();
    }
    PackedBlocks take() {
        sort_addresses(made_.addresses);
        return std::move(made_);
    }

private:
    /// Returns how many of the facts it holds.
    std::size_t add_block(FactRun run) {
        writer_.clear();
        std::size_t count = 0;
        for (; count < run.size() && (count == 0 || writer_.size() < kBlockSize); ++count) {
            fetch_ahead(run, count);
            add_fact(run[count]);
        }
        content_.clear();
        writer_.write_to(content_);
        made_.parts.push_back(pack_part(packer_, content_.result(), kMostBlockBytes));
        made_.blocks.push_back({{},
                                process_,
                                writer_.facts(),
                                group_of(facts_.subject(run.front())),
                                group_of(facts_.subject(run[count - 1]))});
        made_.memory += writer_.memory();
        return count;
    }

    void add_fact(std::size_t place) {
        facts_.read(place, fact_);
        writer_.add(place, fact_);
        for (const std::size_t address : kAddresses) {
            if (const auto value = fact_.number(address)) {
                add_address({*value, made_.blocks.size()});
            }
        }
    }

    /// Not again and again: kernels are launched many times, and a second address is mostly 0. Of a few nothing is
    /// remembered: a log may have 100,000 processes with a fact each.
    void add_address(const AddressPlaces::value_type& place) {
        constexpr std::size_t kFew = 64;
        if (made_.addresses.size() < kFew) {
            made_.addresses.push_back(place);
            return;
        }
        if (recent_addresses_.empty()) {
            recent_addresses_.assign(std::size_t{1} << kRecentBits, {0, UINT64_MAX});  // of no block
        }
        AddressPlaces::value_type& recent =
            recent_addresses_[(place.first * bytes::kHashFactor) >> (64U - kRecentBits)];
        if (recent != place) {
            recent = place;
            made_.addresses.push_back(place);
        }
    }

    /// Nearly all that is read of a fact comes from memory: waiting for it took half of the writing.
    [[gnu::always_inline]] void fetch_ahead(FactRun run, std::size_t next) const noexcept {
        constexpr std::size_t kAhead = 4;
        if (next + 2 * kAhead < run.size()) {
            facts_.fetch_entry(run[next + 2 * kAhead]);
            facts_.fetch(run[next + kAhead]);
        }
    }

    static constexpr unsigned kRecentBits = 10;

    std::size_t process_;
    const PackedFacts& facts_;
    PackedBlocks made_;
    Packer packer_;  ///< one for all blocks: its tables take as long to get as a block to pack
    FactView fact_;  // NOLINT(*-member-init): what is read was written
    BlockWriter writer_;
    ByteWriter content_;
    AddressPlaces recent_addresses_;  ///< each at the place of its hash
};

}  // namespace

std::optional<PackedPart> pack_part(Packer& packer, const std::string& content, std::uint64_t most) {
    std::optional<std::string> bytes = packer.pack(content);
    if (!bytes || content.size() > most) {
        return std::nullopt;
    }
    const std::uint32_t checksum = checksum_of(Bytes(*bytes));
    return PackedPart{std::move(*bytes), content.size(), checksum};
}

FileOrder order_of(const PackedFacts& facts) {
    PlacesByTask places;
    for (std::size_t i = 0; i < facts.size(); ++i) {
        const GroupKey group = group_of(facts.subject(i));
        places.add(group.reach, group.stream_id, group.task_id, static_cast<std::uint32_t>(i));
    }
    FileOrder order;
    order.reserve(facts.size());
    places.take([&order](std::uint64_t /*reach*/, std::uint64_t /*stream_id*/, std::uint64_t /*task_id*/,
                         std::uint32_t place) { order.push_back(place); });
    return order;
}

std::vector<FactRun> runs_of(const FileOrder& order) {
    constexpr std::size_t kMostFacts = std::size_t{32} << 10U;  // some 40 blocks, of which the last is not full
    const std::size_t count = (order.size() + kMostFacts - 1) / kMostFacts;
    std::vector<FactRun> runs;
    for (std::size_t run = 0; run < count; ++run) {
        const std::size_t begin = order.size() * run / count;
        const std::size_t end = order.size() * (run + 1) / count;
        runs.push_back(FactRun(order).subspan(begin, end - begin));
    }
    return runs;
}

PackedBlocks blocks_of(std::size_t process, const PackedFacts& facts, std::span<const FactRun> runs,
                       SharedTextsToo shared_texts_too) {
    BlockPacker packer(process, facts);
    for (const FactRun run : runs) {
        packer.add(run);
    }
    if (shared_texts_too == SharedTextsToo::yes) {
        packer.add_shared_texts();
    }
    return packer.take();
}

}  // namespace opdebug::logs::map_file
