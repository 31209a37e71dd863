// The built-in meanings of status words. Expected values are computed by hand from the tables of the documents.
#include <opdebug/dump.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "text.hpp"

using namespace opdebug;

namespace {

using Strings = std::vector<std::string>;
using Words = std::vector<std::uint64_t>;
using opdebug::test::contains;

StatusExplanation explain_ai_core(Unit unit, const Words& words) {
    const auto explanation = decode_status(unit, words);
    REQUIRE(explanation.ok());
    return *explanation;
}

Strings cause_ids(const StatusExplanation& explanation) {
    Strings list;
    for (const Cause& cause : explanation.causes) {
        list.push_back(cause.definition->id);
    }
    return list;
}

std::uint64_t named_bits(const StatusExplanation& explanation) {
    std::uint64_t bits = 0;
    for (const Cause& cause : explanation.causes) {
        bits |= cause.bits;
    }
    return bits;
}

Strings remark_codes(const StatusExplanation& explanation) {
    Strings list;
    for (const Diagnostic& diagnostic : explanation.diagnostics) {
        list.push_back(diagnostic.code);
    }
    return list;
}

bool has_remark(const StatusExplanation& explanation, const std::string& code) {
    const Strings codes = remark_codes(explanation);
    return std::find(codes.begin(), codes.end(), code) != codes.end();
}

constexpr Unit all_units[] = {Unit::ai_core, Unit::dha_atomic, Unit::l2_atomic, Unit::aic,
                              Unit::aiv,     Unit::aicpu,      Unit::sdma};

struct NamedBit {
    std::uint64_t bit;
    const char* id;
    CauseKind kind;
};

/// Both tables of AI Core bits.
const NamedBit ai_core_bits[] = {
    {0x8, "ai_core.negate_overflow", CauseKind::overflow},
    {0x10, "ai_core.integer_overflow", CauseKind::overflow},
    {0x20, "ai_core.float_overflow", CauseKind::overflow},
    {0x40, "ai_core.float_underflow", CauseKind::underflow},
    {0x80, "ai_core.negative_to_unsigned", CauseKind::overflow},
    {0x100, "ai_core.fp16_conversion_overflow", CauseKind::overflow},
    {0x200, "ai_core.fp16_conversion_underflow", CauseKind::underflow},
    {0x400, "ai_core.cube_overflow", CauseKind::overflow},
    {0x800, "ai_core.cube_underflow", CauseKind::underflow},
    {0x2000, "ai_core.scalar_nan_input", CauseKind::nan_operand},
    {0x4000, "ai_core.vector_nan_input", CauseKind::nan_operand},
    {0x8000, "ai_core.cube_nan_input", CauseKind::nan_operand},
    {std::uint64_t{1} << 61, "ai_core.data_move_nan_input", CauseKind::nan_operand},
};

}  // namespace

TEST_CASE("units have the documents' name and a command-line spelling") {
    const char* const names[] = {"AI Core", "DHA Atomic Add", "L2 Atomic Add", "AIC", "AIV", "AICPU", "SDMA"};
    const char* const keys[] = {"ai-core", "dha-atomic", "l2-atomic", "aic", "aiv", "aicpu", "sdma"};
    for (std::size_t i = 0; i < 7; ++i) {
        CHECK(unit_name(all_units[i]) == names[i]);
        CHECK(unit_key(all_units[i]) == keys[i]);
        CHECK(unit_from_key(keys[i]) == all_units[i]);
    }
    // As converted JSON and people write them.
    for (const auto& [text, unit] : {std::pair("AI Core", Unit::ai_core),
                                     {"aicore", Unit::ai_core},
                                     {"ai_core", Unit::ai_core},
                                     {"AIV", Unit::aiv},
                                     {"DHA Atomic Add", Unit::dha_atomic},
                                     {"L2-Atomic", Unit::l2_atomic}}) {
        CHECK(unit_from_key(text) == unit);
    }
    for (const char* const text : {"", " ", "ai", "ai-cores", "DHA"}) {
        CHECK_FALSE(unit_from_key(text).has_value());
    }
    CHECK(unit_name(static_cast<Unit>(99)).empty());
    CHECK(unit_key(static_cast<Unit>(99)).empty());
}

TEST_CASE("status zero is no overflow for every unit") {
    for (const Unit unit : all_units) {
        const auto zero = explain_ai_core(unit, {0});
        CHECK_FALSE(zero.overflow);
        CHECK(zero.causes.empty());
        CHECK(zero.codes.empty());
        CHECK(zero.undocumented_bits == Words{0});
        CHECK(zero.diagnostics.empty());
    }
}

