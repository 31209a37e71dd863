// Lines in blocks of saved maps: forms and differences that fit no line, what is counted for them, and maps of regular
// lines.
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "logs/facts/fact_members.hpp"
#include "logs/map_file/block.hpp"
#include "logs/map_file/map_file.hpp"

using namespace opdebug;
using namespace opdebug::logs;
using namespace opdebug::logs::map_file;

namespace {

using namespace std::string_literals;

StoredFact launch_of(const std::string& kernel) {
    StoredFact stored;
    stored.fact.kind = FactKind::kernel_of_task;
    stored.fact.kernel_name = kernel;
    return stored;
}

/// A block with that fact, again and again, whose line is given as it stands in the block.
std::string block_of(const StoredFact& stored, const LineText& line, std::uint64_t facts = 1) {
    BlockWriter writer;
    FactView view = view_of(stored);
    view.place.text = line;
    for (std::uint64_t number = 0; number < facts; ++number) {
        writer.add(number, view);
    }
    ByteWriter content;
    writer.write_to(content);
    return content.result();
}

struct ReadBlock {
    bool is_sound = false;
    bool passed_memory = false;
    std::vector<NumberedFact> facts;
};

ReadBlock read(const std::string& content, std::uint64_t facts = 1, const Names& names = *read_names(names_section()),
               const std::vector<std::string_view>& shared = {}) {
    MemoryLeft memory(0);
    ReadBlock block;
    const auto all = [](const Fact&) { return true; };
    block.is_sound =
        read_block(Bytes(content), {names, 1, [&] { return std::span(shared); }}, facts, all, block.facts, memory);
    block.passed_memory = memory.passed();
    return block;
}

/// The form "kernel=?, n=1" of launches, whose "?" is the name of the kernel.
LineForm kernel_form() {
    return {"kernel=?, n=1", {{7, 1, Filling::text, static_cast<std::uint8_t>(text_index(&Fact::kernel_name))}}};
}

/// Bytes of a block: no texts but an empty one, these forms, one kind of row without anything, these differences, and
/// one fact whose line is told by `line`.
std::string small_block(const std::string& forms, const std::string& differences, char line = 0) {
    const std::string row_kinds = "\x01"s + std::string(7, '\0');
    const std::string fact = std::string(6, '\0') + line;
    return "\x01\x00"s + forms + row_kinds + static_cast<char>(differences.size()) + differences + fact;
}

std::shared_ptr<const TaskMap> map_of(std::uint64_t facts, const StoredFact& fact) {
    auto contents = std::make_unique<TaskMap::Contents>();
    contents->files.emplace_back("some/plog-1.log");
    Process process;
    process.pid = 1;
    for (std::uint64_t i = 0; i < facts; ++i) {
        process.facts.push_back(fact);
        StoredFact& added = process.facts.back();
        added.fact.stream_id = 1;
        added.fact.task_id = i;
        added.time_us = static_cast<std::int64_t>(i);
        added.place.line = i + 1;
    }
    contents->processes.push_back(std::move(process));
    return std::make_shared<const TaskMap>(std::move(contents));
}

}  // namespace

TEST_CASE("lines of a block: a line is made of its form, what its fact says, and its difference") {
    const LineForm form = kernel_form();
    const ReadBlock block = read(block_of(launch_of("MatMul_1"), {{}, &form, "\x13\x05"s}));  // 19 bytes, then 2
    REQUIRE(block.is_sound);
    CHECK(block.facts[0].stored.place.text == "kernel=MatMul_1, n=2");
}

TEST_CASE("lines of a block: forms are filled in also by what a reader does not know") {
    StoredFact stored = launch_of("MatMul_1");
    stored.fact.operator_name = "node";
    stored.fact.operator_type = "MatMul";
    stored.fact.stream_id = 5;
    stored.fact.task_id = 77;
    Names names = *read_names(names_section());
    for (std::string Fact::*& text : names.texts) {
        text = text == &Fact::operator_name || text == &Fact::kernel_name ? nullptr : text;
    }
    for (std::optional<std::uint64_t> Fact::*& number : names.numbers) {
        number = number == &Fact::task_id ? nullptr : number;
    }
    const LineForm form("?, ? of ?", {{0, 1, Filling::decimal, number_index(&Fact::task_id)},
                                      {3, 1, Filling::text, text_index(&Fact::kernel_name)},
                                      {8, 1, Filling::text, text_index(&Fact::operator_name)}});
    const std::string content = block_of(stored, {{}, &form, {}});
    CHECK(read(content).facts.at(0).stored.place.text == "77, MatMul_1 of node");
    const ReadBlock block = read(content, 1, names);
    REQUIRE(block.is_sound);
    CHECK(block.facts[0].stored.place.text == "77, MatMul_1 of node");
    CHECK(block.facts[0].stored.fact.kernel_name.empty());
    CHECK_FALSE(block.facts[0].stored.fact.task_id.has_value());
    CHECK(block.facts[0].stored.fact.stream_id == std::uint64_t{5});
}

