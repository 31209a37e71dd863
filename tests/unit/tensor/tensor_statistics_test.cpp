// Statistics of every element type against the slow reference, for any division into pieces.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "op_dump_builder.hpp"
#include "reference_numbers.hpp"
#include "tensor/element_type.hpp"
#include "tensor/measure.hpp"
#include "tensor/statistics.hpp"

using namespace opdebug;
using namespace opdebug::test;
using namespace opdebug::tensor_stage;

namespace {

/// Random bytes; all codes occur, so all special values of small types do.
Buffer random_bytes(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    Buffer bytes(count);
    for (std::uint8_t& byte : bytes) {
        byte = static_cast<std::uint8_t>(random());
    }
    return bytes;
}

TensorStatistics statistics_of(const NamedType& named, const Buffer& data, std::uint64_t count) {
    const OpDump dump = measured(op_dump({}, {tensor_of(named.number, {count}, data)}));
    REQUIRE(dump.tensors.size() == 1);
    CHECK(dump.tensors[0].dtype == named.dtype);
    CHECK(dump.tensors[0].elements == count);
    REQUIRE(dump.tensors[0].statistics.has_value());
    return *dump.tensors[0].statistics;
}

void check_against_reference(const NamedType& named, const Buffer& data, std::uint64_t count) {
    CAPTURE(named.dtype);
    CAPTURE(count);
    const TensorStatistics found = statistics_of(named, data, count);
    const ReferenceStatistics expected = reference_statistics(named.dtype, data, count);
    CHECK(found.nan == expected.nan);
    CHECK(found.pos_inf == expected.pos_inf);
    CHECK(found.neg_inf == expected.neg_inf);
    CHECK(found.saturated == expected.saturated);
    CHECK(found.subnormal == expected.subnormal);
    CHECK(found.zero == expected.zero);
    REQUIRE(found.max.has_value() == expected.max.has_value());
    REQUIRE(found.mean.has_value() == expected.mean.has_value());
    if (!found.max) {
        return;
    }
    const auto exact = [](const TensorNumber& number) {
        return std::visit([](auto value) { return static_cast<long double>(value); }, number);
    };
    CHECK(exact(*found.max) == *expected.max);
    CHECK(exact(*found.min) == *expected.min);
    CHECK(!std::signbit(as_double(*found.max) == 0 ? as_double(*found.max) : 1.0));
    const long double scale = std::fmax(std::fabs(*expected.max), std::fabs(*expected.min));
    CHECK(std::fabs(static_cast<long double>(*found.mean) - *expected.mean) <= 1e-13L * scale);
}

/// Puts elements of these bits among others.
Buffer with_specials(Buffer data, std::size_t size, const std::vector<std::uint64_t>& specials, std::size_t step) {
    std::size_t next = 0;
    for (std::size_t place = 0; place + size <= data.size(); place += step * size) {
        std::memcpy(data.data() + place, &specials[next++ % specials.size()], size);
    }
    return data;
}

struct FloatType {
    std::uint64_t number;
    std::string_view dtype;
    std::size_t size;
    std::uint64_t infinity, sign;
};
const std::vector<FloatType> float_types{{2, "float16", 2, 0x7C00, 0x8000},
                                         {27, "bfloat16", 2, 0x7F80, 0x8000},
                                         {1, "float32", 4, 0x7F800000, 0x80000000},
                                         {12, "float64", 8, 0x7FF0000000000000, 0x8000000000000000}};

/// Ordinary values around 1 of both signs.
Buffer ordinary(const FloatType& type, std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    Buffer data(count * type.size);
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t steps = random() % 2000 << random() % 4;
        const std::uint64_t sign = random() % 2 != 0 ? type.sign : 0;
        const std::uint64_t bits = ((type.infinity >> 1U) - steps) | sign;
        std::memcpy(data.data() + i * type.size, &bits, type.size);
    }
    return data;
}

std::vector<std::uint64_t> specials_of(const FloatType& type) {
    return {type.infinity,
            type.infinity + type.sign,
            type.infinity + 1,
            type.infinity + type.sign + 1,
            type.infinity - 1,
            type.infinity + type.sign - 1,
            0,
            type.sign,
            1,
            type.sign + 1};
}

