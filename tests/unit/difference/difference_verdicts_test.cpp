// Every verdict on two tensors, with measures worked out by hand.
#include <doctest/doctest.h>

#include <functional>
#include <string>
#include <vector>

#include "difference_pair.hpp"
#include "text.hpp"

using namespace opdebug::test;
using opdebug::difference::Difference;
using opdebug::difference::Measures;
using opdebug::difference::Strength;
using opdebug::difference::Verdict;

namespace {

using Halves = std::vector<std::uint16_t>;

/// Numbers from 1 to 1.06.
std::uint16_t trusted(std::size_t i) {
    return static_cast<std::uint16_t>(0x3C00 + i % 64);
}

/// Numbers near -5: far from those of `trusted`.
std::uint16_t foreign(std::size_t i) {
    return static_cast<std::uint16_t>(0xC500 + i % 32);
}

/// A tensor of float16 against the trusted one: `change` gives the elements of A.
Difference changed(const std::vector<std::uint64_t>& shape,
                   const std::function<std::uint16_t(std::size_t, std::uint16_t)>& change) {
    std::size_t count = 1;
    for (const std::uint64_t dimension : shape) {
        count *= dimension;
    }
    Halves a, b;
    a.reserve(count);
    b.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        b.push_back(trusted(i));
        a.push_back(change(i, trusted(i)));
    }
    return compared("float16", shape, bytes_of_codes(a), bytes_of_codes(b));
}

/// Foreign values where the condition holds.
Difference overwritten(const std::vector<std::uint64_t>& shape, const std::function<bool(std::size_t)>& is_foreign) {
    return changed(shape, [&](std::size_t i, std::uint16_t code) { return is_foreign(i) ? foreign(i) : code; });
}

std::string answer(const Difference& difference) {
    constexpr const char* kStrengths[] = {"", " weak", " strong"};
    return std::string(to_string(difference.finding.verdict)) +
           kStrengths[static_cast<std::size_t>(difference.finding.strength)];
}

/// About 57 % of the elements, in no regular order.
bool is_irregular(std::size_t i) {
    return i % 3 != 0 && i % 7 != 0;
}

}  // namespace

TEST_CASE("difference: identical, and types, shapes and files that cannot be compared") {
    const Difference same = overwritten({64}, [](std::size_t) { return false; });
    CHECK(answer(same) == "identical");
    CHECK(same.measures->elements == 64);
    CHECK(same.finding.because.en == "all 64 elements have the same bits");

    const TemporaryDirectory folder;
    const std::string file = write_file(folder / "a", Buffer(128));
    const auto one = named_tensor(file, "float16", {64});
    const auto because = [&](const opdebug::difference::NamedTensor& other) {
        const auto result = opdebug::difference::compare_tensors(one, other, {});
        REQUIRE(result.ok());
        CHECK(answer(*result) == "not_comparable");
        CHECK(!result->measures);
        return result->finding.because.en;
    };
    CHECK(because(named_tensor(file, "int16", {64})) == "the types differ: float16 and int16");
    CHECK(because(named_tensor(file, "float16", {8, 8})) == "the shapes differ: (64,) and (8, 8)");
    CHECK(contains(because(named_tensor(folder / "absent", "float16", {64})), "cannot open the file"));
    CHECK(contains(because(named_tensor(write_file(folder / "short", Buffer(100)), "float16", {64})), "shorter"));
    auto incomplete = one;
    incomplete.tensor.elements = 60;
    CHECK(answer(compared("float16", {0}, {}, {})) == "not_comparable");
    CHECK(because(incomplete) == file + ": values are missing");
    auto transposed = one;
    transposed.tensor.fortran_order = true;
    CHECK(because(transposed) == "the elements are stored in a different order");
}

TEST_CASE("difference: single bits") {
    // Bit 14 makes 0x3C03 and 0x3C09 the NaN 0x7C03 and 0x7C09.
    const Difference flips = changed(
        {64}, [](std::size_t i, std::uint16_t code) { return i == 3 || i == 9 ? std::uint16_t(code ^ 0x4000) : code; });
    CHECK(answer(flips) == "bit_flips strong");
    CHECK(flips.measures->one_bit == 2);
    CHECK(flips.measures->bits[14] == 2);
    CHECK(flips.measures->nan_only_a == 2);
    CHECK(flips.finding.because.en == "2 elements differ, each in one bit: bit 14");
    const Difference lowest =
        changed({64}, [](std::size_t i, std::uint16_t code) { return i == 5 ? std::uint16_t(code ^ 1) : code; });
    CHECK(answer(lowest) == "bit_flips weak");
    const Difference nine = changed(
        {64}, [](std::size_t i, std::uint16_t code) { return i % 7 == 1 ? std::uint16_t(code ^ 0x4000) : code; });
    CHECK(nine.measures->differ == 9);
    CHECK(answer(nine) == "periodic_pattern weak");
}

