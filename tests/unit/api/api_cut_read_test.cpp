// API dumps that end early or are damaged: what is whole is read, and the rest is reported.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <opdebug/api.hpp>

#include "api_dump_builder.hpp"
#include "api_reading.hpp"
#include "temporary_directory.hpp"
#include "text.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

/// After which byte each call is whole: a file of the first calls ends there except the brackets that close it.
std::vector<std::size_t> ends_of_calls(const MadeDump& dump, int indent) {
    const std::size_t closing = indent == 0 ? 2 : 5;  // "}}", "\n }\n}"
    std::vector<std::size_t> ends;
    MadeDump begin = dump;
    begin.calls.clear();
    for (const MadeCall& call : dump.calls) {
        begin.calls.push_back(call);
        ends.push_back(dump_json(begin, MsprobeVersion::june_2025, indent).size() - closing);
    }
    return ends;
}

}  // namespace

TEST_CASE("dump.json: failures of msprobe to collect values are reported, where its log next to the dump has any") {
    const TemporaryDirectory folder;
    const std::string dump = folder.path() / "dump.json";
    write_file(dump, dump_json(language_model_step(2, 5)));
    const auto told = [&dump]() {
        const Result<ApiFile> file = read_api_dump(dump, {}, [](ApiEntry&&) {});
        REQUIRE(file);
        return file->diagnostics.empty() ? std::string()
                                         : file->diagnostics[0].code + ": " + file->diagnostics[0].message;
    };
    CHECK(told().empty());
    const auto log = folder.path() / "dump_error_info.log";
    write_file(log, "");
    CHECK(told().empty());
    write_file(log,
               "[2026-05-20 10:11:12 +0800] RuntimeError: no kernel for max\nCall stack (most recent call last):\n"
               "  File \"a.py\", line 3\n[2026-05-20 10:11:13 +0800] ValueError: two\n");
    CHECK(told() ==
          "collection_failed: dump_error_info.log in the same folder reports 2 failures to collect values, the first: "
          "\"RuntimeError: no kernel for max\". Calls and values may be missing");
    write_file(log, "[2026-05-20 10:11:12 +0800] RuntimeError: one\n" + std::string(1U << 17U, '\n') +
                        "[2026-05-20 10:11:13 +0800] ValueError: two\n");
    CHECK(told() ==
          "collection_failed: dump_error_info.log in the same folder reports at least 1 failure to collect values, the "
          "first: \"RuntimeError: one\". Calls and values may be missing");
}

TEST_CASE("dump.json: every prefix gives its whole calls, and says that it is cut") {
    const MadeDump dump = language_model_step(3, 5);
    for (const int indent : {0, 1}) {
        const std::string text = dump_json(dump, MsprobeVersion::june_2025, indent);
        const std::vector<std::size_t> ends = ends_of_calls(dump, indent);
        std::size_t whole = 0;
        for (std::size_t size = 0; size <= text.size(); ++size) {
            const ApiReading reading = read_api_text("dump.json", text.substr(0, size));
            while (whole < ends.size() && ends[whole] <= size) {
                ++whole;
            }
            CAPTURE(size);
            REQUIRE(reading.file.ok());
            REQUIRE(reading.entries.size() == whole);
            REQUIRE(reading.file->entries == whole);
            REQUIRE(reading.file->complete == (size == text.size()));
            REQUIRE(codes(reading) == (size == text.size() ? "" : "api_dump_cut"));
        }
        CHECK(whole == 3);
    }
}

TEST_CASE("dump.json: the message of a cut names the place and the last whole call") {
    const std::string text = dump_json(language_model_step(2, 5));
    const ApiReading reading = read_api_text("dump.json", text.substr(0, text.size() - 10));
    REQUIRE(reading.file.ok());
    REQUIRE(reading.file->diagnostics.size() == 1);
    const Diagnostic& told = reading.file->diagnostics[0];
    CHECK(told.severity == Severity::error);
    CHECK(contains(told.message, "at byte " + std::to_string(text.size() - 10)));
    CHECK(contains(told.message, "\"Functional.linear.0.forward\""));
}

TEST_CASE("dump.json: a call larger than all before it is read whole") {
    MadeDump dump = language_model_step(3, 1);
    dump.calls[1].inputs = {made_list(std::vector<MadeValue>(3000, made_tensor("NaN", "NaN")))};
    const ApiReading reading = read_api_text("dump.json", dump_json(dump));
    REQUIRE(reading.file.ok());
    REQUIRE(reading.entries.size() == 3);
    CHECK(shown(reading.entries[1].values[2999]) == "input 0.2999 float16 [4 8] nan nan 3.25");
    CHECK(reading.entries[2].name == dump.calls[2].name);

    ApiReadOptions options;
    options.limits.call_bytes = 100'000;
    CHECK(codes(read_api_text("dump.json", dump_json(dump), options)) == "call_too_large");
    // Also where the whole file is read at once.
    options.limits.call_bytes = 100;
    CHECK(codes(read_api_text("dump.json", dump_json(language_model_step(1, 1)), options)) == "call_too_large");
    options.limits.call_bytes = 10;
    CHECK(codes(read_api_text("statistic.csv", "IO,Data Type,Shape\n", options)) == "call_too_large");
}

