#include "damaged.hpp"

#include <algorithm>

namespace opdebug::damage {
namespace {

using test::Buffer;

std::ptrdiff_t place_in(const Buffer& bytes, Random& random) {
    return static_cast<std::ptrdiff_t>(random.below(bytes.size() + 1));
}

void change_bytes(Buffer& bytes, Random& random) {
    for (std::uint64_t i = random.below(8) + 1; i > 0 && !bytes.empty(); --i) {
        bytes[static_cast<std::size_t>(random.below(bytes.size()))] = static_cast<std::uint8_t>(random.number());
    }
}

/// A part of the bytes becomes zeros or the bytes of another file.
void overwrite_block(Buffer& bytes, const Buffer& from, Random& random) {
    const auto begin = static_cast<std::size_t>(place_in(bytes, random));
    const std::size_t length = static_cast<std::size_t>(random.below(600)) + 1;
    for (std::size_t i = 0; i < length && begin + i < bytes.size(); ++i) {
        bytes[begin + i] = i < from.size() ? from[i] : 0;
    }
}

/// 2, 4 or 8 bytes near the begin, where headers have their lengths, get a number that nobody can have.
void overwrite_length(Buffer& bytes, Random& random) {
    constexpr std::uint64_t numbers[] = {
        0xFFFFFFFFFFFFFFFF, 0x7FFFFFFFFFFFFFFF, 0xFFFFFFFF, 0x80000000, 0x1000000, 0x7FFF, 0, 0x5A5A5A5A5A5A5A5A};
    const std::size_t width = std::size_t{2} << random.below(3);
    const auto begin = static_cast<std::size_t>(random.below(std::min<std::uint64_t>(bytes.size() + 1, 200)));
    const std::uint64_t number = numbers[random.below(std::size(numbers))];
    for (std::size_t i = 0; i < width && begin + i < bytes.size(); ++i) {
        bytes[begin + i] = static_cast<std::uint8_t>(number >> (8 * i));
    }
}

void lose_or_add_bytes(Buffer& bytes, Random& random) {
    const std::ptrdiff_t begin = place_in(bytes, random);
    const auto count = static_cast<std::ptrdiff_t>(random.below(20) + 1);
    if (random.one_in(2)) {
        bytes.insert(bytes.begin() + begin, static_cast<std::size_t>(count),
                     static_cast<std::uint8_t>(random.number()));
    } else {
        bytes.erase(bytes.begin() + begin,
                    bytes.begin() + std::min(begin + count, static_cast<std::ptrdiff_t>(bytes.size())));
    }
}

Buffer noise(Random& random) {
    Buffer bytes(static_cast<std::size_t>(random.below(3000)));
    std::generate(bytes.begin(), bytes.end(), [&random] { return static_cast<std::uint8_t>(random.number()); });
    return bytes;
}

}  // namespace

Buffer damaged(const Buffer& sound, const Buffer& other, Random& random) {
    Buffer bytes = sound;
    switch (random.below(12)) {
        case 0: bytes.resize(static_cast<std::size_t>(place_in(bytes, random))); break;
        case 1:
        case 2: change_bytes(bytes, random); break;
        case 3: overwrite_block(bytes, {}, random); break;
        case 4: overwrite_block(bytes, other, random); break;
        case 5: test::append(bytes, sound); break;
        case 6: test::append(bytes, other); break;
        case 7: overwrite_length(bytes, random); break;
        case 8: lose_or_add_bytes(bytes, random); break;
        case 9: bytes = random.one_in(4) ? Buffer() : random.one_in(3) ? noise(random) : bytes; break;
        case 10:  // two faults at once
            bytes.resize(static_cast<std::size_t>(place_in(bytes, random)));
            change_bytes(bytes, random);
            break;
        default: break;
    }
    return bytes;
}

}  // namespace opdebug::damage