TEST_CASE("any other status is an overflow for every unit, and every bit is accounted for") {
    for (const Unit unit : all_units) {
        for (unsigned bit = 0; bit < 64; ++bit) {
            const std::uint64_t word = std::uint64_t{1} << bit;
            const auto one = explain_ai_core(unit, {word});
            CHECK(one.overflow);
            CHECK((named_bits(one) ^ one.undocumented_bits[0]) == word);
        }
    }
}

TEST_CASE("each documented AI Core bit has its name, in AI Core, AIC and AIV alike") {
    for (const Unit unit : {Unit::ai_core, Unit::aic, Unit::aiv}) {
        for (const NamedBit& row : ai_core_bits) {
            const auto one = explain_ai_core(unit, {row.bit});
            CHECK(cause_ids(one) == Strings{row.id});
            CHECK(one.causes.at(0).bits == row.bit);
            CHECK(one.causes.at(0).definition->mask == row.bit);
            CHECK(one.causes.at(0).definition->kind == row.kind);
            CHECK(one.undocumented_bits == Words{0});
            CHECK(has_remark(one, "no_overflow_named") == (row.kind != CauseKind::overflow));
            const bool only_newer = row.kind != CauseKind::overflow;
            CHECK(has_remark(one, "newer_description_only") == (only_newer && unit == Unit::ai_core));
            CHECK(has_remark(one, "documents_disagree") == ((row.bit & 0x18) != 0 && unit != Unit::ai_core));
            CHECK(has_remark(one, "register_inferred") == (unit != Unit::ai_core));
            CHECK(has_remark(one, "outside_kernel_mask") == ((row.bit & 0x98) != 0 && unit == Unit::ai_core));
        }
    }
}

TEST_CASE("AI Core 32, 272 and 1464") {
    const auto float_only = explain_ai_core(Unit::ai_core, {32});
    CHECK(cause_ids(float_only) == Strings{"ai_core.float_overflow"});
    CHECK(float_only.diagnostics.empty());
    // 272 = 0x110
    CHECK(cause_ids(explain_ai_core(Unit::ai_core, {272})) ==
          Strings{"ai_core.integer_overflow", "ai_core.fp16_conversion_overflow"});
    // 1464 = 1024 + 256 + 128 + 32 + 16 + 8: all bits of the older documents
    const auto all = explain_ai_core(Unit::ai_core, {1464});
    CHECK(cause_ids(all) == Strings{"ai_core.negate_overflow", "ai_core.integer_overflow", "ai_core.float_overflow",
                                    "ai_core.negative_to_unsigned", "ai_core.fp16_conversion_overflow",
                                    "ai_core.cube_overflow"});
    CHECK(all.undocumented_bits == Words{0});
    CHECK(remark_codes(all) == Strings{"outside_kernel_mask"});
    CHECK(contains(all.diagnostics[0].message, "0x98"));
}

TEST_CASE("AI Core 2^64-1: thirteen causes, all other bits undocumented") {
    const auto all = explain_ai_core(Unit::ai_core, {0xffffffffffffffff});
    CHECK(all.causes.size() == 13);
    CHECK(all.undocumented_bits == Words{0xdfffffffffff1007});
    CHECK_FALSE(has_remark(all, "no_overflow_named"));
    CHECK(has_remark(all, "newer_description_only"));
}

TEST_CASE("AIV status 1, as in the converter's own tests, is undocumented") {
    const auto one = explain_ai_core(Unit::aiv, {1});
    CHECK(one.overflow);
    CHECK(one.causes.empty());
    CHECK(one.undocumented_bits == Words{1});
    CHECK(one.diagnostics.empty());
}

TEST_CASE("DHA 2546: code 9, overflow, low byte undocumented") {
    const auto dha = explain_ai_core(Unit::dha_atomic, {2546});  // 0x9F2
    CHECK(cause_ids(dha) == Strings{"dha_atomic.overflow"});
    CHECK(dha.causes[0].bits == 0x900);
    REQUIRE(dha.codes.size() == 1);
    CHECK(dha.codes[0].low_bit == 8);
    CHECK(dha.codes[0].high_bit == 15);
    CHECK(dha.codes[0].value == 9);
    CHECK(dha.undocumented_bits == Words{0xf2});
    CHECK(dha.diagnostics.empty());
}

