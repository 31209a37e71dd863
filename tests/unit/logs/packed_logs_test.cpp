// Logs in .gz and .zst files: whole, in several pieces, cut off, damaged and hostile ones.
#include <opdebug/logs.hpp>

#include <sys/stat.h>

#include <string>

#include <doctest/doctest.h>

#include "log_builder.hpp"
#include "logs/facts/task_map.hpp"
#include "logs/files/byte_source.hpp"
#include "outcome.hpp"
#include "packed_text.hpp"
#include "temporary_directory.hpp"
#include "text.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

/// Lines that do not repeat, so that packing leaves something to cut.
std::string log_of(int lines) {
    LogText log;
    std::uint32_t number = 17;
    for (int task = 1; task <= lines; ++task) {
        number = number * 1664525U + 1013904223U;
        log.at(task).save_dump_task("net/" + std::to_string(number) + "/conv", 21, task);
    }
    return log.text();
}

ReadLogs read_packed(const std::string& path) {
    const Result<ReadLogs> logs = read_logs({path});
    REQUIRE_MESSAGE(logs.ok(), outcome(logs));
    return *logs;
}

std::size_t facts_in(const ReadLogs& logs) {
    return process_of(*logs.task_map).facts.size();
}

/// What the source gives before its end or its error, in reads of `read_size`; `error` receives the latter.
std::string unpacked(const std::string& path, std::size_t read_size, std::optional<Error>& error) {
    auto source = logs::ByteSource::open(path);
    REQUIRE_MESSAGE(source.ok(), outcome(source));
    std::string text, buffer(read_size, '\0');
    while (true) {
        const Result<std::size_t> got = source->read(buffer.data(), buffer.size());
        if (!got) {
            error = got.error();
            return text;
        }
        if (*got == 0) {
            return text;
        }
        text.append(buffer, 0, *got);
    }
}

struct Compressor {
    const char* name;
    std::string (*pack)(std::string_view);
};
constexpr Compressor packers[] = {{"gzip", gzip_of}, {"zstd", zstd_of}};

}  // namespace

TEST_CASE("packed logs: .gz and .zst in a folder are read, with the lines' own numbers") {
    const TemporaryDirectory folder;
    write_file(folder / "plog-5100_1.log.gz", gzip_of("noise\n" + log_of(3)));
    write_file(folder / "plog-5100_2.log.zst", zstd_of(LogText().at(99).save_dump_task("net/z", 21, 99).text()));
    const ReadLogs logs = read_packed(folder.path().string());
    CHECK(logs.files == 2);
    CHECK(logs.lines == 5);
    CHECK(logs.failures.empty());
    const logs::Process& process = process_of(*logs.task_map);
    REQUIRE(process.facts.size() == 4);
    CHECK(process.facts[0].place.line == 2);
    CHECK(process.facts[3].place.line == 1);
    CHECK(process.facts[3].fact.operator_name == "net/z");
}

TEST_CASE("packed logs: the content tells that a file is packed, not its name") {
    const TemporaryDirectory folder;
    CHECK(facts_in(read_packed(write_file(folder / "gzip.log", gzip_of(log_of(2))))) == 2);
    CHECK(facts_in(read_packed(write_file(folder / "zstd.txt", zstd_of(log_of(2))))) == 2);
    CHECK(facts_in(read_packed(write_file(folder / "plain.log.gz", log_of(2)))) == 2);
}

TEST_CASE("packed logs: several members or frames make one log, also where a line lies across them") {
    const TemporaryDirectory folder;
    const std::string text = log_of(300);
    for (const Compressor& packer : packers) {
        std::string packed;
        for (std::size_t start = 0; start < text.size(); start += 777) {
            packed += packer.pack(text.substr(start, 777));
        }
        packed += packer.pack("");
        std::optional<Error> error;
        CHECK_MESSAGE(unpacked(write_file(folder / "many", packed), 4096, error) == text, packer.name);
        CHECK_MESSAGE(!error, packer.name);
    }
}

TEST_CASE("packed logs: a member may end at any place of the reading buffer") {
    const TemporaryDirectory folder;
    // Data that cannot be compressed: the lengths of the members differ by one, over the borders of a 65536-byte
    // buffer.
    const std::string member = gzip_of("end\n");
    for (std::size_t length = 65536 - 2 * member.size() - 60; length < 65536; ++length) {
        std::string noise(length, '\0');
        std::uint32_t number = 1;
        for (char& byte : noise) {
            number = number * 1664525U + 1013904223U;
            byte = static_cast<char>(number >> 24U);
        }
        std::optional<Error> error;
        const std::string path = write_file(folder / "border", gzip_of(noise) + member);
        REQUIRE_MESSAGE((unpacked(path, 1U << 20U, error) == noise + "end\n"), length);
        REQUIRE_MESSAGE(!error, length);
    }
}

