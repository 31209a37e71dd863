// The folders that a walk has still to read, the last found first; further threads list those that come next.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "tree/folder.hpp"
#include "tree/walk_folder.hpp"

namespace opdebug::tree {

struct FolderToRead {
    std::string path;
    FolderIdentity identity;
    std::uint64_t depth = 0;  ///< below the given path
};

/// What the system and the names tell of a folder, whatever else the walk knows.
struct ReadFolder {
    FolderListing listing;
    std::vector<std::optional<NameKind>> kinds;  ///< of the entries; nothing where the mapping.csv is to be asked
};

/// Most of a walk's time is that of the system, which lists folders; on file systems of a network all of it. Which
/// thread lists a folder changes nothing: what is found is judged in the order of the stack, by the walk's own thread.
class FolderStack {
public:
    /// `threads`: with the caller's.
    explicit FolderStack(unsigned threads) : threads_wanted_(threads) {}
    ~FolderStack();
    FolderStack(const FolderStack&) = delete;
    FolderStack& operator=(const FolderStack&) = delete;

    /// The last of them is the next one to be read.
    void push(std::vector<FolderToRead> folders);

    struct Next {
        FolderToRead folder;
        ReadFolder found;
    };
    /// The stack may not be empty.
    Next pop();

    bool empty() const noexcept { return entries_.empty(); }  ///< no other thread makes it longer or shorter

private:
    enum class State { waiting, being_read, read };
    struct Entry {
        FolderToRead folder;
        State state = State::waiting;
        ReadFolder found;
    };

    void start_threads();
    void work();
    std::optional<std::size_t> next_to_read() const;
    bool read_next(std::unique_lock<std::mutex>& lock);

    const unsigned threads_wanted_;
    std::mutex mutex_;
    std::condition_variable pushed_;  ///< folders were pushed or taken, or nothing more is wanted
    std::condition_variable read_;    ///< a folder was read
    std::vector<Entry> entries_;      ///< grows and shrinks at its end only, so places of entries stay
    bool ended_ = false;
    std::vector<std::thread> threads_;
};

}  // namespace opdebug::tree
