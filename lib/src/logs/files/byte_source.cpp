#include "logs/files/byte_source.hpp"

#define ZLIB_CONST  // zlib leaves its input as it is
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <new>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "bytes/packed_form.hpp"

namespace opdebug::logs {
namespace {

constexpr std::size_t kStartSize = 512;

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

std::optional<Error> archive_error(const std::string& path, std::string_view start) {
    const auto archive = bytes::archive_name(start);
    if (!archive) {
        return std::nullopt;
    }
    return Error{ErrorCode::log_unreadable,
                 fmt::format("this is {}: unpack it first, then use the folder with the logs", *archive), path,
                 std::nullopt};
}

}  // namespace

/// Gzip with any number of members, Zstandard with any number of frames: unpacked in little memory, however large the
/// content is.
struct ByteSource::Unpacking {
    Error damaged(std::string_view how) const;
    Result<std::size_t> read(bytes::FileReader& file, char* output, std::size_t count);

    std::string path;
    std::variant<GzipDecoder, ZstdDecoder> decoder{};
    std::array<char, 1U << 16U> buffer{};
    std::string_view input{};  ///< what is left in the buffer
    Outcome outcome = Outcome::whole;
    std::uint64_t given = 0;  ///< bytes unpacked so far
};

Error ByteSource::Unpacking::damaged(std::string_view how) const {
    const char* const used = given != 0 ? "; the complete lines before are used" : "";
    if (outcome == Outcome::wide_window) {
        return {ErrorCode::log_unreadable,
                fmt::format("the Zstandard data after {} decompressed bytes has a window above 128 MiB, which needs as "
                            "much memory{}: decompress the file with zstd -d --long=31 and use the result",
                            given, used),
                path, std::nullopt};
    }
    return {
        ErrorCode::log_unreadable,
        fmt::format("the {} data {} after {} decompressed bytes{}: copy the file again{}",
                    decoder.index() == 0 ? "gzip" : "Zstandard", how, given, used, given != 0 ? " for the rest" : ""),
        path, std::nullopt};
}

/// All bytes before damage come before its error.
Result<std::size_t> ByteSource::Unpacking::read(bytes::FileReader& file, char* output, std::size_t count) {
    Step step{{}, output, count};
    while (step.space == count && count != 0) {
        if (outcome == Outcome::damaged || outcome == Outcome::wide_window) {
            return damaged("is damaged");
        }
        step.input = input;
        outcome = std::visit([&step](auto& used) { return used.take(step); }, decoder);
        const bool is_idle = step.input.size() == input.size() && step.space == count;
        input = step.input;
        if (is_idle && input.empty()) {
            const Result<std::size_t> got = file.read(buffer.data(), buffer.size());
            if (!got) {
                return got.error();
            }
            if (*got == 0) {
                return outcome == Outcome::whole ? Result<std::size_t>(std::size_t{0}) : damaged("ends too early");
            }
            input = {buffer.data(), *got};
        }
    }
    given += count - step.space;
    return count - step.space;
}

ByteSource::ByteSource(bytes::FileReader file, std::string start) : file_(std::move(file)), start_(std::move(start)) {}
ByteSource::ByteSource(ByteSource&&) noexcept = default;
ByteSource::~ByteSource() = default;

Result<ByteSource> ByteSource::open(const std::string& path) {
    Result<bytes::FileReader> file = bytes::FileReader::open(path);
    if (!file) {
        return std::move(file.error());
    }
    const Result<std::vector<std::uint8_t>> start = file->read_at(0, kStartSize);
    if (!start) {
        return start.error();
    }
    ByteSource source(std::move(*file), std::string(start->begin(), start->end()));
    const bool is_zstd = bytes::is_zstd(source.start_);
    if (is_zstd || bytes::is_gzip(source.start_)) {
        source.unpacking_ = std::make_unique<Unpacking>(Unpacking{path});
        if (is_zstd) {
            source.unpacking_->decoder.emplace<ZstdDecoder>();
        }
        source.unpack_start();
    }
    if (std::optional<Error> error = archive_error(path, source.start_)) {
        return *std::move(error);
    }
    return source;
}

/// A fault among the first bytes is kept until these are passed on.
void ByteSource::unpack_start() {
    start_.clear();
    std::array<char, kStartSize> buffer{};
    while (start_.size() < buffer.size()) {
        const Result<std::size_t> got = unpacking_->read(file_, buffer.data(), buffer.size() - start_.size());
        if (!got) {
            start_failure_ = got.error();
        }
        if (!got || *got == 0) {
            break;
        }
        start_.append(buffer.data(), *got);
    }
    start_left_ = start_.size();
}

Result<std::size_t> ByteSource::read(char* buffer, std::size_t count) {
    if (start_left_ != 0) {
        const std::size_t taken = start_.copy(buffer, count, start_.size() - start_left_);
        start_left_ -= taken;
        return taken;
    }
    if (start_failure_) {
        return *start_failure_;
    }
    return unpacking_ != nullptr ? unpacking_->read(file_, buffer, count) : file_.read(buffer, count);
}

}  // namespace opdebug::logs
