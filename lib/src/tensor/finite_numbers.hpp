// Largest, smallest and mean of the finite numbers of a tensor.
#pragma once

#include <cstdint>
#include <limits>

#include <opdebug/tensor.hpp>

namespace opdebug::tensor_stage {

/// A sum that keeps its rounding errors aside (Neumaier's), so that large numbers do not swallow small ones. Floats of
/// up to 32 bits come as sums of blocks (float_blocks.hpp), which are plain: inside a block the rounding is that of
/// doubles.
class CompensatedSum {
public:
    void add(double number) noexcept;
    double total() const noexcept { return sum_ + error_; }

private:
    double sum_ = 0;
    double error_ = 0;
};

class FiniteNumbers {
public:
    /// Adds a number that occurs `count` times.
    void add(double number, std::uint64_t count = 1) noexcept;

    /// Adds `count` numbers at once, 1 at least.
    void add(double max, double min, double sum, std::uint64_t count) noexcept;

    /// Sets max, min and mean, where there is a number; none of them is -0.
    void put_into(TensorStatistics& statistics) const;

private:
    std::uint64_t count_ = 0;
    double max_ = -std::numeric_limits<double>::infinity();
    double min_ = std::numeric_limits<double>::infinity();
    CompensatedSum sum_;
    /// Of the numbers divided by 2^64: cannot overflow, and stands in where sum_ did. It loses what does not matter
    /// then.
    CompensatedSum scaled_sum_;
};

}  // namespace opdebug::tensor_stage
