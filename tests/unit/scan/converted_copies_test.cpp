// Converted JSON next to binaries in other folders: the copy is no second dump.
#include <doctest/doctest.h>

#include "dump_builder.hpp"
#include "dump_tree.hpp"
#include "official_text.hpp"
#include "temporary_directory.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

const std::string kConvertedDump = "Opdebug.Node_OpDebug.1.5.1732082705016774";

std::string output(const std::string& folder, int index) {
    return folder + "/" + kConvertedDump + ".output." + std::to_string(index) + ".json";
}

}  // namespace

TEST_CASE("converted copies: by the name of their binary in another folder, unless their paths have other ids") {
    const auto counts = [](const std::string& binary, const std::string& converted) {
        const TemporaryDirectory directory;
        write_file(directory / (binary + "/" + kConvertedDump), build_overflow_dump(ai_core_example(32)));
        write_file(directory / output(converted, 0), official_ai_core_text(32));
        return shown(scan_tree({directory.path().string()}).scan.counts);
    };
    CHECK(counts("binary", "json") == "1 1 0 0 0 1");
    CHECK(counts("rank_0/net/0/1", "json") == "1 1 0 0 0 1");
    CHECK(counts("rank_0/net/0/1", "rank_1/net/0/1") == "2 2 0 0 0 0");
}

TEST_CASE("converted outputs: one that lacks those in front is damaged in a folder, and read alone when it was given") {
    const TemporaryDirectory directory;
    const std::string second = write_file(directory / output("a", 1), official_ai_core_text(0));
    CHECK(shown(scan_tree({directory / "a"}).scan.counts) == "1 0 0 1 0 0");
    CHECK(shown(scan_tree({directory / "a", second}).scan.counts) == "1 0 0 1 0 0");
    CHECK(shown(scan_tree({second}).scan.counts) == "1 0 1 0 0 0");
    // As decode states about it, also where the first is next to it.
    const std::string first = write_file(directory / output("a", 0), official_ai_core_text(32));
    CHECK(shown(scan_tree({second}).scan.counts) == "1 0 1 0 0 0");
    CHECK(decode_file(second)->overflow() == std::optional<bool>(false));
    // Both that were given are one dump; all outputs but the first of one are other files.
    CHECK(shown(scan_tree({second, first}).scan.counts) == "1 1 0 0 0 1");
}
