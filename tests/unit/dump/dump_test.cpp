// The decoded dump as a whole: name, path, time, and reading files.
#include <doctest/doctest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <vector>

#include <opdebug/dump.hpp>

#include "dump_builder.hpp"
#include "outcome.hpp"
#include "temporary_directory.hpp"
#include "text.hpp"

using namespace opdebug;
using namespace opdebug::test;

TEST_CASE("container and payload have their documented names") {
    CHECK(to_string(Container::dump_data_v2) == "dump_data_v2");
    CHECK(to_string(Container::dump_data_v1) == "dump_data_v1");
    CHECK(to_string(Container::nano) == "nano");
    CHECK(to_string(Payload::legacy) == "legacy");
    CHECK(to_string(Payload::accelerator) == "accelerator");
}

TEST_CASE("a dump decoded with a path carries the ids of its name and folders") {
    DecodeOptions options;
    options.file = "/dump/20200808163566/0/npu_cluster_0/11/0/Opdebug.Node_OpDebug.59.1597922031178434";
    const auto dump = decode(build_overflow_dump(ai_core_example(32)), options);
    REQUIRE(outcome(dump) == "ok");
    CHECK(dump->file == options.file);
    REQUIRE(dump->name.has_value());
    CHECK(dump->name->task_id == std::optional<std::uint64_t>(59));
    CHECK_FALSE(dump->name->stream_id.has_value());
    CHECK(dump->path_ids.time == std::optional<std::string>("20200808163566"));
    CHECK(dump->path_ids.device_id == std::optional<std::uint64_t>(0));
    CHECK(dump->path_ids.model_name == std::optional<std::string>("npu_cluster_0"));
    CHECK(dump->path_ids.model_id == std::optional<std::uint64_t>(11));
    CHECK(dump->path_ids.data_index == std::optional<std::uint64_t>(0));
    CHECK(dump->timestamp_us == std::optional<std::uint64_t>(1597922031178434));
    CHECK(severity_of(*dump, "name_spelling") == "none");
}

TEST_CASE("without a name the time comes from the header") {
    const auto dump = decode(build_overflow_dump(ai_core_example(32)));
    REQUIRE(outcome(dump) == "ok");
    CHECK(dump->file.empty());
    CHECK_FALSE(dump->name.has_value());
    CHECK(dump->timestamp_us == std::optional<std::uint64_t>(1694385648123456));
}

TEST_CASE("a dump whose name says nothing is decoded all the same") {
    DecodeOptions options;
    options.file = "renamed.bin";
    const auto dump = decode(build_overflow_dump(ai_core_example(32)), options);
    REQUIRE(outcome(dump) == "ok");
    CHECK_FALSE(dump->name.has_value());
    CHECK(dump->overflow() == std::optional<bool>(true));
}

TEST_CASE("the spelling of the documents' text is accepted and remarked") {
    DecodeOptions options;
    options.file = "OpDebug.Node_Opdebug.59.1597922031178434";
    const auto dump = decode(build_overflow_dump(ai_core_example(32)), options);
    REQUIRE(outcome(dump) == "ok");
    CHECK(severity_of(*dump, "name_spelling") == "info");
    CHECK(dump->name->task_id == std::optional<std::uint64_t>(59));
}

TEST_CASE("decode_file reads what decode reads") {
    const TemporaryDirectory directory;
    const std::string path =
        write_file(directory / "Opdebug.Node_OpDebug.59.7.1597922031178434", build_overflow_dump(ai_core_example(32)));
    const auto dump = decode_file(path);
    REQUIRE(outcome(dump) == "ok");
    CHECK(dump->file == path);
    CHECK(dump->name->stream_id == std::optional<std::uint64_t>(7));
    CHECK(dump->overflow() == std::optional<bool>(true));
}

TEST_CASE("decode_file keeps the name of a symbolic link") {
    const TemporaryDirectory directory;
    write_file(directory / "data.bin", build_overflow_dump(ai_core_example(32)));
    const std::string link = directory / "Opdebug.Node_OpDebug.59.7.1597922031178434";
    std::filesystem::create_symlink("data.bin", link);
    const auto dump = decode_file(link);
    REQUIRE(outcome(dump) == "ok");
    CHECK(dump->file == link);
    CHECK(dump->name.has_value());
}

TEST_CASE("decode_file accepts spaces, colons and other scripts in paths") {
    const TemporaryDirectory directory;
    const std::string path =
        write_file(directory / "a b/c:d/\xe6\xba\xa2\xe5\x87\xba/Opdebug.Node_OpDebug.59.7.1597922031178434",
                   build_overflow_dump(ai_core_example(32)));
    CHECK(outcome(decode_file(path)) == "ok");
}

TEST_CASE("decode_file tells what is wrong with the path") {
    const TemporaryDirectory directory;
    const auto missing = decode_file(directory / "missing");
    REQUIRE(outcome(missing) == "file_not_found");
    CHECK(missing.error().file == (directory / "missing"));
    CHECK(outcome(decode_file(directory.path().string())) == "is_directory");

    const std::string fifo = directory / "fifo";
    REQUIRE(mkfifo(fifo.c_str(), 0600) == 0);
    CHECK(outcome(decode_file(fifo)) == "not_a_regular_file");
    CHECK(outcome(decode_file("/dev/null")) == "not_a_regular_file");

    std::filesystem::create_symlink("nowhere", directory / "dangling");
    CHECK(outcome(decode_file(directory / "dangling")) == "file_not_found");
    CHECK(outcome(decode_file(write_file(directory / "empty", ""))) == "empty_file");
    CHECK(outcome(decode_file("")) == "file_not_found");
}

TEST_CASE("decode_file tells when the right to read is missing") {
    if (geteuid() == 0) {
        MESSAGE("not checked: root may read every file");
        return;
    }
    const TemporaryDirectory directory;
    const std::string path = write_file(directory / "secret", build_overflow_dump(ai_core_example(32)));
    REQUIRE(chmod(path.c_str(), 0) == 0);
    CHECK(outcome(decode_file(path)) == "permission_denied");
}

TEST_CASE("errors of decode_file name the file in their text") {
    const TemporaryDirectory directory;
    const std::string path = write_file(directory / "short", "abc");
    const auto result = decode_file(path);
    REQUIRE(outcome(result) == "file_too_short");
    CHECK(contains(to_string(result.error()), path));
}
