#include "logs/files/byte_source.hpp"

#include <array>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "bytes/packed_form.hpp"

namespace opdebug::logs {
namespace {

constexpr std::size_t kStartSize = 512;

std::optional<Packing> packing_of(std::string_view start) noexcept {
    return bytes::is_gzip(start)   ? std::optional(Packing::gzip)
           : bytes::is_zstd(start) ? std::optional(Packing::zstd)
                                   : std::nullopt;
}

std::optional<Error> archive_error(const std::string& path, std::string_view start) {
    const auto archive = bytes::archive_name(start);
    if (!archive) {
        return std::nullopt;
    }
    return Error{ErrorCode::log_unreadable,
                 fmt::format("this is {}: unpack it first and name the folder with its logs", *archive), path,
                 std::nullopt};
}

}  // namespace

Result<ByteSource> ByteSource::open(const std::string& path) {
    Result<bytes::FileReader> file = bytes::FileReader::open(path);
    if (!file) {
        return std::move(file.error());
    }
    const Result<std::vector<std::uint8_t>> start = file->read_at(0, kStartSize);
    if (!start) {
        return start.error();
    }
    const std::string raw(start->begin(), start->end());
    std::optional<ByteSource> source;
    if (const std::optional<Packing> packing = packing_of(raw)) {
        Result<PackedFile> packed = PackedFile::open(path, *packing);
        if (!packed) {
            return std::move(packed.error());
        }
        source.emplace(ByteSource(std::move(*packed)));
        source->read_start();
    } else {
        source.emplace(ByteSource(std::move(*file)));
        source->start_ = raw;
        source->start_given_ = raw.size();  // read() begins with it
    }
    if (std::optional<Error> error = archive_error(path, source->start_)) {
        return *std::move(error);
    }
    return *std::move(source);
}

/// Of a compressed file. A fault among the first bytes is kept until these are passed on.
void ByteSource::read_start() {
    std::array<char, kStartSize> buffer{};
    while (start_.size() < buffer.size()) {
        const Result<std::size_t> got = std::get<PackedFile>(input_).read(buffer.data(), buffer.size() - start_.size());
        if (!got) {
            start_failure_ = got.error();
        }
        if (!got || *got == 0) {
            break;
        }
        start_.append(buffer.data(), *got);
    }
}

Result<std::size_t> ByteSource::read(char* buffer, std::size_t count) {
    if (start_given_ < start_.size()) {
        const std::size_t taken = start_.copy(buffer, count, start_given_);
        start_given_ += taken;
        return taken;
    }
    if (start_failure_) {
        return *start_failure_;
    }
    return std::visit([&](auto& input) { return input.read(buffer, count); }, input_);
}

}  // namespace opdebug::logs
