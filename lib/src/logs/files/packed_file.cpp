// Boost.Iostreams' filters are used without its streams, which swallow exceptions. What they leave open is closed here:
// they throw away what they unpacked when they meet damage, and take Zstandard data that was cut off for complete.
#include "logs/files/packed_file.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <boost/iostreams/categories.hpp>
#include <boost/iostreams/filter/zlib.hpp>
#include <boost/iostreams/filter/zstd.hpp>

#include "bytes/file.hpp"
#include "logs/files/zstd_frames.hpp"
#include "logs/files/zstd_memory.hpp"

namespace opdebug::logs {
namespace {

namespace io = boost::iostreams;

constexpr std::size_t kPackedBuffer = 1U << 16U;

/// How much is read of the file at once: all that fits, or each byte by itself from `single_from` on. A filter that has
/// the end of a block and the wrong checksum behind it in one piece throws the last bytes of the block away.
struct Pace {
    std::uint64_t taken = 0;
    std::uint64_t single_from = UINT64_MAX;

    std::size_t next(std::size_t count) const noexcept {
        const std::uint64_t left = taken < single_from ? single_from - taken : 1;
        return static_cast<std::size_t>(std::min<std::uint64_t>(count, left));
    }
};

/// The file as the filters see it: a device of Boost.Iostreams. Bytes can be put back.
struct PackedBytes {
    using char_type = char;
    using category = io::source_tag;

    bytes::FileReader* file;
    std::optional<Error>* failure;
    std::string* put_back;
    ZstdFrames* frames;
    Pace* pace;

    std::streamsize read(char* buffer, std::streamsize count) {
        if (!put_back->empty()) {
            const std::size_t taken = put_back->copy(buffer, static_cast<std::size_t>(count));
            put_back->erase(0, taken);
            return static_cast<std::streamsize>(taken);
        }
        const Result<std::size_t> got = file->read(buffer, pace->next(static_cast<std::size_t>(count)));
        if (!got) {
            *failure = got.error();
        }
        if (!got || *got == 0) {
            return -1;
        }
        pace->taken += *got;
        if (frames != nullptr) {
            frames->take({buffer, *got});
        }
        return static_cast<std::streamsize>(*got);
    }
};

/// One member of a gzip file; 16 more window bits make zlib read the header and check the sum. Boost's own gzip filter
/// fails when a member ends exactly with its buffer.
struct GzipMember : io::zlib_decompressor {
    GzipMember()
        : io::zlib_decompressor(
              io::zlib_params(io::zlib::default_compression, io::zlib::deflated, io::zlib::default_window_bits + 16),
              kPackedBuffer) {}
    using io::zlib_decompressor::unconsumed_input;
};

std::string_view name_of(Packing packing) noexcept {
    return packing == Packing::gzip ? "gzip" : "Zstandard";
}

}  // namespace

struct PackedFile::Implementation {
    std::string path;
    Packing packing = Packing::gzip;
    std::optional<bytes::FileReader> file;
    std::optional<Error> failure;  ///< of reading the file
    std::string put_back;
    ZstdFrames frames;
    Pace pace;
    std::optional<GzipMember> gzip;
    std::optional<io::zstd_decompressor> zstd;
    std::uint64_t given = 0;    ///< bytes unpacked so far
    bool byte_by_byte = false;  ///< a damaged place is near
    bool wide_window = false;   ///< what was met is no damage, but data that ask for much memory

