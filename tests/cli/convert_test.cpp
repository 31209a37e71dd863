// `opdebug convert`: the official converter's names and bytes.
#include <doctest/doctest.h>

#include <sys/stat.h>

#include <filesystem>

#include "official_text.hpp"
#include "reference_data.hpp"
#include "tool.hpp"

namespace fs = std::filesystem;
using namespace opdebug::test;

namespace {

const std::string kDumpName = "Opdebug.Node_OpDebug.59.7.1597922031178434";

std::size_t files_below(const std::string& path) {
    std::size_t count = 0;
    for (const auto& entry : fs::recursive_directory_iterator(path)) {
        count += entry.is_regular_file() ? 1U : 0U;
    }
    return count;
}

}  // namespace

TEST_CASE("a dump becomes NAME.output.0.json with exactly the official text") {
    const TemporaryDirectory directory;
    const std::string path = write_file(directory / kDumpName, build_overflow_dump(ai_core_example(32)));
    const std::string out = directory / "out";
    const ProcessResult run = run_tool({"convert", "-d", path, "-out", out});
    CAPTURE(run.err);
    CHECK(run.exit_status == 0);
    CHECK(read_file(out + "/" + kDumpName + ".output.0.json") == official_ai_core_text(32));
    CHECK(files_below(out) == 1);
}

TEST_CASE("convert: what is cut after the first entry, which the official converter never looks at, is reported") {
    const TemporaryDirectory directory;
    AcceleratorPayload payload = aiv_example();
    payload.entries.push_back(counting_entry(AccType::sdma, 2000, 1));
    payload.padded = false;
    Buffer part = build_payload(payload);
    part.resize(part.size() - 8);
    const std::string path = write_file(directory / kDumpName, build_v2(overflow_dump(part)));
    const ProcessResult run = run_tool({"convert", "-d", path, "-out", directory / "out"});
    CHECK(run.exit_status == 1);
    CHECK(contains(run.err, path + ": converted, but the file is damaged: another SDMA entry is truncated"));
    CHECK(read_file(directory / ("out/" + kDumpName + ".output.0.json")) == official_aiv_text());
}

TEST_CASE("each output has its own file") {
    const TemporaryDirectory directory;
    DumpFile file = overflow_dump(build_payload(ai_core_example(8)));
    file.outputs.push_back(overflow_dump(build_payload(ai_core_example(16))).outputs.at(0));
    const std::string path = write_file(directory / kDumpName, build_v2(file));
    REQUIRE(run_tool({"convert", "-d", path, "-out", directory / "out"}).exit_status == 0);
    CHECK(read_file(directory / ("out/" + kDumpName + ".output.0.json")) == official_ai_core_text(8));
    CHECK(read_file(directory / ("out/" + kDumpName + ".output.1.json")) == official_ai_core_text(16));
}

TEST_CASE("a directory is read with everything below it and mirrored, equal names survive") {
    const TemporaryDirectory directory;
    write_file(directory / ("tree/a/" + kDumpName), build_overflow_dump(ai_core_example(8)));
    write_file(directory / ("tree/b/c/" + kDumpName), build_overflow_dump(ai_core_example(16)));
    write_file(directory / "tree/b/Add.add.1.2.1597922031178434", "an op dump");
    const ProcessResult run = run_tool({"convert", "-d", directory / "tree", "-out", directory / "out"});
    CAPTURE(run.err);
    CHECK(run.exit_status == 0);
    CHECK(read_file(directory / ("out/a/" + kDumpName + ".output.0.json")) == official_ai_core_text(8));
    CHECK(read_file(directory / ("out/b/c/" + kDumpName + ".output.0.json")) == official_ai_core_text(16));
    CHECK(files_below(directory / "out") == 2);
}