TEST_CASE("packed logs: of a file that is cut off anywhere, the whole lines count and a failure tells the file") {
    const TemporaryDirectory folder;
    const std::string text = log_of(40);
    for (const Compressor& packer : packers) {
        const std::string first = packer.pack(text);
        const std::string packed = first + packer.pack(log_of(80).substr(text.size()));
        for (std::size_t size = 8; size < packed.size(); size += 13) {
            if (size == first.size()) {
                continue;  // whole
            }
            const std::string path = write_file(folder / "cut.log", packed.substr(0, size));
            const Result<ReadLogs> logs = read_logs({path});
            const Error& error = logs ? logs->failures.at(0) : logs.error();
            REQUIRE(error.code == ErrorCode::log_unreadable);
            REQUIRE(error.file == path);
            REQUIRE_MESSAGE(error.message.find("ends too early") != std::string::npos, packer.name << " " << size);
            // Whole lines only, and all of the first member or frame.
            REQUIRE((logs ? facts_in(*logs) : 0) == (logs ? logs->lines : 0));
            REQUIRE((logs ? logs->lines : 0) >= (size > first.size() ? 40U : 0U));
        }
    }
}

TEST_CASE("packed logs: where nothing could be unpacked, no lines are said to be used") {
    const TemporaryDirectory folder;
    for (const Compressor& packer : packers) {
        const std::string packed = packer.pack(log_of(4000));
        const auto message_of_first = [&](std::size_t size) {
            std::optional<Error> error;
            unpacked(write_file(folder / "cut", packed.substr(0, size)), 4096, error);
            return error ? error->message : "";
        };
        CHECK(contains(message_of_first(12), "after 0 decompressed bytes: copy the file again"));
        CHECK(contains(message_of_first(packed.size() - 1), "; the complete lines before are used"));
    }
}

TEST_CASE("packed logs: a gzip file that lacks its second half gives its first half") {
    const TemporaryDirectory folder;
    const std::string packed = gzip_of(log_of(4000));
    for (const std::size_t buffer_size : {16U, 4096U, 1U << 20U}) {
        ReadLogsOptions options;
        options.buffer_size = buffer_size;
        const auto logs = read_logs({write_file(folder / "half.gz", packed.substr(0, packed.size() / 2))}, options);
        REQUIRE(logs.ok());
        CHECK(logs->lines > 1500);
        CHECK(logs->lines < 2500);
        CHECK(logs->failures.size() == 1);
    }
}

TEST_CASE("packed logs: damage is reported, what lies before it counts, whatever the size of a read") {
    const TemporaryDirectory folder;
    const std::string text = log_of(2000);
    for (const Compressor& packer : packers) {
        const std::string first = packer.pack(text);
        std::string second = packer.pack(log_of(500));
        second[second.size() / 2] = static_cast<char>(second[second.size() / 2] ^ 0x55);
        second[second.size() / 2 + 9] = static_cast<char>(second[second.size() / 2 + 9] ^ 0x55);
        const std::string path = write_file(folder / "damaged", first + second);
        std::optional<std::string> reference;
        for (const std::size_t read_size : {100U, 4096U, 1U << 20U}) {
            std::optional<Error> error;
            const std::string got = unpacked(path, read_size, error);
            CHECK_MESSAGE(got.substr(0, text.size()) == text, packer.name);
            CHECK_MESSAGE(got == reference.value_or(got), packer.name);
            reference = got;
            REQUIRE_MESSAGE(error.has_value(), packer.name);
            CHECK(error->code == ErrorCode::log_unreadable);
            CHECK(error->file == path);
        }
    }
}

TEST_CASE("packed logs: bytes after the end that are no further member are reported") {
    const TemporaryDirectory folder;
    for (const Compressor& packer : packers) {
        const ReadLogs logs =
            read_packed(write_file(folder / "tail", packer.pack(log_of(3)) + "no member begins like this"));
        CHECK_MESSAGE(logs.lines == 3, packer.name);
        CHECK_MESSAGE(logs.failures.size() == 1, packer.name);
    }
}

