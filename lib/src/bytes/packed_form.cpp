#include "bytes/packed_form.hpp"

#include <array>
#include <cstddef>

namespace opdebug::bytes {
namespace {

using namespace std::string_view_literals;

struct Signature {
    std::string_view name;
    std::size_t offset;
    std::string_view bytes;
};

// Source: file(1), magic numbers of archives and of compressed files.
constexpr std::array<Signature, 8> kArchives{{{"a tar archive", 257, "ustar"},
                                              {"a zip archive", 0, "PK\x03\x04"},
                                              {"a bzip2 file", 0, "BZh"},
                                              {"an xz file", 0,
                                               "\xFD"
                                               "7zXZ\0"sv},
                                              {"an lz4 file", 0, "\x04\x22\x4D\x18"},
                                              {"a 7-Zip archive", 0, "7z\xBC\xAF\x27\x1C"},
                                              {"a RAR archive", 0, "Rar!\x1A\x07"},
                                              {"a compress file", 0, "\x1F\x9D"}}};

}  // namespace

bool is_gzip(std::string_view start) noexcept {
    return start.starts_with("\x1F\x8B");
}

bool is_zstd(std::string_view start) noexcept {
    const bool is_skippable_frame = start.size() >= 4 && start.substr(1).starts_with("\x2A\x4D\x18") &&
                                    (static_cast<unsigned char>(start[0]) & 0xF0U) == 0x50U;
    return start.starts_with("\x28\xB5\x2F\xFD") || is_skippable_frame;
}

std::optional<std::string_view> archive_name(std::string_view start) noexcept {
    for (const Signature& archive : kArchives) {
        if (start.size() >= archive.offset && start.substr(archive.offset).starts_with(archive.bytes)) {
            return archive.name;
        }
    }
    return std::nullopt;
}

std::optional<std::string_view> packing_name(std::string_view start) noexcept {
    return is_gzip(start)   ? std::optional<std::string_view>("a gzip file")
           : is_zstd(start) ? std::optional<std::string_view>("a Zstandard file")
                            : archive_name(start);
}

}  // namespace opdebug::bytes
