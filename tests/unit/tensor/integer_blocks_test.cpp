// Integers counted in blocks: the same by every kernel, and right beyond what one block or one counter holds.
#include "tensor/integer_blocks.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <random>

#include "op_dump_builder.hpp"

using namespace opdebug;
using namespace opdebug::test;
using namespace opdebug::tensor_stage;

namespace {

/// Random numbers of 64 bits behind one byte; every `step`th is 0 or an end of a range.
Buffer numbers_with_ends(std::size_t bytes, std::size_t step, unsigned seed) {
    const std::uint64_t ends[] = {0, 0xFFFFFFFFFFFFFFFF, 0x7FFFFFFFFFFFFFFF, 0x8000000000000000};
    std::mt19937_64 random(seed);
    Buffer data(1 + bytes);
    for (std::size_t i = 0; i < bytes; i += 8) {
        const std::uint64_t number = i / 8 % step == 0 ? ends[random() % 4] : random();
        std::memcpy(data.data() + 1 + i, &number, sizeof number);
    }
    return data;
}

template <class Integer>
void check_same(CountIntegers<Integer> one, CountIntegers<Integer> other, const Buffer& data) {
    CAPTURE(sizeof(Integer));
    const std::size_t elements = (data.size() - 1) / sizeof(Integer);
    const IntegerBlock<Integer> a = one(data.data() + 1, elements);
    const IntegerBlock<Integer> b = other(data.data() + 1, elements);
    CHECK(a.max == b.max);
    CHECK(a.min == b.min);
    CHECK((a.sum == b.sum));
    CHECK(a.zero == b.zero);
    CHECK(a.saturated == b.saturated);
}

void check_all_same(const IntegerKernels& one, const IntegerKernels& other, const Buffer& data) {
    check_same(one.int16, other.int16, data);
    check_same(one.int32, other.int32, data);
    check_same(one.int64, other.int64, data);
    check_same(one.uint16, other.uint16, data);
    check_same(one.uint32, other.uint32, data);
    check_same(one.uint64, other.uint64, data);
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

TEST_CASE("every kernel of integers counts the same") {
    const IntegerKernels& portable = portable_integer_kernels();
    const IntegerKernels& fastest = fastest_integer_kernels();
    if (&fastest == &portable) {
        MESSAGE("this processor runs the portable kernels only");
        return;
    }
    for (const std::size_t bytes : {std::size_t{8}, std::size_t{264}, kIntegerBlockBytes}) {
        CAPTURE(bytes);
        for (unsigned seed = 0; seed < 20; ++seed) {
            for (const std::size_t step : {std::size_t{1}, std::size_t{3}, std::size_t{1000}}) {
                check_all_same(portable, fastest, numbers_with_ends(bytes, step, seed));
            }
        }
        for (const int byte : {0x00, 0x7F, 0x80, 0xFF}) {
            check_all_same(portable, fastest, Buffer(1 + bytes, static_cast<std::uint8_t>(byte)));
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