    std::optional<Error> begin();
    std::size_t unpack(char* buffer, std::size_t count);
    bool find_next_member(PackedBytes& source);
    std::size_t unpack_gzip(PackedBytes& source, char* buffer, std::size_t count);
    std::size_t unpack_zstd(PackedBytes& source, char* buffer, std::size_t count);
    std::optional<Error> approach_damage();
    Error damaged(std::string_view how) const;
};

std::optional<Error> PackedFile::Implementation::begin() {
    Result<bytes::FileReader> opened = bytes::FileReader::open(path);
    if (!opened) {
        return std::move(opened.error());
    }
    file.emplace(std::move(*opened));
    put_back.clear();
    frames = ZstdFrames();
    pace.taken = 0;
    if (packing == Packing::gzip) {
        gzip.emplace();
    } else {
        zstd.emplace(io::zstd_params(), kPackedBuffer);
    }
    return std::nullopt;
}

/// Passes over zeros behind a member: tapes and block devices fill up with them, and gzip takes them for nothing.
/// Whether something else follows, which is put back.
bool PackedFile::Implementation::find_next_member(PackedBytes& source) {
    while (true) {
        put_back.erase(0, std::min(put_back.find_first_not_of('\0'), put_back.size()));
        if (!put_back.empty()) {
            return true;
        }
        std::string next(kPackedBuffer, '\0');
        const std::streamsize got = source.read(next.data(), static_cast<std::streamsize>(next.size()));
        if (got <= 0) {
            return false;
        }
        put_back.assign(next, 0, static_cast<std::size_t>(got));
    }
}

/// 0 at the end of the file.
std::size_t PackedFile::Implementation::unpack_gzip(PackedBytes& source, char* buffer, std::size_t count) {
    while (true) {
        const std::streamsize got = gzip->read(source, buffer, static_cast<std::streamsize>(count));
        if (got > 0) {
            return static_cast<std::size_t>(got);
        }
        put_back = gzip->unconsumed_input();
        if (!find_next_member(source)) {
            return 0;
        }
        gzip.emplace();
    }
}

std::size_t PackedFile::Implementation::unpack_zstd(PackedBytes& source, char* buffer, std::size_t count) {
    const std::streamsize got = zstd->read(source, buffer, static_cast<std::streamsize>(count));
    return got > 0 ? static_cast<std::size_t>(got) : 0;
}

std::size_t PackedFile::Implementation::unpack(char* buffer, std::size_t count) {
    PackedBytes source{&*file, &failure, &put_back, packing == Packing::zstd ? &frames : nullptr, &pace};
    return packing == Packing::gzip ? unpack_gzip(source, buffer, count) : unpack_zstd(source, buffer, count);
}

/// The filter has thrown away what it unpacked before the damage: unpacks again up to what was given, and from there
/// each byte by itself. The damage lies in what was read last.
std::optional<Error> PackedFile::Implementation::approach_damage() {
    byte_by_byte = true;
    pace.single_from = pace.taken - std::min<std::uint64_t>(pace.taken, kPackedBuffer);
    if (std::optional<Error> error = begin()) {
        return error;
    }
    std::vector<char> passed(kPackedBuffer);
    for (std::uint64_t left = given; left != 0;) {
        const std::size_t got = unpack(passed.data(), std::min<std::uint64_t>(left, passed.size()));
        if (got == 0) {
            return Error{ErrorCode::read_failed, "the file changed while it was read: try again", path, std::nullopt};
        }
        left -= got;
    }
    return std::nullopt;
}

Error PackedFile::Implementation::damaged(std::string_view how) const {
    const char* const used = given != 0 ? "; the whole lines up to there are used" : "";
    if (wide_window) {
        return {ErrorCode::log_unreadable,
                fmt::format("the Zstandard data after {} unpacked bytes has a window above 128 MiB, which takes that "
                            "much memory{}: unpack the file with zstd -d --long=31 and give what comes out",
                            given, used),
                path, std::nullopt};
    }
    return {ErrorCode::log_unreadable,
            fmt::format("the {} data {} after {} unpacked bytes{}: copy the file again{}", name_of(packing), how, given,
                        used, given != 0 ? " for the rest" : ""),
            path, std::nullopt};
}

Result<PackedFile> PackedFile::open(const std::string& path, Packing packing) {
    auto implementation = std::make_unique<Implementation>();
    implementation->path = path;
    implementation->packing = packing;
    if (std::optional<Error> error = implementation->begin()) {
        return *std::move(error);
    }
    return PackedFile(std::move(implementation));
}

Result<std::size_t> PackedFile::read(char* buffer, std::size_t count) {
    Implementation& unpacked = *implementation_;
    while (true) {
        std::optional<std::string_view> damage;
        try {
            const std::size_t got =
                unpacked.unpack(buffer, unpacked.byte_by_byte ? std::min<std::size_t>(count, 1) : count);
            if (got == 0 && unpacked.packing == Packing::zstd && !unpacked.frames.complete()) {
                damage = "ends too early,";
            } else if (!unpacked.failure) {
                unpacked.given += got;
                return got;
            }
        } catch (const io::zlib_error& error) {
            damage = error.error() == io::zlib::buf_error ? "ends too early," : "is damaged";
        } catch (const io::zstd_error& error) {
            throw_if_out_of_memory(error);
            unpacked.wide_window = has_wide_window(error);
            damage = "is damaged";
        }
        if (unpacked.failure) {
            return *unpacked.failure;
        }
        if (unpacked.byte_by_byte) {
            return unpacked.damaged(*damage);
        }
        try {
            if (std::optional<Error> error = unpacked.approach_damage()) {
                return *std::move(error);
            }
        } catch (const io::zstd_error& error) {
            throw_if_out_of_memory(error);
            return unpacked.damaged(*damage);
        } catch (const io::zlib_error&) {
            return unpacked.damaged(*damage);
        }
    }
}

PackedFile::PackedFile(std::unique_ptr<Implementation> implementation) : implementation_(std::move(implementation)) {}
PackedFile::PackedFile(PackedFile&&) noexcept = default;
PackedFile::~PackedFile() = default;

}  // namespace opdebug::logs
