#include "tensor/finite_numbers.hpp"

#include <algorithm>
#include <cmath>

namespace opdebug::tensor_stage {

double CompensatedSum::mean(double count) const noexcept {
    const Pair total = sum_ + error_;
    return std::isfinite(total[0]) ? total[0] / count : total[1] / count / kScale;
}

void FiniteNumbers::put_into(TensorStatistics& statistics) const {
    if (count_ == 0) {
        return;
    }
    // Rounding can lead out of the range by one step. Adding 0 makes -0 positive.
    statistics.mean = std::clamp(sum_.mean(static_cast<double>(count_)), min_, max_) + 0.0;
    statistics.max = max_ + 0.0;
    statistics.min = min_ + 0.0;
}

}  // namespace opdebug::tensor_stage
