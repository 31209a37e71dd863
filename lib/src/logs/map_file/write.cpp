// Task map → bytes of a saved map.
#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "logs/map_file/block.hpp"
#include "logs/map_file/checksum.hpp"
#include "logs/map_file/map_file.hpp"
#include "logs/map_file/memory.hpp"
#include "logs/map_file/packed_part.hpp"
#include "logs/map_file/tables.hpp"
#include "logs/map_file/taken_in_order.hpp"
#include "logs/packing/packed_numbers.hpp"
#include "logs/processes/each_in_parallel.hpp"
#include "logs/processes/packed_map.hpp"
#include "logs/processes/places_by_task.hpp"

namespace opdebug {
inline namespace v0 {
namespace {

using namespace logs::map_file;
using logs::ByteWriter;

/// A part of the file, packed; nothing when it is too large.
struct PackedPart {
    std::string bytes;
    std::uint64_t unpacked_size = 0;
    std::uint32_t checksum = 0;
};

std::optional<PackedPart> pack_part(Packer& packer, const std::string& content, std::uint64_t most) {
    std::optional<std::string> bytes = packer.pack(content);
    if (!bytes || content.size() > most) {
        return std::nullopt;
    }
    const std::uint32_t checksum = checksum_of(Bytes(*bytes));
    return PackedPart{std::move(*bytes), content.size(), checksum};
}

/// What is written of one process: made apart from the others, in a thread of its own.
struct ProcessBlocks {
    std::vector<Block> blocks;  ///< without their places in the file
    std::vector<std::optional<PackedPart>> parts;
    AddressPlaces addresses;   ///< with blocks of this process
    std::uint64_t memory = 0;  ///< of the facts, as reading them counts it
};

/// The places of facts in the process's list, in the order of the file.
using Order = std::vector<std::pair<GroupKey, std::size_t>>;

Order order_of(const logs::PackedFacts& facts) {
    logs::PlacesByTask places;
    for (std::size_t i = 0; i < facts.size(); ++i) {
        const logs::FactSubject subject = facts.subject(i);
        const GroupKey group = group_of(subject.kind, subject.stream_id, subject.task_id, subject.names_numbered_node);
        places.add(group.reach, group.stream_id, group.task_id, static_cast<std::uint32_t>(i));
    }
    Order order;
    order.reserve(facts.size());
    places.take([&order](std::uint64_t reach, std::uint64_t stream_id, std::uint64_t task_id, std::uint32_t place) {
        order.emplace_back(GroupKey{reach, stream_id, task_id}, place);
    });
    return order;
}

constexpr std::array kAddresses{logs::number_index(&logs::Fact::address1), logs::number_index(&logs::Fact::address2)};

ProcessBlocks blocks_of(std::size_t process_index, const logs::PackedFacts& facts) {
    // Nearly all that is read of a fact comes from memory: waiting for it took half of the writing.
    constexpr std::size_t kAhead = 4;
    ProcessBlocks made;
    Packer packer;  // one for all blocks: its tables take as long to get as a block to pack
    BlockWriter writer;
    ByteWriter content;
    const Order order = order_of(facts);
    for (std::size_t next = 0; next < order.size();) {
        writer.clear();
        Block block;
        block.process = process_index;
        block.first = order[next].first;
        for (; next < order.size() && (writer.facts() == 0 || writer.size() < kBlockSize); ++next) {
            if (next + 2 * kAhead < order.size()) {
                facts.fetch_entry(order[next + 2 * kAhead].second);
                facts.fetch(order[next + kAhead].second);
            }
            const logs::FactView fact = facts[order[next].second];
            writer.add(order[next].second, fact);
            for (const std::size_t address : kAddresses) {
                if (const auto value = fact.number(address)) {
                    made.addresses.emplace_back(*value, made.blocks.size());
                }
            }
            block.last = order[next].first;
        }
        block.facts = writer.facts();
        made.memory += writer.memory();
        content.clear();
        writer.write_to(content);
        made.parts.push_back(pack_part(packer, content.result(), kMostBlockBytes));
        made.blocks.push_back(block);
    }
    sort_addresses(made.addresses);
    return made;
}

/// The addresses of all processes, with the places of their blocks in the file.
AddressPlaces join_addresses(const std::vector<ProcessBlocks>& made) {
    std::size_t count = 0;
    for (const ProcessBlocks& process : made) {
        count += process.addresses.size();
    }
    AddressPlaces all;
    all.reserve(count);
    std::size_t blocks = 0;
    for (const ProcessBlocks& process : made) {
        for (const auto& [address, block] : process.addresses) {
            all.emplace_back(address, blocks + block);
        }
        blocks += process.blocks.size();
    }
    return all;
}

class MapWriter {
public:
    Result<std::string> write(const TaskMap::Packed& map, unsigned threads) {
        for (const logs::PackedFacts& facts : map.facts) {
            all_facts_ += facts.size();
        }
        return write(map.contents, threads, [&map](std::size_t process) {
            return map.is_open(process) ? blocks_of(process, logs::pack_facts(map.contents.processes[process],
                                                                              map.facts[process].bases()))
                                        : blocks_of(process, map.facts[process]);
        });
    }
    Result<std::string> write(const TaskMap::Contents& map, unsigned threads) {
        return write(map, threads, [&map](std::size_t process) {
            return blocks_of(process, logs::pack_facts(map.processes[process]));
        });
    }

private:
    template <class BlocksOf>
    Result<std::string> write(const TaskMap::Contents& contents, unsigned threads, const BlocksOf& blocks_of_process) {
        for (const logs::Process& process : contents.processes) {
            all_facts_ += process.facts.size();
        }
        std::vector<ProcessBlocks> made(contents.processes.size());
        logs::TakenInOrder in_order(made.size());
        logs::each_in_parallel(made.size(), threads, [&](std::size_t i) {
            made[i] = blocks_of_process(i);
            in_order.add(i, [&](std::size_t next) { add_blocks(made[next]); });
        });
        add_section(SectionKind::names, names_section());
        add_section(SectionKind::general, general_section(contents));
        add_section(SectionKind::files, files_section(contents.files));
        add_section(SectionKind::processes, processes_section(contents.processes));
        add_section(SectionKind::blocks, blocks_section(blocks_));
        add_section(SectionKind::addresses, addresses_section(join_addresses(made)));
        fill_up(contents);
        if (too_large_) {
            return Error{ErrorCode::write_failed,
                         "the task map is too large for a saved map: make one of fewer logs",
                         {},
                         std::nullopt};
        }
        return finish();
    }

    static constexpr std::size_t kSections = 6;
    static constexpr std::size_t kBegin = kHeaderSize + kSections * kSectionSize;

    /// A string that grows to twice its size is two maps at the time. So it is made for as much as the facts so far let
    /// expect of all of them; what is not used of it takes no memory, but addresses, which may be limited, too: the
    /// first facts may be the longest by far. With 16 times their size, a log needed 430 MB of them instead of 216.
    void make_room(const ProcessBlocks& process) {
        constexpr std::uint64_t kOfSections = std::uint64_t{1} << 20U, kMostExpected = std::uint64_t{32} << 20U;
        std::uint64_t size = file_.size();
        for (const std::optional<PackedPart>& part : process.parts) {
            size += part ? part->bytes.size() : 0;
        }
        for (const Block& block : process.blocks) {
            facts_ += block.facts;
        }
        if (size + kOfSections > file_.capacity()) {
            const std::uint64_t times = all_facts_ / std::max<std::uint64_t>(facts_, 1);
            const std::uint64_t expected = std::min(size * times, std::max(size, kMostExpected));
            file_.reserve(static_cast<std::size_t>(size + expected + kOfSections));
        }
    }

    /// While other processes are still packed: one thread that put all blocks together at the end took 13 ms of 800.
    void add_blocks(ProcessBlocks& process) {
        make_room(process);
        for (std::size_t i = 0; i < process.blocks.size(); ++i) {
            process.blocks[i].packed = add(process.parts[i]);
            blocks_.push_back(process.blocks[i]);
        }
        process.parts = {};
        memory_ += process.memory;
    }

    Packed add(const std::optional<PackedPart>& part) {
        if (!part) {
            too_large_ = true;
            return {};
        }
        const Packed packed{file_.size(), part->bytes.size(), part->unpacked_size, part->checksum};
        memory_ += part->unpacked_size;
        file_ += part->bytes;
        return packed;
    }

    /// What a reader takes for a file hangs on its size (MemoryLeft; as many facts as bytes). Zeros, which nobody
    /// reads, make it large enough where regular lines are packed to less.
    void fill_up(const TaskMap::Contents& contents) {
        const std::uint64_t least =
            std::max({MemoryLeft::least_file_size(memory_), facts_, std::uint64_t{contents.files.size()},
                      std::uint64_t{contents.processes.size()}});
        file_.resize(static_cast<std::size_t>(std::max<std::uint64_t>(file_.size(), least)), '\0');
    }

    void add_section(SectionKind kind, const std::string& content) {
        const Packed packed = add(pack_part(packer_, content, kMostSectionBytes));
        table_.little_endian(static_cast<std::uint32_t>(kind), 4);
        table_.little_endian(packed.checksum, 4);
        table_.little_endian(packed.offset, 8);
        table_.little_endian(packed.size, 8);
        table_.little_endian(packed.unpacked_size, 8);
    }

    std::string header(std::uint32_t checksum) const {
        ByteWriter header;
        header.bytes(kMagic);
        header.little_endian(kMajorVersion, 2);
        header.little_endian(kMinorVersion, 2);
        header.little_endian(kSections, 4);
        header.little_endian(file_.size(), 8);
        header.little_endian(checksum, 4);
        header.little_endian(0, 4);
        return header.result();
    }

    std::string finish() {
        const std::uint32_t checksum = checksum_of(Bytes(header(0) + table_.result()));
        file_.replace(0, kBegin, header(checksum) + table_.result());
        return std::move(file_);
    }

    Packer packer_;
    std::string file_ = std::string(kBegin, '\0');  ///< the header and the table of sections are written last
    ByteWriter table_;
    std::vector<Block> blocks_;
    std::uint64_t all_facts_ = 0;  ///< to be written
    std::uint64_t facts_ = 0;      ///< in the file so far
    std::uint64_t memory_ = 0;     ///< that reading all of it counts
    bool too_large_ = false;
};

}  // namespace

Result<std::string> save_task_map(const TaskMap& map, unsigned threads) {
    return map.inside().as_it_is(
        [threads](const auto& form) { return MapWriter().write(form, logs::thread_count(threads)); });
}

}  // namespace v0
}  // namespace opdebug
