// Saved task maps that are damaged: each damage is told, and none leads outside the file or to more memory than it has
// bytes.
#include <doctest/doctest.h>

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "logs/map_file/block.hpp"
#include "logs/map_file/checksum.hpp"
#include "logs/map_file/map_file.hpp"
#include "logs/map_file/packed_part.hpp"
#include "logs/map_file/tables.hpp"
#include "logs/packing/packed_numbers.hpp"
#include "saved_map.hpp"
#include "temporary_directory.hpp"

using namespace opdebug;
using namespace opdebug::test;
using opdebug::logs::ByteReader;
using opdebug::logs::ByteWriter;
using opdebug::logs::Process;
namespace map_file = opdebug::logs::map_file;

namespace {

std::uint64_t number_at(const std::string& text, std::size_t offset) {
    return ByteReader(Bytes(std::string_view(text)).slice(offset, 8)).little_endian(8);
}

void write_at(std::string& text, std::size_t offset, std::uint64_t value, int width) {
    ByteWriter out;
    out.little_endian(value, width);
    text.replace(offset, out.size(), out.result());
}

/// The unpacked content of a section, by its place in the table.
std::string content_of_section(const std::string& map, std::size_t section) {
    const std::size_t entry = 32 + section * 32;
    const Bytes packed = Bytes(map).slice(number_at(map, entry + 8), number_at(map, entry + 16));
    const auto content = map_file::unpack(packed, number_at(map, entry + 24));
    REQUIRE(content.has_value());
    return *content;
}

/// The map with the right checksum of its header and section table.
std::string with_checksum(std::string map) {
    write_at(map, 24, 0, 4);
    write_at(map, 24, map_file::checksum_of(Bytes(map).slice(0, 32 + 7 * 32)), 4);
    return map;
}

/// The map with another content of a section under right checksums. The size that its entry claims is `claimed`.
std::string with_section(std::string map, std::size_t section, const std::string& content, std::uint64_t claimed) {
    const std::size_t entry = 32 + section * 32;
    const auto part = map_file::Packer().pack(content);
    REQUIRE(part.has_value());
    write_at(map, entry + 4, map_file::checksum_of(Bytes(*part)), 4);
    write_at(map, entry + 8, map.size(), 8);
    write_at(map, entry + 16, part->size(), 8);
    write_at(map, entry + 24, claimed, 8);
    map += *part;
    write_at(map, 16, map.size(), 8);
    return with_checksum(std::move(map));
}

/// What reading the map says; "read" when it is sound.
std::string told_of(const std::string& map, const std::optional<WantedTasks>& wanted = {}) {
    const auto read = logs::read_map_bytes(Bytes(map), wanted);
    return read.ok() ? "read" : read.error().message;
}

}  // namespace

TEST_CASE("saved map: a file that ends early is an error at every length") {
    const std::string bytes = saved(*task_map_of(training_log()));
    for (std::size_t length = 0; length < bytes.size(); ++length) {
        const auto read = logs::read_map_bytes(Bytes(std::string_view(bytes).substr(0, length)), std::nullopt);
        REQUIRE_FALSE(read.ok());
        CHECK(read.error().code == ErrorCode::task_map_invalid);
    }
}

TEST_CASE("saved map: each changed byte is an error that names place and remedy") {
    const std::string bytes = saved(*task_map_of(training_log()));
    for (std::size_t place = 0; place < bytes.size(); ++place) {
        for (const unsigned change : {0x01U, 0x80U, 0xffU}) {
            std::string changed = bytes;
            changed[place] = static_cast<char>(static_cast<unsigned char>(changed[place]) ^ change);
            const auto read = logs::read_map_bytes(Bytes(changed), std::nullopt);
            REQUIRE_FALSE(read.ok());
            CHECK(read.error().code == ErrorCode::task_map_invalid);
            CHECK(read.error().offset.has_value());
            CHECK(read.error().message.find("opdebug index") != std::string::npos);
        }
    }
}

