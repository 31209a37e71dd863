// Further threads that list folders: that they do, how far ahead, and what happens where they fail.
#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <new>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "tree/folder_stack.hpp"

using namespace opdebug;
using namespace std::chrono_literals;

namespace {

constexpr auto kLong = 20s;  ///< for what must come

/// Reads nothing, and notes which folders were read by which thread.
class NotedReads {
public:
    tree::ReadFolder read(const std::string& path) {
        const std::lock_guard<std::mutex> lock(mutex_);
        (std::this_thread::get_id() == owner_ ? by_owner_ : by_others_).push_back(path);
        changed_.notify_all();
        tree::ReadFolder found;
        found.listing.names.add(path);
        found.listing.names.each([&found](std::string_view name) {
            found.listing.entries.push_back({name, false, tree::EntryKind::file});
        });
        return found;
    }

    /// False when fewer were read in that time.
    bool wait_for(std::size_t reads, std::chrono::milliseconds time = kLong) {
        std::unique_lock<std::mutex> lock(mutex_);
        return changed_.wait_for(lock, time, [&] { return by_owner_.size() + by_others_.size() >= reads; });
    }

    std::vector<std::string> by_others() {
        const std::lock_guard<std::mutex> lock(mutex_);
        return by_others_;
    }

    bool is_owner() const { return std::this_thread::get_id() == owner_; }

private:
    const std::thread::id owner_ = std::this_thread::get_id();
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<std::string> by_owner_, by_others_;
};

std::vector<tree::FolderToRead> folders(const std::string& name, int count) {
    std::vector<tree::FolderToRead> made;
    for (int i = 0; i < count; ++i) {
        made.push_back({name + std::to_string(i), {}, 0});
    }
    return made;
}

/// Pops everything; the names of the folders, each of which must come with what was read of it.
std::vector<std::string> popped(tree::FolderStack& stack) {
    std::vector<std::string> names;
    while (!stack.empty()) {
        const tree::FolderStack::Next next = stack.pop();
        REQUIRE(next.found.listing.entries.size() == 1);
        CHECK(next.found.listing.entries.front().name == next.folder.path);
        names.push_back(next.folder.path);
    }
    return names;
}

/// The last pushed comes first.
std::vector<std::string> expected(int count) {
    std::vector<std::string> names;
    for (int i = count; i-- > 0;) {
        names.push_back("f" + std::to_string(i));
    }
    return names;
}

}  // namespace

TEST_CASE("folder stack: further threads list the eight folders that come next, and no others") {
    NotedReads reads;
    tree::FolderStack stack(3, [&](const std::string& path) { return reads.read(path); });
    stack.push(folders("f", 20));
    CHECK(reads.wait_for(8));
    CHECK_FALSE(reads.wait_for(9, 20ms));
    const std::vector<std::string> listed = reads.by_others();
    CHECK(std::set<std::string>(listed.begin(), listed.end()) ==
          std::set<std::string>{"f12", "f13", "f14", "f15", "f16", "f17", "f18", "f19"});
    CHECK(popped(stack) == expected(20));
}

TEST_CASE("folder stack: with one thread, or few folders, the caller lists all") {
    for (const unsigned threads : {1U, 4U}) {
        NotedReads reads;
        tree::FolderStack stack(threads, [&](const std::string& path) { return reads.read(path); });
        const int count = threads == 1 ? 40 : 15;
        stack.push(folders("f", count));
        CHECK(popped(stack) == expected(count));
        CHECK(reads.by_others().empty());
    }
}

TEST_CASE("folder stack: however deep a tree is, at most 32 listings are kept") {
    NotedReads reads;
    tree::FolderStack stack(2, [&](const std::string& path) { return reads.read(path); });
    std::size_t taken = 0;
    for (int level = 0; level < 12; ++level) {
        stack.push(folders(std::to_string(level) + "_", 16));
        if (level < 4) {  // eight of the level, and seven of each above
            CHECK(reads.wait_for(taken + 8 + 7 * static_cast<std::size_t>(level)));
        } else {
            CHECK_FALSE(reads.wait_for(taken + 33, 20ms));
        }
        stack.pop();
        ++taken;
    }
}

TEST_CASE("folder stack: a further thread that runs out of memory leaves the folder to the others") {
    NotedReads reads;
    std::atomic<int> failed = 0;
    tree::FolderStack stack(2, [&](const std::string& path) {
        if (!reads.is_owner()) {
            ++failed;
            throw std::bad_alloc();
        }
        return reads.read(path);
    });
    stack.push(folders("f", 30));
    CHECK(popped(stack) == expected(30));
    CHECK(failed <= 1);
}

TEST_CASE("folder stack: the caller waits for a folder that a further thread lists, and lists it when that failed") {
    NotedReads reads;
    std::atomic<bool> has_begun = false, may_fail = false;
    tree::FolderStack stack(2, [&](const std::string& path) {
        if (reads.is_owner()) {
            may_fail = true;  // the caller found the top taken, and listed what comes next
            return reads.read(path);
        }
        has_begun = true;
        while (!may_fail) {
            std::this_thread::sleep_for(1ms);
        }
        throw std::bad_alloc();
    });
    stack.push(folders("f", 30));
    const auto end = std::chrono::steady_clock::now() + kLong;
    while (!has_begun && std::chrono::steady_clock::now() < end) {
        std::this_thread::sleep_for(1ms);
    }
    CHECK(has_begun);
    CHECK(popped(stack) == expected(30));
}

TEST_CASE("folder stack: a caller that runs out of memory is told, and may try again") {
    NotedReads reads;
    bool has_memory = false;
    tree::FolderStack stack(
        1, [&](const std::string& path) { return has_memory ? reads.read(path) : throw std::bad_alloc(); });
    stack.push(folders("f", 3));
    CHECK_THROWS_AS(stack.pop(), std::bad_alloc);
    has_memory = true;
    CHECK(popped(stack) == expected(3));
}
