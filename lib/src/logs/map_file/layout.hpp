// What the writer and the reader of a saved map agree on. Form: docs/task-map.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include <opdebug/result.hpp>

#include "logs/facts/numbered_node.hpp"
#include "logs/facts/task_map.hpp"

namespace opdebug::logs::map_file {

/// A byte above 127 and both line breaks: a transfer that takes the file for text damages the first bytes already.
constexpr std::string_view kMagic{"\x8fOPMAP\r\n", 8};
constexpr std::string_view kMagicName = kMagic.substr(0, 6);  ///< what is left of it then, to say what the file was
constexpr std::uint16_t kMajorVersion = 3;                    ///< readers refuse another one
constexpr std::uint16_t kMinorVersion = 1;                    ///< readers skip what they do not know of a greater one

enum class SectionKind : std::uint32_t {
    names = 1,
    general = 2,
    files = 3,
    processes = 4,
    blocks = 5,
    addresses = 6,
    shared_texts = 7
};

constexpr std::size_t kHeaderSize = 32;   ///< magic, versions, number of sections, size of the file, checksum
constexpr std::size_t kSectionSize = 32;  ///< of one entry of the section table
constexpr std::size_t kChecksumOffset = 24;
constexpr std::uint32_t kMostSections = 64;

/// A block is closed when its content reaches this size. Larger blocks are packed better, smaller ones are found
/// faster: one look-up reads at least one block.
constexpr std::size_t kBlockSize = std::size_t{64} << 10U;
/// No block and no section may unpack to more: packed bytes can claim to be anything.
constexpr std::uint64_t kMostBlockBytes = std::uint64_t{4} << 20U;
constexpr std::uint64_t kMostSectionBytes = std::uint64_t{256} << 20U;

/// Where a fact stands in the order of a file: blocks hold neighbours, so that one task is in few blocks.
struct GroupKey {
    enum Reach : std::uint64_t { of_process = 0, of_stream = 1, of_task = 2 };
    std::uint64_t reach = of_process;
    std::uint64_t stream_id = 0;
    std::uint64_t task_id = 0;
    bool operator<(const GroupKey& other) const noexcept {
        return std::tie(reach, stream_id, task_id) < std::tie(other.reach, other.stream_id, other.task_id);
    }
};

/// Only statements about nothing but their own task or stream are grouped by it: which models there are, and how to
/// read the names of kernels, matters to all tasks.
inline GroupKey group_of(FactKind kind, std::optional<std::uint64_t> stream_id, std::optional<std::uint64_t> task_id,
                         bool names_numbered_node) noexcept {
    if (names_numbered_node) {
        return {};
    }
    // The line that names a stream's model has the end-of-graph task as well; it is looked up by the stream.
    if (stream_id && task_id && kind != FactKind::model_of_stream) {
        return {GroupKey::of_task, *stream_id, *task_id};
    }
    const bool is_of_stream = kind == FactKind::stream_open || kind == FactKind::stream_close ||
                              kind == FactKind::ge_model_stream || kind == FactKind::ids_wrapped ||
                              kind == FactKind::model_of_stream || kind == FactKind::overflow_report;
    return stream_id && is_of_stream ? GroupKey{GroupKey::of_stream, *stream_id, 0} : GroupKey{};
}
inline GroupKey group_of(const Fact& fact) noexcept {
    return group_of(fact.kind, fact.stream_id, fact.task_id, names_numbered_node(fact));
}

/// A part of the file that is packed by itself.
struct Packed {
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
    std::uint64_t unpacked_size = 0;
    std::uint32_t checksum = 0;
};

/// Facts of one process, from one group to another.
struct Block {
    Packed packed;
    std::uint64_t process = 0;  ///< index
    std::uint64_t facts = 0;
    GroupKey first, last;
};

inline Error damaged(const std::string& file, std::uint64_t offset, const std::string& what) {
    return {ErrorCode::task_map_invalid,
            "the saved task map is damaged: " + what + "; make the map anew from the logs (opdebug index)", file,
            offset};
}

}  // namespace opdebug::logs::map_file
