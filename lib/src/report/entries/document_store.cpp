#include "report/entries/document_store.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "bytes/system_path.hpp"

namespace opdebug::report {
namespace {

constexpr std::uint64_t kWaitingShare = 64;  ///< of the memory's limit
/// Beyond this all memory is requested at once: to double it would copy the texts, and leave holes as large as they
/// are.
constexpr std::size_t kFewTexts = std::size_t{256} << 10U;

Error store_error(ErrorCode code, const char* action, const std::string& folder, int number) {
    return {code,
            fmt::format("cannot {} the temporary file of the report in {}: {}; free space there, or choose another "
                        "folder for temporary files",
                        action, folder, std::strerror(number)),
            "", std::nullopt};
}

/// A file without a name; -1 with errno set. Not every file system knows O_TMPFILE.
int open_temporary(const std::string& folder) {
    const int unnamed = ::open(bytes::system_path(folder), O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600);
    if (unnamed >= 0) {
        return unnamed;
    }
    std::string path = folder + "/opdebug.XXXXXX";
    const int named = ::mkostemp(path.data(), O_CLOEXEC);
    if (named >= 0) {
        ::unlink(path.c_str());
    }
    return named;
}

/// False with errno set. A file that has reached its size limit gets a short write first and fails then.
bool write_all(int file, std::string_view text, std::uint64_t offset) {
    while (!text.empty()) {
        const ssize_t count = ::pwrite(file, text.data(), text.size(), static_cast<off_t>(offset));
        if (count < 0 && errno != EINTR) {
            return false;
        }
        const std::size_t done = count < 0 ? 0 : static_cast<std::size_t>(count);
        text.remove_prefix(done);
        offset += done;
    }
    return true;
}

}  // namespace

DocumentStore::DocumentStore(std::string folder, std::uint64_t memory_limit)
    : folder_(std::move(folder)), memory_limit_(memory_limit) {}

DocumentStore::~DocumentStore() {
    if (file_ >= 0) {
        ::close(file_);
    }
}

DocumentStore::DocumentStore(DocumentStore&& other) noexcept
    : memory_(std::move(other.memory_)),
      file_size_(std::exchange(other.file_size_, 0)),
      waiting_(std::move(other.waiting_)),
      folder_(std::move(other.folder_)),
      memory_limit_(other.memory_limit_),
      file_(std::exchange(other.file_, -1)) {}

DocumentStore& DocumentStore::operator=(DocumentStore&& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(file_size_, other.file_size_);
    std::swap(waiting_, other.waiting_);
    std::swap(folder_, other.folder_);
    std::swap(memory_limit_, other.memory_limit_);
    std::swap(file_, other.file_);
    return *this;
}

// Once a text did not fit into the memory, that does not grow any more.
Result<DocumentStore::Place> DocumentStore::add(std::string_view text) {
    const bool file_is_used = file_ >= 0 || !waiting_.empty();
    if (!file_is_used && memory_.size() + text.size() <= memory_limit_) {
        const Place place{memory_.size(), text.size()};
        if (memory_.size() + text.size() > memory_.capacity() && memory_.capacity() > kFewTexts) {
            memory_.reserve(static_cast<std::size_t>(memory_limit_));  // the system gives pages as they are written to
        }
        memory_ += text;
        return place;
    }
    const Place place{file_end() + waiting_.size(), text.size()};
    waiting_ += text;
    if (waiting_.size() > memory_limit_ / kWaitingShare) {
        if (auto error = write_waiting()) {
            waiting_.resize(waiting_.size() - text.size());
            return *std::move(error);
        }
    }
    return place;
}

std::optional<Error> DocumentStore::write_waiting() {
    if (file_ < 0) {
        file_ = open_temporary(folder_);
        if (file_ < 0) {
            return store_error(ErrorCode::write_failed, "create", folder_, errno);
        }
    }
    if (!write_all(file_, waiting_, file_size_)) {
        return store_error(ErrorCode::write_failed, "write", folder_, errno);
    }
    file_size_ += waiting_.size();
    waiting_.clear();
    return std::nullopt;
}

/// Nothing when the text is in the file.
std::optional<std::string_view> DocumentStore::in_memory(const Place& place) const {
    const auto length = static_cast<std::size_t>(place.length);
    if (length == 0) {
        return std::string_view();
    }
    if (place.offset < file_begin()) {
        return std::string_view(memory_).substr(static_cast<std::size_t>(place.offset), length);
    }
    if (place.offset >= file_end()) {
        return std::string_view(waiting_).substr(static_cast<std::size_t>(place.offset - file_end()), length);
    }
    return std::nullopt;
}

/// Fills the text with the bytes at an offset as in Place.
std::optional<Error> DocumentStore::read_file(std::uint64_t offset, std::string& text) const {
    offset -= file_begin();
    for (std::size_t done = 0; done < text.size();) {
        const ssize_t count = ::pread(file_, text.data() + done, text.size() - done, static_cast<off_t>(offset));
        if (count == 0 || (count < 0 && errno != EINTR)) {
            return store_error(ErrorCode::read_failed, "read", folder_, count == 0 ? EIO : errno);
        }
        done += count < 0 ? 0 : static_cast<std::size_t>(count);
        offset += count < 0 ? 0 : static_cast<std::uint64_t>(count);
    }
    return std::nullopt;
}

Result<std::string> DocumentStore::text_at(const Place& place) const {
    DocumentReader reader(*this);
    const Result<std::string_view> text = reader.text_at(place);
    return text ? Result<std::string>(std::string(*text)) : text.error();
}

bool DocumentReader::is_read(const DocumentStore::Place& place) const noexcept {
    return place.offset >= begin_ && place.offset + place.length <= begin_ + piece_.size();
}

bool DocumentReader::has(const DocumentStore::Place& place) const {
    return is_read(place) || store_.in_memory(place).has_value();
}

Result<std::string_view> DocumentReader::text_at(const DocumentStore::Place& place,
                                                 const DocumentStore::Place& around) {
    if (const auto text = store_.in_memory(place)) {
        return *text;
    }
    if (!is_read(place)) {
        // Of the texts around it some may be in memory.
        begin_ = std::min(place.offset, std::max(around.offset, store_.file_begin()));
        const std::uint64_t end =
            std::max(place.offset + place.length, std::min(around.offset + around.length, store_.file_end()));
        piece_.resize(static_cast<std::size_t>(end - begin_));
        if (auto error = store_.read_file(begin_, piece_)) {
            piece_.clear();
            return *std::move(error);
        }
    }
    return std::string_view(piece_).substr(static_cast<std::size_t>(place.offset - begin_),
                                           static_cast<std::size_t>(place.length));
}

}  // namespace opdebug::report
