#include "tree/folder_stack.hpp"

#include <algorithm>
#include <exception>
#include <system_error>
#include <utility>

#include "tree/number.hpp"

namespace opdebug::tree {
namespace {

/// Folders from the end of the stack that may be read before their turn: what they hold is kept until then.
constexpr std::size_t kAhead = 8;
constexpr std::size_t kFewFolders = 16;  ///< of so many nothing is won by a further thread
constexpr unsigned kMostThreads = 4;

ReadFolder read(const std::string& path) {
    ReadFolder found{list_folder(path), {}};
    found.kinds.reserve(found.listing.entries.size());
    for (const FolderEntry& entry : found.listing.entries) {
        found.kinds.push_back(is_decimal(entry.name) ? std::nullopt : std::optional(kind_of_real_name(entry.name)));
    }
    return found;
}

}  // namespace

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
    if (threads_.empty() && entries_.size() >= kFewFolders) {
        start_threads();
    }
    pushed_.notify_all();
}

/// The system may give none: the walk's own thread reads everything then.
void FolderStack::start_threads() {
    const unsigned wanted = std::min(threads_wanted_, kMostThreads);
    try {
        while (threads_.size() + 1 < wanted) {
            threads_.emplace_back([this] { work(); });
        }
    } catch (const std::system_error&) {
    }
}

FolderStack::Next FolderStack::pop() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (entries_.back().state != State::read) {
        if (!read_next(lock)) {
            read_.wait(lock);
        }
    }
    Entry entry = std::move(entries_.back());
    entries_.pop_back();
    lock.unlock();
    pushed_.notify_one();  // one more may be read ahead
    return {std::move(entry.folder), std::move(entry.found)};
}

/// The one of those near the end that comes first and that nobody reads yet.
std::optional<std::size_t> FolderStack::next_to_read() const {
    const std::size_t last = entries_.size() - std::min(kAhead, entries_.size());
    for (std::size_t place = entries_.size(); place-- > last;) {
        if (entries_[place].state == State::waiting) {
            return place;
        }
    }
    return std::nullopt;
}

/// False when there is nothing to do now. The lock is open while the system is asked.
bool FolderStack::read_next(std::unique_lock<std::mutex>& lock) {
    const std::optional<std::size_t> place = next_to_read();
    if (!place) {
        return false;
    }
    entries_[*place].state = State::being_read;
    const std::string path = entries_[*place].folder.path;
    lock.unlock();
    std::optional<ReadFolder> found;
    std::exception_ptr failure;
    try {
        found = read(path);
    } catch (...) {
        failure = std::current_exception();
    }
    lock.lock();
    Entry& entry = entries_[*place];
    entry.state = found ? State::read : State::waiting;
    if (found) {
        entry.found = *std::move(found);
    }
    read_.notify_one();
    if (failure) {
        std::rethrow_exception(failure);
    }
    return true;
}

void FolderStack::work() {
    std::unique_lock<std::mutex> lock(mutex_);
    try {
        while (!ended_) {
            if (!read_next(lock)) {
                pushed_.wait(lock);
            }
        }
    } catch (const std::exception&) {
        // The memory is short: the walk's own thread reads that folder again, and tells.
    }
}

}  // namespace opdebug::tree
