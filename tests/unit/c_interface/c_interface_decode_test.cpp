// The C interface for one dump and one status: the documents of the C++ functions.
#include <doctest/doctest.h>

#include <thread>

#include <opdebug/opdebug.hpp>

#include "build_paths.hpp"
#include "c_handles.hpp"
#include "demo_dump.hpp"
#include "overflow_tree.hpp"
#include "temporary_directory.hpp"
#include "text.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

const std::string source = source_folder;
const std::string demo_file = source + "/" + demo_dump_path;
const std::string demo_logs = source + "/testdata/demo/logs";

ReportOptions one_line(Language language = Language::english) {
    ReportOptions options;
    options.one_line = true;
    options.language = language;
    return options;
}

struct Utc : COptions {
    Utc() { set("system_time_zone", "0"); }
};

std::shared_ptr<const TaskMap> demo_map() {
    const Result<ReadLogs> logs = read_logs({demo_logs});
    REQUIRE(logs);
    return logs->task_map;
}

}  // namespace

TEST_CASE("c interface: the document of a file is that of C++") {
    const Result<Dump> dump = decode_file(demo_file);
    REQUIRE(dump);
    CError error;
    const std::string document = taken(opdebug_decode_file(demo_file.c_str(), nullptr, Utc().get(), error.out()));
    CHECK(error.code() == "none");
    CHECK(document == record_to_json(*dump, locate(*dump), one_line()));

    LocateOptions with_logs;
    with_logs.task_map = demo_map();
    const Logs logs = read_c_logs({demo_logs});
    const std::string located = taken(opdebug_decode_file(demo_file.c_str(), logs.get(), Utc().get(), nullptr));
    CHECK(located == record_to_json(*dump, locate(*dump, with_logs), one_line()));
    CHECK(located != document);
}

TEST_CASE("c interface: logs read for the wanted dumps alone give the same document") {
    COptions wanted;
    wanted.set("threads", "2").set("wanted", source + "/testdata/demo/20261012093000");
    const Logs all = read_c_logs({demo_logs});
    const Logs some = read_c_logs({demo_logs}, wanted.get());
    CHECK(taken(opdebug_decode_file(demo_file.c_str(), some.get(), Utc().get(), nullptr)) ==
          taken(opdebug_decode_file(demo_file.c_str(), all.get(), Utc().get(), nullptr)));
}

TEST_CASE("c interface: the zone is the given one, else the system's, else UTC") {
    const Result<Dump> dump = decode_file(demo_file);
    REQUIRE(dump);
    const Logs logs = read_c_logs({demo_logs});
    LocateOptions locating;
    locating.task_map = demo_map();
    locating.host_utc_offset_minutes = system_utc_offset_minutes(dump->timestamp_us);
    CHECK(taken(opdebug_decode_file(demo_file.c_str(), logs.get(), nullptr, nullptr)) ==
          record_to_json(*dump, locate(*dump, locating), one_line()));
    locating.host_utc_offset_minutes = 0;
    locating.utc_offset_minutes = -90;
    CHECK(taken(opdebug_decode_file(demo_file.c_str(), logs.get(), Utc().set("utc_offset_minutes", "-90").get(),
                                    nullptr)) == record_to_json(*dump, locate(*dump, locating), one_line()));
}

TEST_CASE("c interface: bytes in memory are decoded without a look at the disk") {
    const Buffer bytes = demo_dump();
    const std::string file = "run/0/Opdebug.Node_OpDebug.118.21.1791769287318452";
    DecodeOptions named;
    named.file = file;
    const Result<Dump> dump = decode(bytes, named);
    REQUIRE(dump);
    LocateOptions no_folder;
    no_folder.use_op_dumps = false;
    CHECK(taken(opdebug_decode_bytes(bytes.data(), bytes.size(), file.c_str(), nullptr,
                                     COptions().set("language", "zh").get(), nullptr)) ==
          record_to_json(*dump, locate(*dump, no_folder), one_line(Language::chinese)));
    // Without a name there is none in the document.
    CHECK(contains(taken(opdebug_decode_bytes(bytes.data(), bytes.size(), nullptr, nullptr, nullptr, nullptr)),
                   R"("file":"")"));
}

