#include "tensor/mean.hpp"

#include <algorithm>
#include <cmath>

namespace opdebug::tensor_stage {
namespace {

constexpr double kScale = 0x1p-64;

}  // namespace

void MeanOfNumbers::Sum::add(double number) noexcept {
    const double next = sum + number;
    error += std::fabs(sum) >= std::fabs(number) ? (sum - next) + number : (number - next) + sum;
    sum = next;
}

void MeanOfNumbers::add(double number) noexcept {
    plain_.add(number);
    scaled_.add(number * kScale);
}

double MeanOfNumbers::mean(std::uint64_t count, double min, double max) const noexcept {
    const auto divisor = static_cast<double>(count);
    const double total = plain_.total();
    const double mean = std::isfinite(total) ? total / divisor : scaled_.total() / divisor / kScale;
    return std::clamp(mean, min, max);  // rounding can lead out of it by one step
}

}  // namespace opdebug::tensor_stage
