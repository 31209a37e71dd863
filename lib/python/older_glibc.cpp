// Lets the Python module that carries its libraries (OPDEBUG_ONE_FILE) load where the C library is older than that of
// the build machine: glibc 2.28 and newer. The linker uses the definitions below for functions that newer versions of
// glibc added or changed. This includes those in libstdc++ and libgcc. Nobody outside the module sees them.
//
// The versions are those in which glibc introduced the functions: 2.2.5 for x86_64, 2.17 for 64-bit Arm.

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <cerrno>
#include <cstdint>
#include <ctime>

#if defined(__x86_64__)
#define FIRST_VERSION "GLIBC_2.2.5"
#define CLOCK_VERSION "GLIBC_2.3.3"
#elif defined(__aarch64__)
#define FIRST_VERSION "GLIBC_2.17"
#define CLOCK_VERSION "GLIBC_2.17"
#else
#error "The first version of glibc for this processor is not known here"
#endif

// Defines a function under the name that glibc has for it. Its own name differs, so the system's headers may declare
// the other.
#define HIDDEN(result, name, parameters)                                                          \
    extern "C" __attribute__((visibility("hidden"))) result our_##name parameters __asm__(#name); \
    result our_##name parameters

// Since 2.34, which moved them from libpthread to libc, these have a new version; all else about them is as it was.
#define AT_VERSION(result, name, parameters, arguments, version) \
    extern "C" result older_##name parameters;                   \
    __asm__(".symver older_" #name ", " #name "@" version);      \
    HIDDEN(result, name, parameters) {                           \
        return older_##name arguments;                           \
    }

using Start = void* (*)(void*);
using Destroy = void (*)(void*);
using Once = void (*)();

AT_VERSION(int, pthread_create, (pthread_t * thread, const pthread_attr_t* attributes, Start start, void* argument),
           (thread, attributes, start, argument), FIRST_VERSION)
AT_VERSION(int, pthread_detach, (pthread_t thread), (thread), FIRST_VERSION)
AT_VERSION(int, pthread_join, (pthread_t thread, void** result), (thread, result), FIRST_VERSION)
AT_VERSION(int, pthread_once, (pthread_once_t * once, Once function), (once, function), FIRST_VERSION)
AT_VERSION(int, pthread_key_create, (pthread_key_t * key, Destroy destroy), (key, destroy), FIRST_VERSION)
AT_VERSION(int, __pthread_key_create, (pthread_key_t * key, Destroy destroy), (key, destroy), FIRST_VERSION)
AT_VERSION(int, pthread_key_delete, (pthread_key_t key), (key), FIRST_VERSION)
AT_VERSION(void*, pthread_getspecific, (pthread_key_t key), (key), FIRST_VERSION)
AT_VERSION(int, pthread_setspecific, (pthread_key_t key, const void* value), (key, value), FIRST_VERSION)
AT_VERSION(int, pthread_sigmask, (int how, const sigset_t* set, sigset_t* before), (how, set, before), FIRST_VERSION)
AT_VERSION(int, pthread_condattr_setclock, (pthread_condattr_t * attributes, clockid_t clock), (attributes, clock),
           CLOCK_VERSION)

// Since 2.29 it has a new version, without the handling of errors of System V.
AT_VERSION(double, log2, (double value), (value), FIRST_VERSION)

// Since 2.32: whether the process has one thread. It may have more.
extern "C" __attribute__((visibility("hidden"))) char our_libc_single_threaded __asm__("__libc_single_threaded");
char our_libc_single_threaded = 0;

// Since 2.30. Before it a condition waits by the clock that it was made for, which is the real time by default.
HIDDEN(int, pthread_cond_clockwait,
       (pthread_cond_t * condition, pthread_mutex_t* mutex, clockid_t clock, const timespec* until)) {
    constexpr std::int64_t second = 1'000'000'000;
    const auto nanoseconds = [](const timespec& time) { return std::int64_t{time.tv_sec} * second + time.tv_nsec; };
    timespec now{};
    timespec real{};
    if (clock_gettime(clock, &now) != 0 || clock_gettime(CLOCK_REALTIME, &real) != 0) return EINVAL;
    const auto end = nanoseconds(real) + nanoseconds(*until) - nanoseconds(now);
    const timespec real_until{end / second, end % second};
    return pthread_cond_timedwait(condition, mutex, &real_until);
}

// Since 2.33 functions of the C library; before it, inline functions in its headers around others.
HIDDEN(int, stat, (const char* path, struct stat* status)) {
    return static_cast<int>(syscall(SYS_newfstatat, AT_FDCWD, path, status, 0));
}
HIDDEN(int, lstat, (const char* path, struct stat* status)) {
    return static_cast<int>(syscall(SYS_newfstatat, AT_FDCWD, path, status, AT_SYMLINK_NOFOLLOW));
}
HIDDEN(int, fstat, (int file, struct stat* status)) {
    return static_cast<int>(syscall(SYS_fstat, file, status));
}
HIDDEN(int, fstat64, (int file, struct stat64* status)) {
    return static_cast<int>(syscall(SYS_fstat, file, status));
}

// Since 2.35: where the unwinding tables are for an address in the code. libgcc reads `dlfo_eh_frame` only.
HIDDEN(int, _dl_find_object, (void* code, dl_find_object* found)) {
    struct Search {
        std::uintptr_t code;
        dl_find_object* found;
    } search{reinterpret_cast<std::uintptr_t>(code), found};
    const auto look = [](dl_phdr_info* object, std::size_t, void* data) {
        const auto& wanted = *static_cast<Search*>(data);
        bool inside = false;
        std::uintptr_t tables = 0;
        for (std::size_t i = 0; i < object->dlpi_phnum; ++i) {
            const auto& segment = object->dlpi_phdr[i];
            const auto begin = object->dlpi_addr + segment.p_vaddr;
            if (segment.p_type == PT_LOAD && wanted.code - begin < segment.p_memsz) inside = true;
            if (segment.p_type == PT_GNU_EH_FRAME) tables = begin;
        }
        if (!inside || tables == 0) return 0;
        wanted.found->dlfo_eh_frame = reinterpret_cast<void*>(tables);  // NOLINT(performance-no-int-to-ptr)
        return 1;
    };
    return dl_iterate_phdr(look, &search) == 1 ? 0 : -1;
}