TEST_CASE("c interface: the operator's dump is measured where that is asked for") {
    const TemporaryDirectory folder;
    MadeUpOverflow overflow;
    overflow.inputs = {half_tensor({half_one})};
    overflow.outputs = {half_tensor({half_inf})};
    write_overflow(folder.path().string(), overflow);
    const std::string file = overflow_file(folder.path().string(), overflow);
    const std::string plain = taken(opdebug_decode_file(file.c_str(), nullptr, nullptr, nullptr));
    CHECK_FALSE(contains(plain, "\"origin\""));
    const std::string measured =
        taken(opdebug_decode_file(file.c_str(), nullptr, COptions().set("tensors", "1").get(), nullptr));
    CHECK(contains(measured, R"("verdict":"born_here")"));
}

TEST_CASE("c interface: the text of a file is that of C++") {
    ExplainOptions options;
    const Result<Explanation> plain = explain(demo_file);
    REQUIRE(plain);
    CHECK(taken(opdebug_explain_file(demo_file.c_str(), nullptr, nullptr, nullptr)) == plain->text);
    options.logs = {demo_logs};
    options.language = Language::chinese;
    options.verbose = true;
    options.utc_offset_minutes = 480;
    const Result<Explanation> all = explain(demo_file, options);
    REQUIRE(all);
    const Logs logs = read_c_logs({demo_logs});
    COptions same;
    same.set("language", "zh").set("verbose", "1").set("utc_offset_minutes", "480");
    CHECK(taken(opdebug_explain_file(demo_file.c_str(), logs.get(), same.get(), nullptr)) == all->text);
    CError error;
    CHECK(opdebug_explain_file("", nullptr, nullptr, error.out()) == nullptr);
    CHECK(error.message().find("path is empty;") == 0);
}

TEST_CASE("c interface: a status is one object of the status array") {
    const std::uint64_t word = 0x120;
    const Result<StatusExplanation> explained = decode_status(Unit::ai_core, {word});
    REQUIRE(explained);
    CHECK("[" + taken(opdebug_decode_status("ai-core", &word, 1, nullptr, nullptr)) + "]" ==
          status_to_json({*explained}, one_line()));
    CHECK("[" + taken(opdebug_decode_status("ai-core", &word, 1, COptions().set("language", "zh").get(), nullptr)) +
              "]" ==
          status_to_json({*explained}, one_line(Language::chinese)));
    const std::uint64_t four[] = {32, 0, 1, 0};
    CHECK(contains(taken(opdebug_decode_status("aiv", four, 4, nullptr, nullptr)), R"("status":[32,0,1,0])"));
}

TEST_CASE("c interface: a catalogue of the caller takes the place of the built-in one") {
    const TemporaryDirectory folder;
    // The AI Core description that the library carries, with another id for the float overflow.
    std::string text = read_file(source + "/lib/data/status/ai_core.json");
    const std::size_t id = text.find("\"ai_core.float_overflow\"");
    REQUIRE(id != std::string::npos);
    text.replace(id, 24, "\"ai_core.my_overflow\"");
    COptions options;
    options.set("status_catalogue", write_file(folder.path() / "mine.json", text));
    const std::uint64_t word = 0x20;
    CHECK(contains(taken(opdebug_decode_status("ai-core", &word, 1, options.get(), nullptr)), "my_overflow"));
    CHECK(contains(taken(opdebug_decode_file(demo_file.c_str(), nullptr, options.get(), nullptr)), "my_overflow"));
}

TEST_CASE("c interface: several threads share one logs handle") {
    const Logs logs = read_c_logs({demo_logs});
    const std::string expected = taken(opdebug_decode_file(demo_file.c_str(), logs.get(), nullptr, nullptr));
    std::vector<std::string> documents(4);
    std::vector<std::thread> threads;
    for (std::string& document : documents) {
        threads.emplace_back([&document, &logs] {
            for (int i = 0; i < 20; ++i) {
                document = taken(opdebug_decode_file(demo_file.c_str(), logs.get(), nullptr, nullptr));
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    CHECK(documents == std::vector<std::string>(4, expected));
}

TEST_CASE("c interface: the version is that of the library") {
    CHECK(opdebug_version() == std::string(version()));
}
