// Facts in packed form: what comes back, and maps that are packed until something is asked.
#include "logs/packing/packed_facts.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <boost/crc.hpp>

#include "fact_log.hpp"
#include "log_builder.hpp"
#include "logs/map_file/checksum.hpp"
#include "logs/processes/packed_map.hpp"

using namespace opdebug;
using namespace opdebug::logs;
using namespace opdebug::test;

namespace {

/// With every other number, text, flag and line, beginning with the first (`odd` 0) or the second.
StoredFact some_fact(std::size_t odd, std::uint64_t value = ~std::uint64_t{0}) {
    StoredFact stored;
    stored.fact.kind = FactKind::model_execute;
    stored.fact.log = LogKind::device_log;
    stored.fact.format_id = "some.format";
    stored.tid = -7;
    stored.time_us = -5'000'000'000;
    stored.place = {3, ~std::uint64_t{0}, std::string("with \0 zero", 11), {}};
    stored.from_saved_map = odd == 1;
    for (std::size_t i = odd; i < kNumbers.size(); i += 2) {
        stored.fact.*kNumbers[i].member = value - i;
    }
    for (std::size_t i = odd; i < kTexts.size(); i += 2) {
        stored.fact.*kTexts[i].member = fmt::format("{} {}", kTexts[i].name, value);
    }
    for (std::size_t i = odd; i < kFlags.size(); i += 2) {
        stored.fact.*kFlags[i].member = true;
    }
    for (std::size_t i = odd; i < kPlaces.size(); i += 2) {
        stored.*kPlaces[i].member = LogPlace{4, 5, std::string(kPlaces[i].name), LogKind::ge_log};
    }
    return stored;
}

void check_line(const LogPlace& line, const LogPlace& expected) {
    CHECK(line.file == expected.file);
    CHECK(line.line == expected.line);
    CHECK(line.text == expected.text);
    CHECK(line.log == expected.log);
}

void check_fact(const StoredFact& stored, const StoredFact& expected) {
    CHECK(stored.fact.kind == expected.fact.kind);
    CHECK(stored.fact.log == expected.fact.log);
    CHECK(stored.fact.format_id == expected.fact.format_id);
    CHECK(stored.tid == expected.tid);
    CHECK(stored.time_us == expected.time_us);
    CHECK(stored.from_saved_map == expected.from_saved_map);
    check_line(stored.place, expected.place);
    for (const NumberMember& number : number_members()) {
        CAPTURE(number.name);
        CHECK(stored.fact.*number.member == expected.fact.*number.member);
    }
    for (const TextMember& text : text_members()) {
        CAPTURE(text.name);
        CHECK(stored.fact.*text.member == expected.fact.*text.member);
    }
    for (const FlagMember& flag : kFlags) {
        CAPTURE(flag.name);
        CHECK(stored.fact.*flag.member == expected.fact.*flag.member);
    }
    for (const PlaceMember& further : kPlaces) {
        CAPTURE(further.name);
        REQUIRE(static_cast<bool>(stored.*further.member) == static_cast<bool>(expected.*further.member));
        if (expected.*further.member) {
            check_line(*(stored.*further.member), *(expected.*further.member));
        }
    }
}

StoredFact at(std::int64_t time_us, std::uint64_t line) {
    StoredFact stored;
    stored.time_us = time_us;
    stored.place.line = line;
    return stored;
}

std::string lines_of(const PackedFacts& facts) {
    std::string lines;
    for (std::size_t place = 0; place < facts.size(); ++place) {
        lines += fmt::format("{} ", facts[place].place.line);
    }
    return lines;
}

}  // namespace

