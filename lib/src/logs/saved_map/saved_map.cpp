#include "logs/saved_map/saved_map.hpp"

#include <algorithm>
#include <charconv>

#include "bytes/little_endian.hpp"

namespace opdebug::logs {
namespace {

constexpr std::string_view kOldMapName{"\x8fOPMAP", 6};  ///< maps of version 0.1

std::string_view name_of(Bytes first_bytes) noexcept {
    return first_bytes.slice(kSkippableHeader, kMapName.size()).text();
}

bool is_old(Bytes first_bytes) noexcept {
    return first_bytes.slice(0, kOldMapName.size()).text() == kOldMapName;
}

}  // namespace

bool is_map_file(Bytes first_bytes) noexcept {
    return name_of(first_bytes) == kMapName || is_old(first_bytes);
}

bool is_map_file(const std::string& path) {
    const Result<bytes::FileStart> start = bytes::read_file_start(path, kMapHeader);
    return start && is_map_file(Bytes(start->bytes));
}

Error SavedMap::damaged(const std::string& what) const {
    return {ErrorCode::task_map_invalid,
            "the log index is damaged: " + what + "; copy it again, or build it again from the logs (opdebug index)",
            path_, std::nullopt};
}

Result<std::vector<std::uint8_t>> SavedMap::read(std::uint64_t offset, std::uint64_t size) const {
    if (file_ != nullptr) {
        return file_->read_at(offset, static_cast<std::size_t>(size));
    }
    const Bytes part = Bytes(bytes_).slice(static_cast<std::size_t>(offset), static_cast<std::size_t>(size));
    return std::vector<std::uint8_t>(part.begin(), part.end());
}

Result<std::string> SavedMap::content(const FilePart& part) const {
    const Result<std::vector<std::uint8_t>> frame = read(part.offset, part.size);
    if (!frame) {
        return frame.error();
    }
    std::optional<std::string> content = decompress_frame(Bytes(*frame), part.content_size);
    if (!content) {
        return damaged(std::to_string(part.size) + " bytes from byte " + std::to_string(part.offset) +
                       " cannot be decompressed");
    }
    return *std::move(content);
}

std::optional<Error> SavedMap::read_header() {
    const Result<std::vector<std::uint8_t>> header = read(0, kMapHeader);
    if (!header) {
        return header.error();
    }
    if (is_old(Bytes(*header))) {
        return Error{ErrorCode::task_map_invalid,
                     "the log index is from opdebug 0.1, which is no longer supported: build it again from the logs "
                     "(opdebug index)",
                     path_, std::nullopt};
    }
    const auto number = [&header](std::size_t place) {
        return bytes::read_u64(Bytes(*header), kMapNumbers + place * sizeof(std::uint64_t)).value_or(0);
    };
    const FilePart part{number(0), number(1), number(2)};
    const std::uint64_t size = number(3);
    if (size != size_) {
        return damaged("it has " + std::to_string(size_) + " bytes, but its header states " + std::to_string(size));
    }
    if (!is_inside_file(part, size_)) {
        return damaged("its tables are outside of the file or too large");
    }
    const Result<std::string> tables = content(part);
    if (!tables) {
        return tables.error();
    }
    std::optional<MapTables> read = read_tables(*tables, size_);
    if (!read) {
        return damaged("its tables are malformed");
    }
    tables_ = *std::move(read);
    return std::nullopt;
}

Result<SavedMap> SavedMap::open(const std::string& path) {
    Result<bytes::FileReader> file = bytes::FileReader::open(path);
    if (!file) {
        return std::move(file.error());
    }
    SavedMap map;
    map.path_ = path;
    map.size_ = file->size();
    map.file_ = std::make_shared<const bytes::FileReader>(std::move(*file));
    if (std::optional<Error> error = map.read_header()) {
        return *std::move(error);
    }
    return map;
}

Result<SavedMap> SavedMap::of_bytes(std::string bytes) {
    SavedMap map;
    map.size_ = bytes.size();
    map.bytes_ = std::move(bytes);
    if (std::optional<Error> error = map.read_header()) {
        return *std::move(error);
    }
    return map;
}

std::optional<Error> SavedMap::find(std::vector<LineKey> keys, const std::vector<KeyPage>& pages,
                                    std::vector<LineNumber>& lines) const {
    std::sort(keys.begin(), keys.end());
    for (const KeyPage& page : pages_with(pages, keys)) {
        const Result<std::string> found = content(page.part);
        if (!found) {
            return found.error();
        }
        if (!find_lines(*found, keys, lines)) {
            return damaged("a list of tasks is malformed");
        }
    }
    return std::nullopt;
}

Result<std::vector<LineNumber>> SavedMap::lines_of(const WantedTasks& wanted) const {
    std::vector<LineNumber> lines = tables_.open_launches;
    std::vector<LineKey> addresses;
    for (const std::uint64_t address : wanted.addresses) {
        addresses.emplace_back(address, 0);
    }
    std::optional<Error> error = find(wanted.tasks, tables_.task_pages, lines);
    error = error ? error : find(std::move(addresses), tables_.address_pages, lines);
    if (error) {
        return *std::move(error);
    }
    std::sort(lines.begin(), lines.end());
    lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
    return lines;
}

FrameLines::FrameLines(const SavedMap& map, const std::vector<LineFrame>& frames,
                       std::optional<std::vector<LineNumber>> selected)
    : map_(map), frames_(frames), selected_(std::move(selected)) {
    advance();
}

void FrameLines::fail() {
    error_ = map_.damaged("its lines are not in the index format");
    frame_ = nullptr;
}

/// The next frame, or the next one that may hold a selected line.
bool FrameLines::begin_frame() {
    if (selected_) {
        if (next_selected_ >= selected_->size()) {
            return false;
        }
        const LineNumber& wanted = (*selected_)[next_selected_];
        const auto later =
            std::upper_bound(frames_.begin() + static_cast<std::ptrdiff_t>(next_frame_), frames_.end(), wanted,
                             [](const LineNumber& line, const LineFrame& frame) { return line < frame.first(); });
        const auto place = static_cast<std::size_t>(later - frames_.begin());
        next_frame_ = std::max(next_frame_, place == 0 ? 0 : place - 1);
    }
    if (next_frame_ >= frames_.size()) {
        return false;
    }
    frame_ = &frames_[next_frame_++];
    Result<std::string> content = map_.content(frame_->part);
    if (!content) {
        error_ = content.error();
        frame_ = nullptr;
        return false;
    }
    content_ = *std::move(content);
    rest_ = content_;
    run_ = 0;
    left_ = frame_->files.front().count;
    line_begin_ = line_begin_of(map_.tables().files[frame_->files.front().file].path);
    return true;
}

/// False at the end of the frame, and where it is malformed.
bool FrameLines::read_line() {
    while (left_ == 0 && run_ + 1 < frame_->files.size()) {
        left_ = frame_->files[++run_].count;
        line_begin_ = line_begin_of(map_.tables().files[frame_->files[run_].file].path);
    }
    if (left_ == 0 && rest_.empty()) {
        frame_ = nullptr;
        return false;
    }
    SavedLine line;
    line.number.file = frame_->files[run_].file;
    const std::size_t end = rest_.find('\n');
    if (left_ == 0 || end == std::string_view::npos || !rest_.starts_with(line_begin_)) {
        fail();
        return false;
    }
    std::string_view text = rest_.substr(0, end);
    text.remove_prefix(line_begin_.size());
    const auto [colon, failure] = std::from_chars(text.data(), text.data() + text.size(), line.number.line);
    if (failure != std::errc() || colon == text.data() + text.size() || *colon != ':') {
        fail();
        return false;
    }
    line.text = text.substr(static_cast<std::size_t>(colon - text.data()) + 1);
    rest_.remove_prefix(end + 1);
    --left_;
    current_ = line;
    return true;
}

void FrameLines::advance() {
    while (!error_) {
        if (frame_ == nullptr && !begin_frame()) {
            break;
        }
        if (!read_line()) {
            continue;
        }
        if (!selected_) {
            return;
        }
        while (next_selected_ < selected_->size() && (*selected_)[next_selected_] < current_->number) {
            ++next_selected_;
        }
        if (next_selected_ < selected_->size() && (*selected_)[next_selected_] == current_->number) {
            ++next_selected_;
            return;
        }
        // A selected line between this frame and the next one is a general line.
        if (next_selected_ == selected_->size()) {
            break;
        }
    }
    current_.reset();
}

}  // namespace opdebug::logs
