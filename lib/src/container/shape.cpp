#include "container/shape.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "bytes/little_endian.hpp"

namespace opdebug::container {

bool is_unknown(std::uint64_t dimension) noexcept {
    return dimension >= std::numeric_limits<std::uint64_t>::max() - 1;
}

std::optional<std::uint64_t> elements_of_shape(const std::vector<std::uint64_t>& dims) noexcept {
    if (std::find(dims.begin(), dims.end(), 0U) != dims.end()) {
        return 0;
    }
    std::optional<std::uint64_t> product = 1;
    for (const std::uint64_t dimension : dims) {
        if (dimension > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
            return std::nullopt;
        }
        product = product ? bytes::checked_multiply(*product, dimension) : product;
    }
    return product;
}

std::string python_shape(const std::vector<std::uint64_t>& dims) {
    std::string text;
    for (const std::uint64_t dimension : dims) {
        text += text.empty() ? "" : ", ";
        text +=
            is_unknown(dimension) ? fmt::to_string(static_cast<std::int64_t>(dimension)) : fmt::to_string(dimension);
    }
    return fmt::format("({}{})", text, dims.size() == 1 ? "," : "");
}

}  // namespace opdebug::container
