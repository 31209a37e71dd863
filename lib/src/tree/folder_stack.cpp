#include "tree/folder_stack.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include "tree/mapping.hpp"

namespace opdebug::tree {
namespace {

/// Folders from the end of the stack that may be read before their turn. Those of upper levels that were read so stay
/// while the walk is below them: without the second limit they were seven for each level.
constexpr std::size_t kAhead = 8;
constexpr std::size_t kMostKept = 32;
constexpr std::size_t kFewFolders = 16;  ///< of so many nothing is won by a further thread
constexpr unsigned kMostThreads = 4;

}  // namespace

ReadFolder read_folder(const std::string& path) {
    ReadFolder found{list_folder(path), {}};
    found.kinds.reserve(found.listing.entries.size());
    for (const FolderEntry& entry : found.listing.entries) {
        found.kinds.push_back(may_stand_for_long_name(entry.name) ? std::nullopt
                                                                  : std::optional(kind_of_real_name(entry.name)));
    }
    return found;
}

FolderStack::~FolderStack() {
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        ended_ = true;
    }
    pushed_.notify_all();
    for (std::thread& thread : threads_) {
        thread.join();
    }
}

void FolderStack::push(std::vector<FolderToRead> folders) {
    if (folders.empty()) {
        return;
    }
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        for (FolderToRead& folder : folders) {
            entries_.push_back({std::move(folder), State::waiting, {}});
        }
    }
    if (!started_ && entries_.size() >= kFewFolders) {
        start_threads();
    }
    pushed_.notify_all();
}

/// The system may give none: the walk's own thread reads everything then.
void FolderStack::start_threads() {
    started_ = true;
    const unsigned wanted = std::min(threads_wanted_, kMostThreads);
    try {
        threads_.reserve(wanted);
        while (threads_.size() + 1 < wanted) {
            threads_.emplace_back([this] { work(); });
        }
    } catch (const std::exception&) {  // std::system_error, or std::bad_alloc
    }
}

FolderStack::Next FolderStack::pop() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (entries_.back().state != State::read) {
        const bool is_waiting = entries_.back().state == State::waiting;
        if (const auto place = is_waiting ? std::optional(entries_.size() - 1) : next_to_read()) {
            read_at(*place, lock);
        } else {
            read_.wait(lock);
        }
    }
    Entry entry = std::move(entries_.back());
    entries_.pop_back();
    --not_waiting_;
    lock.unlock();
    pushed_.notify_one();  // one more may be read ahead
    return {std::move(entry.folder), std::move(entry.found)};
}

/// The one of those near the end that comes first and that nobody reads yet; none where enough is kept.
std::optional<std::size_t> FolderStack::next_to_read() const {
    if (not_waiting_ >= kMostKept) {
        return std::nullopt;
    }
    const std::size_t last = entries_.size() - std::min(kAhead, entries_.size());
    for (std::size_t place = entries_.size(); place-- > last;) {
        if (entries_[place].state == State::waiting) {
            return place;
        }
    }
    return std::nullopt;
}

/// The lock is open while the system is asked. Where this throws, the entry waits as before: who waits for it to be
/// read would wait for ever.
void FolderStack::read_at(std::size_t place, std::unique_lock<std::mutex>& lock) {
    const std::string path = entries_[place].folder.path;  // may throw
    entries_[place].state = State::being_read;
    ++not_waiting_;
    lock.unlock();
    std::optional<ReadFolder> found;
    std::exception_ptr failure;
    try {
        found = read_folder_(path);
    } catch (...) {
        failure = std::current_exception();
    }
    lock.lock();
    Entry& entry = entries_[place];
    entry.state = found ? State::read : State::waiting;
    if (found) {
        entry.found = *std::move(found);
    } else {
        --not_waiting_;
    }
    read_.notify_one();
    if (failure) {
        std::rethrow_exception(failure);
    }
}

void FolderStack::work() {
    std::unique_lock<std::mutex> lock(mutex_);
    try {
        while (!ended_) {
            if (const auto place = next_to_read()) {
                read_at(*place, lock);
            } else {
                pushed_.wait(lock);
            }
        }
    } catch (const std::exception&) {
        // The memory is short: the walk's own thread reads that folder again, and tells.
    }
}

}  // namespace opdebug::tree
