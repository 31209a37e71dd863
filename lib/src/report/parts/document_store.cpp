#include "report/parts/document_store.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

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

/// A file without a name; null with errno set.
std::FILE* open_temporary(const std::string& folder) {
    std::string path = folder + "/opdebug.XXXXXX";
    const int file = ::mkostemp(path.data(), O_CLOEXEC);
    if (file < 0) {
        return nullptr;
    }
    ::unlink(path.c_str());
    return ::fdopen(file, "w+b");
}

}  // namespace

// Once a text did not fit into the memory, that does not grow any more.
Result<DocumentStore::Place> DocumentStore::add(std::string_view text) {
    if (!file_ && memory_.size() + text.size() <= memory_limit_) {
        memory_ += text;
        return Place{memory_.size() - text.size(), text.size()};
    }
    if (!file_) {
        file_.reset(open_temporary(folder_));
        if (!file_) {
            return store_error(ErrorCode::write_failed, "create", folder_, errno);
        }
    }
    const bool is_written = ::fseeko(file_.get(), static_cast<off_t>(file_size_), SEEK_SET) == 0 &&
                            std::fwrite(text.data(), 1, text.size(), file_.get()) == text.size() &&
                            std::fflush(file_.get()) == 0;
    if (!is_written) {
        return store_error(ErrorCode::write_failed, "write", folder_, errno);
    }
    const Place place{memory_.size() + file_size_, text.size()};
    file_size_ += text.size();
    return place;
}

Result<std::string_view> DocumentStore::text_at(const Place& place, std::string& buffer) const {
    const auto length = static_cast<std::size_t>(place.length);
    if (length == 0 || place.offset < memory_.size()) {
        return std::string_view(memory_).substr(length == 0 ? 0 : static_cast<std::size_t>(place.offset), length);
    }
    buffer.resize(length);
    errno = EIO;  // the error of a file that is too short
    if (::fseeko(file_.get(), static_cast<off_t>(place.offset - memory_.size()), SEEK_SET) != 0 ||
        std::fread(buffer.data(), 1, length, file_.get()) != length) {
        return store_error(ErrorCode::read_failed, "read", folder_, errno);
    }
    return std::string_view(buffer);
}

}  // namespace opdebug::report
