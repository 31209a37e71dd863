#include "merge/part_text.hpp"

#include <algorithm>
#include <utility>

#include "bytes/packed_form.hpp"
#include "logs/files/byte_source.hpp"

namespace opdebug::merge {
namespace {

/// A line that is longer is none of a report: a document of thousands of tensors has a few megabytes.
constexpr std::size_t kLongestLine = std::size_t{64} << 20U;

}  // namespace

Result<PartText> PartText::open(const std::string& path, const std::shared_ptr<report::DocumentStore>& unpacked) {
    PartText text;
    text.path_ = path;
    Result<bytes::FileReader> file = bytes::FileReader::open(path);
    if (!file) {
        return std::move(file.error());
    }
    text.size_ = file->size();
    char start[4] = {};
    const Result<std::size_t> got = file->read_at(0, start, sizeof start);
    if (!got) {
        return got.error();
    }
    const std::string_view begin(start, *got);
    if (bytes::is_gzip(begin) || bytes::is_zstd(begin)) {
        text.unpacked_ = unpacked;
        if (auto error = text.unpack()) {
            return *std::move(error);
        }
    }
    return text;
}

std::optional<Error> PartText::unpack() {
    Result<logs::ByteSource> source = logs::ByteSource::open(path_);
    if (!source) {
        return std::move(source.error());
    }
    size_ = 0;
    std::string piece;
    while (true) {
        piece.resize(std::size_t{64} << 10U);
        const Result<std::size_t> got = source->read(piece.data(), piece.size());
        if (!got) {
            damage_ = got.error();
        }
        if (!got || *got == 0) {
            return std::nullopt;
        }
        piece.resize(*got);
        const Result<report::DocumentStore::Place> place = unpacked_->add(piece);
        if (!place) {
            return place.error();
        }
        begin_ = size_ == 0 ? place->offset : begin_;
        size_ += *got;
    }
}

void PartText::stay_open() {
    if (!unpacked_) {
        Result<bytes::FileReader> file = bytes::FileReader::open(path_);
        if (file) {
            file_.emplace(std::move(*file));
        }
    }
}

std::optional<Error> PartText::read_at(std::uint64_t offset, std::size_t count, std::string& text) const {
    if (offset >= size_) {
        return std::nullopt;
    }
    count = static_cast<std::size_t>(std::min<std::uint64_t>(count, size_ - offset));
    if (unpacked_) {
        const Result<std::string> piece = unpacked_->text_at({begin_ + offset, count});
        if (!piece) {
            return piece.error();
        }
        text += *piece;
        return std::nullopt;
    }
    const std::size_t before = text.size();
    text.resize(before + count);
    Result<std::size_t> got = std::size_t{0};
    if (file_) {
        got = file_->read_at(offset, text.data() + before, count);
    } else {
        const Result<bytes::FileReader> file = bytes::FileReader::open(path_);
        got = file ? file->read_at(offset, text.data() + before, count) : Result<std::size_t>(file.error());
    }
    text.resize(before + (got ? *got : 0));
    return got ? std::nullopt : std::optional(got.error());
}

bool PartLines::read_more() {
    buffer_.erase(0, begin_);
    begin_ = 0;
    const std::size_t before = buffer_.size();
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(std::max(piece_, before), end_ - next_));
    const std::optional<Error> error = text_.read_at(next_, wanted, buffer_);
    next_ += buffer_.size() - before;
    return !error && buffer_.size() > before;
}

std::string_view PartLines::take(std::size_t end, std::size_t next) {
    std::string_view line = std::string_view(buffer_).substr(begin_, end - begin_);
    line.remove_suffix(!line.empty() && line.back() == '\r' ? 1 : 0);  // a file that went through Windows
    begin_ = next;
    ++given_;
    return line;
}

std::optional<std::string_view> PartLines::next() {
    std::size_t searched = begin_;
    while (true) {
        const std::size_t end = buffer_.find('\n', searched);
        if (end != std::string::npos) {
            return take(end, end + 1);
        }
        searched = buffer_.size() - begin_;
        if (next_ >= end_ && searched != 0 && searched <= kLongestLine) {
            return take(buffer_.size(), buffer_.size());
        }
        if (next_ >= end_ || searched > kLongestLine || !read_more()) {
            stopped_early_ = stopped_early_ || begin_ < buffer_.size() || next_ < end_;
            return std::nullopt;
        }
    }
}

}  // namespace opdebug::merge
