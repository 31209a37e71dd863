#include "logs/matching/hex_shape_bytes.hpp"

namespace opdebug::logs {

void HexShapeBytes::take(const char* text, std::string_view masked, std::string_view numbers) noexcept {
    constexpr std::string_view kOfNumbersAlone = "88";
    bytes_.take(text, masked);
    pieces_.fill({0, 0});
    count_ = 0;
    for (std::size_t begin = numbers.find(kOfNumbersAlone); begin != std::string_view::npos;) {
        const std::size_t end = std::min(numbers.find_first_not_of('8', begin), numbers.size());
        bytes_.take_any(begin, end);
        for (; begin < end; begin += sizeof(Bytes)) {
            pieces_[count_++] = {static_cast<std::uint16_t>(begin),
                                 static_cast<std::uint16_t>(std::min(end - begin, sizeof(Bytes)))};
        }
        begin = numbers.find(kOfNumbersAlone, end);
    }
}

}  // namespace opdebug::logs
