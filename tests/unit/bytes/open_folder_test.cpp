// Files of a folder that stays open: what is read is what reading by paths gives, or was there when it was opened.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "bytes/file.hpp"
#include "bytes/open_folder.hpp"
#include "temporary_directory.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

std::string text_of(const std::string& path, const bytes::OpenFolder& folder) {
    bytes::FileContent content;
    const auto error = content.read(path, {}, &folder);
    return error ? std::string(to_string(error->code)) : std::string(content.bytes().text());
}

/// A folder with a file, opened.
struct OpenedFolder {
    OpenedFolder() {
        std::filesystem::create_directories(directory / "a/below");
        write_file(directory / "a/file", "of a");
        write_file(directory / "a/below/file", "below a");
        write_file(directory / "file", "above a");
    }
    TemporaryDirectory directory;
    std::string prefix = directory / "a/";
};

}  // namespace

TEST_CASE("open folder: its files, those of other folders, and what is no file") {
    const OpenedFolder opened;
    const bytes::OpenFolder folder(opened.prefix);
    CHECK(text_of(opened.prefix + "file", folder) == "of a");
    CHECK(text_of(opened.prefix + "below/file", folder) == "below a");
    CHECK(text_of(opened.prefix + "../file", folder) == "above a");
    CHECK(text_of(opened.directory / "file", folder) == "above a");
    CHECK(text_of(opened.prefix + "none", folder) == "file_not_found");
    CHECK(text_of(opened.prefix + "below", folder) == "is_directory");
    CHECK(text_of(opened.prefix, folder) == "is_directory");
}

TEST_CASE("open folder: a file is found where its folder has another name by now") {
    const OpenedFolder opened;
    const bytes::OpenFolder folder(opened.prefix);
    std::filesystem::rename(opened.directory / "a", opened.directory / "b");
    CHECK(text_of(opened.prefix + "file", folder) == "of a");
}

TEST_CASE("open folder: what the old folder has not stands in the one that took its place") {
    const OpenedFolder opened;
    const bytes::OpenFolder folder(opened.prefix);
    std::filesystem::remove_all(opened.directory / "a");
    CHECK(text_of(opened.prefix + "file", folder) == "file_not_found");
    std::filesystem::create_directory(opened.directory / "a");
    write_file(opened.prefix + "file", "of the new a");
    CHECK(text_of(opened.prefix + "file", folder) == "of the new a");
}

TEST_CASE("open folder: where it cannot be opened, files are read by their paths") {
    const OpenedFolder opened;
    const bytes::OpenFolder missing(opened.directory / "none/");
    CHECK(text_of(opened.prefix + "file", missing) == "of a");
    const bytes::OpenFolder no_folder(opened.prefix + "file");
    CHECK(text_of(opened.prefix + "file", no_folder) == "of a");
}
