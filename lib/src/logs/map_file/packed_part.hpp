// A part of a saved map: content as a zstd stream of its own, and back.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <opdebug/bytes.hpp>

namespace opdebug::logs::map_file {

/// zstd. For one thread at a time.
class Packer {
public:
    Packer();
    Packer(Packer&&) noexcept;
    Packer& operator=(Packer&&) noexcept;
    ~Packer();

    /// A stream of its own, which does not depend on those before. Nothing when it fails.
    std::optional<std::string> pack(std::string_view content);

private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;  ///< null: to be made, or it failed
};
/// Nothing when the bytes are no zstd stream of exactly that size unpacked. Memory grows with what really comes.
std::optional<std::string> unpack(Bytes packed, std::uint64_t unpacked_size);

}  // namespace opdebug::logs::map_file
