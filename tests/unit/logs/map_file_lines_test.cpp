// Lines in blocks of saved maps: differences that fit no line, what is counted for them, and maps of regular lines.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

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

ReadBlock read(const std::string& content, std::uint64_t facts = 1, const Names& names = *read_names(names_section())) {
    MemoryLeft memory(0);
    ReadBlock block;
    const auto all = [](const Fact&) { return true; };
    block.is_sound = read_block(Bytes(content), names, facts, 1, all, block.facts, memory);
    block.passed_memory = memory.passed();
    return block;
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

TEST_CASE("lines of a block: a line is made of its base, its difference and the names of its fact") {
    const ReadBlock block = read(block_of(launch_of("MatMul_1"), {"kernel=Add_1, n=1",
                                                                  "\x07\x01\x04\x02"
                                                                  "2"s}));
    REQUIRE(block.is_sound);
    CHECK(block.facts[0].stored.place.text == "kernel=MatMul_1, n=2");
}

TEST_CASE("lines of a block: names count also where a reader does not know whose they are") {
    StoredFact stored = launch_of("MatMul_1");
    stored.fact.operator_name = "node";
    stored.fact.operator_type = "MatMul";
    Names names = *read_names(names_section());
    for (std::string Fact::*& text : names.texts) {
        text = text == &Fact::operator_name || text == &Fact::kernel_name ? nullptr : text;
    }
    const std::string content =
        block_of(stored, {"kernel=Add_1 of x", "\x07\x05\x04\x01"s});  // the third and the first
    CHECK(read(content).facts.at(0).stored.place.text == "kernel=MatMul_1 of node");
    const ReadBlock block = read(content, 1, names);
    REQUIRE(block.is_sound);
    CHECK(block.facts[0].stored.place.text == "kernel=MatMul_1 of node");
    CHECK(block.facts[0].stored.fact.kernel_name.empty());
}

TEST_CASE("lines of a block: a difference that fits no base, and one too many, make it malformed") {
    CHECK(read(block_of(launch_of("Add"), {"n=1",
                                           "\x02\x02"
                                           "7"s}))
              .is_sound);
    CHECK_FALSE(read(block_of(launch_of("Add"), {"n=1",
                                                 "\x09\x02"
                                                 "7"s}))
                    .is_sound);
    CHECK_FALSE(read(block_of(launch_of("Add"), {"n=1", "\x02"s})).is_sound);
    // No texts but an empty one; one difference, or two, of length 0; a fact without anything.
    const std::string fact(13, '\0');
    CHECK(read("\x01\x00"s + "\x01\x00"s + fact).is_sound);
    CHECK_FALSE(read("\x01\x00"s + "\x02\x00\x00"s + fact).is_sound);
    CHECK_FALSE(read("\x01\x00"s + "\x00"s + fact).is_sound);
}

TEST_CASE("lines of a block: many that share a long base or a long name are more than a small file may ask for") {
    constexpr std::uint64_t kFacts = 30;
    const std::string megabyte(std::size_t{1} << 20U, 'x');
    const ReadBlock of_base = read(block_of(launch_of("Add"),
                                            {megabyte + " 1",
                                             "\x00\x02"
                                             "a"s},
                                            kFacts),
                                   kFacts);
    CHECK_FALSE(of_base.is_sound);
    CHECK(of_base.passed_memory);
    const StoredFact named = launch_of(megabyte);
    const ReadBlock of_names = read(block_of(named, {"a", "\x00\x01"s}, kFacts / 2), kFacts / 2);  // and as its name
    CHECK_FALSE(of_names.is_sound);
    CHECK(of_names.passed_memory);
    CHECK(read(block_of(named, {"a", "\x00\x01"s}, 6), 6).is_sound);
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
