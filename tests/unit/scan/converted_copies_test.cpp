// Converted JSON next to binaries in other folders: what a converter writes of a dump is no second dump. It writes the
// first dump of a file and the first entry of an accelerator payload (docs/internals/formats.md, "JSON of the official
// converter").
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

/// A binary in one folder, a converted output in another: dumps, overflowed, clean, failed, op dumps, other files.
std::string counts_of(const Buffer& binary, int index, const std::string& converted) {
    const TemporaryDirectory directory;
    write_file(directory / ("binary/" + kConvertedDump), binary);
    write_file(directory / output("json", index), converted);
    return shown(scan_tree({directory.path().string()}).scan.counts);
}

Buffer two_dumps(std::uint64_t first, std::uint64_t second) {
    Buffer bytes = build_overflow_dump(ai_core_example(first));
    append(bytes, build_overflow_dump(ai_core_example(second)));
    return bytes;
}

Buffer two_outputs(std::uint64_t first, std::uint64_t second) {
    DumpFile file = overflow_dump(build_payload(ai_core_example(first)));
    file.outputs.push_back(tensor(build_payload(ai_core_example(second))));
    return build_v2(file);
}

}  // namespace

TEST_CASE("converted copies: of two dumps in one file the converter writes the first") {
    CHECK(counts_of(two_dumps(32, 16), 0, official_ai_core_text(32)) == "1 1 0 0 0 1");
    // The second dump, and one that is not in the file, are written of no file like this.
    CHECK(counts_of(two_dumps(32, 16), 0, official_ai_core_text(16)) == "2 2 0 0 0 0");
    CHECK(counts_of(two_dumps(32, 16), 0, official_ai_core_text(8)) == "2 2 0 0 0 0");
}

TEST_CASE("converted copies: of two accelerator entries the converter writes the first") {
    AcceleratorPayload payload = aiv_example();
    payload.entries.push_back(counting_entry(AccType::aic, 1, payload.version));
    CHECK(counts_of(build_overflow_dump(payload), 0, official_aiv_text()) == "1 1 0 0 0 1");
    std::swap(payload.entries[0], payload.entries[1]);
    CHECK(counts_of(build_overflow_dump(payload), 0, official_aiv_text()) == "2 2 0 0 0 0");
}

TEST_CASE("converted copies: an output is compared with that of its number, whether or not the others were converted") {
    CHECK(counts_of(two_outputs(0, 32), 0, official_ai_core_text(0)) == "1 1 0 0 0 1");
    CHECK(counts_of(two_outputs(0, 32), 1, official_ai_core_text(32)) == "1 1 0 0 0 1");
    CHECK(counts_of(two_outputs(0, 32), 0, official_ai_core_text(32)) == "2 2 0 0 0 0");
    // One that the dump does not have reports another dump; the first output of that is missing.
    CHECK(counts_of(build_overflow_dump(ai_core_example(32)), 1, official_ai_core_text(32)) == "2 2 0 0 0 0");
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
