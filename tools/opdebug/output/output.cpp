#include "output/output.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <limits>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "command_line/command_line.hpp"
#include "output/messages.hpp"
#include "system/system.hpp"

namespace opdebug::tool {

std::optional<int> descriptor_named(const std::string& path) {
    if (path == "/dev/stdout" || path == "/dev/stderr") {
        return path == "/dev/stdout" ? STDOUT_FILENO : STDERR_FILENO;
    }
    for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
        if (path.compare(0, folder.size(), folder) == 0) {
            const auto number = parse_count(path.substr(folder.size()));
            return number && *number <= std::numeric_limits<int>::max() ? std::optional(static_cast<int>(*number))
                                                                        : std::nullopt;
        }
    }
    return std::nullopt;
}

bool is_name_of_system(const std::string& path) {
    return path.compare(0, 5, "/dev/") == 0 || path.compare(0, 6, "/proc/") == 0;
}

namespace {

/// Set before threads start (keep_results_readable()).
mode_t mask_of_results = 0077;

/// Creates a temporary file next to the result, with mode 0600 minus the umask; mkostemp(3) never follows a link.
/// Returns the descriptor, or -1 with errno. `folder`: empty, or with "/" at its end. Sets `name` to the file's path.
int make_temporary(const std::string& folder, std::string& name) {
    return uninterrupted([&] {
        name = folder + ".opdebug.XXXXXX";
        return ::mkostemp(name.data(), O_CLOEXEC);
    });
}

/// Kernel file system: no file can be created, whatever the permissions.
bool is_of_kernel(const std::string& folder) {
    struct statfs system {};
    return ::statfs(folder.c_str(), &system) == 0 &&
           (system.f_type == PROC_SUPER_MAGIC || system.f_type == SYSFS_MAGIC || system.f_type == DEVPTS_SUPER_MAGIC);
}

/// The last error of the system, at a path.
std::string system_error_at(const std::string& path) {
    return sentence("report.of_file", {{"file", path}, {"summary", std::strerror(errno)}});
}

/// Why no file can be created in the folder.
std::optional<std::string> fault_of_folder(const std::string& folder) {
    if (is_of_kernel(folder)) {
        return sentence("output.kernel_folder", {{"path", folder}});
    }
    return ::access(folder.c_str(), W_OK | X_OK) == 0 ? std::nullopt : std::optional(system_error_at(folder));
}

}  // namespace

bool is_written_in_place(const std::string& path) {
    struct stat status {};
    const int found = is_name_of_system(path) ? ::stat(path.c_str(), &status) : ::lstat(path.c_str(), &status);
    return descriptor_named(path) ||
           (found == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode) && !S_ISLNK(status.st_mode));
}

std::optional<std::string> refuse_output_place(const std::string& path) {
    if (path.empty()) {
        return sentence("output.empty_name");
    }
    struct stat status {};
    if (::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) {
        return sentence("output.is_folder", {{"file", path}});
    }
    const auto refused_because = [&path](const std::string& reason) {
        return sentence("output.not_writable", {{"option", "-o"}, {"path", path}, {"reason", reason}});
    };
    const auto refused = [&refused_because](const std::string& place) {
        return refused_because(system_error_at(place));
    };
    if (const auto named = descriptor_named(path)) {
        // Not access(): the terminal of another user (su) is still writable by its open descriptor.
        return ::fcntl(*named, F_GETFD) >= 0 ? std::nullopt : std::optional(refused(sentence("output.the_descriptor")));
    }
    if (is_written_in_place(path)) {
        return ::access(path.c_str(), W_OK) == 0 ? std::nullopt : std::optional(refused(path));
    }
    if (::lstat(path.c_str(), &status) != 0 && errno == ENAMETOOLONG) {
        return refused(sentence("output.its_name"));
    }
    const std::string parent = std::filesystem::path(path).parent_path().string();
    const std::string folder = parent.empty() ? "." : parent;
    if (::stat(folder.c_str(), &status) != 0) {
        return refused(folder);
    }
    if (!S_ISDIR(status.st_mode)) {
        return refused_because(sentence("output.no_folder", {{"path", folder}}));
    }
    const auto fault = fault_of_folder(folder);
    return fault ? std::optional(refused_because(*fault)) : std::nullopt;
}

std::optional<std::string> refuse_output_folder(const std::string& option, const std::string& path) {
    namespace fs = std::filesystem;
    const auto refused = [&](const std::string& reason) {
        return sentence("output.not_writable", {{"option", option}, {"path", path}, {"reason", reason}});
    };
    struct stat status {};
    fs::path there = path;  // the nearest existing folder: the others are created below it
    while (::stat(there.empty() ? "." : there.c_str(), &status) != 0) {
        if (errno != ENOENT || !there.has_relative_path()) {
            return refused(system_error_at(there.string()));
        }
        struct stat link {};
        if (::lstat(there.c_str(), &link) == 0) {
            return refused(sentence("output.lost_link", {{"path", there.string()}}));
        }
        there = there.parent_path();
    }
    const std::string folder = there.empty() ? "." : there.string();
    if (!S_ISDIR(status.st_mode)) {
        return refused(sentence("output.no_folder", {{"path", folder}}));
    }
    const auto fault = fault_of_folder(folder);
    return fault ? std::optional(refused(*fault)) : std::nullopt;
}

