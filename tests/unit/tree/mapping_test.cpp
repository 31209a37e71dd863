// mapping.csv: what is read from it, and what is reported where it leaves files without a name.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include <opdebug/dump.hpp>
#include <opdebug/scan.hpp>
#include <opdebug/tree.hpp>

#include "dump_builder.hpp"
#include "op_dump_builder.hpp"
#include "outcome.hpp"
#include "temporary_directory.hpp"
#include "text.hpp"
#include "tree/mapping.hpp"

using namespace opdebug::test;
using opdebug::tree::MappingText;
using opdebug::tree::parse_mapping;

namespace {

const std::string kName = "Opdebug.Node_OpDebug.57.563.1597922031178434";

/// "123=name 45=other", names in the order of their numbers.
std::string shown(const MappingText& mapping) {
    std::string text;
    for (const auto& [number, name] : mapping.names) {
        text += (text.empty() ? "" : " ") + number + "=" + name;
    }
    return text;
}

/// A scan of a folder with the dump "123" and this mapping.csv: counts, then codes of failures and remarks.
std::string scanned(const std::string& mapping) {
    const TemporaryDirectory directory;
    write_file(directory / "123", build_overflow_dump(ai_core_example(32)));
    write_file(directory / "mapping.csv", mapping);
    const auto tree = opdebug::find_dump_tree({directory.path().string()});
    REQUIRE(tree.ok());
    std::uint64_t time = 0;
    const opdebug::Scan scan = opdebug::scan(*tree, {}, [&time](opdebug::ScannedDump&& dump) {
        time = dump.dump ? dump.dump->timestamp_us.value_or(0) : 0;
    });
    std::string text = std::to_string(scan.counts.dumps) + " " + std::to_string(time);
    for (const opdebug::Error& failure : scan.failures) {
        CHECK(failure.file == directory / "mapping.csv");
        text += " " + std::string(to_string(failure.code));
    }
    for (const opdebug::Diagnostic& remark : scan.diagnostics) {
        CHECK(contains(remark.message, directory / "123"));
        text += " " + remark.code;
    }
    return text;
}

}  // namespace

TEST_CASE("mapping: lines as runtimes write them, and as they come back from editors and spreadsheets") {
    for (const char* text : {"123,Add.x.1.2.3\n", "123,Add.x.1.2.3\r\n",
                             "\xef\xbb\xbf"
                             "123,Add.x.1.2.3\n",
                             "\"123\",\"Add.x.1.2.3\"\r\n", "123,\"Add.x.1.2.3\"\n", "  123 ,\tAdd.x.1.2.3 \n",
                             "\xef\xbb\xbf\"123\",\"Add.x.1.2.3\"\r\n", "\n \n123,Add.x.1.2.3\n\n"}) {
        CAPTURE(text);
        const MappingText mapping = parse_mapping(text);
        CHECK(shown(mapping) == "123=Add.x.1.2.3");
        CHECK(mapping.lines == 1);
        CHECK(mapping.understood == 1);
    }
    CHECK(shown(parse_mapping("1,\"a\"\"b,c\"\n2,d\"e\n3,f,g\n")) == "1=a\"b,c 2=d\"e 3=f,g");
}

TEST_CASE("mapping: of an absolute path the name is taken") {
    CHECK(shown(parse_mapping("1,/dump/x/0/Add.x.1.2.3\n2,\"y/Mul.z.1.2.3\"\n3,./b.1.2.3\n")) ==
          "1=Add.x.1.2.3 2=y/Mul.z.1.2.3 3=./b.1.2.3");
    CHECK(parse_mapping("1,/a/Add.x.1.2.3\n1,/b/Add.x.1.2.3\n").contradicted.empty());
    CHECK(parse_mapping("1,/dump/x/0/\n").understood == 0);
}

TEST_CASE("mapping: lines of another form are counted and not understood") {
    for (const char* text : {"123;Add.x.1.2.3\n", "2.71173E+18,Add.x.1.2.3\n", "123,\n", ",Add\n", "number,name\n",
                             "123,\"Add.x\n", "\"123,Add.x\"\n", "123,\"Add\"x\"\n", "\xff\xff\xff\n", "-1,Add\n"}) {
        CAPTURE(text);
        const MappingText mapping = parse_mapping(text);
        CHECK(shown(mapping).empty());
        CHECK(mapping.lines == 1);
        CHECK(mapping.understood == 0);
    }
    // Results of msaccucmp are called by hex digits: tensors count, other lines belong here all the same.
    const std::string tensor = "0123456789abcdef0123456789abcdef.npy";
    CHECK(shown(parse_mapping(tensor + ",Add.x.1.2.3.output.0.npy\n")) == tensor + "=Add.x.1.2.3.output.0.npy");
    const MappingText json = parse_mapping("0123456789abcdef0123456789abcdef.json,Add.x.1.2.3.output.0.json\n");
    CHECK(shown(json).empty());
    CHECK(json.understood == 1);
}

