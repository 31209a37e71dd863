// Saved map → contents of a task map, all of it or only what somebody wants.
#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "bytes/counted.hpp"
#include "bytes/file.hpp"
#include "logs/facts/launch_lines.hpp"
#include "logs/map_file/block.hpp"
#include "logs/map_file/checksum.hpp"
#include "logs/map_file/map_file.hpp"
#include "logs/map_file/packed_part.hpp"
#include "logs/map_file/tables.hpp"
#include "logs/map_file/text_lists.hpp"
#include "logs/packing/packed_numbers.hpp"
#include "logs/processes/process_facts.hpp"

namespace opdebug::logs {
namespace {

using namespace map_file;
using Buffer = std::vector<std::uint8_t>;

/// Where the bytes come from.
struct Source {
    std::string file;  ///< for messages
    std::uint64_t size = 0;
    std::function<Result<Buffer>(std::uint64_t offset, std::uint64_t count)> read;  ///< may give fewer
};

/// What somebody wants, in the order of the file.
class Wanted {
public:
    Wanted(const std::optional<WantedTasks>& tasks, bool is_joined) : everything_(!tasks), all_streams_(is_joined) {
        if (tasks) {
            keys_.push_back({});
            for (const auto& [stream, task] : tasks->tasks) {
                keys_.push_back({GroupKey::of_stream, stream, 0});
                keys_.push_back({GroupKey::of_task, stream, task});
            }
            addresses = tasks->addresses;
            std::sort(keys_.begin(), keys_.end());
            std::sort(addresses.begin(), addresses.end());
        }
    }

    bool may_hold(const Block& block) const {
        const auto key = std::lower_bound(keys_.begin(), keys_.end(), block.first);
        const bool has_streams = block.first.reach <= GroupKey::of_stream && GroupKey::of_stream <= block.last.reach;
        return everything_ || (all_streams_ && has_streams) || (key != keys_.end() && !(block.last < *key));
    }

    bool holds(const Fact& fact) const {
        const auto has = [this](const std::optional<std::uint64_t>& address) {
            return address && std::binary_search(addresses.begin(), addresses.end(), *address);
        };
        return everything_ || (all_streams_ && tells_runs_apart(fact.kind)) ||
               std::binary_search(keys_.begin(), keys_.end(), group_of(fact)) || has(fact.address1) ||
               has(fact.address2);
    }

    /// Whether the fact is only asked whether there is a node of that name (Need::node_name).
    bool holds_for_name(const Fact& fact) const {
        return !everything_ && names_numbered_node(fact) && fact.stream_id && fact.task_id &&
               !std::binary_search(keys_.begin(), keys_.end(),
                                   GroupKey{GroupKey::of_task, *fact.stream_id, *fact.task_id});
    }

    bool everything() const noexcept { return everything_; }

    std::vector<std::uint64_t> addresses;  ///< sorted

private:
    bool everything_;
    bool all_streams_;  ///< when they were set up and released: runs are told from each other by them
    std::vector<GroupKey> keys_;
};

class MapReader {
public:
    MapReader(const Source& source, const Wanted& wanted) : source_(source), wanted_(wanted), memory_(source.size) {}

    Result<TaskMap::Contents> read() {
        std::optional<Error> error = read_section_table();
        error = error ? error : read_tables();
        error = error ? error : read_facts();
        error = error ? error : put_in_order();
        if (error) {
            return *std::move(error);
        }
        return std::move(contents_);
    }

private:
    /// In the file or at its end, wherever it says that its parts are.
    Error fault(std::uint64_t offset, const std::string& what) const {
        return damaged(source_.file, std::min(offset, source_.size), what);
    }

    Error too_much(std::uint64_t offset) const {
        return fault(offset, fmt::format("what it unpacks to from here on takes more memory than a map of {} bytes can",
                                         source_.size));
    }

    std::optional<Error> read_section_table() {
        const Result<Buffer> header = source_.read(0, kHeaderSize);
        if (!header) {
            return header.error();
        }
        if (Bytes(*header).slice(0, kMagic.size()).text() != kMagic) {
            return fault(0, "it does not begin as one, perhaps it was transferred as text");
        }
        ByteReader in{Bytes(*header)};
        in.bytes(kMagic.size());
        const std::uint64_t major = in.little_endian(2);
        in.little_endian(2);  // the minor version: what it adds is skipped
        if (in.ok() && major != kMajorVersion) {
            return Error{ErrorCode::task_map_invalid,
                         fmt::format("the saved task map has form {}, this version of opdebug reads form {}; use the "
                                     "version that wrote it or make the map anew from the logs (opdebug index)",
                                     major, kMajorVersion),
                         source_.file, kMagic.size()};
        }
        const std::uint64_t sections = in.little_endian(4);
        const std::uint64_t size = in.little_endian(8);
        const std::uint64_t checksum = in.little_endian(4);
        if (!in.ok() || size != source_.size) {
            return fault(source_.size, in.ok() ? fmt::format("it has {}, its header says {}",
                                                             bytes::counted(source_.size, "byte"), size)
                                               : fmt::format("its header has {} bytes", kHeaderSize));
        }
        if (sections > kMostSections) {
            return fault(kMagic.size() + 4, fmt::format("{} sections, at most {} can be", sections, kMostSections));
        }
        return read_sections(*header, sections, checksum);
    }

