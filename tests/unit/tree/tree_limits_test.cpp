// Limits of folders and of the lists of names in them.
#include <string>

#include <doctest/doctest.h>

#include <opdebug/dump.hpp>
#include <opdebug/locate.hpp>
#include <opdebug/scan.hpp>
#include <opdebug/tensor.hpp>
#include <opdebug/tree.hpp>

#include "dump_builder.hpp"
#include "logs/files/log_files.hpp"
#include "outcome.hpp"
#include "temporary_directory.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

const std::string kLimitedName = "Opdebug.Node_OpDebug.57.563.1597922031178434";

Limits with_depth(std::uint64_t depth) {
    Limits limits;
    limits.folder_depth = depth;
    return limits;
}

/// "2 files" or "1 file, folder_too_deep PATH".
std::string told(std::size_t files, const std::vector<Error>& failures) {
    std::string text = std::to_string(files);
    for (const Error& failure : failures) {
        text += " " + std::string(to_string(failure.code)) + " " + failure.file;
    }
    return text;
}

std::string found(const std::string& path, std::uint64_t depth) {
    const auto result = find(path, with_depth(depth));
    return result ? told(result->files.size(), result->failures) : outcome(result);
}

std::string scanned(const std::string& path, std::uint64_t depth) {
    ScanOptions options;
    options.decode.limits = with_depth(depth);
    const auto result = scan({path}, options, [](ScannedDump&&) {});
    return result ? told(result->counts.dumps, result->failures) : outcome(result);
}

std::string logs_below(const std::string& path, std::uint64_t depth) {
    const logs::LogFiles files = logs::find_log_files({path}, with_depth(depth));
    return told(files.paths.size(), files.failures);
}

bool has(const std::vector<Diagnostic>& diagnostics, std::string_view code) {
    for (const Diagnostic& item : diagnostics) {
        if (item.code == code) {
            return true;
        }
    }
    return false;
}

}  // namespace

TEST_CASE("limits: folder_depth counts from the given path; deeper folders are reported, the others read") {
    const TemporaryDirectory folder;
    const std::string root = folder.path().string();
    write_file(folder / ("a/" + kLimitedName), build_overflow_dump(ai_core_example(32)));
    write_file(folder / ("a/b/c/" + kLimitedName), build_overflow_dump(ai_core_example(16)));
    write_file(folder / "a/x.log", "x\n");
    write_file(folder / "a/b/c/y.log", "y\n");
    for (const auto& look : {found, scanned, logs_below}) {
        CHECK(look(root, 3) == "2");
        CHECK(look(root, 2) == "1 folder_too_deep " + root + "/a/b/c");
        CHECK(look(root + "/a", 2) == "2");
    }
}

TEST_CASE("limits: a link to a folder is as deep as where it stands") {
    const TemporaryDirectory folder;
    const TemporaryDirectory elsewhere;
    write_file(elsewhere / ("in/" + kLimitedName), build_overflow_dump(ai_core_example(32)));
    std::filesystem::create_directory(folder / "a");
    std::filesystem::create_directory_symlink(elsewhere.path(), folder / "a/link");
    const std::string root = folder.path().string();
    CHECK(scanned(root, 3) == "1");
    CHECK(scanned(root, 2) == "0 folder_too_deep " + root + "/a/link/in");
    CHECK(scanned(root, 1) == "0 folder_too_deep " + root + "/a/link");
}

TEST_CASE("limits: mapping_bytes; what a list of names beyond it leaves unknown is reported") {
    const TemporaryDirectory folder;
    const std::string mapping = "1," + kLimitedName + "\n2,Add.add.57.563.1597922031178400\n";
    write_file(folder / "mapping.csv", mapping);
    const std::string dump = write_file(folder / "1", build_overflow_dump(ai_core_example(32)));
    const std::string op_dump = write_file(folder / "2", build_v2(overflow_dump({0, 1})));
    for (const bool fits : {true, false}) {
        CAPTURE(fits);
        Limits limits;
        limits.mapping_bytes = mapping.size() - (fits ? 0 : 1);
        DecodeOptions decoding;
        decoding.limits = limits;
        const Result<Dump> decoded = decode_file(dump, decoding);
        REQUIRE(outcome(decoded) == "ok");
        CHECK(decoded->name.has_value() == fits);
        CHECK(severity_of(*decoded, "mapping_too_large") == (fits ? "none" : "warning"));
        OpDumpOptions measuring;
        measuring.limits = limits;
        const Result<OpDump> measured = measure_op_dump(op_dump, measuring);
        REQUIRE(outcome(measured) == "ok");
        CHECK(has(measured->diagnostics, "mapping_too_large") == !fits);
        LocateOptions locating;
        locating.limits = limits;
        const Location location = locate(*decoded, locating);
        CHECK(location.op.has_value() == fits);
        CHECK(has(location.diagnostics, "mapping_too_large") == !fits);
        const auto found_dumps = find(folder.path().string(), limits);
        REQUIRE(found_dumps.ok());
        CHECK(told(found_dumps->files.size(), found_dumps->failures) ==
              (fits ? "1" : "0 mapping_too_large " + folder / "mapping.csv"));
    }
}

TEST_CASE("limits: candidates of operator dumps that fit equally well; the header of no other is read") {
    const TemporaryDirectory folder;
    const std::string file = write_file(folder / kLimitedName, build_overflow_dump(ai_core_example(32)));
    for (const char* op : {"a", "b", "c"}) {
        write_file(folder / (std::string("Add.") + op + ".57.563.1597922031178400"), build_v2(overflow_dump({0, 1})));
    }
    const Result<Dump> dump = decode_file(file);
    REQUIRE(dump.ok());
    LocateOptions options;
    options.limits.candidates = 3;
    const Location all = locate(*dump, options);
    REQUIRE(all.op);
    CHECK_FALSE(has(all.diagnostics, "candidates_cut"));
    options.limits.candidates = 2;
    const Location some = locate(*dump, options);
    REQUIRE(some.op);
    CHECK(has(some.diagnostics, "candidates_cut"));
    REQUIRE(some.op_dump);
    CHECK(some.op_dump->equally_good == 2);
}
