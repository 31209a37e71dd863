#include "packed_text.hpp"

#define ZLIB_CONST  // zlib leaves its input as it is
#include <zlib.h>
#include <zstd.h>

#include <memory>

namespace opdebug::test {

std::string gzip_of(std::string_view text) {
    z_stream stream{};
    deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY);
    std::string packed(deflateBound(&stream, text.size()), '\0');
    const std::string content(text);
    stream.next_in = reinterpret_cast<const Bytef*>(content.data());
    stream.avail_in = static_cast<uInt>(content.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    deflate(&stream, Z_FINISH);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    return packed;
}

std::string zstd_of(std::string_view text) {
    std::string packed(ZSTD_compressBound(text.size()), '\0');
    const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(), &ZSTD_freeCCtx);
    ZSTD_outBuffer out{packed.data(), packed.size(), 0};
    ZSTD_inBuffer in{text.data(), text.size(), 0};
    ZSTD_compressStream2(context.get(), &out, &in, ZSTD_e_end);
    packed.resize(out.pos);
    return packed;
}

std::string zstd_content(std::string_view bytes) {
    const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(), &ZSTD_freeDCtx);
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    std::string content;
    std::string piece(1U << 16U, '\0');
    while (in.pos < in.size) {
        ZSTD_outBuffer out{piece.data(), piece.size(), 0};
        if (ZSTD_isError(ZSTD_decompressStream(context.get(), &out, &in)) != 0) {
            break;
        }
        content.append(piece, 0, out.pos);
    }
    return content;
}

}  // namespace opdebug::test