TEST_CASE("difference: one bit of rounding, of a zero or of an integer is no sure flip of a bit") {
    // 2 ulp.
    const Difference rounding =
        changed({64}, [](std::size_t i, std::uint16_t code) { return i % 30 == 1 ? std::uint16_t(code ^ 2) : code; });
    CHECK(rounding.measures->differ == 3);
    CHECK(answer(rounding) == "bit_flips weak");
    CHECK(
        contains(rounding.finding.because.en, "rounding, another sign, a factor of 2, another integer or other input"));
    const Difference zero = compared("float16", {2}, bytes_of_codes(Halves{0x8000, 0}), bytes_of_codes(Halves{0, 0}));
    CHECK(answer(zero) == "bit_flips weak");
    CHECK(zero.finding.because.en.find("1 element differs, in one bit: bit 15") == 0);
    using Integers = std::vector<std::int64_t>;
    CHECK(answer(compared("int64", {2}, bytes_of_codes(Integers{4, 7}), bytes_of_codes(Integers{0, 7}))) ==
          "bit_flips weak");
    // Bit 15 is the sign, bit 10 a factor of 2. Bit 14 of one of eight elements may be other input.
    const auto with_bit = [](std::uint64_t elements, unsigned bit) {
        return answer(changed({elements}, [bit](std::size_t i, std::uint16_t code) {
            return i == 3 ? static_cast<std::uint16_t>(code ^ 1U << bit) : code;
        }));
    };
    CHECK(with_bit(64, 15) == "bit_flips weak");
    CHECK(with_bit(64, 10) == "bit_flips weak");
    CHECK(with_bit(8, 13) == "bit_flips weak");
    CHECK(with_bit(9, 13) == "bit_flips strong");
}

TEST_CASE("difference: a region, as in the guide's case of 3072 elements") {
    const Difference guide = overwritten({3072}, [](std::size_t i) { return i < 2048 && i != 700; });
    CHECK(answer(guide) == "region_overwritten strong");
    CHECK(guide.finding.is_overwrite());
    const Measures& all = *guide.measures;
    CHECK(all.differ == 2047);
    CHECK(all.values_differ == 2047);
    CHECK(all.first == 0);
    CHECK(all.last == 2047);
    CHECK(all.runs == 2);
    CHECK(all.longest_run == 1347);
    CHECK(all.longest_gap == 1);
    CHECK(all.rows.count == 1);
    CHECK(!all.columns);
    CHECK(guide.finding.because.en ==
          "one region of bytes 0 to 4096 differs. It is aligned to 512 bytes but not to rows. The rest is unchanged");
    CHECK(answer(changed({3072}, [](std::size_t i, std::uint16_t code) {
              return i < 2048 ? std::uint16_t{0x7E00} : code;  // NaN
          })) == "region_overwritten weak");

    // Bytes 32 to 96: whole blocks, but no unit of memory.
    CHECK(answer(overwritten({1000}, [](std::size_t i) { return i >= 16 && i < 48; })) == "region_overwritten weak");
    // Bytes 34 to 96.
    CHECK(answer(overwritten({1000}, [](std::size_t i) { return i >= 17 && i < 48; })) == "scattered");
    // An identical block of 16 elements inside: 304 of 320 elements differ.
    CHECK(answer(overwritten({1000}, [](std::size_t i) { return i < 320 && (i < 160 || i >= 176); })) == "scattered");
    // Less than 5 % are untouched.
    CHECK(answer(overwritten({1024}, [](std::size_t i) { return i < 992; })) == "everything_differs");
}

