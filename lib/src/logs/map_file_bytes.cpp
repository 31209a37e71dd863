#include "logs/map_file_bytes.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <ios>
#include <new>
#include <utility>

#include <boost/iostreams/categories.hpp>
#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filter/zstd.hpp>

#include "logs/number_bytes.hpp"
#include "logs/zstd_memory.hpp"

namespace opdebug::logs::map_file {
namespace {

namespace streams = boost::iostreams;

/// Packed bytes as the filter sees them: a device of Boost.Iostreams.
struct PackedSource {
    using char_type = char;
    using category = streams::source_tag;

    std::string_view left;

    std::streamsize read(char* buffer, std::streamsize count) {
        const std::size_t taken = left.copy(buffer, static_cast<std::size_t>(count));
        left.remove_prefix(taken);
        return taken == 0 ? -1 : static_cast<std::streamsize>(taken);
    }
};

/// Of Zstandard. Level 3 takes twice the time and saves 0 to 5 % of a map.
constexpr std::uint32_t kLevel = 1;

}  // namespace

void ByteWriter::number(std::uint64_t value) {
    std::array<char, kMostNumberBytes> bytes;  // NOLINT(*-member-init): what is read was written
    bytes_.append(bytes.data(), write_number(value, bytes.data()));
}

void ByteWriter::signed_number(std::int64_t value) {
    number(folded(value));
}

void ByteWriter::text(std::string_view value) {
    number(value.size());
    bytes_ += value;
}

void ByteWriter::little_endian(std::uint64_t value, int width) {
    for (int i = 0; i < width; ++i) {
        bytes_ += static_cast<char>(static_cast<std::uint8_t>(value >> (8U * static_cast<unsigned>(i))));
    }
}

std::uint64_t ByteReader::number() noexcept {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && position_ < bytes_.size() && ok_; shift += kBitsPerByte) {
        const std::uint8_t byte = bytes_[position_++];
        const std::uint64_t bits = byte & 0x7fU;
        if (shift == 63 && bits > 1) {
            break;  // more than 64 bits
        }
        value |= bits << shift;
        if (byte < 0x80) {
            return value;
        }
    }
    ok_ = false;
    return 0;
}

std::int64_t ByteReader::signed_number() noexcept {
    const std::uint64_t folded = number();
    return static_cast<std::int64_t>((folded & 1U) != 0 ? ~(folded >> 1U) : folded >> 1U);
}

std::string_view ByteReader::bytes(std::uint64_t count) noexcept {
    if (!ok_ || count > bytes_.size() - position_) {
        ok_ = false;
        return {};
    }
    const std::string_view part = bytes_.text().substr(position_, static_cast<std::size_t>(count));
    position_ += part.size();
    return part;
}

std::string_view ByteReader::text() noexcept {
    return bytes(number());
}

std::uint64_t ByteReader::little_endian(int width) noexcept {
    const std::string_view part = bytes(static_cast<std::uint64_t>(width));
    std::uint64_t value = 0;
    for (std::size_t i = part.size(); i-- > 0;) {
        value = value << 8U | static_cast<std::uint8_t>(part[i]);
    }
    return value;
}

std::uint64_t ByteReader::count() noexcept {
    const std::uint64_t value = number();
    if (ok_ && value > bytes_.size() - position_) {
        ok_ = false;
    }
    return ok_ ? value : 0;
}

/// Without the streams around the filter: where these get no memory, they crash while they are taken down.
struct Packer::Implementation {
    streams::zstd_compressor compressor{kLevel};

    std::string pack(std::string_view content) {
        std::string packed;
        auto sink = streams::back_inserter(packed);
        while (!content.empty()) {
            const std::streamsize taken =
                compressor.write(sink, content.data(), static_cast<std::streamsize>(content.size()));
            content.remove_prefix(static_cast<std::size_t>(taken));
        }
        compressor.close(sink, std::ios::out);  // the end of the frame; the next one begins anew
        return packed;
    }
};

Packer::Packer() = default;
Packer::Packer(Packer&&) noexcept = default;
Packer& Packer::operator=(Packer&&) noexcept = default;
Packer::~Packer() = default;

std::optional<std::string> Packer::pack(std::string_view content) {
    // Taken out for the time of packing: after an exception it is not to be used again.
    std::unique_ptr<Implementation> taken = std::move(implementation_);
    try {
        taken = taken ? std::move(taken) : std::make_unique<Implementation>();
        std::optional<std::string> packed(taken->pack(content));
        implementation_ = std::move(taken);
        return packed;
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const streams::zstd_error& error) {
        logs::throw_if_out_of_memory(error);
        return std::nullopt;
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

std::optional<std::string> unpack(Bytes packed, std::uint64_t unpacked_size) {
    constexpr std::uint64_t kStep = std::uint64_t{256} << 10U;
    std::string content;
    try {
        streams::zstd_decompressor decompressor;
        PackedSource source{packed.text()};
        while (content.size() <= unpacked_size) {
            const std::size_t before = content.size();
            const std::uint64_t missing = unpacked_size + 1 - before;  // one more shows that there is no more
            content.resize(before + static_cast<std::size_t>(std::min(missing, kStep)));
            const std::streamsize got = decompressor.read(source, content.data() + before,
                                                          static_cast<std::streamsize>(content.size() - before));
            content.resize(before + static_cast<std::size_t>(std::max<std::streamsize>(got, 0)));
            if (got <= 0) {
                break;
            }
        }
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const streams::zstd_error& error) {
        logs::throw_if_out_of_memory(error);
        return std::nullopt;
    } catch (const std::exception&) {
        return std::nullopt;
    }
    if (content.size() != unpacked_size) {
        return std::nullopt;
    }
    return content;
}

}  // namespace opdebug::logs::map_file
