// A folder that stays open, so that the system finds its files without looking up every folder of their path again.
#pragma once

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
    /// folder was replaced, and the file is not in the old one or may not be read there, what stands at the path now is
    /// opened. -1 with errno set.
    int open_file(const std::string& path) const noexcept;

private:
    bool holds(const std::string& path) const noexcept;

    std::string prefix_;
    int descriptor_ = -1;
};

/// Opens a path for reading, without waiting for anything. -1 with errno set.
int open_path(const std::string& path) noexcept;

}  // namespace opdebug::bytes
