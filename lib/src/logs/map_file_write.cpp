// Task map → bytes of a saved map.
#include <algorithm>
#include <optional>
#include <utility>

#include "logs/each_in_parallel.hpp"
#include "logs/map_file.hpp"
#include "logs/map_file_block.hpp"
#include "logs/map_file_bytes.hpp"
#include "logs/map_file_tables.hpp"

namespace opdebug {
inline namespace v0 {
namespace {

using namespace logs::map_file;
using logs::Process;

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
    AddressPlaces addresses;  ///< with blocks of this process
};

/// The places of facts in the process's list, in the order of the file.
using Order = std::vector<std::pair<GroupKey, std::size_t>>;

Order order_of(const Process& process) {
    Order order;
    order.reserve(process.facts.size());
    for (std::size_t i = 0; i < process.facts.size(); ++i) {
        order.emplace_back(group_of(process.facts[i].fact), i);
    }
    std::sort(order.begin(), order.end());
    return order;
}

// GCC takes functions that only fetch for such without effect, and leaves out calls of them; not what it puts in place.
[[gnu::always_inline]] inline void fetch(const void* begin, std::size_t size) noexcept {
    constexpr std::size_t kCacheLine = 64;
    for (std::size_t offset = 0; offset < size; offset += kCacheLine) {
        __builtin_prefetch(static_cast<const char*>(begin) + offset);
    }
}

/// Has the processor fetch the facts that are written soon, and the texts of those that come first. Facts lie in the
/// order of time, so nearly all that is read of one comes from memory: waiting for it took half of the writing.
[[gnu::always_inline]] inline void fetch_ahead(const Process& process, const Order& order, std::size_t next) noexcept {
    constexpr std::size_t kFacts = 8, kLines = 4, kFurtherLines = 2;
    const auto ahead = [&](std::size_t steps) {
        return next + steps < order.size() ? &process.facts[order[next + steps].second] : nullptr;
    };
    if (const logs::StoredFact* const fact = ahead(kFacts)) {
        fetch(fact, sizeof *fact);
    }
    if (const logs::StoredFact* const fact = ahead(kLines)) {
        fetch(fact->place.text.data(), fact->place.text.size());
        fetch(fact->fact.format_id.data(), 1);
        fetch(fact->fact.kernel_name.data(), fact->fact.kernel_name.size());
        if (fact->submit) {
            fetch(&*fact->submit, sizeof *fact->submit);
        }
    }
    if (const logs::StoredFact* const fact = ahead(kFurtherLines); fact != nullptr && fact->submit) {
        fetch(fact->submit->text.data(), fact->submit->text.size());
    }
}

ProcessBlocks blocks_of(std::size_t process_index, const Process& process) {
    ProcessBlocks made;
    Packer packer;  // one for all blocks: its tables take as long to get as a block to pack
    BlockWriter writer;
    ByteWriter content;
    const Order order = order_of(process);
    const auto add_address = [&made](const std::optional<std::uint64_t>& address) {
        if (address) {
            made.addresses.emplace_back(*address, made.blocks.size());
        }
    };
    for (std::size_t next = 0; next < order.size();) {
        writer.clear();
        Block block;
        block.process = process_index;
        block.first = order[next].first;
        for (; next < order.size() && (writer.facts() == 0 || writer.size() < kBlockSize); ++next) {
            fetch_ahead(process, order, next);
            const logs::StoredFact& stored = process.facts[order[next].second];
            writer.add(order[next].second, stored);
            add_address(stored.fact.address1);
            add_address(stored.fact.address2);
            block.last = order[next].first;
        }
        block.facts = writer.facts();
        content.clear();
        writer.write_to(content);
        made.parts.push_back(pack_part(packer, content.result(), kMostBlockBytes));
        made.blocks.push_back(block);
    }
    return made;
}

class MapWriter {
public:
    Result<std::string> write(const TaskMap::Contents& contents, unsigned threads) {
        std::vector<ProcessBlocks> made(contents.processes.size());
        logs::each_in_parallel(made.size(), threads,
                               [&](std::size_t i) { made[i] = blocks_of(i, contents.processes[i]); });
        for (ProcessBlocks& process : made) {
            add_blocks(std::exchange(process, {}));
        }
        add_section(SectionKind::names, names_section());
        add_section(SectionKind::general, general_section(contents));
        add_section(SectionKind::files, files_section(contents.files));
        add_section(SectionKind::processes, processes_section(contents.processes));
        add_section(SectionKind::blocks, blocks_section(blocks_));
        add_section(SectionKind::addresses, addresses_section(std::move(addresses_)));
        if (too_large_) {
            return Error{ErrorCode::write_failed,
                         "the task map is too large for a saved map: make one of fewer logs",
                         {},
                         std::nullopt};
        }
        return finish();
    }

private:
    static constexpr std::size_t kSections = 6;
    static constexpr std::size_t kBegin = kHeaderSize + kSections * kSectionSize;

    void add_blocks(ProcessBlocks&& process) {
        for (const auto& [address, block] : process.addresses) {
            addresses_.emplace_back(address, blocks_.size() + block);
        }
        for (std::size_t i = 0; i < process.blocks.size(); ++i) {
            process.blocks[i].packed = add(process.parts[i]);
            blocks_.push_back(process.blocks[i]);
        }
    }

    Packed add(const std::optional<PackedPart>& part) {
        if (!part) {
            too_large_ = true;
            return {};
        }
        const Packed packed{kBegin + body_.size(), part->bytes.size(), part->unpacked_size, part->checksum};
        body_ += part->bytes;
        return packed;
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
        header.little_endian(kBegin + body_.size(), 8);
        header.little_endian(checksum, 4);
        header.little_endian(0, 4);
        return header.result();
    }

    std::string finish() const {
        const std::uint32_t checksum = checksum_of(Bytes(header(0) + table_.result()));
        return header(checksum) + table_.result() + body_;
    }

    Packer packer_;
    std::string body_;
    ByteWriter table_;
    std::vector<Block> blocks_;
    AddressPlaces addresses_;
    bool too_large_ = false;
};

}  // namespace

Result<std::string> save_task_map(const TaskMap& map, unsigned threads) {
    return MapWriter().write(map.contents(), logs::thread_count(threads));
}

}  // namespace v0
}  // namespace opdebug
