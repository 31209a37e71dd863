// Whether Zstandard data ends where a frame ends. Boost's decoder takes a file that was cut off for a complete one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace opdebug::logs {

/// Follows the sizes in frame and block headers (RFC 8878, section 3.1); the blocks themselves are passed over.
class ZstdFrames {
public:
    /// The next bytes of the file.
    void take(std::string_view bytes);
    /// Whether everything that was taken makes whole frames. Damaged headers are the decoder's to find.
    bool complete() const noexcept { return next_ == Next::magic && header_.empty() && to_pass_ == 0; }

private:
    enum class Next { magic, skippable_size, frame_header, block_header, unknown };
    std::size_t header_size() const noexcept;
    void read_header() noexcept;

    Next next_ = Next::magic;
    std::string header_;         ///< what was taken of the next header
    std::uint64_t to_pass_ = 0;  ///< bytes before the next header
    bool has_checksum_ = false;
};

}  // namespace opdebug::logs
