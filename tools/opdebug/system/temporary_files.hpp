// Files under temporary names, which a second interrupt takes away, too.
#pragma once

#include <string>

namespace opdebug::tool {

struct KeptName;

/// A file ".opdebug.XXXXXX" beside a result that is being written. Taken away when its owner goes, unless it was
/// brought to its place.
class TemporaryFile {
public:
    TemporaryFile() = default;
    ~TemporaryFile();
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    /// Makes it in a folder ("", or with "/" at its end), with mode 0600 less the umask, and opens it for writing.
    /// mkostemp(3) never follows a link. The descriptor, which is the caller's, or -1 with errno. To be called once.
    int make(const std::string& folder);
    bool is_made() const noexcept { return !name_.empty(); }
    /// Renames it; what stands there is replaced. False: not done, with errno.
    bool bring_to(const std::string& path);
    /// The same where nothing stands there; else false with EEXIST. Where the file system knows no such renaming, false
    /// with EINVAL or ENOSYS.
    bool bring_to_new(const std::string& path);

private:
    void forget() noexcept;

    std::string name_;
    KeptName* kept_ = nullptr;
};

/// Takes all of them away. For a signal handler that ends the process.
void remove_temporary_files() noexcept;

}  // namespace opdebug::tool
