// Calls of the system as the plan of fault_plan.hpp wants them. The names are those of the C library: whoever calls one
// gets the function here, which queries the plan and then calls the next of that name.
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "fault_plan.hpp"

namespace faults = opdebug::faults;
using faults::Call;

namespace {

/// The function of that name that would have been called.
template <class Function>
Function* next(const char* name) {
    void* const found = ::dlsym(RTLD_NEXT, name);
    if (found == nullptr) {
        std::abort();
    }
    return reinterpret_cast<Function*>(found);
}

/// The path of a descriptor; "" where it has none.
struct PathOf {
    explicit PathOf(int descriptor) {
        std::array<char, 40> link{};
        std::snprintf(link.data(), link.size(), "/proc/self/fd/%d", descriptor);
        const ssize_t size = ::readlink(link.data(), text.data(), text.size() - 1);
        text[static_cast<std::size_t>(std::max<ssize_t>(size, 0))] = '\0';
    }
    std::array<char, 4200> text{};
};

/// What the plan states to a call on a descriptor; errno stays.
faults::Verdict judge_descriptor(Call call, int descriptor, std::uint64_t offset = 0, std::size_t count = 0) {
    if (!faults::concerns(call)) {
        return {};
    }
    const int number = errno;
    const PathOf path(descriptor);
    const faults::Verdict verdict = faults::judge(call, path.text.data(), offset, count);
    errno = number;
    return verdict;
}

std::uint64_t position_of(int descriptor) {
    const int number = errno;
    const off_t position = ::lseek(descriptor, 0, SEEK_CUR);
    errno = number;
    return static_cast<std::uint64_t>(std::max<off_t>(position, 0));
}

/// The call of `function` unless it shall fail.
template <class Result, class Function, class... Arguments>
Result unless(const faults::Verdict& verdict, Result failed, Function* function, Arguments... arguments) {
    if (verdict.error != 0) {
        errno = verdict.error;
        return failed;
    }
    return function(arguments...);
}

faults::Verdict judge_path(Call call, const char* path) {
    const int number = errno;
    const faults::Verdict verdict = faults::judge(call, path);
    errno = number;
    return verdict;
}

/// As with the path that leads to the name from the folder.
faults::Verdict judge_in_folder(Call call, int folder, const char* name) {
    if (folder == AT_FDCWD || name[0] == '/' || !faults::concerns(call)) {
        return judge_path(call, name);
    }
    const int number = errno;
    const PathOf path(folder);
    const faults::Verdict verdict = judge_path(call, (std::string(path.text.data()) + '/' + name).c_str());
    errno = number;
    return verdict;
}

int mode_of(int flags, va_list arguments) {
    return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, int) : 0;
}

}  // namespace

// The declarations of the C library have attributes and exception specifications of their own.
#pragma GCC diagnostic ignored "-Wmissing-declarations"
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wnonnull-compare"
#endif
#pragma GCC visibility push(default)

