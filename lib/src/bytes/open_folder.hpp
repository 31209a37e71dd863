// A folder that stays open, so that the system does not look up the whole path of each file.
#pragma once

#include <string>

namespace opdebug::bytes {

class OpenFolder {
public:
    /// `prefix`: path of the folder with the slash. If the folder cannot be opened, its files are opened by their
    /// paths.
    explicit OpenFolder(std::string prefix);
    OpenFolder(OpenFolder&& other) noexcept;
    OpenFolder& operator=(OpenFolder&&) = delete;
    ~OpenFolder();

    /// Opens any path for reading without blocking; faster for files directly in the folder. If the file is missing or
    /// unreadable in the open folder, opens its path, because the folder may have been replaced. Returns -1 and sets
    /// errno on failure.
    int open_file(const std::string& path) const noexcept;

private:
    bool holds(const std::string& path) const noexcept;

    std::string prefix_;
    int descriptor_ = -1;
};

/// Opens a path for reading without blocking. Returns -1 and sets errno on failure.
int open_path(const std::string& path) noexcept;

}  // namespace opdebug::bytes
