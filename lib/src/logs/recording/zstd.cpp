#include "logs/recording/zstd.hpp"

#include <zstd.h>

#include <memory>
#include <new>

namespace opdebug::logs {
namespace {

/// Level 3 takes twice the time and saves a tenth.
constexpr int kLevel = 1;

struct Free {
    void operator()(ZSTD_CCtx* context) const noexcept { ZSTD_freeCCtx(context); }
    void operator()(ZSTD_DCtx* context) const noexcept { ZSTD_freeDCtx(context); }
};

}  // namespace

std::string compress_frame(std::string_view content) {
    const std::unique_ptr<ZSTD_CCtx, Free> context(ZSTD_createCCtx());
    if (context == nullptr) {
        throw std::bad_alloc();
    }
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, kLevel);
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
    std::string frame(ZSTD_compressBound(content.size()), '\0');
    const std::size_t size = ZSTD_compress2(context.get(), frame.data(), frame.size(), content.data(), content.size());
    if (ZSTD_isError(size) != 0) {  // of a bounded buffer: only want of memory is left
        throw std::bad_alloc();
    }
    frame.resize(size);
    return frame;
}

std::optional<std::string> decompress_frame(Bytes frame, std::uint64_t content_size) {
    if (ZSTD_getFrameContentSize(frame.data(), frame.size()) != content_size) {
        return std::nullopt;
    }
    const std::unique_ptr<ZSTD_DCtx, Free> context(ZSTD_createDCtx());
    if (context == nullptr) {
        throw std::bad_alloc();
    }
    std::string content(static_cast<std::size_t>(content_size), '\0');
    const std::size_t size =
        ZSTD_decompressDCtx(context.get(), content.data(), content.size(), frame.data(), frame.size());
    return size == content_size ? std::optional(std::move(content)) : std::nullopt;
}

}  // namespace opdebug::logs
