#include "logs/map_file/packed_part.hpp"

#include <algorithm>
#include <exception>
#include <ios>
#include <new>
#include <utility>

#include <boost/iostreams/categories.hpp>
#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filter/zstd.hpp>

#include "logs/files/zstd_memory.hpp"

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