TEST_CASE("difference: whole rows and columns") {
    const Difference rows = overwritten({10, 17}, [](std::size_t i) { return i / 17 == 2 || i / 17 == 5; });
    CHECK(answer(rows) == "rows_overwritten weak");
    CHECK(rows.measures->rows.whole == 2);
    CHECK(rows.measures->rows.untouched == 8);
    CHECK(rows.finding.because.en == "2 of 10 rows differ completely, and 100 % of the other elements are identical");
    CHECK(answer(overwritten({10, 17}, [](std::size_t i) { return i / 17 == 2 || i / 17 == 5 || i == 160; })) ==
          "rows_overwritten weak");

    const Difference columns = overwritten({16, 10}, [](std::size_t i) { return i % 10 == 3; });
    CHECK(answer(columns) == "columns_overwritten weak");
    REQUIRE(columns.measures->columns);
    CHECK(columns.measures->columns->whole == 1);
    CHECK(columns.measures->columns->length == 16);
    CHECK(columns.measures->rows.whole == 0);
    // Columns of seven elements are hit by chance; here they are runs at equal distance.
    CHECK(answer(overwritten({7, 10}, [](std::size_t i) { return i % 10 == 3; })) == "periodic_pattern weak");
}

TEST_CASE("difference: runs at equal distance, and the end") {
    const auto run_at = [](std::size_t i, std::size_t begin) { return i >= begin && i < begin + 4; };
    const Difference four = overwritten(
        {1000}, [&](std::size_t i) { return run_at(i, 5) || run_at(i, 105) || run_at(i, 205) || run_at(i, 305); });
    CHECK(answer(four) == "periodic_pattern weak");
    CHECK(four.measures->period == 100);
    CHECK(four.measures->longest_run == 4);
    CHECK(answer(overwritten({1000}, [&](std::size_t i) {
              return run_at(i, 5) || run_at(i, 105) || run_at(i, 205);
          })) == "periodic_pattern weak");
    CHECK(answer(overwritten(
              {1000}, [&](std::size_t i) { return run_at(i, 5) || run_at(i, 105) || run_at(i, 206); })) == "scattered");

    // From byte 1802, which is no multiple of 32.
    const Difference tail = overwritten({1000}, [](std::size_t i) { return i >= 901; });
    CHECK(answer(tail) == "tail_differs weak");
    CHECK(!tail.finding.is_overwrite());
}

TEST_CASE("difference: small differences, and shapes that other input has, are no sure overwrite") {
    // 84 ulp of float32: 1e-5.
    const auto scaled = [](const std::function<bool(std::size_t)>& is_scaled) {
        std::vector<std::uint32_t> a, b;
        a.reserve(4096);
        b.reserve(4096);
        for (std::uint32_t i = 0; i < 4096; ++i) {
            b.push_back(0x3F800000 + i);
            a.push_back(b.back() + (is_scaled(i / 64) ? 84 : 0));
        }
        return compared("float32", {64, 64}, bytes_of_codes(a), bytes_of_codes(b));
    };
    CHECK(answer(scaled([](std::size_t row) { return row >= 5; })) == "scattered");
    CHECK(answer(scaled([](std::size_t row) { return row == 3; })) == "scattered");
    const Difference tokens = overwritten({64, 64}, [](std::size_t i) { return i / 64 >= 40; });
    CHECK(answer(tokens) == "rows_overwritten weak");
    CHECK(!tokens.finding.is_overwrite());
    // Each row has the numbers of the row before: 0x3C00 + 64 r.
    const auto row_code = [](std::size_t row) { return static_cast<std::uint16_t>(0x3C00 + 64 * row); };
    Halves shifted, rows;
    shifted.reserve(512);
    rows.reserve(512);
    for (std::size_t i = 0; i < 512; ++i) {
        rows.push_back(row_code(i / 32));
        shifted.push_back(row_code(i < 32 ? 0 : i / 32 - 1));
    }
    CHECK(answer(compared("float16", {16, 32}, bytes_of_codes(shifted), bytes_of_codes(rows))) ==
          "rows_overwritten weak");
    // The last 32 bytes of 32 KiB: padding.
    CHECK(answer(overwritten({16384}, [](std::size_t i) { return i >= 16368; })) == "tail_differs weak");
    CHECK(answer(changed({1000}, [](std::size_t i, std::uint16_t code) {
              return i % 2 == 0 ? std::uint16_t{0} : code;
          })) == "periodic_pattern weak");
    // Whole rows as one region, and bytes 512 to 1024 of a row of 2048.
    CHECK(answer(overwritten({4, 1024}, [](std::size_t i) { return i / 1024 == 1; })) == "region_overwritten weak");
    CHECK(answer(overwritten({4, 1024}, [](std::size_t i) { return i >= 256 && i < 512; })) ==
          "region_overwritten strong");
}

