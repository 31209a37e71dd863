// A directory for one test that removes itself, and whole-file reading and writing.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "wire.hpp"

namespace opdebug::test {

class TemporaryDirectory {
public:
    TemporaryDirectory();
    ~TemporaryDirectory();
    TemporaryDirectory(const TemporaryDirectory&) = delete;
    TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

    const std::filesystem::path& path() const noexcept { return path_; }
    /// The path of something inside, as text.
    std::string operator/(std::string_view inside) const { return (path_ / inside).string(); }

private:
    std::filesystem::path path_;
};

/// Writes a file and the directories above it. Returns the path as text.
std::string write_file(const std::filesystem::path& path, const Buffer& bytes);
std::string write_file(const std::filesystem::path& path, std::string_view text);
/// The whole content; fails the test when the file cannot be read.
std::string read_file(const std::filesystem::path& path);
/// The names of all files in a folder and below it, sorted; none where there is no folder.
std::vector<std::string> file_names(const std::filesystem::path& folder);

}  // namespace opdebug::test