    std::optional<Error> read_sections(Buffer start, std::uint64_t sections, std::uint64_t checksum) {
        const Result<Buffer> table = source_.read(kHeaderSize, sections * kSectionSize);
        if (!table) {
            return table.error();
        }
        std::fill_n(start.begin() + kChecksumOffset, 4, std::uint8_t{0});
        start.insert(start.end(), table->begin(), table->end());
        if (table->size() != sections * kSectionSize || checksum_of(Bytes(start)) != checksum) {
            return fault(kChecksumOffset, "the checksum of the header does not fit");
        }
        ByteReader in{Bytes(*table)};
        for (std::uint64_t i = 0; i < sections; ++i) {
            const auto kind = static_cast<SectionKind>(in.little_endian(4));
            Packed section;
            section.checksum = static_cast<std::uint32_t>(in.little_endian(4));
            section.offset = in.little_endian(8);
            section.size = in.little_endian(8);
            section.unpacked_size = in.little_endian(8);
            sections_.emplace(kind, section);
        }
        return std::nullopt;
    }

    /// The content of a packed part. Nothing is allocated before its place and size are checked.
    Result<std::string> content_of(const Packed& part, std::uint64_t most) {
        if (part.offset > source_.size || part.size > source_.size - part.offset || part.unpacked_size > most ||
            part.size > 2 * most) {  // what cannot be packed becomes a little larger
            return fault(part.offset, "a part lies outside the file or is too large");
        }
        if (!memory_.take(part.unpacked_size)) {
            return too_much(part.offset);
        }
        const Result<Buffer> packed = source_.read(part.offset, part.size);
        if (!packed) {
            return packed.error();
        }
        if (packed->size() != part.size || checksum_of(Bytes(*packed)) != part.checksum) {
            return fault(part.offset, fmt::format("the checksum of the {} bytes from here does not fit", part.size));
        }
        std::optional<std::string> content = unpack(Bytes(*packed), part.unpacked_size);
        if (!content) {
            return fault(part.offset, fmt::format("the {} bytes from here cannot be unpacked to {} bytes", part.size,
                                                  part.unpacked_size));
        }
        return *std::move(content);
    }

    /// Gives the content of a section to `take`, which tells whether it is sound.
    template <class Take>
    std::optional<Error> read_section(SectionKind kind, Take take) {
        const auto section = sections_.find(kind);
        if (section == sections_.end()) {
            return fault(kHeaderSize, fmt::format("section {} is missing", static_cast<std::uint32_t>(kind)));
        }
        const Result<std::string> content = content_of(section->second, kMostSectionBytes);
        if (!content) {
            return content.error();
        }
        if (!take(Bytes(std::string_view(*content)))) {
            return memory_.passed() ? too_much(section->second.offset)
                                    : fault(section->second.offset,
                                            fmt::format("section {} is malformed", static_cast<std::uint32_t>(kind)));
        }
        return std::nullopt;
    }

    std::optional<Error> read_tables() {
        std::optional<Error> error = read_section(SectionKind::names, [this](Bytes section) {
            std::optional<Names> names = read_names(section);
            names_ = names ? *std::move(names) : Names();
            return !names_.kinds.empty();
        });
        const auto also = [&](SectionKind kind, auto take) { error = error ? error : read_section(kind, take); };
        also(SectionKind::general, [this](Bytes section) { return read_general(section, contents_); });
        also(SectionKind::files, [this](Bytes section) { return read_files(section, source_.size, contents_.files); });
        also(SectionKind::processes, [this](Bytes section) {
            return read_processes(section, source_.size, contents_.files.size(), memory_, contents_.processes);
        });
        also(SectionKind::blocks, [this](Bytes section) { return read_blocks(section, source_.size, blocks_); });
        also(SectionKind::shared_texts,
             [this](Bytes section) { return read_shared_texts(section, source_.size, shared_parts_); });
        if (wanted_.everything() || !wanted_.addresses.empty()) {  // who reads everything learns of all damage
            also(SectionKind::addresses, [this](Bytes section) {
                auto blocks = find_addresses(section, wanted_.addresses, blocks_.size());
                has_address_ = blocks ? *std::move(blocks) : std::vector<bool>();
                return !has_address_.empty() || blocks_.empty();
            });
        }
        return error;
    }

    std::optional<Error> read_facts() {
        found_.resize(contents_.processes.size());
        for (std::size_t i = 0; i < blocks_.size(); ++i) {
            const Block& block = blocks_[i];
            if (block.process >= found_.size()) {
                return fault(block.packed.offset, fmt::format("block {} is of no process", i));
            }
            const bool has_address = !has_address_.empty() && has_address_[i];
            if (!wanted_.may_hold(block) && !has_address) {
                continue;
            }
            const Result<std::string> content = content_of(block.packed, kMostBlockBytes);
            if (!content) {
                return content.error();
            }
            const BlockFrame frame{names_, contents_.files.size(), [&] { return shared_texts_of(block.process); }};
            const auto is_wanted = [&](const Fact& fact) { return is_needed(fact, block.process); };
            if (!read_block(Bytes(std::string_view(*content)), frame, block.facts, is_wanted, found_[block.process],
                            memory_)) {
                return shared_error_      ? shared_error_
                       : memory_.passed() ? too_much(block.packed.offset)
                                          : fault(block.packed.offset, fmt::format("block {} is malformed", i));
            }
        }
        return std::nullopt;
    }

