// Saved task maps that are damaged: each damage is told, and none leads outside the file or to more memory than it has
// bytes.
#include <doctest/doctest.h>

#include "logs/map_file.hpp"
#include "logs/map_file_bytes.hpp"
#include "logs/map_file_tables.hpp"
#include "saved_map.hpp"
#include "temporary_directory.hpp"

using namespace opdebug;
using namespace opdebug::test;
using opdebug::logs::Process;

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
    namespace map_file = logs::map_file;
    const auto number_at = [](const std::string& text, std::size_t offset) {
        return map_file::ByteReader(Bytes(std::string_view(text)).slice(offset, 8)).little_endian(8);
    };
    const auto write_at = [](std::string& text, std::size_t offset, std::uint64_t value, int width) {
        map_file::ByteWriter out;
        out.little_endian(value, width);
        text.replace(offset, out.size(), out.result());
    };
    std::size_t accepted = 0;
    std::size_t refused = 0;
    for (std::size_t section = 0; section < 6; ++section) {
        const std::size_t entry = 32 + section * 32;
        const Bytes packed = Bytes(bytes).slice(number_at(bytes, entry + 8), number_at(bytes, entry + 16));
        const auto content = map_file::unpack(packed, number_at(bytes, entry + 24));
        REQUIRE(content.has_value());
        for (std::size_t place = 0; place < content->size(); ++place) {
            for (const char value : {'\x00', '\x01', '\x7f', '\xff'}) {
                std::string changed = *content;
                changed[place] = value;
                const auto part = map_file::pack(changed);
                REQUIRE(part.has_value());
                std::string file = bytes;
                write_at(file, entry + 4, map_file::checksum_of(Bytes(*part)), 4);
                write_at(file, entry + 8, file.size(), 8);
                write_at(file, entry + 16, part->size(), 8);
                file += *part;
                write_at(file, 16, file.size(), 8);
                write_at(file, 24, 0, 4);
                write_at(file, 24, map_file::checksum_of(Bytes(file).slice(0, 32 + 6 * 32)), 4);
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

TEST_CASE("saved map: one of a later form is refused with what to do") {
    std::string bytes = saved(*task_map_of(training_log()));
    bytes[8] = 2;
    const auto read = logs::read_map_bytes(Bytes(bytes), std::nullopt);
    REQUIRE_FALSE(read.ok());
    CHECK(read.error().message.find("form 2") != std::string::npos);
    CHECK(read.error().message.find("reads form 1") != std::string::npos);
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
    CHECK(logs::map_file::read_processes(Bytes(three), 3, processes));
    CHECK_FALSE(logs::map_file::read_processes(Bytes(three), 2, processes));
    logs::map_file::Block block;
    block.facts = 60;
    block.packed.size = 10;
    std::vector<logs::map_file::Block> blocks;
    const std::string two = logs::map_file::blocks_section({block, block});
    CHECK(logs::map_file::read_blocks(Bytes(two), 120, blocks));
    CHECK_FALSE(logs::map_file::read_blocks(Bytes(two), 119, blocks));
}
