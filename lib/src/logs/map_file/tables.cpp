#include "logs/map_file/tables.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "logs/packing/packed_numbers.hpp"

namespace opdebug::logs::map_file {
namespace {

struct Counter {
    std::string_view name;
    std::uint64_t TaskMap::Contents::*member;
};
constexpr std::array<Counter, 2> kCounters{{
    {"runtime_info_lines", &TaskMap::Contents::runtime_info_lines},
    {"ge_info_lines", &TaskMap::Contents::ge_info_lines},
}};

void write_key(ByteWriter& out, const GroupKey& key) {
    out.number(key.reach);
    out.number(key.stream_id);
    out.number(key.task_id);
}

GroupKey read_key(ByteReader& in) {
    GroupKey key;
    key.reach = in.number();
    key.stream_id = in.number();
    key.task_id = in.number();
    return key;
}

/// 0 stands for nothing, else the number plus one.
template <class Number>
void write_optional(const std::optional<Number>& number, ByteWriter& out) {
    out.number(number ? static_cast<std::uint64_t>(*number) + 1 : 0);
}

template <class Number>
std::optional<Number> read_optional(ByteReader& in) {
    const std::uint64_t value = in.number();
    return value == 0 ? std::nullopt : std::optional<Number>(static_cast<Number>(value - 1));
}

/// Sorts: the runs of rising ones are found and merged, two and two.
void merge_runs(AddressPlaces& places) {
    using Run = AddressPlaces::iterator;
    std::vector<Run> ends{places.begin()};
    while (ends.back() != places.end()) {
        ends.push_back(std::is_sorted_until(ends.back(), places.end()));
    }
    while (ends.size() > 2) {
        std::size_t kept = 1;
        for (std::size_t i = 2; i < ends.size(); i += 2) {
            std::inplace_merge(ends[i - 2], ends[i - 1], ends[i]);
            ends[kept++] = ends[i];
        }
        if (ends.size() % 2 == 0) {
            ends[kept++] = places.end();
        }
        ends.resize(kept);
    }
}

void write_own_logs(const Process& process, ByteWriter& row) {
    if (!process.own_logs_are_known) {
        return;  // it is of an older map, and stays so
    }
    row.number(process.own_logs.size());
    for (const OwnLog& log : process.own_logs) {
        row.number(log.file);
        row.signed_number(log.first_us);
        row.signed_number(log.last_us);
    }
}

/// `is_owned`: which files are some process's already. Each is written by one.
void read_own_logs(ByteReader& row, std::vector<bool>& is_owned, MemoryLeft& memory, Process& process) {
    process.own_logs_are_known = !row.at_end();
    const std::uint64_t count = process.own_logs_are_known ? row.count() : 0;
    if (count > is_owned.size() || !memory.take(count * kMemoryOfOwnLog)) {
        row.fail();
        return;
    }
    for (std::uint64_t i = 0; i < count && row.ok(); ++i) {
        const std::uint64_t file = row.number();
        const std::int64_t first_us = row.signed_number(), last_us = row.signed_number();
        if (file >= is_owned.size() || is_owned[static_cast<std::size_t>(file)]) {
            row.fail();
            return;
        }
        is_owned[static_cast<std::size_t>(file)] = true;
        process.own_logs.push_back({static_cast<std::uint32_t>(file), first_us, last_us});
    }
}

}  // namespace

std::string general_section(const TaskMap::Contents& contents) {
    ByteWriter out;
    out.number(kCounters.size());
    for (const Counter& counter : kCounters) {
        out.text(counter.name);
        out.number(contents.*counter.member);
    }
    return out.result();
}

bool read_general(Bytes section, TaskMap::Contents& contents) {
    ByteReader in(section);
    const std::uint64_t count = in.count();
    for (std::uint64_t i = 0; i < count && in.ok(); ++i) {
        const std::string_view name = in.text();
        const std::uint64_t value = in.number();
        for (const Counter& counter : kCounters) {
            if (counter.name == name) {
                contents.*counter.member = value;
            }
        }
    }
    return in.ok();
}

std::string files_section(const std::vector<std::string>& files) {
    ByteWriter out;
    out.number(files.size());
    for (const std::string& file : files) {
        out.text(file);
    }
    return out.result();
}

bool read_files(Bytes section, std::uint64_t file_size, std::vector<std::string>& files) {
    ByteReader in(section);
    const std::uint64_t count = in.count();
    if (count > file_size) {
        return false;
    }
    for (std::uint64_t i = 0; i < count && in.ok(); ++i) {
        files.emplace_back(in.text());
    }
    return in.at_end();
}

/// Each process has its length in front: a newer version may write more about it.
std::string processes_section(const std::vector<Process>& processes) {
    ByteWriter out;
    out.number(processes.size());
    for (const Process& process : processes) {
        ByteWriter row;
        row.signed_number(process.pid);
        row.number(process.on_device ? 1 : 0);
        row.signed_number(process.first_time_us);
        row.signed_number(process.last_time_us);
        row.text(process.root);
        row.number(process.states_anything ? 1 : 0);
        row.number(process.without_host_lines ? 1 : 0);
        write_optional(process.device_id, row);
        write_optional(process.host_pid, row);
        write_own_logs(process, row);
        out.text(row.result());
    }
    return out.result();
}

bool read_processes(Bytes section, std::uint64_t file_size, std::size_t files, MemoryLeft& memory,
                    std::vector<Process>& processes) {
    std::vector<bool> is_owned(files);
    ByteReader in(section);
    const std::uint64_t count = in.count();
    if (count > file_size) {
        return false;
    }
    for (std::uint64_t i = 0; i < count && in.ok(); ++i) {
        ByteReader row{Bytes(in.text())};
        Process process;
        process.pid = row.signed_number();
        process.on_device = row.number() != 0;
        process.first_time_us = row.signed_number();
        process.last_time_us = row.signed_number();
        process.root = row.text();
        process.states_anything = row.number() != 0;
        process.without_host_lines = row.number() != 0;
        if (row.ok() && !row.at_end()) {  // maps of the first versions end here
            process.device_id = read_optional<std::uint64_t>(row);
            process.host_pid = read_optional<std::int64_t>(row);
        }
        read_own_logs(row, is_owned, memory, process);
        if (!row.ok()) {
            return false;
        }
        processes.push_back(std::move(process));
    }
    return in.at_end();
}

void write_packed(const Packed& packed, ByteWriter& out) {
    out.number(packed.size);
    out.number(packed.unpacked_size);
    out.little_endian(packed.checksum, 4);
}

bool read_packed(ByteReader& in, std::uint64_t file_size, std::uint64_t& offset, Packed& packed) {
    packed.offset = offset;
    packed.size = in.number();
    packed.unpacked_size = in.number();
    packed.checksum = static_cast<std::uint32_t>(in.little_endian(4));
    if (offset > file_size || packed.size == 0 || packed.size > file_size - offset) {
        return false;
    }
    offset += packed.size;
    return true;
}

std::string blocks_section(const std::vector<Block>& blocks) {
    ByteWriter out;
    out.number(blocks.size());
    out.number(blocks.empty() ? 0 : blocks.front().packed.offset);
    for (const Block& block : blocks) {
        out.number(block.process);
        out.number(block.facts);
        write_key(out, block.first);
        write_key(out, block.last);
        write_packed(block.packed, out);
    }
    return out.result();
}

bool read_blocks(Bytes section, std::uint64_t file_size, std::vector<Block>& blocks) {
    ByteReader in(section);
    const std::uint64_t count = in.count();
    std::uint64_t offset = in.number();
    std::uint64_t facts_left = file_size;
    for (std::uint64_t i = 0; i < count && in.ok(); ++i) {
        Block block;
        block.process = in.number();
        block.facts = in.number();
        block.first = read_key(in);
        block.last = read_key(in);
        if (!read_packed(in, file_size, offset, block.packed) || block.facts > facts_left) {
            return false;
        }
        facts_left -= block.facts;
        blocks.push_back(block);
    }
    return in.at_end();
}

std::string shared_texts_section(const std::vector<SharedTextsPart>& parts) {
    ByteWriter out;
    out.number(parts.size());
    out.number(parts.empty() ? 0 : parts.front().packed.offset);
    for (const SharedTextsPart& part : parts) {
        out.number(part.process);
        write_packed(part.packed, out);
    }
    return out.result();
}

bool read_shared_texts(Bytes section, std::uint64_t file_size, std::vector<SharedTextsPart>& parts) {
    ByteReader in(section);
    const std::uint64_t count = in.count();
    std::uint64_t offset = in.number();
    for (std::uint64_t i = 0; i < count && in.ok(); ++i) {
        SharedTextsPart part;
        part.process = in.number();
        const bool rises = parts.empty() || parts.back().process < part.process;
        if (!rises || !read_packed(in, file_size, offset, part.packed)) {
            return false;
        }
        parts.push_back(part);
    }
    return in.at_end();
}

void sort_addresses(AddressPlaces& places) {
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
}

/// The blocks of each address have their length in front: who looks for another address passes over them.
std::string addresses_section(AddressPlaces places) {
    merge_runs(places);
    places.erase(std::unique(places.begin(), places.end()), places.end());
    ByteWriter out;
    std::uint64_t last_address = 0;
    for (auto next = places.begin(); next != places.end();) {
        const std::uint64_t address = next->first;
        ByteWriter list;
        std::uint64_t block = 0;
        for (; next != places.end() && next->first == address; ++next) {
            list.number(next->second - block);
            block = next->second;
        }
        out.number(address - last_address);
        out.text(list.result());
        last_address = address;
    }
    return out.result();
}

std::optional<std::vector<bool>> find_addresses(Bytes section, const std::vector<std::uint64_t>& addresses,
                                                std::size_t blocks) {
    ByteReader in(section);
    std::vector<bool> found(blocks);
    std::uint64_t address = 0;
    while (in.ok() && !in.at_end()) {
        address += in.number();
        const std::string_view list = in.text();
        if (!std::binary_search(addresses.begin(), addresses.end(), address)) {
            continue;
        }
        ByteReader numbers{Bytes(list)};
        for (std::uint64_t next = 0; !numbers.at_end();) {  // the first number that may come
            const std::uint64_t step = numbers.number();
            const bool rises = next == 0 || step != 0;
            const std::uint64_t block = next == 0 ? step : next - 1 + step;
            if (!numbers.ok() || !rises || step > blocks || block >= blocks) {
                return std::nullopt;
            }
            found[static_cast<std::size_t>(block)] = true;
            next = block + 1;
        }
    }
    return in.ok() ? std::optional(std::move(found)) : std::nullopt;
}

}  // namespace opdebug::logs::map_file
