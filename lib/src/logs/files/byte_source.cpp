#include "logs/files/byte_source.hpp"

#include <array>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "bytes/packed_form.hpp"

namespace opdebug::logs {
namespace {

constexpr std::size_t kStartSize = 512;

/// Where the end of a line is looked for: lines of logs are shorter, most below 210 bytes.
constexpr std::size_t kEndSize = 1024;

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

BytesRead UnreadBytes::read(char* buffer) const {
    const Result<std::size_t> got = file->read_at(offset, buffer, size);
    if (got) {
        return {*got, {}};
    }
    return {static_cast<std::size_t>(got.error().offset.value_or(offset) - offset), got.error()};
}

Result<std::size_t> ByteSource::read_input(char* buffer, std::size_t count) {
    if (PackedFile* const packed = std::get_if<PackedFile>(&input_)) {
        return packed->read(buffer, count);
    }
    BytesRead read = UnreadBytes{*std::get_if<PlainFile>(&input_), offset_, count}.read(buffer);
    if (read.fault && read.count == 0) {
        return *std::move(read.fault);
    }
    offset_ += read.count;
    return read.count;
}

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
        source.emplace(ByteSource(std::make_shared<const bytes::FileReader>(std::move(*file))));
        source->start_ = raw;
        source->start_given_ = raw.size();  // it is read again: a part is one piece of the file
    }
    if (std::optional<Error> error = archive_error(path, source->start_)) {
        return *std::move(error);
    }
    return *std::move(source);
}

/// Of a packed file. A fault among the first bytes is kept until these are given.
void ByteSource::read_start() {
    std::array<char, kStartSize> buffer{};
    while (start_.size() < buffer.size()) {
        const Result<std::size_t> got = read_input(buffer.data(), buffer.size() - start_.size());
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
    return read_input(buffer, count);
}

std::optional<UnreadBytes> ByteSource::skip_lines(std::size_t count) {
    const PlainFile* const file = std::get_if<PlainFile>(&input_);
    if (file == nullptr || count < 2 * kEndSize) {
        return std::nullopt;
    }
    std::array<char, kEndSize> end;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled by read_at()
    const std::size_t before = count - end.size();
    const Result<std::size_t> got = (*file)->read_at(offset_ + before, end.data(), end.size());
    if (!got || *got != end.size()) {
        return std::nullopt;
    }
    const std::size_t line_break = std::string_view(end.data(), end.size()).rfind('\n');
    if (line_break == std::string_view::npos) {
        return std::nullopt;
    }
    UnreadBytes lines{*file, offset_, before + line_break + 1};
    offset_ += lines.size;
    return lines;
}

}  // namespace opdebug::logs