TEST_CASE("L2 2546: no cause coded, and the documents disagree about it") {
    const auto l2 = explain_ai_core(Unit::l2_atomic, {2546});
    CHECK(l2.overflow);
    CHECK(l2.causes.empty());
    REQUIRE(l2.codes.size() == 1);
    CHECK(l2.codes[0].low_bit == 16);
    CHECK(l2.codes[0].high_bit == 18);
    CHECK(l2.codes[0].value == 0);
    CHECK(l2.undocumented_bits == Words{0x9f2});
    CHECK(remark_codes(l2) == Strings{"documents_disagree"});
    CHECK(contains(l2.diagnostics[0].message, "2546"));
}

TEST_CASE("every code of DHA and L2, with neighbouring bits set") {
    const Strings names{"overflow", "underflow", "source_nan", "destination_nan", "both_nan"};
    for (std::uint64_t code = 0; code < 256; ++code) {
        const auto dha = explain_ai_core(Unit::dha_atomic, {(code << 8) | 0x10001});
        CHECK(dha.codes.at(0).value == code);
        if (code >= 9 && code <= 13) {
            CHECK(cause_ids(dha) == Strings{"dha_atomic." + names[code - 9]});
            CHECK(dha.causes[0].bits == code << 8);
            CHECK(dha.undocumented_bits == Words{0x10001});
            CHECK(remark_codes(dha) == (code == 9 ? Strings{} : Strings{"no_overflow_named"}));
        } else {
            CHECK(dha.causes.empty());
            CHECK(dha.undocumented_bits == Words{(code << 8) | 0x10001});
            CHECK(remark_codes(dha) == Strings{code == 0 ? "documents_disagree" : "undocumented_code"});
        }
    }
    for (std::uint64_t code = 0; code < 8; ++code) {
        const auto l2 = explain_ai_core(Unit::l2_atomic, {(code << 16) | 0x88000});
        CHECK(l2.codes.at(0).value == code);
        if (code >= 1 && code <= 5) {
            CHECK(cause_ids(l2) == Strings{"l2_atomic." + names[code - 1]});
            CHECK(l2.causes[0].bits == code << 16);
            CHECK(l2.undocumented_bits == Words{0x88000});
            CHECK(remark_codes(l2) == (code == 1 ? Strings{} : Strings{"no_overflow_named"}));
        } else {
            CHECK(l2.causes.empty());
            CHECK(l2.undocumented_bits == Words{(code << 16) | 0x88000});
            CHECK(remark_codes(l2) == Strings{code == 0 ? "documents_disagree" : "undocumented_code"});
        }
    }
}

TEST_CASE("AICPU and SDMA: the number only, and a remark that no document describes it") {
    for (const Unit unit : {Unit::aicpu, Unit::sdma}) {
        const auto one = explain_ai_core(unit, {0x8001});
        CHECK(one.overflow);
        CHECK(one.causes.empty());
        CHECK(one.codes.empty());
        CHECK(one.undocumented_bits == Words{0x8001});
        CHECK(remark_codes(one) == Strings{"undocumented_status"});
        CHECK(contains(one.diagnostics[0].message, "0x8001"));
    }
}

TEST_CASE("four status words: the first is explained, the others are undocumented") {
    const auto four = explain_ai_core(Unit::aic, {0x400, 0x20, 0, 7});
    CHECK(cause_ids(four) == Strings{"ai_core.cube_overflow"});
    CHECK(four.undocumented_bits == Words{0, 0x20, 0, 7});
    CHECK(remark_codes(four) == Strings{"four_status_words", "register_inferred"});
    CHECK(remark_codes(explain_ai_core(Unit::aiv, {0, 0, 0, 0})).empty());
    CHECK(remark_codes(explain_ai_core(Unit::aiv, {0, 4, 0, 0})) == Strings{"four_status_words"});
    for (const Unit unit : {Unit::ai_core, Unit::dha_atomic, Unit::l2_atomic, Unit::aicpu, Unit::sdma}) {
        CHECK_FALSE(decode_status(unit, {1, 0, 0, 0}).ok());
    }
}

TEST_CASE("the built-in catalogue is one object, with eight causes of an AI Core") {
    const auto catalogue = built_in_status_catalogue();
    CHECK(catalogue == built_in_status_catalogue());
    std::size_t causes = 0;
    for (std::uint64_t word = 1; word < 2048; ++word) {
        const auto result = decode_status(*catalogue, Unit::ai_core, {word});
        REQUIRE(result.ok());
        causes += result->causes.size();
    }
    CHECK(causes == 8 * 1024);  // of the words 1..2047 each of the eight named bits 3..10 is set in 1024
}