TEST_CASE("a path that exists and holds commas is one path, any other list is split") {
    const TemporaryDirectory directory;
    const auto put = [&directory](const std::string& folder, int task) {
        write_file(directory / (folder + "/Opdebug.Node_OpDebug." + std::to_string(task) + ".7.1597922031178434"),
                   build_overflow_dump(ai_core_example(8)));
        return directory / folder;
    };
    const auto converted = [](const std::string& list) {
        const TemporaryDirectory out;
        const ProcessResult run = run_tool({"convert", "-d", list, "-out", out.path().string()});
        return run.err + std::to_string(run.exit_status) + " of " + std::to_string(files_below(out.path()));
    };
    const std::string plain = put("plain", 1), other = put("other", 2), comma = put("a,b,c", 3);
    const std::string closing = "opdebug: overflow dumps converted: ";
    CHECK(converted(plain + "," + other) == closing + "2\n0 of 2");
    CHECK(converted(plain + ",,") == closing + "1\n0 of 1");
    CHECK(converted(comma) == closing + "1\n0 of 1");
    CHECK(converted(plain + "," + directory / "absent").find("absent") != std::string::npos);
}

TEST_CASE("files below several of the paths count once") {
    const TemporaryDirectory directory;
    write_file(directory / ("tree/inner/" + kDumpName), build_overflow_dump(ai_core_example(32)));
    write_file(directory / "tree/inner/note.txt", "");
    const std::string outer = directory / "tree", inner = directory / "tree/inner";
    for (const std::string& paths : {outer, outer + "," + inner, inner + "," + outer + "," + inner}) {
        CAPTURE(paths);
        CHECK(run_tool({"convert", "-d", paths, "-out", directory / "out"}).err ==
              "opdebug: overflow dumps converted: 1, other files skipped: 1\n");
    }
}

TEST_CASE("running again over its own output changes nothing") {
    const TemporaryDirectory directory;
    write_file(directory / ("tree/" + kDumpName), build_overflow_dump(ai_core_example(32)));
    for (int round = 0; round < 2; ++round) {
        CHECK(run_tool({"convert", "-d", directory / "tree", "-out", directory / "tree"}).exit_status == 0);
        CHECK(files_below(directory / "tree") == 2);
    }
}

TEST_CASE("a folder without dumps and a missing path are exit status 2") {
    const TemporaryDirectory directory;
    write_file(directory / "tree/readme.txt", "x");
    CHECK(run_tool({"convert", "-d", directory / "tree", "-out", directory / "out"}).exit_status == 2);
    const ProcessResult missing = run_tool({"convert", "-d", directory / "missing", "-out", directory / "out"});
    CHECK(missing.exit_status == 2);
    CHECK(contains(missing.err, directory / "missing"));
}

TEST_CASE("names of dumps without a file after them are reported, and are no dumps, for convert, overflow and scan") {
    const TemporaryDirectory directory;
    const std::string tree = directory / "tree";
    fs::create_directories(tree);
    fs::create_symlink("nowhere", tree + "/" + kDumpName);
    REQUIRE(::mkfifo((tree + "/Opdebug.Node_OpDebug.60.7.1597922031178434").c_str(), 0600) == 0);
    const auto statuses_are = [&](int status) {
        for (const std::vector<std::string>& command : {std::vector<std::string>{"scan", tree},
                                                        {"convert", "-d", tree, "-out", directory / "out"},
                                                        {"overflow", "-d", tree, "-out", directory / "summary"}}) {
            CAPTURE(command.front());
            const ProcessResult run = run_tool(command);
            CHECK(run.exit_status == status);
            CHECK(contains(run.out + run.err, "missing targets: 1, for example " + tree + "/" + kDumpName));
            CHECK(contains(run.out + run.err, "pipes, sockets or devices with names like overflow dumps: 1"));
        }
    };
    statuses_are(2);
    write_file(tree + "/a/" + kDumpName, build_overflow_dump(ai_core_example(32)));
    statuses_are(0);
}

