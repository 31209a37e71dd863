// Statistics of the elements of one tensor, accumulated piece by piece. The results do not depend on how the elements
// are cut into pieces, or on the processor.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>

#include <opdebug/result.hpp>
#include <opdebug/tensor.hpp>

#include "tensor/element_type.hpp"

namespace opdebug::tensor_stage {

class Accumulator {
public:
    Accumulator() = default;
    Accumulator(const Accumulator&) = delete;
    Accumulator& operator=(const Accumulator&) = delete;
    virtual ~Accumulator() = default;

    /// Adds the next `elements` elements; `bytes` contains them all.
    virtual void add(Bytes bytes, std::uint64_t elements) noexcept = 0;

    virtual TensorStatistics statistics() const = 0;
};

/// The accumulator for a type that has numbers. `bits_apart`: distance of the elements, `type.bits`, or 8 for types of
/// less than 8 bits that have a byte each.
std::unique_ptr<Accumulator> make_accumulator(const ElementType& type, unsigned bits_apart);

/// A sum that keeps its rounding errors separately, so that large numbers do not swallow small ones.
///
/// Next to it the same sum of the numbers divided by 2^64: that one cannot overflow, and replaces the first one if it
/// did. What it loses does not matter then. Both are one vector. The error of an addition is found without a comparison
/// (Knuth's two-sum).
class CompensatedSum {
public:
    void add(double number) noexcept {
        const Pair addend = Pair{number, number} * Pair{1, kScale};
        const Pair next = sum_ + addend;
        const Pair added = next - sum_;
        error_ += (sum_ - (next - added)) + (addend - added);
        sum_ = next;
    }

    /// The sum divided by `count`.
    double mean(double count) const noexcept;

private:
    using Pair [[gnu::vector_size(16)]] = double;
    static constexpr double kScale = 0x1p-64;

    Pair sum_{};
    Pair error_{};
};

/// Largest, smallest and mean of the finite numbers of a tensor.
class FiniteNumbers {
public:
    /// Adds a number that occurs `count` times.
    void add(double number, std::uint64_t count = 1) noexcept {
        count_ += count;
        max_ = number > max_ ? number : max_;
        min_ = number < min_ ? number : min_;
        sum_.add(number * static_cast<double>(count));
    }

    /// Sets max, min and mean, if there is a number; none of them is -0.
    void put_into(TensorStatistics& statistics) const;

private:
    std::uint64_t count_ = 0;
    double max_ = -std::numeric_limits<double>::infinity();
    double min_ = std::numeric_limits<double>::infinity();
    CompensatedSum sum_;
};

}  // namespace opdebug::tensor_stage