TEST_CASE("packed facts: every member comes back, with numbers of any size") {
    PackedFacts facts;
    const std::vector<std::uint64_t> values{~std::uint64_t{0}, 255, 127 + 16, std::uint64_t{1} << 35U};
    for (const std::uint64_t value : values) {
        facts.add(view_of(some_fact(0, value)));
        facts.add(view_of(some_fact(1, value)));
    }
    facts.add(view_of(StoredFact()));
    REQUIRE(facts.size() == 2 * values.size() + 1);
    for (std::size_t i = 0; i < values.size(); ++i) {
        CAPTURE(values[i]);
        check_fact(stored_fact(facts[2 * i]), some_fact(0, values[i]));
        check_fact(stored_fact(facts[2 * i + 1]), some_fact(1, values[i]));
    }
    check_fact(stored_fact(facts[2 * values.size()]), StoredFact());
}

TEST_CASE("packed facts: what a fact is about") {
    PackedFacts facts;
    facts.add(view_of(some_fact(0, 300)));  // a stream
    facts.add(view_of(some_fact(1, 300)));  // a task
    CHECK(facts.subject(0).kind == FactKind::model_execute);
    CHECK(facts.subject(0).stream_id == std::uint64_t{300});
    CHECK_FALSE(facts.subject(0).task_id.has_value());
    CHECK_FALSE(facts.subject(1).stream_id.has_value());
    CHECK(facts.subject(1).task_id == std::uint64_t{299});
}

