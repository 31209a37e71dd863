// JSON documents are safe to show: control characters of names are never in them as they are.
#include <doctest/doctest.h>

#include <filesystem>

#include <nlohmann/json.hpp>

#include <opdebug/report.hpp>

#include "temporary_directory.hpp"

using namespace opdebug;
using opdebug::test::TemporaryDirectory;

namespace {

std::string document_of(const std::string& file) {
    return failure_to_json({ErrorCode::empty_file, "the file is empty", file, std::nullopt});
}

}  // namespace

TEST_CASE("DEL and the C1 controls are escaped, and are the same text again when parsed") {
    // DEL, U+0080, U+009B (CSI) and U+009F; next to them U+00A0 and U+00E9, which are no controls.
    const std::string name =
        "a\x7f"
        "b\xc2\x80\xc2\x9b"
        "c\xc2\x9f\xc2\xa0\xc3\xa9";
    const std::string text = document_of(name);
    CHECK(text.find("a\\u007fb\\u0080\\u009bc\\u009f\xc2\xa0\xc3\xa9") != std::string::npos);
    CHECK(text.find('\x7f') == std::string::npos);
    for (const char* control : {"\xc2\x80", "\xc2\x9b", "\xc2\x9f"}) {
        CHECK(text.find(control) == std::string::npos);
    }
    CHECK(nlohmann::json::parse(text)["file"] == name);
}

TEST_CASE("characters that nobody sees are escaped, and are the same text again when parsed") {
    // U+202E, U+2028, U+FEFF, and U+E0061 by its two surrogates of UTF-16
    const std::string name =
        "a\xe2\x80\xae"
        "b\xe2\x80\xa8\xef\xbb\xbf\xf3\xa0\x81\xa1"
        "c";
    const std::string text = document_of(name);
    CHECK(text.find("a\\u202eb\\u2028\\ufeff\\udb40\\udc61c") != std::string::npos);
    CHECK(nlohmann::json::parse(text)["file"] == name);
}

TEST_CASE("bytes that look like a C1 control inside other characters are left alone") {
    const std::string name = "\xe2\x82\x80\xe6\xba\xa2\xf0\x9f\x98\x80";  // U+2080, U+6EA2, U+1F600
    CHECK(document_of(name).find(name) != std::string::npos);
}

TEST_CASE("a lone byte 0xC2 before a control is no character and becomes U+FFFD") {
    CHECK(document_of("x\xc2").find("x\xef\xbf\xbd\"") != std::string::npos);
}

TEST_CASE("the path of a file that failed is taken as it stands, wherever the program runs") {
    const auto with_folders = nlohmann::json::parse(document_of("20241120060505/3/name"));
    CHECK(with_folders["path_ids"]["device_id"] == 3);

    const TemporaryDirectory directory;
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::create_directories(directory / "20241120060505/3");
    std::filesystem::current_path(directory / "20241120060505/3");
    const std::string bare = document_of("name");
    std::filesystem::current_path(before);
    const auto ids = nlohmann::json::parse(bare)["path_ids"];
    for (const auto& item : ids.items()) {
        CAPTURE(item.key());
        CHECK(item.value().is_null());
    }
}
