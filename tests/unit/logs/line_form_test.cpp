// Lines as forms: which parts a fact tells, what fills them in, and lines as what they have of a form.
#include "logs/packing/line_form.hpp"

#include <array>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "logs/facts/fact_members.hpp"
#include "logs/packing/fact_view.hpp"
#include "logs/packing/line_forms.hpp"
#include "logs/packing/line_text.hpp"

using namespace opdebug::logs;

namespace {

constexpr std::int64_t kMarch2021 = 1'614'834'367'008'009;  // 2021-03-04-05:06:07.008.009
constexpr std::string_view kPrefix = "[INFO] RUNTIME(5100,train):2021-03-04-05:06:07.008.009 [context.cc:12] ";

StoredFact launch(std::uint64_t stream_id, std::uint64_t task_id, const std::string& kernel) {
    StoredFact stored;
    stored.fact.stream_id = stream_id;
    stored.fact.task_id = task_id;
    stored.fact.kernel_name = kernel;
    stored.tid = 5101;
    stored.time_us = kMarch2021;
    return stored;
}

/// What fills in each part.
std::string parts_of(std::string_view line, const StoredFact& stored) {
    constexpr std::array<std::string_view, kFillings> kNames{"time", "thread", "decimal", "hexadecimal", "text"};
    const FactView view = view_of(stored);
    const LineForm form = LineForm::of_line(line, view.known());
    std::string parts;
    for (const FormPart& part : form.parts()) {
        const bool is_number = part.filling == Filling::decimal || part.filling == Filling::hexadecimal;
        parts +=
            fmt::format("{}={}", kNames[static_cast<std::size_t>(part.filling)], line.substr(part.begin, part.size));
        parts += is_number                       ? fmt::format("({}) ", kNumbers[part.member].name)
                 : part.filling == Filling::text ? fmt::format("({}) ", kTexts[part.member].name)
                                                 : " ";
    }
    return parts;
}

std::string filled_in(const LineForm& form, const StoredFact& stored) {
    const FactView view = view_of(stored);
    WrittenTimes times;
    return whole_line({{}, &form, {}}, view.known(), times).value_or("nothing");
}

}  // namespace

TEST_CASE("line form: what the fact tells as well") {
    StoredFact stored = launch(9, 328, "te_MatMul_1");
    stored.fact.device_id = 6;
    stored.fact.address1 = 0x12c0c000014a;
    const std::string line = std::string(kPrefix) +
                             "5101 LaunchKernel: device_id=6, stream_id=9, taskId: 328, kernel_name=te_MatMul_1, "
                             "addr1=0x12c0c000014a, flag=0";
    CHECK(parts_of(line, stored) ==
          "time=2021-03-04-05:06:07.008.009 thread=5101 decimal=6(device_id) decimal=9(stream_id) "
          "decimal=328(task_id) text=te_MatMul_1(kernel_name) hexadecimal=12c0c000014a(address1) ");
    CHECK(filled_in(LineForm::of_line(line, view_of(stored).known()), stored) == line);
}

TEST_CASE("line form: a small number is the fact's only where the line calls it so") {
    CHECK(parts_of("head=9, task_id=9, 9", launch(9, 9, "")) == "decimal=9(task_id) ");
    CHECK(parts_of("head=328, n=328", launch(9, 328, "")) == "decimal=328(task_id) decimal=328(task_id) ");
    CHECK(parts_of("sq_id=12, n=12", launch(12, 1, "")) == "decimal=12(stream_id) ");
    CHECK(parts_of("stream id [12] x12 12x", launch(12, 1, "")) == "decimal=12(stream_id) ");
    CHECK(parts_of("otask_id=1, task_id=01", launch(9, 1, "")).empty());
}

TEST_CASE("line form: a time that is not the fact's is a part only where it is a small one of the line") {
    StoredFact earlier = launch(9, 1, "");
    earlier.time_us -= 7;
    CHECK(parts_of("2021-03-04-05:06:07.008.009 of it", earlier).empty());
    CHECK(parts_of("2021-03-04-05:06:07.008.009 of it", launch(9, 1, "")) == "time=2021-03-04-05:06:07.008.009 ");
    CHECK(parts_of("2021-03-04-05:06:07.008.009 of it" + std::string(100, '.'), earlier) ==
          "time=2021-03-04-05:06:07.008.009 ");
}

TEST_CASE("line form: a number before the time is no thread, for the process may be called by it") {
    CHECK(parts_of("RUNTIME(5101,x):2021-03-04-05:06:07.008.009 5101 x", launch(9, 1, "")) ==
          "time=2021-03-04-05:06:07.008.009 thread=5101 ");
}

TEST_CASE("line form: the longer name is found first, and each that is there") {
    StoredFact stored = launch(1, 2, "MatMul_17");
    stored.fact.operator_type = "MatMul";
    CHECK(parts_of("op MatMul of MatMul_17, stub MatMul_17", stored) ==
          "text=MatMul(operator_type) text=MatMul_17(kernel_name) text=MatMul_17(kernel_name) ");
    CHECK(parts_of("op Add of Add", launch(1, 2, "Add")).empty());  // to name it takes no less
}

