#include "output/output.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "output/messages.hpp"
#include "system/system.hpp"

namespace opdebug::tool {
namespace {

namespace fs = std::filesystem;

/// Pipes and devices, and the links of the system to them (/dev/fd/63 of a shell's ">(command)").
bool is_written_in_place(const fs::path& path) {
    std::error_code absent;
    const std::string text = path.string();
    return text == "/dev/stderr" || text.starts_with("/dev/fd/") || text.starts_with("/proc/") ||
           fs::is_other(fs::status(path, absent));
}

std::string not_writable(const std::string& option, const std::string& path, const std::string& place) {
    const std::string reason = sentence("report.of_file", {{"file", place}, {"summary", std::strerror(errno)}});
    return sentence("output.not_writable", {{"option", option}, {"path", path}, {"reason", reason}});
}

/// Whether files can be created in the folder; sets errno.
bool is_writable_folder(const fs::path& folder) {
    return ::access((folder / "").c_str(), W_OK | X_OK) == 0;
}

/// Whether the path is the input, or below it if that is a folder.
bool is_at_or_below(const fs::path& path, const std::string& input) {
    std::error_code absent;
    const bool is_folder = fs::is_directory(input, absent);
    fs::path part = path;
    while (!fs::equivalent(part, input, absent)) {
        if (!is_folder || part == part.parent_path()) {
            return false;
        }
        part = part.parent_path();
    }
    return true;
}

using Identity = std::pair<unsigned long long, unsigned long long>;

std::optional<Identity> identity_of(const std::string& path) {
    struct stat status {};
    const bool is_file = ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
    return is_file ? std::optional(Identity(status.st_dev, status.st_ino)) : std::nullopt;
}

/// The mode of new files. umask(2) cannot be read without setting it.
mode_t mode_of_results() {
    static const mode_t mode = [] {
        const mode_t mask = ::umask(0);
        ::umask(mask);
        return 0666U & ~mask;
    }();
    return mode;
}

}  // namespace

std::optional<std::string> refuse_output(const std::string& output, const std::vector<std::string>& inputs) {
    std::error_code absent;
    if (output.empty()) {
        return sentence("output.empty_name");
    }
    if (fs::is_directory(output, absent)) {
        return sentence("output.is_folder", {{"file", output}});
    }
    if (is_written_in_place(output)) {
        return ::access(output.c_str(), W_OK) == 0 ? std::nullopt : std::optional(not_writable("-o", output, output));
    }
    const fs::path parent = fs::path(output).parent_path(), folder = parent.empty() ? "." : parent;
    if (!is_writable_folder(folder)) {
        return not_writable("-o", output, folder.string());
    }
    const fs::path path = fs::weakly_canonical(fs::absolute(output, absent), absent);
    for (const std::string& input : inputs) {
        if (is_at_or_below(path, input == kStandardInput ? "/dev/stdin" : input)) {
            return sentence("output.is_input", {{"file", output}, {"input", input}});
        }
    }
    return std::nullopt;
}

std::optional<std::string> refuse_output_folder(const std::string& option, const std::string& path) {
    std::error_code unknown;
    fs::path folder = fs::absolute(path, unknown);
    while (fs::symlink_status(folder, unknown).type() == fs::file_type::not_found && folder.has_relative_path()) {
        folder = folder.parent_path();  // the nearest existing folder: the others are created below it
    }
    return is_writable_folder(folder) ? std::nullopt : std::optional(not_writable(option, path, folder.string()));
}

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
    } else if (is_written_in_place(*path_)) {
        do {  // opening a named pipe waits for its reader, until an interrupt
            descriptor_ = ::open(path_->c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY);
        } while (descriptor_ < 0 && errno == EINTR && !interrupted());
        if (descriptor_ < 0) {
            fail("open it for writing");
        }
    } else {
        descriptor_ = uninterrupted([this] {
            temporary_ = path_->substr(0, path_->rfind('/') + 1) + ".opdebug.XXXXXX";
            return ::mkostemp(temporary_.data(), O_CLOEXEC);
        });
        if (descriptor_ < 0) {
            temporary_.clear();
            fail("create the file");
        } else {
            (void)::fchmod(descriptor_, mode_of_results());  // a file system without modes refuses this
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
    std::error_code failed, absent;
    fs::create_directories(path, failed);
    return failed && !fs::is_directory(path, absent)
               ? std::optional(write_error("cannot create the folder: " + failed.message(), path))
               : std::nullopt;
}

std::optional<Error> write_file(const std::string& path, const std::string& content) {
    Output output(path);
    output.write(content);
    return output.finish();
}

void InputFiles::add(const std::string& path) {
    if (const auto identity = identity_of(path)) {
        files_.insert(*identity);
    }
}

void InputFiles::add_dump(const std::string& path) {
    add(path);
    add((fs::path(path).parent_path() / "mapping.csv").string());
}

bool InputFiles::holds(const std::string& path) const {
    const auto identity = identity_of(path);
    return identity && files_.count(*identity) != 0;
}

}  // namespace opdebug::tool
