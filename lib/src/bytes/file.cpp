// Opening and reading files.
#include "bytes/file.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "bytes/free_descriptors.hpp"
#include "bytes/packed_form.hpp"
#include "bytes/passed_limit.hpp"
#include "bytes/system_path.hpp"

namespace opdebug::bytes {
namespace {

Error system_error(const std::string& path, const char* action, int number) {
    ErrorCode code = ErrorCode::read_failed;
    if (number == ENOENT || number == ENOTDIR) {
        code = ErrorCode::file_not_found;
    } else if (number == EACCES || number == EPERM) {
        code = ErrorCode::permission_denied;
    } else if (number == EISDIR) {
        code = ErrorCode::is_directory;
    }
    return {code, fmt::format("cannot {}: {}", action, std::strerror(number)), path, std::nullopt};
}

Error not_a_regular_file(const std::string& path) {
    return {ErrorCode::not_a_regular_file, "not a regular file (pipe, socket or device)", path, std::nullopt};
}

int open_for_reading(const std::string& path) noexcept {
    // O_NONBLOCK: opening a FIFO must not wait for a writer; it has no effect on regular files.
    constexpr int kFlags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
    int number = -1;
    do {
        number = ::open(system_path(path), kFlags);
    } while (number < 0 && errno == EINTR);
    return number;
}

/// Reads `count` bytes, fewer at the end of the file. The size from the file system is only a hint.
Result<std::size_t> fill(FileReader& file, std::uint8_t* bytes, std::size_t count) {
    std::size_t done = 0;
    while (done < count) {
        const Result<std::size_t> got = file.read(bytes + done, count - done);
        if (!got) {
            return got.error();
        }
        if (*got == 0) {
            break;
        }
        done += *got;
    }
    return done;
}

Result<std::vector<std::uint8_t>> read_up_to(FileReader& file, std::uint64_t count) {
    std::vector<std::uint8_t> content(static_cast<std::size_t>(count));
    const Result<std::size_t> done = fill(file, content.data(), content.size());
    if (!done) {
        return done.error();
    }
    content.resize(*done);
    return content;
}

Result<FileReader> open_within(const std::string& path, const Limits& limits, std::uint64_t Limits::*limit,
                               ErrorCode too_large) {
    Result<FileReader> file = FileReader::open(path);
    if (file && file->size() > limits.*limit) {
        Error error = limit_error(too_large, fmt::format("the file has {} bytes", file->size()), limits, limit);
        error.file = path;
        return error;
    }
    return file;
}

using namespace std::string_view_literals;

struct Signature {
    std::string_view name;
    std::size_t offset;
    std::string_view bytes;
};

// Source: file(1), magic numbers of archives and of compressed files.
constexpr std::array<Signature, 8> kArchives{{{"a tar archive", 257, "ustar"},
                                              {"a zip archive", 0, "PK\x03\x04"},
                                              {"a bzip2 file", 0, "BZh"},
                                              {"an xz file", 0,
                                               "\xFD"
                                               "7zXZ\0"sv},
                                              {"an lz4 file", 0, "\x04\x22\x4D\x18"},
                                              {"a 7-Zip archive", 0, "7z\xBC\xAF\x27\x1C"},
                                              {"a RAR archive", 0, "Rar!\x1A\x07"},
                                              {"a compress file", 0, "\x1F\x9D"}}};

}  // namespace

Result<FileReader> FileReader::open(const std::string& path) {
    const int number = open_for_reading(path);
    if (number < 0 && errno == ENXIO) {
        return not_a_regular_file(path);  // a socket, or a device without driver
    }
    if (number < 0) {
        return system_error(path, "open the file", errno);
    }
    FileReader file(number, path);
    struct stat status {};
    if (::fstat(number, &status) != 0) {
        return system_error(path, "examine the file", errno);
    }
    if (S_ISDIR(status.st_mode)) {
        return Error{ErrorCode::is_directory, "this is a directory, not a file", path, std::nullopt};
    }
    if (!S_ISREG(status.st_mode)) {
        return not_a_regular_file(path);
    }
    file.size_ = static_cast<std::uint64_t>(status.st_size);
    return file;
}

FileReader::FileReader(FileReader&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      path_(std::move(other.path_)),
      size_(other.size_),
      position_(other.position_) {}

FileReader::~FileReader() {
    if (descriptor_ >= 0) {
        ::close(descriptor_);
    }
}

Result<std::size_t> FileReader::read(void* buffer, std::size_t count) {
    while (true) {
        const ssize_t got = ::read(descriptor_, buffer, count);
        if (got >= 0) {
            position_ += static_cast<std::uint64_t>(got);
            return static_cast<std::size_t>(got);
        }
        if (errno != EINTR) {
            Error error = system_error(path_, "read the file", errno);
            error.code = ErrorCode::read_failed;
            error.offset = position_;
            return error;
        }
    }
}

Result<std::vector<std::uint8_t>> FileReader::read_at(std::uint64_t offset, std::size_t count) const {
    std::vector<std::uint8_t> content(count);
    const Result<std::size_t> got = read_at(offset, content.data(), count);
    if (!got) {
        return got.error();
    }
    content.resize(*got);
    return content;
}

Result<std::size_t> FileReader::read_at(std::uint64_t offset, void* buffer, std::size_t count) const {
    auto* const bytes = static_cast<std::uint8_t*>(buffer);
    std::size_t done = 0;
    while (done < count) {
        const ssize_t got = ::pread(descriptor_, bytes + done, count - done, static_cast<off_t>(offset + done));
        if (got == 0) {
            break;
        }
        if (got < 0 && errno != EINTR) {
            Error error = system_error(path_, "read the file", errno);
            error.code = ErrorCode::read_failed;
            error.offset = offset + done;
            return error;
        }
        done += static_cast<std::size_t>(got < 0 ? 0 : got);
    }
    return done;
}

Result<std::vector<std::uint8_t>> read_file(const std::string& path, const Limits& limits, std::uint64_t Limits::*limit,
                                            ErrorCode too_large) {
    Result<FileReader> file = open_within(path, limits, limit, too_large);
    if (!file) {
        return file.error();
    }
    return read_up_to(*file, file->size());
}

Result<FileStart> read_file_start(const std::string& path, std::size_t count) {
    Result<FileReader> file = FileReader::open(path);
    if (!file) {
        return file.error();
    }
    auto start = read_up_to(*file, std::min<std::uint64_t>(count, file->size()));
    if (!start) {
        return start.error();
    }
    return FileStart{std::move(start).value(), file->size()};
}

/// Checks descriptors one by one: the system does not report how many are in use.
std::size_t free_descriptors(std::size_t enough) noexcept {
    struct rlimit limit {};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) {
        return 0;
    }
    std::size_t free = 0;
    for (int number = 0; free < enough && static_cast<rlim_t>(number) < limit.rlim_cur; ++number) {
        free += ::fcntl(number, F_GETFD) < 0 ? 1U : 0U;
    }
    return free;
}

unsigned threads_with_files(unsigned threads) noexcept {
    constexpr std::size_t kForReport = 4;
    const std::size_t free = free_descriptors(kForReport + threads);
    return free <= kForReport ? 1U : static_cast<unsigned>(std::clamp<std::size_t>(free - kForReport, 1, threads));
}

bool is_gzip(std::string_view start) noexcept {
    return start.starts_with("\x1F\x8B");
}

bool is_zstd(std::string_view start) noexcept {
    const bool is_skippable_frame = start.size() >= 4 && start.substr(1).starts_with("\x2A\x4D\x18") &&
                                    (static_cast<unsigned char>(start[0]) & 0xF0U) == 0x50U;
    return start.starts_with("\x28\xB5\x2F\xFD") || is_skippable_frame;
}

std::optional<std::string_view> archive_name(std::string_view start) noexcept {
    for (const Signature& archive : kArchives) {
        if (start.size() >= archive.offset && start.substr(archive.offset).starts_with(archive.bytes)) {
            return archive.name;
        }
    }
    return std::nullopt;
}

std::optional<std::string_view> packing_name(std::string_view start) noexcept {
    return is_gzip(start)   ? std::optional<std::string_view>("a gzip file")
           : is_zstd(start) ? std::optional<std::string_view>("a Zstandard file")
                            : archive_name(start);
}

}  // namespace opdebug::bytes