TEST_CASE("line form: another fact fills it in; where it says nothing the part is left") {
    const StoredFact first = launch(9, 328, "MatMul_1");
    const std::string line = std::string(kPrefix) + "5101 stream_id=9, task_id=328, kernel_name=MatMul_1, n=0";
    const LineForm form = LineForm::of_line(line, view_of(first).known());
    StoredFact other = launch(1000, 7, "Add");
    other.tid = 7;
    other.time_us = kMarch2021 + 991'991;
    CHECK(filled_in(form, other) ==
          "[INFO] RUNTIME(5100,train):2021-03-04-05:06:08.000.000 [context.cc:12] 7 stream_id=1000, task_id=7, "
          "kernel_name=Add, n=0");
    StoredFact nothing;
    nothing.tid = -1;
    nothing.time_us = -1;
    CHECK(filled_in(form, nothing) ==
          "[INFO] RUNTIME(5100,train):2021-03-04-05:06:07.008.009 [context.cc:12] -1 stream_id=9, task_id=328, "
          "kernel_name=MatMul_1, n=0");
}

TEST_CASE("line form: every number and text comes where the form says, and no more bytes than it said") {
    std::string line = "time thread ";
    std::vector<FormPart> parts{{0, 4, Filling::time, 0}, {5, 6, Filling::thread, 0}};
    const auto add = [&](Filling filling, std::size_t member) {
        parts.push_back({static_cast<std::uint32_t>(line.size()), 1, filling, static_cast<std::uint8_t>(member)});
        line += "?,";
    };
    StoredFact stored;
    stored.tid = INT64_MIN;
    stored.time_us = kMarch2021;
    std::string expected = "2021-03-04-05:06:07.008.009 -9223372036854775808 ";
    for (std::size_t member = 0; member < kNumbers.size(); ++member) {
        if (member % 3 != 0) {
            const std::uint64_t number = UINT64_MAX - member;
            stored.fact.*kNumbers[member].member = number;
            expected += fmt::format("{},{:x},", number, number);
        } else {
            expected += "?,?,";
        }
        add(Filling::decimal, member);
        add(Filling::hexadecimal, member);
    }
    for (std::size_t member = 0; member < kTexts.size(); ++member) {
        stored.fact.*kTexts[member].member = member % 2 == 0 ? std::string(100 * member, 'x') : "";
        expected += member % 2 == 0 && member > 0 ? std::string(100 * member, 'x') + "," : "?,";
        add(Filling::text, member);
    }
    const LineForm form(line, parts);
    CHECK(filled_in(form, stored) == expected);
    CHECK(form.most_bytes(view_of(stored).known()) >= expected.size());
}

TEST_CASE("line text: every line comes back from the form of every other one, whatever its fact says") {
    const unsigned seed = std::random_device()();
    CAPTURE(seed);
    std::mt19937 random(seed);
    std::vector<StoredFact> facts;
    for (int i = 0; i < 60; ++i) {
        StoredFact stored = launch(random() % 20, random() % 400, fmt::format("te_Mul_{}", random() % 5));
        stored.tid = 5100 + static_cast<std::int64_t>(random() % 3);
        stored.time_us += static_cast<std::int64_t>(random() % 3'000'000);
        std::string& line = stored.place.text;
        line = random() % 4 == 0 ? "" : std::string(kPrefix);
        line += fmt::format("{} stream_id={}, task_id={}, n={}", stored.tid, *stored.fact.stream_id,
                            *stored.fact.task_id + (random() % 3 == 0 ? 1 : 0), random() % 1000);
        line += random() % 2 == 0 ? ", kernel_name=" + stored.fact.kernel_name : "";
        facts.push_back(stored);
    }
    std::array<char, 4096> room{};
    WrittenTimes times;
    FillingMemory memory;
    for (const StoredFact& first : facts) {
        const LineForm form = LineForm::of_line(first.place.text, view_of(first).known());
        for (const StoredFact& stored : facts) {
            const FactView view = view_of(stored);
            const auto difference = write_line(form, view.known(), memory, stored.place.text, room);
            REQUIRE(difference.has_value());
            const LineText line{{}, &form, *difference};
            REQUIRE(whole_line(line, view.known(), times) == stored.place.text);
            REQUIRE(most_bytes(line, view.known()) >= stored.place.text.size());
        }
    }
}

TEST_CASE("line forms: some of each kind, of as many kinds as are looked through, as long as a copy") {
    LineForms forms;
    const KnownValues nothing;
    LineForms::OfKind* const of_kind = forms.of_kind({1, 0});
    REQUIRE(of_kind != nullptr);
    CHECK(of_kind->numbers().empty());
    const LineForm& first = forms.form(forms.add(*of_kind, "a=1", nothing));
    forms.add(*of_kind, "b=1", nothing);
    CHECK(forms.has_room(*of_kind));
    forms.add(*of_kind, "c=1", nothing);
    CHECK_FALSE(forms.has_room(*of_kind));
    REQUIRE(of_kind->numbers().size() == 3);
    CHECK(forms.form(of_kind->numbers()[0]).line() == "a=1");
    CHECK(forms.form(of_kind->numbers()[1]).line() == "b=1");
    CHECK(forms.form(of_kind->numbers()[2]).line() == "c=1");
    for (std::uint32_t format = 2; format < 65; ++format) {
        CHECK(forms.of_kind({format, 0}) != nullptr);
    }
    CHECK(forms.of_kind({1, 1}) == nullptr);
    REQUIRE(forms.of_kind({1, 0}) != nullptr);
    CHECK(forms.of_kind({1, 0})->numbers().size() == 3);
    const LineForms copy = forms;
    forms = {};
    CHECK(first.line() == "a=1");
}
