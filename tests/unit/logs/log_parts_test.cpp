// A file cut into parts of whole lines.
#include "logs/files/log_parts.hpp"

#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "outcome.hpp"
#include "temporary_directory.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

const std::size_t longest_line = Limits().line_bytes;

/// The parts of a file that holds this text.
std::vector<std::string> parts_of(std::string_view text, std::size_t read_size) {
    const TemporaryDirectory folder;
    auto source = logs::ByteSource::open(write_file(folder / "log", text));
    REQUIRE_MESSAGE(source.ok(), outcome(source));
    logs::LogParts parts(std::move(*source), read_size);
    std::vector<std::string> texts;
    while (true) {
        logs::LogRead read = parts.read();
        REQUIRE_FALSE(read.failure);
        if (!read.lines.empty()) {
            texts.push_back(std::move(read.lines));
        }
        if (read.bytes == 0) {
            return texts;
        }
    }
}

std::string joined(const std::vector<std::string>& parts) {
    std::string text;
    for (const std::string& part : parts) {
        text += part;
    }
    return text;
}

}  // namespace

TEST_CASE("log parts: an empty file has none") {
    CHECK(parts_of("", 16).empty());
}

TEST_CASE("log parts: each ends with a line, whatever the size of a read") {
    const std::string text = "one\n\nthree\r\nfour is longer than the others\nfive";
    for (const std::size_t read_size : {1U, 2U, 3U, 4U, 5U, 16U, 47U, 48U, 1000U}) {
        const std::vector<std::string> parts = parts_of(text, read_size);
        CHECK_MESSAGE(joined(parts) == text, read_size);
        for (std::size_t index = 0; index + 1 < parts.size(); ++index) {
            CHECK_MESSAGE(parts[index].back() == '\n', read_size);
        }
    }
    CHECK(parts_of("a\nb\n", 1) == std::vector<std::string>{"a\n", "b\n"});
    CHECK(parts_of("a\nb\n", 3) == std::vector<std::string>{"a\n", "b\n"});
    CHECK(parts_of("a\nb\n", 4) == std::vector<std::string>{"a\nb\n"});
}

TEST_CASE("log parts: of a line beyond the limit the start is kept, and the lines around it stay whole") {
    for (const std::size_t read_size : {std::size_t{100}, std::size_t{4096}, longest_line}) {
        for (const std::size_t length :
             {longest_line - 1, longest_line, longest_line + 1, 3 * longest_line, 40 * longest_line}) {
            const std::string text = joined(parts_of("one\n" + std::string(length, 'x') + "\nthree\n", read_size));
            REQUIRE(text.substr(0, 5) == "one\nx");
            REQUIRE(text.substr(text.size() - 8) == "x\nthree\n");
            const std::size_t kept = text.size() - std::string("one\n\nthree\n").size();
            CHECK(kept >= std::min(length, longest_line));
            CHECK(kept <= std::min(length, longest_line + read_size));
        }
    }
}

TEST_CASE("log parts: what stands behind a hole of a line is there, however long the hole is") {
    const auto without_hole = [](const std::string& text) {
        const std::size_t hole = text.find(std::string(2, '\0'));
        REQUIRE(hole != std::string::npos);
        return text.substr(0, hole) + "|" + text.substr(text.find_first_not_of('\0', hole));
    };
    for (const std::size_t read_size : {std::size_t{100}, std::size_t{4096}, longest_line}) {
        for (const std::size_t length : {std::size_t{2}, longest_line, 3 * longest_line, 40 * longest_line}) {
            const std::string hole(length, '\0');
            const std::vector<std::string> parts = parts_of("one\ntwo" + hole + "three\nfour\n", read_size);
            CHECK(without_hole(joined(parts)) == "one\ntwo|three\nfour\n");
            for (const std::string& part : parts) {
                CHECK(part.size() <= longest_line + 2 * read_size);
            }
            CHECK(without_hole(joined(parts_of(hole + "one\ntwo\n", read_size))) == "|one\ntwo\n");
        }
    }
}

TEST_CASE("log parts: a line without end takes no more memory than the limit") {
    const std::vector<std::string> parts = parts_of(std::string(100 * longest_line, 'x'), 4096);
    REQUIRE(parts.size() == 1);
    CHECK(parts[0].size() <= longest_line + 4096);
}