TEST_CASE("saved map: content that lies under right checksums never leads outside") {
    // Each byte of each unpacked part is changed, then the part is packed and its checksums are made anew.
    const std::string bytes = saved(*task_map_of(training_log()));
    std::size_t accepted = 0;
    std::size_t refused = 0;
    for (std::size_t section = 0; section < 7; ++section) {
        const std::string content = content_of_section(bytes, section);
        for (std::size_t place = 0; place < content.size(); ++place) {
            for (const char value : {'\x00', '\x01', '\x7f', '\xff'}) {
                std::string changed = content;
                changed[place] = value;
                const std::string file = with_section(bytes, section, changed, changed.size());
                WantedTasks wanted = task(7, 57);
                wanted.addresses.push_back(1);
                const auto read =
                    logs::read_map_bytes(Bytes(file), place % 2 == 0 ? std::nullopt : std::optional(wanted));
                ++(read.ok() ? accepted : refused);
                CHECK((read.ok() || read.error().code == ErrorCode::task_map_invalid));
            }
        }
    }
    CHECK(accepted > 0);  // a changed letter of a file name is a file name
    CHECK(refused > 0);
}

TEST_CASE("saved map: shared texts are parts of the file, one behind the other in the order of their processes") {
    const auto parts_of = [](const std::vector<std::uint64_t>& processes, std::uint64_t file_size) {
        std::vector<map_file::SharedTextsPart> written, read;
        std::uint64_t offset = 100;
        for (const std::uint64_t process : processes) {
            written.push_back({{offset, 10 + process, 50, 7}, process});
            offset += 10 + process;
        }
        const std::string section = map_file::shared_texts_section(written);
        if (!map_file::read_shared_texts(Bytes(section), file_size, read)) {
            return std::string("damaged");
        }
        std::string text;
        for (const map_file::SharedTextsPart& part : read) {
            text += fmt::format("{}: {} bytes at {}, ", part.process, part.packed.size, part.packed.offset);
        }
        return text;
    };
    CHECK(parts_of({0, 2, 5}, 137) == "0: 10 bytes at 100, 2: 12 bytes at 110, 5: 15 bytes at 122, ");
    CHECK(parts_of({}, 137).empty());
    CHECK(parts_of({0, 2, 5}, 136) == "damaged");
    CHECK(parts_of({2, 2}, 1000) == "damaged");
    CHECK(parts_of({2, 0}, 1000) == "damaged");
}

TEST_CASE("saved map: shared texts of a process are read where one of its facts is wanted") {
    const auto log_of = [](int pid, int task) {
        return LogText(pid)
            .at(task)
            .thread(pid)
            .launch_2023(5, 1, "kernel_of_both")
            .at(task + 1)
            .launch_2023(5, task, "kernel_of_both")
            .text();
    };
    const std::string bytes = saved(*task_map_of({log_of(5100, 7), log_of(5200, 9)}));
    std::vector<map_file::SharedTextsPart> parts;
    REQUIRE(map_file::read_shared_texts(Bytes(content_of_section(bytes, 6)), bytes.size(), parts));
    REQUIRE(parts.size() == 2);
    CHECK(told_of(bytes) == "read");
    std::string changed = bytes;
    changed[parts[1].packed.offset] = static_cast<char>(changed[parts[1].packed.offset] ^ 1);
    CHECK(told_of(changed, task(5, 7)) == "read");
    CHECK(told_of(changed, task(5, 9)).find("the checksum of the ") != std::string::npos);
    CHECK(told_of(changed).find("the checksum of the ") != std::string::npos);
}

TEST_CASE("saved map: a section said to be outside the file is an error at a place in it") {
    const std::string bytes = saved(*task_map_of(training_log()));
    for (std::size_t section = 0; section < 7; ++section) {
        std::string changed = bytes;
        write_at(changed, 32 + section * 32 + 8, bytes.size() + 1, 8);
        const auto read = logs::read_map_bytes(Bytes(with_checksum(changed)), std::nullopt);
        REQUIRE_FALSE(read.ok());
        CHECK(read.error().message.find("outside the file") != std::string::npos);
        REQUIRE(read.error().offset.has_value());
        CHECK(*read.error().offset <= bytes.size());
    }
}

TEST_CASE("saved map: one of an earlier or a later form is refused with what to do") {
    std::string bytes = saved(*task_map_of(training_log()));
    for (const int form : {2, 4}) {
        bytes[8] = static_cast<char>(form);
        const auto read = logs::read_map_bytes(Bytes(bytes), std::nullopt);
        REQUIRE_FALSE(read.ok());
        CHECK(read.error().message.find("has form " + std::to_string(form)) != std::string::npos);
        CHECK(read.error().message.find("reads form 3") != std::string::npos);
        CHECK(read.error().message.find("opdebug index") != std::string::npos);
    }
}

