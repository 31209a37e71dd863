#include "report/document_store.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>

namespace opdebug::report {
namespace {

Error store_error(ErrorCode code, const char* action, const std::string& folder, int number) {
    return {code,
            fmt::format("cannot {} the temporary file of the report in {}: {}; free space there, or choose another "
                        "folder for temporary files",
                        action, folder, std::strerror(number)),
            "", std::nullopt};
}

/// A file without a name; -1 with errno set. Not every file system knows O_TMPFILE.
int open_temporary(const std::string& folder) {
    const int unnamed = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600);
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

/// False with errno set. A file that may not grow further is written short first and fails then.
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
    : folder_(std::move(other.folder_)),
      memory_limit_(other.memory_limit_),
      memory_(std::move(other.memory_)),
      file_(std::exchange(other.file_, -1)),
      file_size_(std::exchange(other.file_size_, 0)) {}

DocumentStore& DocumentStore::operator=(DocumentStore&& other) noexcept {
    std::swap(folder_, other.folder_);
    std::swap(memory_limit_, other.memory_limit_);
    std::swap(memory_, other.memory_);
    std::swap(file_, other.file_);
    std::swap(file_size_, other.file_size_);
    return *this;
}

// Offsets run on from the memory into the file: once the file is there, the memory does not grow.
Result<DocumentStore::Place> DocumentStore::add(std::string_view text) {
    if (file_ < 0 && memory_.size() + text.size() <= memory_limit_) {
        const Place place{memory_.size(), text.size()};
        memory_ += text;
        return place;
    }
    if (file_ < 0) {
        file_ = open_temporary(folder_);
        if (file_ < 0) {
            return store_error(ErrorCode::write_failed, "create", folder_, errno);
        }
    }
    if (!write_all(file_, text, file_size_)) {
        return store_error(ErrorCode::write_failed, "write", folder_, errno);
    }
    const Place place{memory_.size() + file_size_, text.size()};
    file_size_ += text.size();
    return place;
}

Result<std::string> DocumentStore::text_at(const Place& place) const {
    if (place.offset < memory_.size() || place.length == 0) {
        return memory_.substr(place.length == 0 ? 0 : place.offset, place.length);
    }
    std::string text(place.length, '\0');
    std::uint64_t offset = place.offset - memory_.size();
    for (std::size_t done = 0; done < text.size();) {
        const ssize_t count = ::pread(file_, text.data() + done, text.size() - done, static_cast<off_t>(offset));
        if (count == 0 || (count < 0 && errno != EINTR)) {
            return store_error(ErrorCode::read_failed, "read", folder_, count == 0 ? EIO : errno);
        }
        done += count < 0 ? 0 : static_cast<std::size_t>(count);
        offset += count < 0 ? 0 : static_cast<std::uint64_t>(count);
    }
    return text;
}

}  // namespace opdebug::report
