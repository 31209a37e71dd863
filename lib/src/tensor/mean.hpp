// The mean of doubles.
#pragma once

#include <cstdint>

namespace opdebug::tensor_stage {

/// Adds doubles with the rounding errors kept aside (Neumaier's sum), so that large numbers do not swallow small ones.
/// A second sum of the numbers divided by 2^64 stands in where the first overflows: it cannot, and loses nothing then.
class MeanOfNumbers {
public:
    void add(double number) noexcept;

    /// The mean of `count` numbers, which were added one by one or as sums of some; they lie in [min, max].
    double mean(std::uint64_t count, double min, double max) const noexcept;

private:
    struct Sum {
        double sum = 0;
        double error = 0;
        void add(double number) noexcept;
        double total() const noexcept { return sum + error; }
    };
    Sum plain_;
    Sum scaled_;
};

}  // namespace opdebug::tensor_stage