    /// Of one process at a time, for its blocks follow each other. None, and `shared_error_`, where they are damaged.
    std::span<const std::string_view> shared_texts_of(std::uint64_t process) {
        if (shared_process_ != process) {
            shared_process_ = process;
            shared_texts_.clear();
            shared_error_ = read_shared_texts_of(process);
        }
        return shared_texts_;
    }

    std::optional<Error> read_shared_texts_of(std::uint64_t process) {
        const auto is_before = [](const SharedTextsPart& part, std::uint64_t other) { return part.process < other; };
        const auto part = std::lower_bound(shared_parts_.begin(), shared_parts_.end(), process, is_before);
        if (part == shared_parts_.end() || part->process != process) {
            return std::nullopt;
        }
        Result<std::string> content = content_of(part->packed, kMostBlockBytes);
        if (!content) {
            return content.error();
        }
        shared_content_ = *std::move(content);
        ByteReader in{Bytes(std::string_view(shared_content_))};
        shared_texts_ = read_texts(in, memory_);
        if (!in.at_end()) {
            shared_texts_.clear();
            return memory_.passed() ? too_much(part->packed.offset)
                                    : fault(part->packed.offset,
                                            fmt::format("the texts that process {} shares are malformed", process));
        }
        return std::nullopt;
    }

    /// Of each node whose name alone is asked for, one fact is enough: networks may call all their nodes by numbers.
    bool is_needed(const Fact& fact, std::uint64_t process) {
        return wanted_.holds(fact) &&
               (!wanted_.holds_for_name(fact) || nodes_.emplace(process, fact.operator_name).second);
    }

    /// Back from the order of the file to that of the process.
    std::optional<Error> put_in_order() {
        for (std::size_t i = 0; i < found_.size(); ++i) {
            std::vector<NumberedFact>& found = found_[i];
            std::sort(found.begin(), found.end(),
                      [](const NumberedFact& a, const NumberedFact& b) { return a.number < b.number; });
            Process& process = contents_.processes[i];
            for (std::size_t k = 0; k < found.size(); ++k) {
                if (k > 0 && (found[k].number == found[k - 1].number ||
                              found[k].stored.time_us < process.facts.back().time_us)) {
                    return fault(kHeaderSize, fmt::format("the facts of process {} are not in order", process.pid));
                }
                process.facts.push_back(std::move(found[k].stored));
            }
            found = {};
            index_facts(process);
        }
        return std::nullopt;
    }

    const Source& source_;
    const Wanted& wanted_;
    MemoryLeft memory_;
    std::map<SectionKind, Packed> sections_;
    Names names_;
    std::vector<SharedTextsPart> shared_parts_;
    std::optional<std::uint64_t> shared_process_;  ///< whose shared texts were read last
    std::optional<Error> shared_error_;            ///< of that
    std::string shared_content_;
    std::vector<std::string_view> shared_texts_;  ///< in `shared_content_`
    std::vector<Block> blocks_;
    std::vector<bool> has_address_;  ///< by block: whether it names a wanted address; empty: none was asked for
    std::set<std::pair<std::uint64_t, std::string>> nodes_;  ///< that were kept for their name: process and name
    std::vector<std::vector<NumberedFact>> found_;           ///< by process
    TaskMap::Contents contents_;
};

}  // namespace

bool is_map_file(Bytes first_bytes) noexcept {
    return first_bytes.slice(0, kMagicName.size()).text() == kMagicName;
}

bool is_map_file(const std::string& path) {
    const Result<bytes::FileStart> start = bytes::read_file_start(path, kMagic.size());
    return start && is_map_file(Bytes(start->bytes));
}

Result<TaskMap::Contents> read_map_file(const std::string& path, const std::optional<WantedTasks>& wanted,
                                        bool is_joined) {
    Result<bytes::FileReader> file = bytes::FileReader::open(path);
    if (!file) {
        return std::move(file.error());
    }
    Source source{path, file->size(), [&file](std::uint64_t offset, std::uint64_t count) {
                      return file->read_at(offset, static_cast<std::size_t>(count));
                  }};
    return MapReader(source, Wanted(wanted, is_joined)).read();
}

Result<TaskMap::Contents> read_map_bytes(Bytes bytes, const std::optional<WantedTasks>& wanted) {
    Source source{{}, bytes.size(), [bytes](std::uint64_t offset, std::uint64_t count) -> Result<Buffer> {
                      const Bytes part = bytes.slice(static_cast<std::size_t>(offset), static_cast<std::size_t>(count));
                      return Buffer(part.begin(), part.end());
                  }};
    return MapReader(source, Wanted(wanted, false)).read();
}

}  // namespace opdebug::logs
