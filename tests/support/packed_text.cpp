#include "packed_text.hpp"

#include <zstd.h>

#include <memory>

#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/zstd.hpp>
#include <boost/iostreams/filtering_stream.hpp>

namespace opdebug::test {
namespace {

template <class Filter>
std::string packed_by(const Filter& filter, std::string_view text) {
    std::string packed;
    {
        boost::iostreams::filtering_ostream stream;
        stream.push(filter);
        stream.push(boost::iostreams::back_inserter(packed));
        stream.write(text.data(), static_cast<std::streamsize>(text.size()));
    }
    return packed;
}

}  // namespace

std::string gzip_of(std::string_view text) {
    return packed_by(boost::iostreams::gzip_compressor(), text);
}

std::string zstd_of(std::string_view text) {
    return packed_by(boost::iostreams::zstd_compressor(), text);
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
