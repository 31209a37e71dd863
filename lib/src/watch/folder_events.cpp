#include "watch/folder_events.hpp"

#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "tree/folder.hpp"

namespace opdebug::watch {
namespace {

constexpr std::uint32_t kEvents =
    IN_CREATE | IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVE_SELF | IN_DELETE_SELF | IN_ONLYDIR | IN_EXCL_UNLINK;
constexpr std::uint32_t kGone = IN_IGNORED | IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT;

void take_event(const inotify_event& event, std::string_view name, FoldersByNumber& folders, FolderChanges& changes) {
    if ((event.mask & IN_Q_OVERFLOW) != 0) {
        changes.lost = true;
        return;
    }
    const auto folder = folders.find(event.wd);
    if (folder == folders.end()) {
        return;
    }
    if ((event.mask & kGone) != 0) {
        // A folder that was moved has another path now: where it was moved to, it is new.
        changes.gone.push_back(folder->second);
        folders.erase(folder);
        return;
    }
    if (!name.empty()) {
        ((event.mask & IN_ISDIR) != 0 ? changes.folders : changes.files)
            .push_back(tree::join_path(folder->second, name));
    }
}

bool is_same_folder(const std::string& one, const std::string& other) {
    struct stat first {
    }, second{};
    return ::stat(one.c_str(), &first) == 0 && ::stat(other.c_str(), &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

}  // namespace

void take_events(std::string_view bytes, FoldersByNumber& folders, FolderChanges& changes) {
    while (bytes.size() >= sizeof(inotify_event)) {
        inotify_event event{};
        std::memcpy(&event, bytes.data(), sizeof event);
        bytes.remove_prefix(sizeof event);
        const std::string_view padded = bytes.substr(0, event.len);
        take_event(event, padded.substr(0, padded.find('\0')), folders, changes);
        bytes.remove_prefix(std::min<std::size_t>(event.len, bytes.size()));
    }
}

std::optional<FolderEvents> FolderEvents::open() {
    const int descriptor = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    return descriptor < 0 ? std::nullopt : std::optional(FolderEvents(descriptor));
}

FolderEvents::FolderEvents(FolderEvents&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), folders_(std::move(other.folders_)) {}

FolderEvents& FolderEvents::operator=(FolderEvents&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    std::swap(folders_, other.folders_);
    return *this;
}

FolderEvents::~FolderEvents() {
    if (descriptor_ >= 0) {
        ::close(descriptor_);
    }
}

Added FolderEvents::add(const std::string& folder) {
    const int number = ::inotify_add_watch(descriptor_, folder.c_str(), kEvents);
    if (number >= 0) {
        std::string& known = folders_[number];
        if (known != folder && is_same_folder(known, folder)) {
            return Added::elsewhere;
        }
        known = folder;
        return Added::watched;
    }
    return errno == ENOSPC || errno == ENOMEM || errno == EMFILE ? Added::no_room
           : errno == ENOENT || errno == ENOTDIR                 ? Added::gone
                                                                 : Added::failed;
}

bool FolderEvents::forget(const std::string& folder) {
    const std::string below = tree::join_path(folder, "");
    const std::size_t before = folders_.size();
    for (auto known = folders_.begin(); known != folders_.end();) {
        if (tree::join_path(known->second, "").compare(0, below.size(), below) == 0) {
            ::inotify_rm_watch(descriptor_, known->first);
            known = folders_.erase(known);
        } else {
            ++known;
        }
    }
    return folders_.size() != before;
}

FolderChanges FolderEvents::take() {
    FolderChanges changes;
    std::array<char, 65536> buffer{};
    while (true) {
        const ssize_t count = ::read(descriptor_, buffer.data(), buffer.size());
        if (count <= 0) {
            if (count < 0 && errno == EINTR) {
                continue;
            }
            return changes;
        }
        take_events(std::string_view(buffer.data(), static_cast<std::size_t>(count)), folders_, changes);
    }
}

}  // namespace opdebug::watch
