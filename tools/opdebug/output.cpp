#include "output.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "arguments.hpp"
#include "exit_status.hpp"

namespace opdebug::tool {
namespace {

bool write_fully(int descriptor, std::string_view text) {
    while (!text.empty()) {
        const ssize_t count = ::write(descriptor, text.data(), text.size());
        if (count < 0 && errno != EINTR) {
            return false;
        }
        text.remove_prefix(count < 0 ? 0 : static_cast<std::size_t>(count));
    }
    return true;
}

/// Calls `open` until no signal interrupts it.
template <class Open>
int open_uninterrupted(const Open& open) {
    int descriptor = -1;
    do {
        descriptor = open();
    } while (descriptor < 0 && errno == EINTR);
    return descriptor;
}

/// /dev/null, /dev/stdout or a named pipe: never to be replaced by a file.
bool is_device_or_pipe(const std::string& path) {
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

}  // namespace

Output::~Output() {
    if (path_ && descriptor_ >= 0) {
        ::close(descriptor_);
    }
    if (!temporary_.empty()) {
        ::unlink(temporary_.c_str());
    }
}

void Output::fail(const char* action) {
    stopped_ = true;
    if (errno != EPIPE) {
        error_ = Error{ErrorCode::write_failed, fmt::format("cannot {}: {}", action, std::strerror(errno)),
                       path_.value_or("standard output"), std::nullopt};
    }
}

void Output::open() {
    if (!path_) {
        descriptor_ = STDOUT_FILENO;
    } else if (name_ == FileName::given && is_device_or_pipe(*path_)) {
        descriptor_ = open_uninterrupted([this] { return ::open(path_->c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY); });
        if (descriptor_ < 0) {
            fail("open it for writing");
        }
    } else {
        // mkostemp creates with mode 0600 and never follows a link; rename replaces a link, not what it points to.
        const std::size_t slash = path_->rfind('/');
        const std::string pattern = path_->substr(0, slash == std::string::npos ? 0 : slash + 1) + ".opdebug.XXXXXX";
        std::string name;
        descriptor_ = open_uninterrupted([&] {
            name = pattern;
            return ::mkostemp(name.data(), O_CLOEXEC);
        });
        if (descriptor_ < 0 && errno == ENOENT) {
            stopped_ = true;
            error_ = Error{ErrorCode::write_failed, "its folder does not exist: make it first", *path_, std::nullopt};
        } else if (descriptor_ < 0) {
            fail("create a file beside it");
        } else {
            temporary_ = std::move(name);
        }
    }
}

bool Output::write(std::string_view text) {
    if (!stopped_ && descriptor_ < 0) {
        open();
    }
    if (!stopped_ && !write_fully(descriptor_, text)) {
        fail(path_ ? "write the file" : "write");
    }
    return !stopped_;
}

std::optional<Error> Output::finish() {
    if (path_) {
        write({});  // also an empty result is a file
        // On Linux a close() that a signal interrupts has closed the file and is not to be repeated (close(2)).
        if (descriptor_ >= 0 && ::close(std::exchange(descriptor_, -1)) != 0 && errno != EINTR && !stopped_) {
            fail("write the file");
        }
        if (!stopped_ && !temporary_.empty()) {
            if (::rename(temporary_.c_str(), path_->c_str()) == 0) {
                temporary_.clear();
            } else {
                fail("put the file in its place");
            }
        }
    }
    return error_;
}

int show_result(const std::optional<std::string>& path, std::string_view text) {
    Output output(path);
    output.write(text);
    if (const auto error = output.finish()) {
        say(to_string(*error));
        return kSomethingDamaged;
    }
    return kEverythingHandled;
}

std::optional<Error> make_folder(const std::string& path) {
    std::error_code failed;
    std::filesystem::create_directories(path, failed);
    std::error_code absent;
    if (failed && !std::filesystem::is_directory(path, absent)) {
        return Error{ErrorCode::write_failed, "cannot make the folder: " + failed.message(), path, std::nullopt};
    }
    return std::nullopt;
}

std::optional<Error> write_file(const std::string& path, const std::string& content, FileName name) {
    Output output(path, name);
    output.write(content);
    return output.finish();
}

Result<std::string> write_new_file(const std::string& stem, const std::string& suffix, const std::string& content) {
    for (unsigned number = 1;; ++number) {
        const std::string path = number == 1 ? stem + suffix : fmt::format("{}_{}{}", stem, number, suffix);
        // Taken by an empty file, which the complete one then replaces.
        const int taken = open_uninterrupted(
            [&path] { return ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600); });
        if (taken < 0 && errno == EEXIST) {
            continue;
        }
        if (taken < 0) {
            return Error{ErrorCode::write_failed, fmt::format("cannot create the file: {}", std::strerror(errno)), path,
                         std::nullopt};
        }
        ::close(taken);
        if (auto error = write_file(path, content, FileName::generated)) {
            ::unlink(path.c_str());
            return *error;
        }
        return path;
    }
}

}  // namespace opdebug::tool