TEST_CASE("mapping: a last line without a line break counts where nothing can be missing") {
    CHECK(shown(parse_mapping("1," + kName)) == "1=" + kName);
    CHECK(shown(parse_mapping("1," + kName.substr(0, kName.size() - 1))).empty());
    CHECK(shown(parse_mapping("1," + kName.substr(0, kName.size() - 1) + "\n")) ==
          "1=" + kName.substr(0, kName.size() - 1));
    CHECK(shown(parse_mapping("2,b.1.2.3\n1," + kName.substr(0, 20))) == "2=b.1.2.3");
    CHECK(shown(parse_mapping("1,\"a.1.2.3\"")) == "1=a.1.2.3");
    CHECK(shown(parse_mapping("1,\"a.1.2.1597922031178434")).empty());
    CHECK(shown(parse_mapping("1,a.1.2.\"3\"")).empty());  // no quoted cell
}

TEST_CASE("mapping: the first name of a number counts, a further one is noted, repeated lines are normal") {
    const MappingText same = parse_mapping("1,a\n1,a\n1,\"a\"\n2,b\n");
    CHECK(shown(same) == "1=a 2=b");
    CHECK(same.contradicted.empty());
    const MappingText different = parse_mapping("1,a\n2,b\n1,c\n1,a\n");
    CHECK(shown(different) == "1=a 2=b");
    CHECK(different.contradicted == std::set<std::string, std::less<>>{"1"});
}

TEST_CASE("mapping: a scan tells of lists that cannot be used, and of files that they do not name") {
    const std::string found = "1 1597922031178434", nothing = "0 0";
    CHECK(scanned("123," + kName + "\n") == found);
    CHECK(scanned("\xef\xbb\xbf\"123\",\"" + kName + "\"\r\n") == found);
    CHECK(scanned("123," + kName + "\n123,Opdebug.Node_OpDebug.9.9.1597922031178435\n") == found + " several_names");
    CHECK(scanned("124," + kName + "\n") == nothing + " unnamed_files");
    CHECK(scanned("124,Add.x.1.2.1597922031178435\n123," + kName.substr(0, 40)) == nothing + " unnamed_files");
    CHECK(scanned("") == nothing + " unnamed_files");
    CHECK(scanned("123;" + kName + "\n") == nothing + " mapping_invalid");
    CHECK(scanned(std::string(100, '\xff')) == nothing + " mapping_invalid");
    CHECK(scanned(std::string("\xff\xfe"
                              "1\0,\0a\0\n\0",
                              10)) == nothing + " mapping_invalid");
    CHECK(scanned("123," + kName.substr(0, 40)) == nothing + " mapping_invalid");
    CHECK(scanned("123,Add.x.57.563.1597922031178434\n") == nothing);  // an operator's dump, and it is counted
}

TEST_CASE("mapping: a dump that is given itself is decoded, and says that the list cannot be used") {
    const TemporaryDirectory directory;
    const std::string dump = write_file(directory / "123", build_overflow_dump(ai_core_example(32)));
    write_file(directory / "mapping.csv", "123;" + kName + "\n");
    const auto decoded = opdebug::decode_file(dump);
    REQUIRE(outcome(decoded) == "ok");
    REQUIRE(!decoded->diagnostics.empty());
    CHECK(decoded->diagnostics.back().code == "mapping_invalid");
    CHECK(decoded->diagnostics.back().severity == opdebug::Severity::warning);
}

TEST_CASE("mapping: a search tells of the same") {
    const TemporaryDirectory directory;
    write_file(directory / "a/1", "x");
    write_file(directory / "a/2", "x");
    write_file(directory / "a/mapping.csv", "7,Add.x.57.563.1597922031178434\n");
    write_file(directory / "b/3", "x");  // without a list nothing is known, and nothing to be reported
    write_file(directory / "c/4", "x");
    write_file(directory / "c/mapping.csv", "4,Add.x.57.563.1597922031178434\n4,Mul.y.57.563.1597922031178434\n");
    std::filesystem::create_directory(directory / "a/5");
    const auto found = opdebug::find_op_dumps(directory.path().string());
    REQUIRE(outcome(found) == "ok");
    CHECK(found->files == std::vector<std::string>{directory / "c/4"});
    REQUIRE(found->diagnostics.size() == 2);
    CHECK(found->diagnostics[0].code == "unnamed_files");
    CHECK(contains(found->diagnostics[0].message, "csv next to them: 2, for example " + directory / "a/1"));
    CHECK(found->diagnostics[1].code == "several_names");
    CHECK(contains(found->diagnostics[1].message, ": 1, for example " + directory / "c/4"));
}