TEST_CASE("saved map: a damaged one beside logs costs only itself") {
    const TemporaryDirectory directory;
    const std::string log = write_file(directory / "plog-5100_1.log", training_log().text());
    std::string bytes = saved(*task_map_of(training_log()));
    bytes.resize(bytes.size() - 1);
    const std::string map = write_file(directory / "tasks.map", bytes);
    const auto both = read_logs({log, map});
    REQUIRE(both.ok());
    REQUIRE(both->failures.size() == 1);
    CHECK(both->failures[0].file == map);
    CHECK(both->task_map->contents().processes.size() == 1);
    const auto alone = read_logs({map});
    REQUIRE_FALSE(alone.ok());
    CHECK(alone.error().code == ErrorCode::task_map_invalid);
}

TEST_CASE("saved map: more entries than the file has bytes are damage, however small they are packed") {
    std::vector<std::string> files;
    const std::string thousand = logs::map_file::files_section(std::vector<std::string>(1000));
    CHECK(logs::map_file::read_files(Bytes(thousand), 1000, files));
    CHECK_FALSE(logs::map_file::read_files(Bytes(thousand), 999, files));
    std::vector<Process> processes;
    const std::string three = logs::map_file::processes_section(std::vector<Process>(3));
    logs::map_file::MemoryLeft memory(1000);
    CHECK(logs::map_file::read_processes(Bytes(three), 3, 0, memory, processes));
    CHECK_FALSE(logs::map_file::read_processes(Bytes(three), 2, 0, memory, processes));
    logs::map_file::Block block;
    block.facts = 60;
    block.packed.size = 10;
    std::vector<logs::map_file::Block> blocks;
    const std::string two = logs::map_file::blocks_section({block, block});
    CHECK(logs::map_file::read_blocks(Bytes(two), 120, blocks));
    CHECK_FALSE(logs::map_file::read_blocks(Bytes(two), 119, blocks));
}

TEST_CASE("saved map: a file is one process's, and counts for the memory that a map may take") {
    using logs::map_file::processes_section, logs::map_file::read_processes, logs::map_file::MemoryLeft;
    Process first, second;
    first.own_logs = {{0, 1, 2}, {2, 2, 3}};
    second.own_logs = {{1, 1, 2}};
    const auto is_read = [](const std::vector<Process>& written, std::size_t files, MemoryLeft memory) {
        std::vector<Process> processes;
        const std::string section = processes_section(written);
        return read_processes(Bytes(section), 1000, files, memory, processes);
    };
    const MemoryLeft enough(1000);
    CHECK(is_read({first, second}, 3, enough));
    CHECK_FALSE(is_read({first, second}, 2, enough));  // there is no third file
    CHECK_FALSE(is_read({first, first}, 3, enough));
    second.own_logs = {{1, 1, 2}, {1, 1, 2}};
    CHECK_FALSE(is_read({first, second}, 4, enough));
    MemoryLeft little(0);                                    // of 16 MiB
    REQUIRE(little.take((std::uint64_t{16} << 20U) - 511));  // each file counts 256 bytes
    CHECK_FALSE(is_read({first}, 3, little));
    second.own_logs = {{1, 1, 2}};
    CHECK(is_read({second}, 3, little));
}

TEST_CASE("saved map: a section that unpacks to more than the file can hold is refused before it is unpacked") {
    const std::string bytes = saved(*task_map_of(training_log()));
    constexpr std::size_t general = 1;
    const std::string content = content_of_section(bytes, general);
    CHECK(told_of(with_section(bytes, general, content, content.size())) == "read");
    const std::string large = told_of(with_section(bytes, general, content, std::uint64_t{100} << 20U));
    CHECK(large.find("takes more memory than a map of ") != std::string::npos);
    // The same is asked of the size that it claims and of what comes: less than claimed is damage, too.
    const std::string less = told_of(with_section(bytes, general, content, std::uint64_t{10} << 20U));
    CHECK(less.find("cannot be unpacked to 10485760 bytes") != std::string::npos);
}