TEST_CASE("packed facts: one is replaced by a shorter and by a longer one, and by its like") {
    PackedFacts facts;
    facts.add(view_of(some_fact(0)));
    facts.add(view_of(some_fact(1)));
    facts.replace(0, view_of(StoredFact()));
    check_fact(stored_fact(facts[0]), StoredFact());
    StoredFact longer = some_fact(1);
    longer.place.text = std::string(100'000, 'x');
    facts.replace(0, view_of(longer));
    facts.replace(0, view_of(longer));
    check_fact(stored_fact(facts[0]), longer);
    check_fact(stored_fact(facts[1]), some_fact(1));
}

TEST_CASE("packed facts: lines are kept as differences to the first one of their format and role") {
    PackedFacts facts;
    const std::string words = " of a line that has some more words than these, as lines have";
    for (int i = 0; i < 3; ++i) {
        StoredFact stored;
        stored.fact.format_id = i == 2 ? "other" : "some";
        stored.place.text = fmt::format("launch {}{}", i, words);
        stored.submit = LogPlace{0, 1, fmt::format("submit {}{}", i, words), {}};
        facts.add(view_of(stored));
    }
    const FactView second = facts[1];
    REQUIRE(second.place.text.form != nullptr);
    CHECK(second.place.text.form->line() == "launch 0" + words);
    CHECK(second.place.text.difference == "\x07\x03");  // the number 1
    REQUIRE(second.further[0].text.form != nullptr);
    CHECK(second.further[0].text.form->line() == "submit 0" + words);
    CHECK(second.further[0].text.difference == "\x07\x03");
    REQUIRE(facts[2].place.text.form != nullptr);
    CHECK(facts[2].place.text.form->line() == "launch 2" + words);
    StoredFact replaced = stored_fact(second);
    replaced.place.text = "launch 5" + words;
    facts.replace(1, view_of(replaced));
    CHECK(facts[1].place.text.difference == "\x07\x0b");
    CHECK(stored_fact(facts[1]).place.text == "launch 5" + words);
    CHECK(stored_fact(facts[1]).submit->text == "submit 1" + words);
}

TEST_CASE("packed facts: a line of another function than the first of its format becomes a form, too, up to three") {
    PackedFacts facts;
    const auto line_of = [](int function, int number) {
        return fmt::format("{}: n={}, and some words", std::string(60, static_cast<char>('a' + function)), number);
    };
    for (int number = 0; number < 3; ++number) {
        for (int function = 0; function < 4; ++function) {
            StoredFact stored;
            stored.fact.format_id = "some";
            stored.place.text = line_of(function, number);
            facts.add(view_of(stored));
        }
    }
    std::set<const LineForm*> forms;
    for (std::size_t place = 0; place < facts.size(); ++place) {
        const FactView fact = facts[place];
        forms.insert(fact.place.text.form);
        CHECK(whole_line(fact, fact.place) == line_of(static_cast<int>(place % 4), static_cast<int>(place / 4)));
    }
    CHECK(forms.size() == 4);  // and none
}

TEST_CASE("packed facts: opened and packed anew they have the same forms, whatever lines made them") {
    const unsigned seed = std::random_device()();
    CAPTURE(seed);
    std::mt19937 random(seed);
    for (int round = 0; round < 300; ++round) {
        PackedFacts facts;
        for (int i = 0; i < 12; ++i) {
            StoredFact stored;
            stored.fact.format_id = "some";
            stored.fact.kernel_name = std::string(random() % 3 == 0 ? 500 : 8, static_cast<char>('a' + random() % 3));
            stored.time_us = 1'614'834'367'008'009 + static_cast<std::int64_t>(random() % 3);
            const std::uint64_t number = 100 + random() % 3;
            stored.fact.model_id = number;
            std::string line(random() % 60, static_cast<char>('-' + random() % 3));
            line += random() % 2 == 0 ? " 2021-03-04-05:06:07.008.009 " : "";
            for (std::size_t count = random() % 40; count > 0; --count) {
                line += fmt::format("{} ", random() % 4 == 0 ? number + 1 : number);
            }
            line += random() % 2 == 0 ? stored.fact.kernel_name : "";
            stored.place.text = line;
            facts.add(view_of(stored));
        }
        std::vector<std::size_t> order(facts.size());
        std::iota(order.begin(), order.end(), 0);
        std::shuffle(order.begin(), order.end(), random);
        PackedFacts again = facts.without_facts();
        for (const std::size_t place : order) {
            const StoredFact stored = stored_fact(facts[place]);
            again.add(view_of(stored));
        }
        for (std::size_t place = 0; place < order.size(); ++place) {
            const LineText before = facts[order[place]].place.text;
            const LineText after = again[place].place.text;
            REQUIRE(after.form == before.form);
            REQUIRE(after.difference == before.difference);
            REQUIRE(after.whole == before.whole);
        }
    }
}

TEST_CASE("packed facts: one alone is kept whole, until another one comes") {
    PackedFacts facts;
    StoredFact stored;
    stored.fact.format_id = "some";
    stored.fact.kernel_name = "kernel";
    stored.place.text = "a line with some words that others have as well";
    facts.add(view_of(stored));
    CHECK(facts[0].place.text.whole == stored.place.text);
    CHECK(facts.shared_texts() == nullptr);
    facts.add(view_of(stored));
    CHECK(facts[0].place.text.form != nullptr);
    CHECK(facts[0].text_numbers[0] != 0);
    check_fact(stored_fact(facts[0]), stored);
    check_fact(stored_fact(facts[1]), stored);
    PackedFacts whole = PackedFacts::of_whole_texts();
    whole.add(view_of(stored));
    whole.add(view_of(stored));
    CHECK(whole[1].place.text.whole == stored.place.text);
    CHECK(whole[1].text_numbers[0] == 0);
}

TEST_CASE("packed facts: texts that others have are kept once, as long as there are not too many") {
    PackedFacts facts;
    for (int i = 0; i < 5000; ++i) {
        StoredFact stored;
        stored.fact.format_id = "some";
        stored.fact.kernel_name = fmt::format("kernel {}", i % 4500);
        facts.add(view_of(stored));
    }
    REQUIRE(facts.shared_texts() != nullptr);
    CHECK(facts.shared_texts()->texts().size() == 4096);
    CHECK(facts[0].texts[0].data() == facts[4500].texts[0].data());
    CHECK(facts[4499].text_numbers[0] == 0);
    for (std::size_t i = 0; i < facts.size(); ++i) {
        REQUIRE(stored_fact(facts[i]).fact.kernel_name == fmt::format("kernel {}", i % 4500));
        REQUIRE(facts[i].format_id == "some");
    }
    const PackedFacts empty = facts.without_facts();
    CHECK(empty.size() == 0);
    REQUIRE(empty.shared_texts() != nullptr);
    CHECK(empty.shared_texts()->texts().size() == 4096);
}

TEST_CASE("packed facts: sorted by time, then by line, then as they were added; some are left out") {
    PackedFacts facts;
    PackedFacts further;
    facts.add(view_of(at(20, 4)));
    facts.add(view_of(at(10, 3)));
    further.add(view_of(at(10, 2)));
    further.add(view_of(at(5, 9)));
    facts.append(further);
    facts.add(view_of(at(-1, 8)));
    facts.sort_by_time();
    CHECK(lines_of(facts) == "8 9 2 3 4 ");
    facts.leave_out({false, true, false, true, false});
    CHECK(lines_of(facts) == "8 2 4 ");
}

TEST_CASE("packed facts: whether one names a node that is called by numbers") {
    PackedFacts facts;
    StoredFact stored;
    stored.fact.kind = FactKind::operator_of_task;
    for (const char* const name : {"11_GatherV2", "GatherV2"}) {
        stored.fact.operator_name = name;
        facts.add(view_of(stored));
    }
    CHECK(facts.subject(0).names_numbered_node);
    CHECK_FALSE(facts.subject(1).names_numbered_node);
    stored.fact.operator_name = "11_GatherV2";
    facts.replace(1, view_of(stored));
    CHECK(facts.subject(1).names_numbered_node);
}

TEST_CASE("packed facts: those of many streams come back in the order in which they were added") {
    PackedFacts facts;
    constexpr std::uint64_t kFacts = 3000;  // each stream's take more than a piece of memory
    const auto stream_of = [](std::uint64_t i) { return i * 7 % 11; };
    for (std::uint64_t i = 0; i < kFacts; ++i) {
        StoredFact stored;
        stored.fact.stream_id = stream_of(i);
        stored.fact.task_id = i;
        stored.place.text = fmt::format("{:>{}}", i, i % 1000);
        facts.add(view_of(stored));
    }
    for (std::uint64_t i = 0; i < kFacts; ++i) {
        const FactView fact = facts[i];
        REQUIRE(fact.stream_id() == stream_of(i));
        REQUIRE(fact.task_id() == i);
        REQUIRE(whole_line(fact, fact.place) == fmt::format("{:>{}}", i, i % 1000));
    }
}

TEST_CASE("packed facts: sorted by time where some are a few places, many places, or all out of place") {
    constexpr std::int64_t kFacts = 2000;
    for (const std::int64_t distance : {3, 1500, 2000}) {
        CAPTURE(distance);
        PackedFacts facts;
        std::vector<std::int64_t> times;
        for (std::int64_t i = 0; i < kFacts; ++i) {
            times.push_back(i % 4 == 0 ? i - distance : (distance == kFacts ? -i : i) / 2);
            facts.add(view_of(at(times.back(), static_cast<std::uint64_t>(i))));
        }
        std::sort(times.begin(), times.end());
        facts.sort_by_time();
        for (std::size_t place = 0; place < times.size(); ++place) {
            REQUIRE(facts.time_us(place) == times[place]);
            REQUIRE((place == 0 || times[place - 1] < times[place] ||
                     facts[place - 1].place.line < facts[place].place.line));
        }
    }
}

TEST_CASE("packed map: the same size and the same bytes before and after it is opened") {
    const auto map = task_map_of({LogText().at(0).set_up_stream(5).at(1).launch(5, 0, "Add").sent(5, 7).text(),
                                  LogText(5101).at(5).launch_2023(6, 8, "Mul").text()});
    const TaskMapSize size = size_of(*map);
    const Result<std::string> packed = save_task_map(*map);
    REQUIRE(packed.ok());
    CHECK(map->contents().processes.size() == 2);  // opens it
    const Result<std::string> opened = save_task_map(*map);
    REQUIRE(opened.ok());
    CHECK(*packed == *opened);
    CHECK(size.tasks == 2);
    CHECK(size_of(*map).tasks == 2);
    CHECK(size.processes == 2);
    CHECK(size_of(*map).processes == 2);
}

TEST_CASE("packed map: the same bytes also where launches come out of order, and of two folders that are one process") {
    // Lines are their file and number: long enough for differences.
    const std::string folder = "a_job_with_a_long_name/of_a_host_with_a_long_name/";
    FactLog of_host(folder + "run/plog-1.log", 7);
    FactLog of_other_folder(folder + "old/plog-1.log", 7);
    for (int task = 0; task < 200; ++task) {  // launches of three threads wait for their submit lines
        of_host.at(task).thread(task % 3).state(launch(5, 0, "Add_" + std::to_string(task)));
        if (task % 3 == 2) {
            for (int late = 0; late < 3; ++late) {  // the last one is kept first
                of_host.at(task).thread((task - late) % 3).state(submit(5, 400 - task + late));
            }
        }
        of_other_folder.at(500 - task).state(binding(FactKind::model_bind, task, 5));
    }
    const auto map = task_map_of({of_other_folder, of_host});
    const Result<std::string> packed = save_task_map(*map);
    REQUIRE(packed.ok());
    REQUIRE(map->contents().processes.size() == 1);  // opens it
    CHECK(map->contents().processes[0].facts.size() > 300);
    const Result<std::string> opened = save_task_map(*map);
    REQUIRE(opened.ok());
    CHECK(*packed == *opened);
}

TEST_CASE("packed map: a device that is inferred is in the saved map as well") {
    const auto map = task_map_of({LogText()
                                      .at(0)
                                      .thread(1)
                                      .set_up_stream(5, 0)
                                      .thread(2)
                                      .set_up_stream(5, 1)
                                      .at(1)
                                      .thread(2)
                                      .launch_2023(5, 7, "Add")
                                      .thread(1)
                                      .launch_2023(5, 7, "Mul")
                                      .text()});
    const Result<std::string> packed = save_task_map(*map);
    const Process& process = process_of(*map);
    std::string devices;
    for (const StoredFact& stored : process.facts) {
        devices += stored.fact.kernel_name.empty()
                       ? ""
                       : fmt::format("{} on {} ", stored.fact.kernel_name, stored.fact.device_id.value_or(99));
    }
    CHECK(devices == "Add on 1 Mul on 0 ");
    CHECK(process.shared_streams.at(5).size() == 2);
    CHECK(packed.ok());
    CHECK(save_task_map(*map).ok());
    CHECK(*packed == *save_task_map(*map));
}

TEST_CASE("packed map: a new run counts also where the line that tells of it names a task") {
    const auto opened_on = [](std::uint64_t device) {
        Fact opened = fact(FactKind::stream_open, 5);
        opened.device_id = device;
        return opened;
    };
    Fact launch = fact(FactKind::kernel_of_task, 5, 7);
    launch.kernel_name = "Add";
    FactLog log;
    log.at(0).thread(1).state(opened_on(0)).at(10).thread(3).state(launch);
    log.at(20).state(fact(FactKind::run_begin, 9, 1)).at(30).thread(2).state(opened_on(1));
    const auto map = task_map_of({log});
    const StoredFacts& facts = process_of(*map).facts;
    REQUIRE(facts.size() == 6);  // with the devices of the process
    CHECK(facts[2].fact.kernel_name == "Add");
    // What the new run sets up says nothing of the one before, whose stream may have been open on device 1 as well.
    CHECK_FALSE(facts[2].fact.device_id.has_value());
}

TEST_CASE("saved map: checksums are those of CRC-32") {
    CHECK(map_file::checksum_of(Bytes(std::string_view("123456789"))) == 0xCBF43926);
    std::string text;
    for (int size = 0; size < 100; ++size, text += static_cast<char>(size * 37)) {
        CAPTURE(size);
        boost::crc_32_type crc;
        crc.process_bytes(text.data(), text.size());
        CHECK(map_file::checksum_of(Bytes(text)) == crc.checksum());
    }
}
