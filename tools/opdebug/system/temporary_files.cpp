#include "system/temporary_files.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <climits>
#include <cstdio>
#include <cstring>

#include "system/interrupt.hpp"

namespace opdebug::tool {

/// A name where a signal handler can read it: it may neither wait for a lock nor follow memory that is being moved.
struct KeptName {
    std::atomic<bool> used{false};
    std::atomic<bool> holds_name{false};
    std::array<char, PATH_MAX> path{};
};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may not wait for a lock");

namespace {

// One for each file that is written at a time: four of `convert` (parallel.hpp), or a report. A file that finds no
// place here is written all the same, and only a second interrupt may leave it.
std::array<KeptName, 16> kept_names;

KeptName* free_place() noexcept {
    for (KeptName& kept : kept_names) {
        bool used = false;
        if (kept.used.compare_exchange_strong(used, true)) {
            return &kept;
        }
    }
    return nullptr;
}

}  // namespace

TemporaryFile::~TemporaryFile() {
    if (is_made()) {
        ::unlink(name_.c_str());
    }
    forget();
}

void TemporaryFile::forget() noexcept {
    name_.clear();
    if (kept_ != nullptr) {
        kept_->holds_name = false;
        kept_->used = false;
        kept_ = nullptr;
    }
}

int TemporaryFile::make(const std::string& folder) {
    const std::string pattern = folder + ".opdebug.XXXXXX";
    kept_ = pattern.size() < PATH_MAX ? free_place() : nullptr;
    std::string own;
    const int descriptor = uninterrupted([&] {
        own = pattern;
        char* name = own.data();
        if (kept_ != nullptr) {
            // The name is kept before the file is there: a signal between the two would find a file without a name.
            name = kept_->path.data();
            std::memcpy(name, pattern.c_str(), pattern.size() + 1);
            kept_->holds_name = true;
        }
        return ::mkostemp(name, O_CLOEXEC);
    });
    if (descriptor < 0) {
        forget();
        return descriptor;
    }
    name_ = kept_ != nullptr ? kept_->path.data() : own;
    return descriptor;
}

bool TemporaryFile::bring_to(const std::string& path) {
    if (::rename(name_.c_str(), path.c_str()) != 0) {
        return false;
    }
    forget();
    return true;
}

bool TemporaryFile::bring_to_new(const std::string& path) {
    if (::renameat2(AT_FDCWD, name_.c_str(), AT_FDCWD, path.c_str(), RENAME_NOREPLACE) != 0) {
        return false;
    }
    forget();
    return true;
}

void remove_temporary_files() noexcept {
    for (const KeptName& kept : kept_names) {
        if (kept.holds_name) {
            ::unlink(kept.path.data());
        }
    }
}

}  // namespace opdebug::tool
