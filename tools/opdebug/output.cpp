#include "output.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

namespace opdebug::tool {
namespace {

Error write_error(const std::string& path, const char* action) {
    return {ErrorCode::write_failed, fmt::format("cannot {}: {}", action, std::strerror(errno)), path, std::nullopt};
}

bool write_fully(int descriptor, const std::string& content) {
    std::size_t done = 0;
    while (done < content.size()) {
        const ssize_t count = ::write(descriptor, content.data() + done, content.size() - done);
        if (count < 0 && errno != EINTR) {
            return false;
        }
        done += count < 0 ? 0 : static_cast<std::size_t>(count);
    }
    return true;
}

std::optional<Error> write_and_close(int descriptor, const std::string& content, const std::string& path) {
    std::optional<Error> error;
    if (!write_fully(descriptor, content)) {
        error = write_error(path, "write the file");
    }
    if (::close(descriptor) != 0 && !error) {
        error = write_error(path, "write the file");
    }
    return error;
}

/// /dev/null, /dev/stdout or a named pipe: never to be replaced by a file.
bool is_device_or_pipe(const std::string& path) {
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

std::optional<Error> write_into(const std::string& path, const std::string& content) {
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (descriptor < 0) {
        return write_error(path, "open it for writing");
    }
    return write_and_close(descriptor, content, path);
}

}  // namespace

std::optional<Error> write_file(const std::string& path, const std::string& content) {
    if (is_device_or_pipe(path)) {
        return write_into(path, content);
    }
    // mkostemp creates with mode 0600 and never follows a link; rename replaces a link, not what it points to.
    const std::size_t slash = path.rfind('/');
    std::string temporary = path.substr(0, slash == std::string::npos ? 0 : slash + 1) + ".opdebug.XXXXXX";
    const int descriptor = ::mkostemp(temporary.data(), O_CLOEXEC);
    if (descriptor < 0) {
        return write_error(path, "create a file beside it");
    }
    std::optional<Error> error = write_and_close(descriptor, content, path);
    if (!error && ::rename(temporary.c_str(), path.c_str()) != 0) {
        error = write_error(path, "put the file in its place");
    }
    if (error) {
        ::unlink(temporary.c_str());
    }
    return error;
}

bool Output::write(const std::string& text) {
    if (path_) {
        content_ += text;
        return true;
    }
    if (!closed_ && !write_fully(STDOUT_FILENO, text)) {
        closed_ = true;
        if (errno != EPIPE) {
            error_ = write_error("standard output", "write");
        }
    }
    return !closed_;
}

std::optional<Error> Output::finish() {
    return path_ ? write_file(*path_, content_) : error_;
}

}  // namespace opdebug::tool
