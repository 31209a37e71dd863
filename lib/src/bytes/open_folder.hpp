// A folder that stays open, so that the system finds its files without looking up every folder of their path again.
#pragma once

#include <cstddef>
#include <string>

namespace opdebug::bytes {

class OpenFolder {
public:
    /// `prefix`: what stands before the names of its files, with the slash. Where the folder cannot be opened, its
    /// files are opened by their paths.
    explicit OpenFolder(std::string prefix);
    OpenFolder(OpenFolder&& other) noexcept;
    OpenFolder& operator=(OpenFolder&&) = delete;
    ~OpenFolder();

    /// Opens any path for reading, without waiting for anything. What is right in the folder is found faster; where the
    /// folder was replaced, and the file is not in the old one, what stands at the path now is opened. -1 with errno
    /// set.
    int open_file(const std::string& path) const noexcept;

private:
    bool holds(const std::string& path) const noexcept;

    std::string prefix_;
    int descriptor_ = -1;
};

/// Opens a path for reading, without waiting for anything. -1 with errno set.
int open_path(const std::string& path) noexcept;

/// How many folders may stay open while `threads` open files: half of what they leave of the descriptors the process
/// may have, at most 16.
std::size_t folders_to_keep_open(unsigned threads) noexcept;

}  // namespace opdebug::bytes
