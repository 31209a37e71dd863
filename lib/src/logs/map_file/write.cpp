// Task map → bytes of a saved map.
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "logs/map_file/block.hpp"
#include "logs/map_file/checksum.hpp"
#include "logs/map_file/map_file.hpp"
#include "logs/map_file/memory.hpp"
#include "logs/map_file/packed_blocks.hpp"
#include "logs/map_file/packed_part.hpp"
#include "logs/map_file/tables.hpp"
#include "logs/map_file/taken_in_order.hpp"
#include "logs/packing/packed_numbers.hpp"
#include "logs/processes/each_in_parallel.hpp"
#include "logs/processes/packed_map.hpp"

namespace opdebug {
inline namespace v0 {
namespace {

using namespace logs::map_file;
using logs::ByteWriter;

/// The addresses of all pieces, with the places of their blocks in the file.
AddressPlaces join_addresses(const std::vector<PackedBlocks>& made) {
    std::size_t count = 0;
    for (const PackedBlocks& piece : made) {
        count += piece.addresses.size();
    }
    AddressPlaces all;
    all.reserve(count);
    std::size_t blocks = 0;
    for (const PackedBlocks& piece : made) {
        for (const auto& [address, block] : piece.addresses) {
            all.emplace_back(address, blocks + block);
        }
        blocks += piece.blocks.size();
    }
    return all;
}

/// What one thread packs: a run of facts of a process, or, without one, all of a process whose facts are opened.
struct Piece {
    std::size_t process = 0;
    std::optional<FactRun> run;
    SharedTextsToo shared_texts_too = SharedTextsToo::no;
};

std::vector<Piece> pieces_of(const TaskMap::Packed& map, const std::vector<FileOrder>& orders) {
    std::vector<Piece> pieces;
    for (std::size_t process = 0; process < orders.size(); ++process) {
        if (map.is_open(process)) {
            pieces.push_back({process, std::nullopt});
        }
        SharedTextsToo shared_texts_too = SharedTextsToo::yes;
        for (const FactRun run : runs_of(orders[process])) {
            pieces.push_back({process, run, std::exchange(shared_texts_too, SharedTextsToo::no)});
        }
    }
    return pieces;
}

/// Both forms of the facts are there only for so long.
PackedBlocks blocks_of_open(std::size_t process, const logs::PackedFacts& facts) {
    const FileOrder order = order_of(facts);
    return blocks_of(process, facts, runs_of(order), SharedTextsToo::yes);
}

class MapWriter {
public:
    Result<std::string> write(const TaskMap::Packed& map, unsigned threads) {
        for (const logs::PackedFacts& facts : map.facts) {
            all_facts_ += facts.size();
        }
        std::vector<FileOrder> orders(map.facts.size());
        logs::each_in_parallel(orders.size(), threads, [&](std::size_t i) { orders[i] = order_of(map.facts[i]); });
        const std::vector<Piece> pieces = pieces_of(map, orders);
        return write(map.contents, pieces.size(), threads, [&map, &pieces](std::size_t i) {
            const auto& [process, run, shared_texts_too] = pieces[i];
            const logs::PackedFacts& facts = map.facts[process];
            return run ? blocks_of(process, facts, {&*run, 1}, shared_texts_too)
                       : blocks_of_open(process,
                                        logs::pack_facts(map.contents.processes[process], facts.without_facts()));
        });
    }
    Result<std::string> write(const TaskMap::Contents& map, unsigned threads) {
        return write(map, map.processes.size(), threads, [&map](std::size_t process) {
            return blocks_of_open(process, logs::pack_facts(map.processes[process]));
        });
    }

private:
    template <class BlocksOf>
    Result<std::string> write(const TaskMap::Contents& contents, std::size_t pieces, unsigned threads,
                              const BlocksOf& blocks_of_piece) {
        for (const logs::Process& process : contents.processes) {
            all_facts_ += process.facts.size();
        }
        std::vector<PackedBlocks> made(pieces);
        logs::TakenInOrder in_order(made.size());
        logs::each_in_parallel(made.size(), threads, [&](std::size_t i) {
            made[i] = blocks_of_piece(i);
            in_order.add(i, [&](std::size_t next) { add_blocks(made[next]); });
        });
        for (auto& [process, part] : shared_texts_) {
            shared_texts_parts_.push_back({add(part), process});
        }
        add_section(SectionKind::names, names_section());
        add_section(SectionKind::general, general_section(contents));
        add_section(SectionKind::files, files_section(contents.files));
        add_section(SectionKind::processes, processes_section(contents.processes));
        add_section(SectionKind::blocks, blocks_section(blocks_));
        add_section(SectionKind::addresses, addresses_section(join_addresses(made)));
        add_section(SectionKind::shared_texts, shared_texts_section(shared_texts_parts_));
        fill_up(contents);
        if (too_large_) {
            return Error{ErrorCode::write_failed,
                         "the task map is too large for a saved map: make one of fewer logs",
                         {},
                         std::nullopt};
        }
        return finish();
    }

    static constexpr std::size_t kSections = 7;
    static constexpr std::size_t kBegin = kHeaderSize + kSections * kSectionSize;

    /// A string that grows to twice its size is two maps at the time. So it is made for as much as the facts so far let
    /// expect of all of them; what is not used of it takes no memory, but addresses, which may be limited, too: the
    /// first facts may be the longest by far. With 16 times their size, a log needed 430 MB of them instead of 216.
    void make_room(const PackedBlocks& piece) {
        constexpr std::uint64_t kOfSections = std::uint64_t{1} << 20U, kMostExpected = std::uint64_t{32} << 20U;
        std::uint64_t size = file_.size();
        for (const std::optional<PackedPart>& part : piece.parts) {
            size += part ? part->bytes.size() : 0;
        }
        for (const Block& block : piece.blocks) {
            facts_ += block.facts;
        }
        if (size + kOfSections > file_.capacity()) {
            const std::uint64_t times = all_facts_ / std::max<std::uint64_t>(facts_, 1);
            const std::uint64_t expected = std::min(size * times, std::max(size, kMostExpected));
            file_.reserve(static_cast<std::size_t>(size + expected + kOfSections));
        }
    }

    /// While others are still packed: one thread that put all blocks together at the end took 13 ms of 800.
    void add_blocks(PackedBlocks& piece) {
        make_room(piece);
        for (std::optional<PackedPart>& part : piece.shared_texts) {  // behind all blocks
            shared_texts_.emplace_back(piece.blocks.front().process, std::move(part));
        }
        for (std::size_t i = 0; i < piece.blocks.size(); ++i) {
            piece.blocks[i].packed = add(piece.parts[i]);
            blocks_.push_back(piece.blocks[i]);
        }
        piece.parts = {};
        memory_ += piece.memory;
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

    /// What a reader takes for a file hangs on its size (MemoryLeft; as many facts as bytes).
    /// Zeros, which nobody reads, make it large enough where regular lines are packed to less.
    void fill_up(const TaskMap::Contents& contents) {
        for (const logs::Process& process : contents.processes) {
            memory_ += process.own_logs.size() * kMemoryOfOwnLog;
        }
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
    std::vector<std::pair<std::uint64_t, std::optional<PackedPart>>> shared_texts_;  ///< with their processes
    std::vector<SharedTextsPart> shared_texts_parts_;
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