namespace {

namespace fs = std::filesystem;

/// Creates one folder. An existing folder is fine, but not a link: whoever created the link would redirect the results.
std::optional<Error> make_own_folder(const std::string& path) {
    if (::mkdir(path.c_str(), 0777) == 0) {
        return std::nullopt;
    }
    const int failure = errno;  // lstat changes errno
    struct stat status {};
    if (::lstat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) {
        return std::nullopt;
    }
    const std::string reason = failure == EEXIST ? "a file or a link has that name" : std::strerror(failure);
    return write_error("cannot create the folder: " + reason, path);
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
        error_ = write_error(fmt::format("cannot {}: {}", action, std::strerror(errno)),
                             path_.value_or(sentence("output.standard_output")));
    }
}

void Output::open() {
    if (!path_) {
        descriptor_ = STDOUT_FILENO;
    } else if (name_ == FileName::given && is_written_in_place(*path_)) {
        open_in_place();
    } else {
        open_beside();
    }
}

void Output::open_in_place() {
    const std::optional<int> named = descriptor_named(*path_);
    const int flags = O_WRONLY | O_CLOEXEC | O_NOCTTY | (is_name_of_system(*path_) ? 0 : O_NOFOLLOW);
    do {
        // A duplicate of the descriptor continues at its position in the file. Opening a named pipe waits for its
        // reader, until an interrupt.
        descriptor_ = named ? ::fcntl(*named, F_DUPFD_CLOEXEC, 0) : ::open(path_->c_str(), flags);
    } while (descriptor_ < 0 && errno == EINTR && !interrupted());
    struct stat status {};
    if (descriptor_ < 0) {
        fail("open it for writing");
    } else if (!named && ::fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode)) {
        errno = EEXIST;  // created since the check; must not be overwritten
        fail("write it, because a file with this name now exists");
    }
}

/// Follows no link: rename replaces a link, not its target.
void Output::open_beside() {
    const std::size_t slash = path_->rfind('/');
    descriptor_ = make_temporary(path_->substr(0, slash == std::string::npos ? 0 : slash + 1), temporary_);
    if (descriptor_ < 0) {
        temporary_.clear();
        fail("create the file");
    } else if (name_ == FileName::given) {
        struct stat old {};
        const bool replaces_file = ::lstat(path_->c_str(), &old) == 0 && S_ISREG(old.st_mode);
        // A file system without modes refuses this, and the file stays as it is.
        (void)::fchmod(descriptor_, replaces_file ? old.st_mode & 0777U : 0666U & ~mask_of_results);
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
        write({});  // an empty result is a file too
        // On Linux a close() that a signal interrupted has closed the file; do not repeat it (close(2)).
        if (descriptor_ >= 0 && ::close(std::exchange(descriptor_, -1)) != 0 && errno != EINTR && !stopped_) {
            fail("write the file");
        }
        if (!stopped_ && !temporary_.empty()) {
            if (::rename(temporary_.c_str(), path_->c_str()) == 0) {
                temporary_.clear();
            } else {
                fail("rename the temporary file");
            }
        }
    }
    return error_;
}

int print_not_written(const Error& error) {
    print_message(error);
    return interrupted() ? interrupted_status() : kSomethingDamaged;
}

int show_result(const std::optional<std::string>& path, std::string_view text, int status) {
    if (path) {
        catch_interrupts();  // an interrupt would leave the temporary file
    }
    Output output(path);
    output.write(text);
    const std::optional<Error> error = output.finish();
    return error ? print_not_written(*error) : status;
}

std::optional<Error> make_folder(const std::string& path) {
    std::error_code failed;
    fs::create_directories(path, failed);
    std::error_code absent;
    if (failed && !fs::is_directory(path, absent)) {
        return write_error("cannot create the folder: " + failed.message(), path);
    }
    return std::nullopt;
}

std::optional<Error> make_folder_below(const std::string& folder, const std::string& below) {
    if (auto error = make_folder(folder)) {
        return error;
    }
    fs::path path = folder;
    for (const fs::path& part : fs::path(below)) {
        path /= part;
        if (part == ".." || part.is_absolute()) {
            return write_error("not created, because it is outside of " + folder, path.string());
        }
        if (auto error = make_own_folder(path.string())) {
            return error;
        }
    }
    return std::nullopt;
}

std::optional<Error> write_file(const std::string& path, const std::string& content, FileName name) {
    Output output(path, name);
    output.write(content);
    return output.finish();
}

void keep_results_readable() {
    constexpr mode_t kOwner = 0700;
    mask_of_results = ::umask(0) & ~kOwner;
    ::umask(mask_of_results);
}

Result<std::string> write_new_file(const std::string& stem, const std::string& suffix, const std::string& content) {
    for (unsigned number = 1;; ++number) {
        const std::string path = number == 1 ? stem + suffix : fmt::format("{}_{}{}", stem, number, suffix);
        // Reserves the name with an empty file, which the complete one replaces.
        const int taken = uninterrupted(
            [&path] { return ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600); });
        if (taken < 0 && errno == EEXIST) {
            continue;
        }
        if (taken < 0) {
            return write_error(fmt::format("cannot create the file: {}", std::strerror(errno)), path);
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
