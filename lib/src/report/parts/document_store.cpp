#include "report/parts/document_store.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
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

/// A file without a name; -1 with errno set.
int open_temporary(const std::string& folder) {
    std::string path = folder + "/opdebug.XXXXXX";
    const int file = ::mkostemp(path.data(), O_CLOEXEC);
    if (file >= 0) {
        ::unlink(path.c_str());
    }
    return file;
}

/// Calls pread() or pwrite() until all bytes are done. False with errno set. A file that has reached its size limit
/// gets a short write first and fails then.
template <class Call, class Pointer>
bool do_all(const Call& call, int file, Pointer bytes, std::size_t size, std::uint64_t offset) {
    for (std::size_t done = 0; done < size;) {
        const ssize_t count = call(file, bytes + done, size - done, static_cast<off_t>(offset + done));
        if (count == 0 || (count < 0 && errno != EINTR)) {
            errno = count == 0 ? EIO : errno;
            return false;
        }
        done += count < 0 ? 0 : static_cast<std::size_t>(count);
    }
    return true;
}

}  // namespace

void DocumentStore::CloseFile::operator()(const int* file) const noexcept {
    ::close(*file);
    delete file;
}

// Once a text did not fit into the memory, that does not grow any more.
Result<DocumentStore::Span> DocumentStore::add(std::string_view text) {
    if (!file_ && memory_.size() + text.size() <= memory_limit_) {
        memory_ += text;
        return Span{memory_.size() - text.size(), text.size()};
    }
    if (!file_) {
        auto number = std::make_unique<int>(-1);
        *number = open_temporary(folder_);
        if (*number < 0) {
            return store_error(ErrorCode::write_failed, "create", folder_, errno);
        }
        file_.reset(number.release());
    }
    if (!do_all(::pwrite, *file_, text.data(), text.size(), file_size_)) {
        return store_error(ErrorCode::write_failed, "write", folder_, errno);
    }
    const Span span{memory_.size() + file_size_, text.size()};
    file_size_ += text.size();
    return span;
}

Result<std::string_view> DocumentStore::text_at(const Span& span, std::string& buffer) const {
    const auto length = static_cast<std::size_t>(span.length);
    if (length == 0 || span.offset < memory_.size()) {
        return std::string_view(memory_).substr(length == 0 ? 0 : static_cast<std::size_t>(span.offset), length);
    }
    buffer.resize(length);
    if (!do_all(::pread, *file_, buffer.data(), length, span.offset - memory_.size())) {
        return store_error(ErrorCode::read_failed, "read", folder_, errno);
    }
    return std::string_view(buffer);
}

}  // namespace opdebug::report