TEST_CASE("saved map: a list of more kinds and members than can be is refused, not read") {
    const std::string names = map_file::names_section();
    REQUIRE(map_file::read_names(Bytes(names)).has_value());
    const auto with_count = [](std::size_t list, std::size_t count) {
        ByteWriter out;
        for (std::size_t i = 0; i < 6; ++i) {
            out.number(i == list ? count : 0);
            out.bytes(std::string(i == list ? count : 0, '\0'));  // names without letters
        }
        return map_file::read_names(Bytes(out.result())).has_value();
    };
    for (std::size_t list = 0; list < 6; ++list) {
        const std::size_t most = list < 2 ? 256 : 64;
        CAPTURE(list);
        CHECK(with_count(list, most));
        CHECK_FALSE(with_count(list, most + 1));
    }
}

TEST_CASE("saved map: the blocks of an address are there, and each is named once") {
    const auto found = [](const std::vector<std::uint64_t>& steps, std::size_t blocks) -> std::string {
        ByteWriter list, section;
        for (const std::uint64_t step : steps) {
            list.number(step);
        }
        section.number(4096);
        section.text(list.result());
        const auto has_address = map_file::find_addresses(Bytes(section.result()), {4096}, blocks);
        std::string text;
        for (std::size_t block = 0; has_address && block < has_address->size(); ++block) {
            text += (*has_address)[block] ? 'x' : '-';
        }
        return has_address ? text : "damaged";
    };
    CHECK(found({0, 1, 2}, 5) == "xx-x-");
    CHECK(found({4}, 5) == "----x");
    CHECK(found({}, 2) == "--");
    CHECK(found({5}, 5) == "damaged");
    CHECK(found({1, 0}, 5) == "damaged");
    CHECK(found({0, 0}, 5) == "damaged");
    CHECK(found({1, UINT64_MAX}, 5) == "damaged");
    CHECK(found({1, 4}, 5) == "damaged");
    CHECK(found({0}, 0) == "damaged");
}

TEST_CASE("saved map: many facts that share one long text are refused") {
    LogText log;
    for (int task = 1; task <= 60; ++task) {
        log.at(task).save_dump_task("net/" + std::string(700, 'a'), 7, task);
    }
    const std::string small = saved(*task_map_of(log));
    CHECK(told_of(small) == "read");
    // A block whose rows all name a text of 1 MiB.
    logs::StoredFact shared;
    shared.fact.operator_name = std::string(std::size_t{1} << 20U, 'a');
    map_file::BlockWriter writer;
    for (std::uint64_t number = 0; number < 60; ++number) {
        writer.add(number, view_of(shared));
    }
    const auto names = map_file::read_names(Bytes(map_file::names_section()));
    REQUIRE(names.has_value());
    ByteWriter content;
    writer.write_to(content);
    const std::string& block = content.result();
    const auto is_read = [&](std::uint64_t file_size) {
        map_file::MemoryLeft memory(file_size);
        std::vector<map_file::NumberedFact> found;
        const auto all = [](const logs::Fact&) { return true; };
        const bool read = map_file::read_block(
            Bytes(block), {*names, 1, [] { return std::span<const std::string_view>(); }}, 60, all, found, memory);
        CHECK(memory.passed() != read);
        return read;
    };
    CHECK_FALSE(is_read(10'000));  // 16 MiB and 10 MB hold 24 of them
    CHECK(is_read(60'000));
}

TEST_CASE("saved map: no more processes are taken than the limit lets be known") {
    const TemporaryDirectory directory;
    std::string text;
    for (int pid = 1; pid <= 4; ++pid) {
        text += LogText(pid).save_dump_task("net/" + std::to_string(pid), 21, pid).text();
    }
    const std::string map = write_file(directory / "tasks.map", saved(*task_map_of(std::vector<std::string>{text})));
    ReadLogsOptions options;
    options.limits.processes = 3;
    const auto some = read_logs({map}, options);
    REQUIRE(some.ok());
    CHECK(some->task_map->contents().processes.size() == 3);
    REQUIRE(some->diagnostics.size() == 1);
    CHECK(some->diagnostics[0].code == "too_many_processes");
    CHECK(some->diagnostics[0].message.find("the saved task maps tell of more than 3 processes") == 0);
    options.limits.processes = 4;
    const auto all = read_logs({map}, options);
    REQUIRE(all.ok());
    CHECK(all->task_map->contents().processes.size() == 4);
    CHECK(all->diagnostics.empty());
}