TEST_CASE("API dumps: a call beyond a limit ends the reading, and what came before it stays") {
    MadeDump dump = language_model_step(3, 1);
    const std::string deep = std::string(600, '[') + std::string(600, ']');
    std::string text = dump_json(dump);
    text.insert(text.find("\"input_args\": ", text.find(dump.calls[1].name)) + 14, deep + ", \"other\": ");
    const auto ended = [](const ApiReading& reading, std::size_t entries, const char* code) {
        REQUIRE(reading.file.ok());
        CHECK(reading.entries.size() == entries);
        CHECK(reading.file->entries == entries);
        CHECK_FALSE(reading.file->complete);
        CHECK(codes(reading) == code);
        CHECK(reading.file->diagnostics[0].severity == Severity::error);
        const std::string read = "calls read before it: " + std::to_string(entries) + ";";
        CHECK(contains(reading.file->diagnostics[0].message, read));
    };
    ended(read_api_text("dump.json", text), 1, "nesting_too_deep");

    dump.calls[2].inputs = {made_list(std::vector<MadeValue>(3000, made_tensor("NaN", "NaN")))};
    ApiReadOptions options;
    options.limits.call_bytes = 100'000;  // less than the window that is read at once, then more
    ended(read_api_text("dump.json", dump_json(dump), options), 2, "call_too_large");
    options.limits.call_bytes = 5000;
    ended(read_api_text("dump.json", dump_json(dump), options), 2, "call_too_large");

    options.limits.call_bytes = 200;
    const std::string line = R"(["Tensor_add_1_forward_output", 0, [], "torch.float32", [3], [1.0, 0.0, 0.5, 1.0]])";
    ended(read_api_text("dump.pkl", line + "\n" + std::string(300, ' ') + line + "\n", options), 1, "call_too_large");
    const std::string row = "input,float32,\"(1,)\",1\n";
    ended(read_api_text("statistic.csv", "IO,Data Type,Shape,Max Value\n" + row + std::string(300, ' ') + row, options),
          1, "call_too_large");
}

TEST_CASE("dump.json: damage ends the reading, and what came before it stays") {
    std::string text = dump_json(language_model_step(3, 1));
    const std::size_t second = text.find("\"Tensor.__add__");
    text[text.find('[', second)] = '?';
    const ApiReading reading = read_api_text("dump.json", text);
    REQUIRE(reading.file.ok());
    CHECK(reading.entries.size() == 1);
    CHECK_FALSE(reading.file->complete);
    CHECK(codes(reading) == "api_dump_damaged");
}

TEST_CASE("dump.json: text after its end is damage, for calls may be there") {
    const std::string dump = dump_json(language_model_step(2, 1));
    const auto check_after = [&](const std::string& appended) {
        CAPTURE(appended.size());
        const ApiReading reading = read_api_text("dump.json", dump + appended);
        REQUIRE(reading.file.ok());
        CHECK(reading.entries.size() == 2);
        CHECK_FALSE(reading.file->complete);
        REQUIRE(codes(reading) == "api_dump_damaged");
        CHECK(reading.file->diagnostics[0].severity == Severity::error);
        const std::string at = "(from byte " + std::to_string(dump.size() + appended.find_first_not_of('\n')) + ")";
        CHECK(contains(reading.file->diagnostics[0].message, at));
    };
    check_after("\n" + dump);
    check_after(std::string(200'000, '\n') + "{}");  // more than is read at once
    check_after(std::string(4096, '\0'));            // a file system may append them
    CHECK(codes(read_api_text("dump.json", dump + "\n \t\r\n")).empty());
}

TEST_CASE("an API dump that is given itself and is none is an error") {
    CHECK(codes(read_api_text("a.json", R"({"a":1})")) == "api_dump_invalid");
    CHECK(codes(read_api_text("stack.json", R"({"0":[["A.a.0.forward"],["File x"]]})")) == "api_dump_invalid");
    CHECK(codes(read_api_text("a.json", R"([1,2])")) == "api_dump_invalid");
    CHECK(codes(read_api_text("a.txt", "")) == "api_dump_invalid");
    CHECK(codes(read_api_text("a.csv", "a,b,c\n1,2,3\n")) == "api_dump_invalid");
    CHECK(codes(read_api_text("a.csv", "")) == "api_dump_invalid");
    CHECK(codes(read_api_text("dump.pkl", "\x80\x04\x95")) == "pickle_refused");
}

TEST_CASE("reading an API dump ends when it is asked to") {
    ApiReadOptions options;
    options.stop = [] { return true; };
    CHECK(codes(read_api_text("dump.json", dump_json(language_model_step(2, 1)), options)) == "interrupted");
}