TEST_CASE("the official converter's names of options are taken") {
    const TemporaryDirectory directory;
    const std::string path = write_file(directory / kDumpName, build_overflow_dump(ai_core_example(32)));
    const auto converts = [&](const std::vector<std::string>& options) {
        const std::string out = directory / "out";
        fs::remove_all(out);
        std::vector<std::string> arguments{"convert"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        const ProcessResult run = run_tool(arguments);
        CAPTURE(run.err);
        return run.exit_status == 0 && read_file(out + "/" + kDumpName + ".output.0.json") == official_ai_core_text(32);
    };
    CHECK(converts({"--dump_file", path, "--output", directory / "out", "--version", "2", "--type", "npy"}));
    CHECK(converts({"-d", path, "-out", directory / "out", "-v", "1", "-t", "bin"}));
    CHECK(converts({"--dump-path", path, "--out", directory / "out", "--dump-version", "2"}));
    CHECK(converts({"-d=" + path, "-out=" + (directory / "out"), "-v=2", "-t=npy"}));
    CHECK(converts({"-d" + path, "-out", directory / "out"}));
    // One "=" only, and none of a value that means itself.
    CHECK(contains(run_tool({"convert", "-d==here", "-out", directory / "out"}).err, "=here: "));
    CHECK(contains(run_tool({"convert", "-d", "=here", "-out", directory / "out"}).err, "=here: "));
    CHECK(run_tool({"convert", "-d=", "-out", directory / "out"}).exit_status == 2);
    CHECK(contains(run_tool({"convert", "-d=ump_path", "-out", directory / "out"}).err, "ump_path: "));
    const ProcessResult unknown = run_tool({"convert", "-d", path, "-out", directory / "out", "-t", "json"});
    CHECK(unknown.exit_status == 2);
    CHECK(contains(unknown.err, "--type must be npy, bin, msnpy or pt, not 'json'"));
}

TEST_CASE("a damaged dump costs exit status 1, the rest is complete") {
    const TemporaryDirectory directory;
    const std::string bad = write_file(directory / ("tree/a/" + kDumpName), "");
    write_file(directory / ("tree/b/" + kDumpName), build_overflow_dump(ai_core_example(32)));
    const ProcessResult run = run_tool({"convert", "-d", directory / "tree", "-out", directory / "out"});
    CHECK(run.exit_status == 1);
    CHECK(contains(run.err, bad));
    CHECK(read_file(directory / ("out/b/" + kDumpName + ".output.0.json")) == official_ai_core_text(32));
    CHECK_FALSE(fs::exists(directory / ("out/a/" + kDumpName + ".output.0.json")));
}

TEST_CASE("every reference dump is converted to the official bytes (reference data)") {
    const auto reference = reference_data();
    if (!reference) {
        return;
    }
    const TemporaryDirectory directory;
    const ProcessResult run =
        run_tool({"convert", "-d", (*reference / "dumps").string(), "-out", directory.path().string()});
    CHECK(run.exit_status == 1);  // the damaged ones
    std::size_t converted = 0;
    for (const ReferenceDump& item : reference_dumps(*reference)) {
        const std::string output = directory / (item.relative + ".output.0.json");
        CAPTURE(item.relative);
        if (item.json) {
            REQUIRE(fs::exists(output));
            CHECK(read_file(output) == *item.json);
            ++converted;
        } else if (item.kind == "bad") {
            CHECK(contains(run.err, item.path.filename().string()));
        } else {
            CHECK_FALSE(fs::exists(output));
        }
    }
    CHECK(converted >= 50);
}

TEST_CASE("convert: a converted dump is refused, not converted once more") {
    const TemporaryDirectory directory;
    const std::string dump = write_file(directory / "in/Opdebug.Node_OpDebug.59.1597922031178434",
                                        text_of(build_overflow_dump(ai_core_example(32))));
    const std::string out = directory / "out";
    REQUIRE(run_tool({"convert", "-d", dump, "-out", out}).exit_status == 0);
    const std::string converted = out + "/Opdebug.Node_OpDebug.59.1597922031178434.output.0.json";
    const ProcessResult again = run_tool({"convert", "-d", converted, "-out", directory / "again"});
    CHECK(again.exit_status == 1);
    CHECK(contains(again.err, converted));
    CHECK(contains(again.err, "it is already a converted dump"));
    CHECK_FALSE(fs::exists(directory / "again"));
    // In a folder it is another file next to the dumps.
    CHECK(run_tool({"convert", "-d", out, "-out", directory / "again"}).exit_status == 2);
}
