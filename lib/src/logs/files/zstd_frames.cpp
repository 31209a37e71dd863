#include "logs/files/zstd_frames.hpp"

#include <algorithm>
#include <array>

namespace opdebug::logs {
namespace {

constexpr std::uint32_t kFrameMagic = 0xFD2FB528U;
constexpr std::uint32_t kSkippableMagic = 0x184D2A50U;  // the last four bits are the writer's own

std::uint32_t little_endian(std::string_view bytes) noexcept {
    std::uint32_t value = 0;
    for (std::size_t index = bytes.size(); index > 0; --index) {
        value = value << 8U | static_cast<unsigned char>(bytes[index - 1]);
    }
    return value;
}

/// What follows the descriptor: window, dictionary id and content size.
std::uint64_t frame_header_rest(std::uint32_t descriptor) noexcept {
    constexpr std::array<std::uint64_t, 4> kDictionarySizes{0, 1, 2, 4};
    constexpr std::array<std::uint64_t, 4> kContentSizes{0, 2, 4, 8};
    const bool single_segment = (descriptor >> 5U & 1U) != 0;
    const std::uint64_t content = kContentSizes.at(descriptor >> 6U & 3U);
    return (single_segment ? std::max<std::uint64_t>(content, 1) : content + 1) + kDictionarySizes.at(descriptor & 3U);
}

}  // namespace

std::size_t ZstdFrames::header_size() const noexcept {
    switch (next_) {
        case Next::frame_header: return 1;
        case Next::block_header: return 3;
        default: return 4;
    }
}

void ZstdFrames::read_header() noexcept {
    const std::uint32_t value = little_endian(header_);
    switch (next_) {
        case Next::magic:
            next_ = value == kFrameMagic                 ? Next::frame_header
                    : (value & ~0xFU) == kSkippableMagic ? Next::skippable_size
                                                         : Next::unknown;
            break;
        case Next::skippable_size:
            to_pass_ = value;
            next_ = Next::magic;
            break;
        case Next::frame_header:
            to_pass_ = frame_header_rest(value);
            has_checksum_ = (value >> 2U & 1U) != 0;
            next_ = Next::block_header;
            break;
        case Next::block_header: {
            const bool is_last = (value & 1U) != 0;
            const bool is_one_byte_repeated = (value >> 1U & 3U) == 1;
            to_pass_ = is_one_byte_repeated ? 1 : value >> 3U;
            to_pass_ += is_last && has_checksum_ ? 4 : 0;
            next_ = is_last ? Next::magic : Next::block_header;
            break;
        }
        case Next::unknown: break;
    }
}

void ZstdFrames::take(std::string_view bytes) {
    while (!bytes.empty() && next_ != Next::unknown) {
        if (to_pass_ != 0) {
            const std::size_t passed = std::min<std::uint64_t>(to_pass_, bytes.size());
            to_pass_ -= passed;
            bytes.remove_prefix(passed);
            continue;
        }
        const std::size_t taken = std::min(header_size() - header_.size(), bytes.size());
        header_.append(bytes.substr(0, taken));
        bytes.remove_prefix(taken);
        if (header_.size() == header_size()) {
            read_header();
            header_.clear();
        }
    }
}

}  // namespace opdebug::logs
