// Trees that change while they are scanned, and very large folders: nothing is lost in silence, nothing ends the scan.
#include <doctest/doctest.h>

#include <filesystem>

#include "dump_builder.hpp"
#include "dump_tree.hpp"
#include "temporary_directory.hpp"

namespace fs = std::filesystem;
using namespace opdebug;
using namespace opdebug::test;
using Lines = std::vector<std::string>;

namespace {

const std::string kChangedDump = "Opdebug.Node_OpDebug.1.5.1732082705016774";

Buffer dump_bytes() {
    return build_overflow_dump(ai_core_example(32));
}

/// Options that call `change` once, when the folders were read and before the first dump is.
template <class Change>
ScanOptions changed_before_reading(Change change) {
    ScanOptions options;
    options.threads = 1;
    options.progress = [change, done = false](const ScanProgress& progress) mutable {
        if (!progress.walking && !done) {
            done = true;
            change();
        }
    };
    return options;
}

}  // namespace

TEST_CASE("scan: a dump that vanishes between finding and reading failed") {
    const TemporaryDirectory directory;
    const std::string gone = write_file(directory / ("a/" + kChangedDump), dump_bytes());
    write_file(directory / ("b/" + kChangedDump), dump_bytes());
    const ScanOptions options = changed_before_reading([&gone] { fs::remove(gone); });
    const Scanned scanned = scan_tree({directory.path().string()}, options);
    CHECK(shown(scanned.scan.counts) == "2 1 0 1 0 0");
    CHECK(to_string(scanned.dumps[0].failure->code) == "file_not_found");
}

TEST_CASE("scan: a folder that vanishes after it was listed costs its own dumps only") {
    const TemporaryDirectory directory;
    write_file(directory / ("gone/0/" + kChangedDump), dump_bytes());
    write_file(directory / ("gone/1/" + kChangedDump), dump_bytes());
    write_file(directory / ("stays/" + kChangedDump), dump_bytes());
    const ScanOptions options = changed_before_reading([&] { fs::remove_all(directory / "gone"); });
    const Scanned scanned = scan_tree({directory.path().string()}, options);
    CHECK(shown(scanned, directory.path().string() + "/") ==
          Lines{"failed gone/0/" + kChangedDump, "failed gone/1/" + kChangedDump, "overflowed stays/" + kChangedDump});
    CHECK(scanned.scan.complete);
    CHECK(to_string(scanned.dumps[0].failure->code) == "file_not_found");
}

TEST_CASE("scan: a folder that vanishes before it is listed is a failure, the others are read") {
    const TemporaryDirectory directory;
    write_file(directory / ("a/" + kChangedDump), dump_bytes());
    write_file(directory / ("b/" + kChangedDump), dump_bytes());
    write_file(directory / ("c/" + kChangedDump), dump_bytes());
    ScanOptions options;
    options.stop = [&directory, asked = 0]() mutable {
        if (++asked == 2) {  // the folder above the three was listed, the first of them is next
            fs::remove_all(directory / "b");
        }
        return false;
    };
    options.threads = 1;
    const Scanned scanned = scan_tree({directory.path().string()}, options);
    CHECK(shown(scanned, directory.path().string() + "/") ==
          Lines{"overflowed a/" + kChangedDump, "overflowed c/" + kChangedDump});
    REQUIRE(scanned.scan.failures.size() == 1);
    CHECK(scanned.scan.failures[0].file == (directory / "b"));
    CHECK(to_string(scanned.scan.failures[0].code) == "file_not_found");
}

TEST_CASE("scan: a dump that is replaced by a folder or cut while the scan runs failed") {
    const TemporaryDirectory directory;
    const std::string replaced = write_file(directory / ("a/" + kChangedDump), dump_bytes());
    const std::string emptied = write_file(directory / ("b/" + kChangedDump), dump_bytes());
    const ScanOptions options = changed_before_reading([&] {
        fs::remove(replaced);
        fs::create_directory(replaced);
        fs::resize_file(emptied, 0);
    });
    const Scanned scanned = scan_tree({directory.path().string()}, options);
    REQUIRE(shown(scanned.scan.counts) == "2 0 0 2 0 0");
    CHECK(to_string(scanned.dumps[0].failure->code) == "is_directory");
    CHECK(to_string(scanned.dumps[1].failure->code) == "empty_file");
}

TEST_CASE("scan: a tree is found once and scanned as often as wished") {
    const TemporaryDirectory directory;
    const std::string file = write_file(directory / kChangedDump, dump_bytes());
    const Result<DumpTree> tree = find_dump_tree({directory.path().string()});
    REQUIRE(tree.ok());
    write_file(directory / "Opdebug.Node_OpDebug.2.5.1732082705016774", dump_bytes());
    for (int i = 0; i < 2; ++i) {
        std::vector<std::string> files;
        const Scan scanned = scan(*tree, {}, [&files](ScannedDump&& dump) { files.push_back(dump.file); });
        CHECK(files == Lines{file});
        CHECK(scanned.inputs == Lines{directory.path().string()});
        CHECK(shown(scanned.counts) == "1 1 0 0 0 0");
    }
}

TEST_CASE("scan: one folder of 65535 entries") {
    const TemporaryDirectory directory;
    const Buffer dump = dump_bytes();
    fs::create_directory(directory / "tree");
    // Hard links: as good as files here, and quickly made. File systems allow some ten thousand for one file.
    std::string target;
    for (int i = 0; i < 65'535; ++i) {
        if (i % 8192 == 0) {
            target = write_file(directory / ("store/" + std::to_string(i)), dump);
        }
        const bool is_dump = i % 64 == 0;
        const std::string name = is_dump ? "Opdebug.Node_OpDebug." + std::to_string(i) + ".5.1732082705016774"
                                         : "Add.net_Add." + std::to_string(i) + ".5.1732082705016780";
        fs::create_hard_link(target, directory / ("tree/" + name));
    }
    const Scanned scanned = scan_tree({directory / "tree"});
    CHECK(shown(scanned.scan.counts) == "1024 1024 0 0 64511 0");  // 65535 = 1024 * 64 - 1
}