extern "C" {

int open(const char* path, int flags, ...) {
    static auto* const call = next<int(const char*, int, ...)>("open");
    va_list arguments;
    va_start(arguments, flags);
    const int mode = mode_of(flags, arguments);
    va_end(arguments);
    const bool creates = (flags & O_ACCMODE) != O_RDONLY;
    return unless(judge_path(creates ? Call::create : Call::open, path), -1, call, path, flags, mode);
}

int open64(const char* path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    const int mode = mode_of(flags, arguments);
    va_end(arguments);
    return open(path, flags, mode);
}

int openat(int folder, const char* name, int flags, ...) {
    static auto* const call = next<int(int, const char*, int, ...)>("openat");
    va_list arguments;
    va_start(arguments, flags);
    const int mode = mode_of(flags, arguments);
    va_end(arguments);
    const bool creates = (flags & O_ACCMODE) != O_RDONLY;
    return unless(judge_in_folder(creates ? Call::create : Call::open, folder, name), -1, call, folder, name, flags,
                  mode);
}

int openat64(int folder, const char* name, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    const int mode = mode_of(flags, arguments);
    va_end(arguments);
    return openat(folder, name, flags, mode);
}

int mkostemp(char* name, int flags) {
    static auto* const call = next<int(char*, int)>("mkostemp");
    return unless(judge_path(Call::create, name), -1, call, name, flags);
}

int mkdir(const char* path, mode_t mode) noexcept {
    static auto* const call = next<int(const char*, mode_t)>("mkdir");
    return unless(judge_path(Call::create, path), -1, call, path, mode);
}

ssize_t read(int descriptor, void* buffer, size_t count) {
    static auto* const call = next<ssize_t(int, void*, size_t)>("read");
    const std::uint64_t offset = faults::concerns(Call::read) ? position_of(descriptor) : 0;
    const faults::Verdict verdict = judge_descriptor(Call::read, descriptor, offset, count);
    return unless(verdict, ssize_t{-1}, call, descriptor, buffer, std::min(count, verdict.most));
}

ssize_t pread(int descriptor, void* buffer, size_t count, off_t offset) {
    static auto* const call = next<ssize_t(int, void*, size_t, off_t)>("pread");
    const faults::Verdict verdict = judge_descriptor(Call::read, descriptor, static_cast<std::uint64_t>(offset), count);
    return unless(verdict, ssize_t{-1}, call, descriptor, buffer, std::min(count, verdict.most), offset);
}

ssize_t pread64(int descriptor, void* buffer, size_t count, off64_t offset) {
    return pread(descriptor, buffer, count, offset);
}

// What a program calls that is compiled with _FORTIFY_SOURCE and knows the size of the buffer.
ssize_t __read_chk(int descriptor, void* buffer, size_t count, size_t size) {
    if (count > size) {
        std::abort();
    }
    return read(descriptor, buffer, count);
}

ssize_t __pread_chk(int descriptor, void* buffer, size_t count, off_t offset, size_t size) {
    if (count > size) {
        std::abort();
    }
    return pread(descriptor, buffer, count, offset);
}

ssize_t write(int descriptor, const void* buffer, size_t count) {
    static auto* const call = next<ssize_t(int, const void*, size_t)>("write");
    const std::uint64_t offset = faults::concerns(Call::write) ? position_of(descriptor) : 0;
    const faults::Verdict verdict = judge_descriptor(Call::write, descriptor, offset, count);
    return unless(verdict, ssize_t{-1}, call, descriptor, buffer, std::min(count, verdict.most));
}

ssize_t pwrite(int descriptor, const void* buffer, size_t count, off_t offset) {
    static auto* const call = next<ssize_t(int, const void*, size_t, off_t)>("pwrite");
    const faults::Verdict verdict =
        judge_descriptor(Call::write, descriptor, static_cast<std::uint64_t>(offset), count);
    return unless(verdict, ssize_t{-1}, call, descriptor, buffer, std::min(count, verdict.most), offset);
}

ssize_t pwrite64(int descriptor, const void* buffer, size_t count, off64_t offset) {
    return pwrite(descriptor, buffer, count, offset);
}

int close(int descriptor) {
    static auto* const call = next<int(int)>("close");
    const faults::Verdict verdict = judge_descriptor(Call::close, descriptor);
    const int closed = call(descriptor);  // as on Linux, where it is closed whatever close() states
    if (verdict.error != 0) {
        errno = verdict.error;
        return -1;
    }
    return closed;
}

DIR* opendir(const char* path) {
    static auto* const call = next<DIR*(const char*)>("opendir");
    return unless(judge_path(Call::opendir, path), static_cast<DIR*>(nullptr), call, path);
}

dirent* readdir(DIR* folder) {
    static auto* const call = next<dirent*(DIR*)>("readdir");
    const faults::Verdict verdict = judge_descriptor(Call::readdir, ::dirfd(folder));
    return unless(verdict, static_cast<dirent*>(nullptr), call, folder);
}

dirent64* readdir64(DIR* folder) {
    static auto* const call = next<dirent64*(DIR*)>("readdir64");
    return unless(judge_descriptor(Call::readdir, ::dirfd(folder)), static_cast<dirent64*>(nullptr), call, folder);
}

int rename(const char* from, const char* to) noexcept {
    static auto* const call = next<int(const char*, const char*)>("rename");
    return unless(judge_path(Call::rename, to), -1, call, from, to);
}

int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) noexcept {
    static auto* const call = next<int(int, const char*, int, const char*, unsigned)>("renameat2");
    return unless(judge_path(Call::rename, to), -1, call, from_folder, from, to_folder, to, flags);
}

}  // extern "C"

#pragma GCC visibility pop