TEST_CASE("lines of a block: texts that the facts of the process share stand beside it") {
    StoredFact stored = launch_of("MatMul_1");
    stored.place.text = "a line";
    FactView view = view_of(stored);
    view.text_numbers[0] = 2;  // the second one
    BlockWriter writer;
    writer.add(0, view);
    ByteWriter content;
    writer.write_to(content);
    CHECK(content.result().find("MatMul_1") == std::string::npos);
    const Names names = *read_names(names_section());
    const ReadBlock block = read(content.result(), 1, names, {"Add", "MatMul_1"});
    REQUIRE(block.is_sound);
    CHECK(block.facts[0].stored.fact.kernel_name == "MatMul_1");
    CHECK(block.facts[0].stored.place.text == "a line");
    CHECK_FALSE(read(content.result(), 1, names, {"Add"}).is_sound);
}

TEST_CASE("lines of a block: a difference that fits no form, and one too many, make it malformed") {
    const LineForm form("n=1", {});
    CHECK(read(block_of(launch_of("Add"), {{}, &form, "\x02\x0f"s})).is_sound);
    CHECK_FALSE(read(block_of(launch_of("Add"), {{}, &form, "\x09\x0f"s})).is_sound);
    CHECK_FALSE(read(block_of(launch_of("Add"), {{}, &form, "\x02"s})).is_sound);
    CHECK(read(small_block("\x00"s, "")).is_sound);
    CHECK_FALSE(read(small_block("\x00"s, "\x00"s)).is_sound);  // of no line
    const std::string one_form = "\x01\x00\x00"s;               // of the empty text, without parts
    CHECK(read(small_block(one_form, "\x00"s, 1)).is_sound);
    CHECK_FALSE(read(small_block(one_form, "", 1)).is_sound);
    CHECK_FALSE(read(small_block(one_form, "\x00"s, 3)).is_sound);  // another form
    CHECK_FALSE(read(small_block("\x00"s, "", 2)).is_sound);        // another text
}

TEST_CASE("lines of a block: a form whose parts are none of its line makes it malformed") {
    const auto of_form = [](const std::string& parts) {
        return read(
                   "\x02\x00\x05"
                   "a=1,b"s +
                   "\x01\x02"s + parts + "\x01"s + std::string(7, '\0') + "\x00"s + std::string(7, '\0'))
            .is_sound;
    };
    CHECK(of_form("\x00"s));
    CHECK(of_form("\x01\x02\x01\x02"s));                    // one byte, two behind the begin: a stream
    CHECK(of_form("\x02\x02\x01\x02\x00\x02\x07"s));        // and what is left: a task, right behind it
    CHECK_FALSE(of_form("\x02\x02\x01\x02\x00\x03\x07"s));  // more than is left
    CHECK_FALSE(of_form("\x01\x06\x00\x02"s));
    CHECK_FALSE(of_form("\x01\x02\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x02"s));
    CHECK_FALSE(of_form("\x01\x02\x01\x05"s));  // a time that has members
    CHECK_FALSE(of_form("\x01\x02\x01\x7f"s));  // no such member
    CHECK_FALSE(of_form("\x01\x02\x01"s));
}

TEST_CASE("lines of a block: a row of another kind than there is makes it malformed") {
    const std::string start = "\x01\x00\x00"s;  // an empty text, no form
    const std::string fact(6, '\0');
    const auto with_kind = [&](const std::string& kind, char of_fact) {
        return read(start + "\x01"s + kind + "\x00"s + of_fact + fact).is_sound;
    };
    CHECK(with_kind(std::string(7, '\0'), 0));
    CHECK_FALSE(with_kind(std::string(7, '\0'), 1));
    for (const std::size_t place :
         {0U, 1U, 2U, 3U, 5U, 6U}) {  // kind, log, format, marks of further lines, texts and flags
        std::string kind(7, '\0');
        kind[place] = place == 2 ? 2 : 0x7f;
        CAPTURE(place);
        CHECK_FALSE(with_kind(kind, 0));
    }
}