TEST_CASE("packed logs: a line of 300 megabytes in a small file needs no memory and hides no line") {
    const TemporaryDirectory folder;
    std::string member = gzip_of(std::string(30'000'000, 'x'));
    std::string packed = gzip_of(log_of(1));
    for (int count = 0; count < 10; ++count) {
        packed += member;
    }
    packed += gzip_of("\n" + LogText().at(7).save_dump_task("net/last", 21, 7).text());
    CHECK(packed.size() < 400'000);
    const ReadLogs logs = read_packed(write_file(folder / "bomb.gz", packed));
    CHECK(logs.lines == 3);
    CHECK(facts_in(logs) == 2);
    CHECK(logs.failures.empty());
}

TEST_CASE("packed logs: archives and other packings are reported by their content, with what to do") {
    const TemporaryDirectory folder;
    std::string tar(600, 'a');
    tar.replace(257, 5, "ustar");
    for (const std::string& bytes :
         {tar, gzip_of(tar), zstd_of(tar), std::string("PK\x03\x04rest"), std::string("BZh91AY"),
          std::string("\xFD"
                      "7zXZ\0rest",
                      10)}) {
        const auto logs = read_logs({write_file(folder / "named.log", bytes)});
        REQUIRE_FALSE(logs.ok());
        CHECK(logs.error().code == ErrorCode::log_unreadable);
        CHECK(contains(logs.error().message, "unpack it first"));
    }
}

TEST_CASE("packed logs: nothing that is hardly the start of packed data ends the program") {
    const TemporaryDirectory folder;
    for (const Compressor& packer : packers) {
        const std::string packed = packer.pack("x\n");
        for (std::size_t size = 0; size < packed.size(); ++size) {
            for (int value = 0; value < 256; value += 51) {
                std::string bytes = packed;
                bytes[size] = static_cast<char>(value);
                std::optional<Error> error;
                const std::string text = unpacked(write_file(folder / "odd", bytes), 64, error);
                CHECK(text.size() < 200'000);
            }
        }
    }
}

TEST_CASE("packed logs: zeros after gzip data are no damage, other bytes are") {
    const TemporaryDirectory folder;
    const std::string text = log_of(3), packed = gzip_of(text);
    for (const std::size_t zeros : {1U, 511U, 65536U, 200000U}) {
        CAPTURE(zeros);
        std::optional<Error> error;
        CHECK(unpacked(write_file(folder / "filled", packed + std::string(zeros, '\0')), 4096, error) == text);
        CHECK_FALSE(error);
        const std::string more = packed + std::string(zeros, '\0') + packed;
        CHECK(unpacked(write_file(folder / "more", more), 4096, error) == text + text);
        CHECK_FALSE(error);
    }
    std::optional<Error> error;
    CHECK(unpacked(write_file(folder / "other", packed + std::string(9, '\0') + "x"), 4096, error) == text);
    CHECK(error);
}

TEST_CASE("packed logs: a wrong checksum costs no line") {
    const TemporaryDirectory folder;
    for (const int lines : {1, 3, 3000}) {
        CAPTURE(lines);
        const std::string text = log_of(lines);
        std::string packed = gzip_of(text);
        packed[packed.size() - 6] = static_cast<char>(packed[packed.size() - 6] ^ 1);  // CRC-32, then the size
        std::optional<Error> error;
        CHECK(unpacked(write_file(folder / "crc.gz", packed), 4096, error) == text);
        REQUIRE(error);
        CHECK(error->code == ErrorCode::log_unreadable);
        // The same inside a file of two members.
        CHECK(unpacked(write_file(folder / "two.gz", packed + gzip_of("x\n")), 4096, error) == text);
    }
}

TEST_CASE("packed logs: a Zstandard window above 128 MiB is reported with what unpacks it") {
    const TemporaryDirectory folder;
    // RFC 8878, 3.1.1.1: magic, descriptor without content size, window 2^(10+18) bytes; one last raw block of 2 bytes.
    const std::string wide = std::string("\x28\xB5\x2F\xFD\x00\x90\x11\x00\x00x\n", 11);
    const std::string text = log_of(3);
    std::optional<Error> error;
    CHECK(unpacked(write_file(folder / "wide.zst", zstd_of(text) + wide), 4096, error) == text);
    REQUIRE(error);
    CHECK(contains(error->message, "window above 128 MiB"));
    CHECK(contains(error->message, "zstd -d --long=31"));
    CHECK_FALSE(contains(error->message, "copy"));
    std::string sound = wide;
    sound[5] = '\x88';  // 2^27 bytes
    error.reset();
    CHECK(unpacked(write_file(folder / "sound.zst", sound), 4096, error) == "x\n");
    CHECK_FALSE(error);
}
