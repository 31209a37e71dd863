#include "tensor/finite_numbers.hpp"

#include <algorithm>
#include <cmath>

namespace opdebug::tensor_stage {
namespace {

constexpr double kScale = 0x1p-64;

}  // namespace

void CompensatedSum::add(double number) noexcept {
    const double next = sum_ + number;
    error_ += std::fabs(sum_) >= std::fabs(number) ? (sum_ - next) + number : (number - next) + sum_;
    sum_ = next;
}

void FiniteNumbers::add(double number, std::uint64_t count) noexcept {
    add(number, number, number * static_cast<double>(count), count);
}

void FiniteNumbers::add(double max, double min, double sum, std::uint64_t count) noexcept {
    count_ += count;
    max_ = std::max(max_, max);
    min_ = std::min(min_, min);
    sum_.add(sum);
    scaled_sum_.add(sum * kScale);
}

void FiniteNumbers::put_into(TensorStatistics& statistics) const {
    if (count_ == 0) {
        return;
    }
    const auto count = static_cast<double>(count_);
    const double total = sum_.total();
    const double mean = std::isfinite(total) ? total / count : scaled_sum_.total() / count / kScale;
    // Rounding can lead out of the range by one step. Adding 0 makes -0 positive.
    statistics.mean = std::clamp(mean, min_, max_) + 0.0;
    statistics.max = max_ + 0.0;
    statistics.min = min_ + 0.0;
}

}  // namespace opdebug::tensor_stage