TEST_CASE("lines of a block: many that share a long line or a long name are more than a small file may ask for") {
    constexpr std::uint64_t kFacts = 30;
    const std::string line = std::string(std::size_t{1} << 20U, 'x') + " 1";
    const LineForm of_line(line, {});
    const ReadBlock of_lines = read(block_of(launch_of("Add"), {{}, &of_line, {}}, kFacts), kFacts);
    CHECK_FALSE(of_lines.is_sound);
    CHECK(of_lines.passed_memory);
    const StoredFact named = launch_of(std::string(std::size_t{1} << 20U, 'x'));
    const LineForm form = kernel_form();
    const ReadBlock of_names = read(block_of(named, {{}, &form, {}}, kFacts / 2), kFacts / 2);  // and as its name
    CHECK_FALSE(of_names.is_sound);
    CHECK(of_names.passed_memory);
    CHECK(read(block_of(named, {{}, &form, {}}, 6), 6).is_sound);
}

TEST_CASE("lines of a block: a form that names a long text again and again is told before it is filled in") {
    const StoredFact named = launch_of(std::string(std::size_t{1} << 20U, 'x'));
    std::vector<FormPart> parts;
    for (std::uint32_t place = 0; place < 100; ++place) {
        parts.push_back({place, 0, Filling::text, static_cast<std::uint8_t>(text_index(&Fact::kernel_name))});
    }
    const std::string line(100, '-');
    const LineForm form(line, parts);
    const ReadBlock block = read(block_of(named, {{}, &form, {}}));
    CHECK_FALSE(block.is_sound);
    CHECK(block.passed_memory);
}

TEST_CASE("lines of a block: parts of no bytes take time and are counted, too") {
    std::vector<FormPart> parts;
    for (std::uint32_t place = 0; place < 100'000; ++place) {
        parts.push_back({0, 0, Filling::text, static_cast<std::uint8_t>(text_index(&Fact::model_file))});
    }
    const LineForm form("a line", parts);
    const ReadBlock block = read(block_of(launch_of("Add"), {{}, &form, {}}, 10), 10);
    CHECK_FALSE(block.is_sound);
    CHECK(block.passed_memory);
}

TEST_CASE(
    "lines of a block: long lists of texts, forms, parts and kinds of rows are more than a small file may ask for") {
    const auto passes = [](const std::string& start, std::uint64_t count, std::size_t bytes_of_each) {
        ByteWriter block;
        block.bytes(start);
        block.number(count);
        block.bytes(std::string(count * bytes_of_each, '\0'));
        return read(block.result()).passed_memory;
    };
    constexpr std::uint64_t kMany = std::uint64_t{1} << 20U;  // of 16 MiB that are left
    CHECK(passes("", kMany + 1, 1));                          // texts
    CHECK_FALSE(passes("", kMany - 1000, 1));
    CHECK(passes("\x01\x00"s, kMany / 8 + 1, 2));  // forms of an empty text, without parts
    CHECK_FALSE(passes("\x01\x00"s, kMany / 8 - 1000, 2));
    CHECK(passes("\x01\x00\x01\x00"s, kMany / 2, 3));  // parts of one form
    CHECK_FALSE(passes("\x01\x00\x01\x00"s, kMany / 2 - 1000, 3));
    CHECK(passes("\x01\x00\x00"s, kMany / 8 + 1, 7));  // kinds of rows
    CHECK_FALSE(passes("\x01\x00\x00"s, kMany / 8 - 1000, 7));
}

TEST_CASE("saved map: lines that differ in regular numbers alone are packed to almost nothing and read back") {
    StoredFact fact = launch_of("Add");
    for (const std::size_t size :
         {std::size_t{0}, std::size_t{20'000}}) {  // more facts than the packed ones have bytes; more memory
        CAPTURE(size);
        fact.place.text = std::string(size, 'x');
        const std::uint64_t facts = size == 0 ? 8000 : 3000;
        const Result<std::string> saved = save_task_map(*map_of(facts, fact));
        REQUIRE(saved.ok());
        CHECK(saved->size() >= facts);
        CHECK(saved->size() < 100'000);
        const auto all = read_map_bytes(Bytes(*saved), std::nullopt);
        REQUIRE(all.ok());
        CHECK(all->processes[0].facts.size() == facts);
    }
}