TEST_CASE("difference: noise, everything, nothing known") {
    const auto two_ulps = [](std::size_t i, std::uint16_t code) {
        return is_irregular(i) ? std::uint16_t(code + 2) : code;
    };
    const Difference noise = changed({1000}, two_ulps);
    CHECK(answer(noise) == "noise strong");
    CHECK(noise.measures->median_ulps == 2U);
    // 1.05078125 against -5.078125 is no rounding, but only one of 571 elements.
    const Difference one_large =
        changed({1000}, [&](std::size_t i, std::uint16_t code) { return i == 500 ? foreign(i) : two_ulps(i, code); });
    CHECK(answer(one_large) == "noise weak");
    CHECK(one_large.finding.because.en ==
          "57.1 % of the elements differ, and 99.82 % of these elements differ by at most 8 ulp");
    CHECK(*one_large.measures->largest == 6.12890625);
    // A NaN that only the trusted side has.
    CHECK(answer(compared("float16", {200}, bytes_of_codes(Halves(200, 0x3C01)), bytes_of_codes([] {
                              Halves one_nan(200, 0x3C00);
                              one_nan[4] = 0x7E00;
                              return one_nan;
                          }()))) == "everything_differs");
    // The same with a NaN is no noise.
    CHECK(answer(changed({1000}, [&](std::size_t i, std::uint16_t code) {
              return i == 1 ? std::uint16_t{0x7E00} : two_ulps(i, code);
          })) == "scattered");
    // A region with rounding differences was not overwritten.
    CHECK(answer(changed({1024}, [](std::size_t i, std::uint16_t code) {
              return i < 512 ? std::uint16_t(code + 2) : code;
          })) == "noise strong");
    CHECK(answer(overwritten({1000}, [](std::size_t) { return true; })) == "everything_differs");
    CHECK(answer(overwritten({1000}, is_irregular)) == "scattered");
}

TEST_CASE("difference: zeros of different sign, integers, complex and packed elements") {
    Halves zeros(40, 0), negative(40, 0);
    for (std::size_t i = 0; i < 40; ++i) {
        negative[i] = is_irregular(i) ? 0x8000 : 0;
    }
    const Difference signs = compared("float16", {40}, bytes_of_codes(negative), bytes_of_codes(zeros));
    CHECK(answer(signs) == "noise strong");
    CHECK(signs.measures->values_differ == 0);

    std::vector<std::int64_t> large(40, std::int64_t{1} << 60U), next = large;
    for (std::size_t i = 0; i < 40; ++i) {
        next[i] += is_irregular(i) ? 3 : 0;
    }
    const Difference integers = compared("int64", {40}, bytes_of_codes(next), bytes_of_codes(large));
    CHECK(answer(integers) == "scattered");
    CHECK(integers.measures->values_differ == integers.measures->differ);
    CHECK(!integers.measures->median_ulps);

    Buffer parts(16 * 8), flipped = parts;
    flipped[3 * 8 + 7] = 0x40;  // bit 62 of element 3: in the imaginary part
    const Difference complex = compared("complex64", {16}, flipped, parts);
    CHECK(answer(complex) == "bit_flips strong");
    CHECK(complex.measures->bits[62] == 1);
    CHECK(complex.measures->first == 3);

    Buffer packed(32), other = packed;
    other[2] = 0x20;  // the upper half of byte 2: element 5
    const Difference narrow = compared("int4", {64}, other, packed);
    CHECK(answer(narrow) == "bit_flips weak");
    CHECK(narrow.measures->first == 5);
    CHECK(narrow.measures->bits[1] == 1);
}

TEST_CASE("difference: a tensor of several pieces") {
    // 3 MiB: rows of 1 MiB, the second one foreign.
    constexpr std::size_t kRow = std::size_t{1} << 19U;
    const Difference rows = overwritten({3, kRow}, [](std::size_t i) { return i / kRow == 1; });
    CHECK(answer(rows) == "region_overwritten weak");
    CHECK(rows.measures->first == kRow);
    CHECK(rows.measures->last == 2 * kRow - 1);
    CHECK(rows.measures->runs == 1);
    CHECK(rows.measures->rows.whole == 1);
}
