// What the system tells of changes in folders (inotify).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace opdebug::watch {

/// What changed since the last time.
struct FolderChanges {
    std::vector<std::string> files;    ///< made, moved here or closed behind writing
    std::vector<std::string> folders;  ///< new ones; what is in them was not told
    std::vector<std::string> gone;     ///< watched ones that were deleted or moved away
    bool lost = false;                 ///< the system had no room for all: every folder is to be read again
};

/// The folder that each number of the system means.
using FoldersByNumber = std::unordered_map<int, std::string>;

/// Takes what the system wrote apart; forgets folders that are gone.
void take_events(std::string_view bytes, FoldersByNumber& folders, FolderChanges& changes);

/// elsewhere: the folder is watched under another path, which leads to it still. no_room: the user may not watch more
/// folders, or open more files.
enum class Added { watched, elsewhere, gone, no_room, failed };

class FolderEvents {
public:
    /// Nothing where the system gives none.
    static std::optional<FolderEvents> open();
    FolderEvents(FolderEvents&& other) noexcept;
    FolderEvents& operator=(FolderEvents&& other) noexcept;
    ~FolderEvents();

    Added add(const std::string& folder);
    /// For a path that leads elsewhere now: what was watched below it has other paths, or none. False: nothing was.
    bool forget(const std::string& folder);
    FolderChanges take();
    /// Becomes readable when something changed.
    int descriptor() const noexcept { return descriptor_; }

private:
    explicit FolderEvents(int descriptor) : descriptor_(descriptor) {}

    int descriptor_ = -1;
    FoldersByNumber folders_;
};

}  // namespace opdebug::watch
