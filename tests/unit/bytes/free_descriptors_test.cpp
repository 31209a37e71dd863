// Threads and open folders take no more descriptors than the process has left.
#include <doctest/doctest.h>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bytes/free_descriptors.hpp"

using namespace opdebug::bytes;

namespace {

/// The process may open so many files while this lives.
class DescriptorLimit {
public:
    explicit DescriptorLimit(rlim_t most) {
        ::getrlimit(RLIMIT_NOFILE, &before_);
        struct rlimit limit = before_;
        limit.rlim_cur = most;
        ::setrlimit(RLIMIT_NOFILE, &limit);
    }
    ~DescriptorLimit() { ::setrlimit(RLIMIT_NOFILE, &before_); }
    DescriptorLimit(const DescriptorLimit&) = delete;
    DescriptorLimit& operator=(const DescriptorLimit&) = delete;

private:
    struct rlimit before_ {};
};

/// Files that somebody else has open while this lives: as many as the system gives, at most `most`.
class Opened {
public:
    explicit Opened(std::size_t most = SIZE_MAX) {
        for (int file = -1; files_.size() < most && (file = ::open("/", O_RDONLY | O_CLOEXEC)) >= 0;) {
            files_.push_back(file);
        }
    }
    ~Opened() {
        for (const int file : files_) {
            ::close(file);
        }
    }
    Opened(const Opened&) = delete;
    Opened& operator=(const Opened&) = delete;

    std::size_t count() const { return files_.size(); }
    void close_one() {
        ::close(files_[files_.size() / 2]);
        files_.erase(files_.begin() + static_cast<std::ptrdiff_t>(files_.size() / 2));
    }

private:
    std::vector<int> files_;
};

std::size_t that_can_be_opened() {
    return Opened().count();
}

}  // namespace

TEST_CASE("free descriptors: as many as files can be opened, whoever has the others") {
    const DescriptorLimit limit(64);
    CHECK(free_descriptors(1000) == that_can_be_opened());
    CHECK(free_descriptors(7) == 7);
    Opened others;
    CHECK(free_descriptors(1000) == 0);
    others.close_one();
    CHECK(free_descriptors(1000) == 1);
    others.close_one();
    CHECK(free_descriptors(1000) == that_can_be_opened());
}

TEST_CASE("free descriptors: threads that open files leave some, and one works always") {
    CHECK(threads_with_files(2) == 2);
    const DescriptorLimit limit(64);
    CHECK(threads_with_files(1) == 1);
    CHECK(threads_with_files(8) == 8);
    CHECK(threads_with_files(1024) < that_can_be_opened());
    const Opened others(that_can_be_opened() - 8);
    CHECK(threads_with_files(1024) < 8);
    CHECK(threads_with_files(1024) > 1);
    const Opened further;
    CHECK(threads_with_files(1024) == 1);
}

TEST_CASE("free descriptors: few folders stay open where few files can be opened") {
    CHECK(folders_to_keep_open(1) > 0);
    const DescriptorLimit limit(64);
    CHECK(folders_to_keep_open(2) > 0);
    for (const unsigned threads : {1U, 2U, 8U, 31U, 32U, 60U, 1024U}) {
        CAPTURE(threads);
        const std::size_t folders = folders_to_keep_open(threads);
        CHECK((folders == 0 || folders + threads <= 64 - 32));
    }
    const Opened others(32);
    CHECK(folders_to_keep_open(1) == 0);
}
