// The folders that a walk has still to read, the last found first; further threads list those that come next.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tree/folder.hpp"
#include "tree/folder_to_read.hpp"
#include "tree/walk_folder.hpp"

namespace opdebug::tree {

/// What the system and the names tell of a folder, whatever else the walk knows.
struct ReadFolder {
    FolderListing listing;
    std::vector<std::optional<NameKind>> kinds;  ///< of the entries; nothing where the mapping.csv is to be asked
};

/// Asks the system for a folder, and the names for what they say.
ReadFolder read_folder(const std::string& path);

/// Most of a walk's time is that of the system, which lists folders; on file systems of a network all of it. Which
/// thread lists a folder changes nothing: what is found is judged in the order of the stack, by the walk's own thread.
class FolderStack {
public:
    using Reader = std::function<ReadFolder(const std::string& path)>;

    /// `threads`: with the caller's. `read` is called in any of them. What it throws in the caller's thread comes out
    /// of pop(); a further thread ends with it, and the folder is read again by another.
    explicit FolderStack(unsigned threads, Reader read = read_folder)
        : threads_wanted_(threads), read_folder_(std::move(read)) {}
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
    void read_at(std::size_t place, std::unique_lock<std::mutex>& lock);

    const unsigned threads_wanted_;
    const Reader read_folder_;
    std::mutex mutex_;
    std::condition_variable pushed_;  ///< folders were pushed or taken, or nothing more is wanted
    std::condition_variable read_;    ///< a folder was read
    std::vector<Entry> entries_;      ///< grows and shrinks at its end only, so places of entries stay
    std::size_t not_waiting_ = 0;     ///< of the entries: what they hold, or will, takes memory
    bool ended_ = false;
    bool started_ = false;  ///< further threads were asked for; the system may have given none
    std::vector<std::thread> threads_;
};

}  // namespace opdebug::tree
