#include "packed_text.hpp"

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

}  // namespace opdebug::test
