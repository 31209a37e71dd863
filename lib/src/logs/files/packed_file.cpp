#include "logs/files/packed_file.hpp"

#define ZLIB_CONST  // zlib leaves its input as it is
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "bytes/file.hpp"

namespace opdebug::logs {
namespace {

enum class Outcome {
    more,        ///< inside of a member or frame
    whole,       ///< a member or frame ended
    damaged,     ///< what was made before is sound
    wide_window  ///< sound data that need more memory than is given
};

/// The rest of the compressed input, and of the memory for the output.
struct Step {
    std::string_view input;
    char* output;
    std::size_t space;
};

class GzipDecoder {
public:
    GzipDecoder() : stream_(std::make_unique<z_stream>()) {
        constexpr int kGzipHeader = 16;  // is added to the window bits
        if (inflateInit2(stream_.get(), MAX_WBITS + kGzipHeader) != Z_OK) {
            throw std::bad_alloc();
        }
    }
    GzipDecoder(GzipDecoder&&) noexcept = default;
    GzipDecoder& operator=(GzipDecoder&&) noexcept = default;
    ~GzipDecoder() {
        if (stream_ != nullptr) {
            inflateEnd(stream_.get());
        }
    }

    Outcome take(Step& step) {
        if (at_begin_) {  // tapes and block devices fill up with zeros, and gzip takes them for nothing
            step.input.remove_prefix(std::min(step.input.find_first_not_of('\0'), step.input.size()));
            if (step.input.empty()) {
                return Outcome::whole;
            }
        }
        stream_->next_in = reinterpret_cast<const Bytef*>(step.input.data());
        stream_->avail_in = static_cast<uInt>(step.input.size());
        stream_->next_out = reinterpret_cast<Bytef*>(step.output);
        stream_->avail_out = static_cast<uInt>(step.space);
        const int code = inflate(stream_.get(), Z_NO_FLUSH);
        step.input.remove_prefix(step.input.size() - stream_->avail_in);
        step.output += step.space - stream_->avail_out;
        step.space = stream_->avail_out;
        if (code == Z_MEM_ERROR) {
            throw std::bad_alloc();
        }
        if (code == Z_STREAM_END) {
            inflateReset(stream_.get());
        }
        at_begin_ = code == Z_STREAM_END;
        return at_begin_ ? Outcome::whole : code == Z_OK || code == Z_BUF_ERROR ? Outcome::more : Outcome::damaged;
    }

private:
    std::unique_ptr<z_stream> stream_;  ///< zlib keeps its address
    bool at_begin_ = true;              ///< of a member
};

class ZstdDecoder {
public:
    ZstdDecoder() : context_(ZSTD_createDCtx()) {
        if (context_ == nullptr) {
            throw std::bad_alloc();
        }
    }

    Outcome take(Step& step) {
        ZSTD_inBuffer input{step.input.data(), next_size(step.input.size()), 0};
        ZSTD_outBuffer output{step.output, step.space, 0};
        const std::size_t hint = ZSTD_decompressStream(context_.get(), &output, &input);
        if (ZSTD_isError(hint) != 0) {
            const ZSTD_ErrorCode code = ZSTD_getErrorCode(hint);
            if (code == ZSTD_error_memory_allocation) {
                throw std::bad_alloc();
            }
            return code == ZSTD_error_frameParameter_windowTooLarge ? Outcome::wide_window : Outcome::damaged;
        }
        step.input.remove_prefix(input.pos);
        step.output += output.pos;
        step.space -= output.pos;
        has_more_ = step.space == 0;
        const bool is_idle = input.pos == 0 && output.pos == 0;
        is_inside_ = is_idle ? is_inside_ : hint != 0;
        hint_ = is_idle ? hint_ : hint;
        return is_inside_ ? Outcome::more : Outcome::whole;
    }

private:
    /// An error loses the output of the same call. So a block and the header after it, which the hint counts, go into
    /// two calls. No input is used before all earlier output is passed on.
    std::size_t next_size(std::size_t available) const noexcept {
        constexpr std::size_t kBlockHeader = 3;
        const std::size_t size = hint_ > kBlockHeader ? hint_ - kBlockHeader : std::max<std::size_t>(hint_, 1);
        return has_more_ ? 0 : std::min(size, available);
    }

    struct Free {
        void operator()(ZSTD_DCtx* context) const noexcept { ZSTD_freeDCtx(context); }
    };
    std::unique_ptr<ZSTD_DCtx, Free> context_;
    std::size_t hint_ = 0;  ///< how much the decoder would take next
    bool is_inside_ = false, has_more_ = false;
};

}  // namespace

struct PackedFile::Implementation {
    Implementation(std::string file_path, Packing packing, bytes::FileReader opened)
        : path(std::move(file_path)), file(std::move(opened)) {
        if (packing == Packing::zstd) {
            decoder.emplace<ZstdDecoder>();
        }
    }

    Error damaged(std::string_view how) const;

    std::string path;
    bytes::FileReader file;
    std::variant<GzipDecoder, ZstdDecoder> decoder;
    std::array<char, 1U << 16U> buffer;
    std::string_view input;  ///< what is left in the buffer
    Outcome outcome = Outcome::whole;
    std::uint64_t given = 0;  ///< bytes unpacked so far
};

Error PackedFile::Implementation::damaged(std::string_view how) const {
    const char* const used = given != 0 ? "; the whole lines up to there are used" : "";
    if (outcome == Outcome::wide_window) {
        return {ErrorCode::log_unreadable,
                fmt::format("the Zstandard data after {} unpacked bytes has a window above 128 MiB, which takes that "
                            "much memory{}: unpack the file with zstd -d --long=31 and give what comes out",
                            given, used),
                path, std::nullopt};
    }
    return {
        ErrorCode::log_unreadable,
        fmt::format("the {} data {} after {} unpacked bytes{}: copy the file again{}",
                    decoder.index() == 0 ? "gzip" : "Zstandard", how, given, used, given != 0 ? " for the rest" : ""),
        path, std::nullopt};
}

Result<PackedFile> PackedFile::open(const std::string& path, Packing packing) {
    Result<bytes::FileReader> file = bytes::FileReader::open(path);
    if (!file) {
        return std::move(file.error());
    }
    return PackedFile(std::make_unique<Implementation>(path, packing, std::move(*file)));
}

Result<std::size_t> PackedFile::read(char* buffer, std::size_t count) {
    Implementation& packed = *implementation_;
    Step step{{}, buffer, count};
    while (step.space == count && count != 0) {
        if (packed.outcome == Outcome::damaged || packed.outcome == Outcome::wide_window) {
            return packed.damaged("is damaged");
        }
        step.input = packed.input;
        packed.outcome = std::visit([&step](auto& decoder) { return decoder.take(step); }, packed.decoder);
        const bool is_idle = step.input.size() == packed.input.size() && step.space == count;
        packed.input = step.input;
        if (is_idle && packed.input.empty()) {
            const Result<std::size_t> got = packed.file.read(packed.buffer.data(), packed.buffer.size());
            if (!got) {
                return got.error();
            }
            if (*got == 0) {
                return packed.outcome == Outcome::whole ? Result<std::size_t>(std::size_t{0})
                                                        : packed.damaged("ends too early,");
            }
            packed.input = {packed.buffer.data(), *got};
        }
    }
    packed.given += count - step.space;
    return count - step.space;
}

PackedFile::PackedFile(std::unique_ptr<Implementation> implementation) : implementation_(std::move(implementation)) {}
PackedFile::PackedFile(PackedFile&&) noexcept = default;
PackedFile::~PackedFile() = default;

}  // namespace opdebug::logs