/// Every second element is 0, the others are the end of the type's range that `bits` is.
void check_many(const NamedType& type, std::size_t size, std::uint64_t bits, double end) {
    CAPTURE(type.dtype);
    constexpr std::size_t count = 200'000;
    Buffer data(count * size);
    for (std::size_t i = 1; i < count; i += 2) {
        std::memcpy(data.data() + i * size, &bits, size);
    }
    const OpDump dump = measured(op_dump({}, {tensor_of(type.number, {count}, data)}));
    REQUIRE(dump.tensors.at(0).statistics.has_value());
    const TensorStatistics& statistics = *dump.tensors[0].statistics;
    CHECK(statistics.zero == count / 2);
    CHECK(statistics.saturated == count / 2);
    CHECK(*statistics.mean == end / 2);
}

}  // namespace

TEST_CASE("random bytes of every type have the statistics of the slow reference") {
    for (const NamedType& named : types_with_numbers()) {
        const unsigned bits = reference_bits(named.dtype);
        for (const std::uint64_t count : {std::uint64_t{1}, std::uint64_t{15}, std::uint64_t{4096 + 777}}) {
            check_against_reference(named, random_bytes((count * bits + 7) / 8, static_cast<unsigned>(count)), count);
        }
    }
}

TEST_CASE("special values among ordinary ones are counted, and do not spoil max, min and mean") {
    for (const FloatType& type : float_types) {
        const NamedType named{type.number, type.dtype};
        constexpr std::size_t count = 4096 + 29;
        const Buffer plain = ordinary(type, count, 7);
        check_against_reference(named, plain, count);
        for (const std::uint64_t special : specials_of(type)) {
            CAPTURE(special);
            check_against_reference(named, with_specials(plain, type.size, {special}, 97), count);
            check_against_reference(named, with_specials(Buffer(35 * type.size), type.size, {special}, 1), 35);
        }
        check_against_reference(named, with_specials(plain, type.size, specials_of(type), 13), count);
    }
}

TEST_CASE("the mean does not overflow where it is finite") {
    const double huge = 1.7e308;
    CHECK(*statistics_of({12, "float64"}, bytes_of_numbers({huge, huge, huge, huge}), 4).mean == huge);
    const double largest = std::numeric_limits<double>::max();
    CHECK(*statistics_of({12, "float64"}, bytes_of_numbers({largest, largest, largest}), 3).mean == largest);
    CHECK(*statistics_of({12, "float64"}, bytes_of_numbers({huge, huge, -huge, -huge}), 4).mean == 0);
    CHECK(*statistics_of({12, "float64"}, bytes_of_numbers({1e308, 1e308, 1e308, -1e308}), 4).mean ==
          doctest::Approx(5e307));
    // 2^60 + 1 summed as float64 would lose the ones.
    CHECK(*statistics_of({12, "float64"}, bytes_of_numbers({0x1p60, 1.0, 1.0, -0x1p60}), 4).mean == 0.5);
}

TEST_CASE("integers are reported exactly and summed exactly") {
    const std::int64_t top = std::numeric_limits<std::int64_t>::max();
    const TensorStatistics wide = statistics_of({8, "int64"}, bytes_of_numbers<std::int64_t>({top, top, top - 3}), 3);
    CHECK(std::get<std::int64_t>(*wide.max) == top);
    CHECK(std::get<std::int64_t>(*wide.min) == top - 3);
    CHECK(*wide.mean == 9223372036854775806.0);
    CHECK(wide.saturated == 2);
    const std::uint64_t all = std::numeric_limits<std::uint64_t>::max();
    const TensorStatistics unsigned_wide = statistics_of({10, "uint64"}, bytes_of_numbers<std::uint64_t>({all, 0}), 2);
    CHECK(std::get<std::uint64_t>(*unsigned_wide.max) == all);
    CHECK(*unsigned_wide.mean == 9223372036854775807.5);
    CHECK(unsigned_wide.zero == 1);
    CHECK(unsigned_wide.saturated == 1);
    // -2^62, 2^62 and 3: the sum is 3.
    const std::int64_t big = std::int64_t{1} << 62;
    CHECK(*statistics_of({8, "int64"}, bytes_of_numbers<std::int64_t>({-big, big, 3}), 3).mean == 1);
    const TensorStatistics bytes = statistics_of({3, "int8"}, {0x80, 0x7F, 0x00, 0xFF}, 4);
    CHECK(std::get<std::int64_t>(*bytes.min) == -128);
    CHECK(bytes.saturated == 2);
    CHECK(*bytes.mean == -0.5);
}

