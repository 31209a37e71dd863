// Largest, smallest and mean of the finite numbers of a tensor.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include <opdebug/tensor.hpp>

namespace opdebug::tensor_stage {

/// A sum that keeps its rounding errors aside, so that large numbers do not swallow small ones. Floats of up to 32 bits
/// come as sums of blocks (float_blocks.hpp), which are plain: inside a block the rounding is that of doubles.
///
/// Beside it the same sum of the numbers divided by 2^64: that one cannot overflow, and stands in where the other did.
/// It loses what does not matter then. Both are one vector, and the error of an addition is found without asking which
/// number is larger (Knuth's two-sum; the bits are Neumaier's): float64 in a third of the time.
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

class FiniteNumbers {
public:
    /// Adds a number that occurs `count` times.
    void add(double number, std::uint64_t count = 1) noexcept {
        add(number, number, number * static_cast<double>(count), count);
    }

    /// Adds `count` numbers at once, 1 at least.
    void add(double max, double min, double sum, std::uint64_t count) noexcept {
        count_ += count;
        max_ = std::max(max_, max);
        min_ = std::min(min_, min);
        sum_.add(sum);
    }

    /// Sets max, min and mean, where there is a number; none of them is -0.
    void put_into(TensorStatistics& statistics) const;

private:
    std::uint64_t count_ = 0;
    double max_ = -std::numeric_limits<double>::infinity();
    double min_ = std::numeric_limits<double>::infinity();
    CompensatedSum sum_;
};

}  // namespace opdebug::tensor_stage
