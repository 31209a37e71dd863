#include "map_in_clear.hpp"

#include <limits>
#include <map>
#include <vector>

#include "logs/map_file/block.hpp"
#include "logs/map_file/checksum.hpp"
#include "logs/map_file/layout.hpp"
#include "logs/map_file/packed_part.hpp"
#include "logs/map_file/tables.hpp"
#include "logs/map_file/text_lists.hpp"
#include "logs/packing/packed_numbers.hpp"
#include "logs/processes/packed_map.hpp"

namespace opdebug::fuzz {
namespace {

using logs::ByteReader;
using logs::ByteWriter;
using namespace logs::map_file;

constexpr std::uint64_t kSharedTextsPart = 254, kBlockPart = 255;

/// What is packed stands behind the header and the section table.
struct File {
    std::size_t begin = 0;  ///< of `packed` in the file
    std::string packed;

    Packed add(std::string_view content) {
        Packed place;
        const std::string bytes = Packer().pack(content).value_or("");
        place.offset = begin + packed.size();
        place.size = bytes.size();
        place.unpacked_size = content.size();
        place.checksum = checksum_of(Bytes(std::string_view(bytes)));
        packed += bytes;
        return place;
    }
};

/// The block may hold any fact: its keys are the widest.
Block add_block(Bytes part, File& file) {
    ByteReader in(part);
    Block block;
    block.process = in.little_endian(1);
    block.facts = in.little_endian(2);
    block.packed = file.add(part.slice(3, part.size()).text());
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
    block.last = {GroupKey::of_task, kMost, kMost};
    return block;
}

std::string blocks_of(const std::vector<Bytes>& parts, File& file) {
    std::vector<Block> blocks;
    for (const Bytes part : parts) {
        blocks.push_back(add_block(part, file));
    }
    return blocks_section(blocks);
}

std::string shared_texts_of(const std::vector<Bytes>& parts, File& file) {
    std::vector<SharedTextsPart> added;
    for (const Bytes part : parts) {
        const std::uint64_t process = ByteReader(part).little_endian(1);
        added.push_back({file.add(part.slice(1, part.size()).text()), process});
    }
    return shared_texts_section(added);
}

void write_section(std::uint64_t kind, const Packed& place, ByteWriter& out) {
    out.little_endian(kind, 4);
    out.little_endian(place.checksum, 4);
    out.little_endian(place.offset, 8);
    out.little_endian(place.size, 8);
    out.little_endian(place.unpacked_size, 8);
}

std::string header(std::size_t sections, std::size_t size, std::uint32_t checksum) {
    ByteWriter out;
    out.bytes(kMagic);
    out.little_endian(kMajorVersion, 2);
    out.little_endian(kMinorVersion, 2);
    out.little_endian(sections, 4);
    out.little_endian(size, 8);
    out.little_endian(checksum, 4);
    out.little_endian(0, 4);
    return out.result();
}

void write_part(std::uint64_t kind, std::string_view content, ByteWriter& out) {
    out.little_endian(kind, 1);
    out.little_endian(content.size(), 3);
    out.bytes(content);
}

}  // namespace

std::string packed_map(Bytes clear) {
    std::map<std::uint64_t, Bytes> sections{{static_cast<std::uint64_t>(SectionKind::addresses), Bytes()}};
    std::vector<Bytes> block_parts, shared_texts_parts;
    for (ByteReader in(clear); in.ok() && !in.at_end();) {
        const std::uint64_t kind = in.little_endian(1);
        const Bytes part(in.bytes(in.little_endian(3)));
        if (in.ok() && kind == kBlockPart) {
            block_parts.push_back(part);
        } else if (in.ok() && kind == kSharedTextsPart) {
            shared_texts_parts.push_back(part);
        } else if (in.ok()) {
            sections[kind] = part;
        }
    }
    const auto blocks_kind = static_cast<std::uint64_t>(SectionKind::blocks);
    const auto shared_texts_kind = static_cast<std::uint64_t>(SectionKind::shared_texts);
    sections.erase(blocks_kind);
    sections.erase(shared_texts_kind);
    File file;
    file.begin = kHeaderSize + kSectionSize * (sections.size() + 2);
    ByteWriter table;
    const std::string blocks = blocks_of(block_parts, file);
    const std::string shared_texts = shared_texts_of(shared_texts_parts, file);
    write_section(blocks_kind, file.add(blocks), table);
    write_section(shared_texts_kind, file.add(shared_texts), table);
    for (const auto& [kind, content] : sections) {
        write_section(kind, file.add(content.text()), table);
    }
    const std::size_t count = sections.size() + 2;
    const std::size_t size = kHeaderSize + table.size() + file.packed.size();
    const std::string start = header(count, size, 0) + table.result();
    return header(count, size, checksum_of(Bytes(std::string_view(start)))) + table.result() + file.packed;
}

std::string map_in_clear(const TaskMap::Contents& contents) {
    ByteWriter out;
    write_part(static_cast<std::uint64_t>(SectionKind::names), names_section(), out);
    write_part(static_cast<std::uint64_t>(SectionKind::general), general_section(contents), out);
    write_part(static_cast<std::uint64_t>(SectionKind::files), files_section(contents.files), out);
    write_part(static_cast<std::uint64_t>(SectionKind::processes), processes_section(contents.processes), out);
    for (std::size_t i = 0; i < contents.processes.size(); ++i) {
        const logs::PackedFacts facts = logs::pack_facts(contents.processes[i]);  // most lines are differences
        BlockWriter block;
        for (std::size_t k = 0; k < facts.size(); ++k) {
            block.add(k, facts[k]);
        }
        ByteWriter part;
        part.little_endian(i, 1);
        part.little_endian(block.facts(), 2);
        block.write_to(part);
        write_part(kBlockPart, part.result(), out);
        if (facts.shared_texts() != nullptr) {
            part.clear();
            part.little_endian(i, 1);
            write_texts(facts.shared_texts()->texts(), part);
            write_part(kSharedTextsPart, part.result(), out);
        }
    }
    return out.result();
}

}  // namespace opdebug::fuzz