TEST_CASE("bool counts truth; types of one bit have no limit") {
    const TensorStatistics truth = statistics_of({11, "bool"}, {0, 1, 255, 0}, 4);
    CHECK(std::get<std::uint64_t>(*truth.max) == 1);
    CHECK(*truth.mean == 0.5);
    CHECK(truth.saturated == 0);
    CHECK(truth.zero == 2);
    CHECK(statistics_of({29, "uint1"}, {0xFF}, 8).saturated == 0);
}

TEST_CASE("complex elements: NaN before Inf, one element counts once") {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float inf = std::numeric_limits<float>::infinity();
    const float largest = std::numeric_limits<float>::max();
    const Buffer data =
        bytes_of_numbers<float>({nan, inf, 1, -inf, inf, -inf, 2, 6, 0, 0, largest, -largest, 1e-40F, 3});
    const TensorStatistics statistics = statistics_of({16, "complex64"}, data, 7);
    CHECK(statistics.nan == 1);
    CHECK(statistics.neg_inf == 1);
    CHECK(statistics.pos_inf == 1);
    CHECK(statistics.zero == 1);
    CHECK(statistics.saturated == 1);
    CHECK(statistics.subnormal == 1);
    CHECK(as_double(*statistics.max) == largest);
    // 2, 6, 0, 0, largest, -largest, 1e-40, 3.
    CHECK(*statistics.mean == doctest::Approx(11.0 / 8));

    const TensorStatistics both = statistics_of({16, "complex64"}, bytes_of_numbers<float>({-largest, 1e-40F}), 1);
    CHECK(both.saturated == 1);
    CHECK(both.subnormal == 1);
    CHECK(both.zero == 0);
    // Zero is an element of which both parts are; i and 1 are not.
    CHECK(statistics_of({16, "complex64"}, bytes_of_numbers<float>({0, 1, 1, 0, 0, 0}), 3).zero == 1);
}

TEST_CASE("results depend neither on how the elements are cut nor on the address") {
    for (const NamedType& named : types_with_numbers()) {
        CAPTURE(named.dtype);
        const ElementType& type = *element_type(Container::dump_data_v2, named.number);
        constexpr std::uint64_t piece = 4096, elements = 5 * piece + 1234;
        Buffer data = random_bytes(bytes_of_elements(elements, type.bits) + 1, 5);
        if (named.dtype == "bfloat16" || named.dtype == "float32") {
            // Sums of ordinary values, whose last bits depend on the order.
            for (std::size_t i = type.bits / 8 - 1; i < data.size() - 1; i += type.bits / 8) {
                data[i] = static_cast<std::uint8_t>(0x3F | (data[i] & 0x80));
            }
        }
        const auto result = [&](std::uint64_t pieces, std::size_t shift) {
            Buffer shifted(shift);
            shifted.insert(shifted.end(), data.begin(), data.end());
            const std::unique_ptr<Accumulator> accumulator = make_accumulator(type, type.bits);
            for (std::uint64_t done = 0; done < elements; done += pieces * piece) {
                const std::uint64_t count = std::min(pieces * piece, elements - done);
                const auto begin = static_cast<std::size_t>(bytes_of_elements(done, type.bits));
                const auto size = static_cast<std::size_t>(bytes_of_elements(count, type.bits));
                accumulator->add(Bytes(shifted).slice(shift + begin, size), count);
            }
            return accumulator->statistics();
        };
        const TensorStatistics whole = result(100, 0);
        for (const std::uint64_t pieces : {1U, 2U, 3U}) {
            const TensorStatistics cut = result(pieces, 1);
            CHECK(cut.mean == whole.mean);
            CHECK(cut.max == whole.max);
            CHECK(cut.min == whole.min);
            CHECK(cut.nan == whole.nan);
            CHECK(cut.zero == whole.zero);
        }
    }
}

TEST_CASE("more zeros and limits than 16 bits count, and sums beyond 64 bits") {
    check_many({5, "int16"}, 2, 0x8000, -0x1p15);
    check_many({6, "uint16"}, 2, 0xFFFF, 0xFFFF);
    check_many({7, "int32"}, 4, 0x80000000, -0x1p31);
    check_many({9, "uint32"}, 4, 0xFFFFFFFF, 0xFFFFFFFF);
    check_many({8, "int64"}, 8, 0x8000000000000000, -0x1p63);
    check_many({8, "int64"}, 8, 0x7FFFFFFFFFFFFFFF, 0x1p63);    // rounded
    check_many({10, "uint64"}, 8, 0xFFFFFFFFFFFFFFFF, 0x1p64);  // rounded
}
