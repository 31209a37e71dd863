// Operators that files next to the overflow dump name: tensors as .npy, lists of statistics, MindSpore's other folders.
#include <doctest/doctest.h>

#include "dump_builder.hpp"
#include "location.hpp"
#include "temporary_directory.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

constexpr std::uint64_t overflow_us = 1772618405000000;  // 2026-03-04 10:00:05 UTC

std::string time_text(std::int64_t microseconds_later) {
    return std::to_string(static_cast<std::int64_t>(overflow_us) + microseconds_later);
}

/// A tree with one overflow dump and the files that the test puts next to it.
class Tree {
public:
    /// `record`: ids of the record; `name`: of the overflow dump's folder and ids, "rank_2/debug_files/7/Opdebug....".
    explicit Tree(RecordIds record = {21, 118, 3}, const std::string& folder = "", const std::string& name_ids = "2.5")
        : dump_(dump_of(record, 5000)) {
        dump_.file = tree_ / (folder + "Opdebug.Node_OpDebug." + name_ids + "." + time_text(0));
        dump_.name = parse_dump_name(file_name_of(dump_.file));
        write_file(dump_.file, build_overflow_dump(ai_core_example()));
    }

    Tree& add(const std::string& file, std::string_view text = "x") {
        write_file(tree_ / file, text);
        return *this;
    }
    Tree& add_dump(const std::string& file, const std::string& header_name) {
        DumpFile dump;
        dump.outputs.push_back(tensor({1, 2, 3, 4}));
        dump.op_name = header_name;
        write_file(tree_ / file, build_v2(dump));
        return *this;
    }

    Location location() const { return locate(dump_); }
    std::string path(const std::string& file) const { return tree_ / file; }

private:
    TemporaryDirectory tree_;
    Dump dump_;
};

std::string shown_in(const Tree& tree) {
    const Location location = tree.location();
    return location.op && !location.op->candidates.empty() ? candidates_of(location) : shown(location.op);
}

}  // namespace

TEST_CASE("operator files: the names of .npy tensors name the operator") {
    CHECK(shown_in(Tree().add("Add.net_a_Add.118.21." + time_text(-300) + ".output.0.npy")) == "net_a_Add|Add|-|exact");
    CHECK(shown_in(Tree().add("Add.net_a_Add.118.21." + time_text(-300) + ".input.1.NC1HWC0.npy")) ==
          "net_a_Add|Add|-|exact");
    CHECK(shown_in(Tree().add("Cast.Default--Cast-op7.118.21." + time_text(40) +
                              ".output.2.0.FRACTAL_NZ.bfloat16.npy")) == "Default--Cast-op7|Cast|-|exact");
    CHECK(shown_in(Tree().add("Conv2D.conv1.118.21." + time_text(40) + ".output.0.1x3x224x224.npy")) ==
          "conv1|Conv2D|-|exact");
    CHECK(shown_in(Tree().add("Exp.input.118.21." + time_text(40) + ".output.0.npy")) == "input|Exp|-|exact");
    CHECK(shown_in(Tree().add("Exp.a.118.21." + time_text(40) + ".csv")) == "a|Exp|-|exact");
}

TEST_CASE("operator files: other names, tasks and streams name nothing") {
    Tree tree;
    tree.add("Add.a.119.21." + time_text(0) + ".output.0.npy").add("Add.a.118.22." + time_text(0) + ".output.0.npy");
    tree.add("Add.a.118.21.17726184.output.0.npy").add("Add.a.118.21." + time_text(0) + ".output.0.npy.tmp");
    tree.add("Add.a.118.21." + time_text(0) + ".output.x.npy").add("Add.a.118.21." + time_text(0) + ".weights.0.npy");
    tree.add("Opdebug.Node_OpDebug.118.21." + time_text(0) + ".output.0.npy").add("a.npy").add("118.21.output.0.npy");
    tree.add("Add.a.118.21." + time_text(0) + ".output.0.npy/file");
    CHECK(shown_in(tree) == "none");
}

TEST_CASE("operator files: MindSpore's tensors of one execution have times of their own") {
    Tree tree;
    // An execution a second before, then the one of the overflow, whose output was written 900 us after its input.
    tree.add("Add.a.118.21." + time_text(-1'000'900) + ".input.0.ND.npy")
        .add("Add.a.118.21." + time_text(-1'000'100) + ".output.0.ND.npy");
    tree.add("Add.a.118.21." + time_text(-1000) + ".input.0.ND.npy")
        .add("Add.a.118.21." + time_text(-100) + ".output.0.ND.npy");
    const Location location = tree.location();
    CHECK(shown(location.op) == "a|Add|-|exact");
    REQUIRE(location.op_dump);
    CHECK(location.op_dump->tensor_files ==
          std::vector<std::string>{tree.path("Add.a.118.21." + time_text(-1000) + ".input.0.ND.npy"),
                                   tree.path("Add.a.118.21." + time_text(-100) + ".output.0.ND.npy")});
    CHECK(location.op_dump->equally_good == 0);
}

TEST_CASE("operator files: tensors that were converted from a dump next to them are that dump") {
    Tree tree;
    tree.add_dump("Add.net_a.118.21." + time_text(-10), "net/a")
        .add("Add.net_a.118.21." + time_text(-10) + ".output.0.npy");
    const Location location = tree.location();
    CHECK(shown(location.op) == "net/a|Add|-|exact");
    CHECK(location.op->candidates.empty());
    REQUIRE(location.op_dump);
    CHECK(location.op_dump->file == tree.path("Add.net_a.118.21." + time_text(-10)));
    CHECK(location.op_dump->tensor_files.empty());
}

TEST_CASE("operator files: mapping.csv gives the long names of tensors") {
    Tree tree;
    tree.add("00112233445566778899001122334455.npy").add("0123456789abcdef0123456789abcdef.npy");
    tree.add("mapping.csv", "00112233445566778899001122334455.npy,Add.long_name.118.21." + time_text(-10) +
                                ".input.0.ND.float16.npy\n0123456789abcdef0123456789abcdef.npy,Add.long_name.118.21." +
                                time_text(-10) + ".output.0.ND.float16.npy");
    const Location location = tree.location();
    CHECK(shown(location.op) == "long_name|Add|-|exact");
    REQUIRE(location.op_dump);
    CHECK(location.op_dump->tensor_files ==
          std::vector<std::string>{tree.path("00112233445566778899001122334455.npy"),
                                   tree.path("0123456789abcdef0123456789abcdef.npy")});
}

TEST_CASE("operator files: ids that are equal in their lower 16 bits are of one task") {
    CHECK(shown_in(Tree().add("Add.a.65654.21." + time_text(-10) + ".output.0.npy")) == "a|Add|-|exact");
    CHECK(shown_in(Tree({21, 65654, 3}).add("Add.a.118.21." + time_text(-10) + ".output.0.npy")) == "a|Add|-|exact");
    // The whole id is the better one.
    CHECK(shown_in(Tree()
                       .add("Add.a.65654.21." + time_text(-10) + ".output.0.npy")
                       .add_dump("Mul.b.118.21." + time_text(-20), "b")) == "b|Mul|-|exact");
}

TEST_CASE("operator files: statistic.csv names the operator by its columns, in any order and quoting") {
    const std::string row = ",output,0,2,float16,\"(1,)\",inf,inf\n";
    Tree tree;
    tree.add("statistic.csv",
             "\"Stream ID\",Timestamp,\"Op Name\",Task ID,\"Op Type\",IO,Slot,Data Size,Data Type,Shape,"
             "Max Value,Min Value\n"
             "21," +
                 time_text(-250) + ",\"Default/net/Mul-op3\",118,\"Mul\"" + row + "21," + time_text(-250) +
                 ",Default/net/Add-op4,119,Add" + row + "22," + time_text(-250) + ",Default/net/Sub-op5,118,Sub" + row);
    const Location location = tree.location();
    CHECK(shown(location.op) == "Default/net/Mul-op3|Mul|-|exact");
    CHECK(location.op->best.evidence[0].file == tree.path("statistic.csv"));
    CHECK(location.op->best.evidence[0].text ==
          "Mul Default/net/Mul-op3, stream 21, task 118 (250 us before the "
          "overflow dump)");
    CHECK_FALSE(location.op_dump);
    CHECK(remarks_of(location).empty());
}

TEST_CASE("operator files: several operators of one task in statistic.csv are candidates, unless time excludes them") {
    const std::string header = "Op Type,Op Name,Task ID,Stream ID,Timestamp,IO,Slot,Data Size,Data Type,Shape\n";
    const auto row = [](const std::string& op, std::int64_t later) {
        return op + ",118,21," + time_text(later) + ",output,0,2,float16,\"(1,)\"\n";
    };
    CHECK(shown_in(Tree().add("statistic.csv", header + row("Mul,a", -400) + row("Add,b", 200))) ==
          "b|Add|-|type; a|Mul|-|type");
    CHECK(shown_in(Tree().add("statistic.csv", header + row("Mul,a", -400) + row("Add,b", 2'000'000))) ==
          "a|Mul|-|exact");
    check_located(Tree().add("statistic.csv", header + row("Mul,a", -400'000'000)).location(),
                  {.op = "a|Mul|-|type", .remarks = "warning op_dump_far_in_time"});
}

TEST_CASE("operator files: statistics confirm the tensors next to them") {
    Tree tree;
    tree.add_dump("Mul.net_a.118.21." + time_text(-10), "net/a");
    tree.add("statistic.csv",
             "Op Type,Op Name,Task ID,Stream ID,Timestamp,IO,Slot,Data Size,Data Type,Shape\nMul,net_a,118,21," +
                 time_text(-9) + ",output,0,2,float16,\"(1,)\"\nAdd,net_b,118,21," + time_text(-8) +
                 ",output,0,2,float16,\"(1,)\"\n");
    const Location location = tree.location();
    CHECK(shown(location.op) == "net/a|Mul|-|exact");
    CHECK(location.op->candidates.empty());
    CHECK(location.op->best.evidence.size() == 2);
}

TEST_CASE("MindSpore's folders: the operator dump of the same rank and iteration, whatever the graph") {
    Tree tree({9, 40, 0}, "rank_2/debug_files/7/", "40.9");
    tree.add_dump("rank_2/Bert/1/7/Exp.Default_Bert_Exp-op1.65576.9." + time_text(-300), "Default/Bert/Exp-op1");
    tree.add_dump("rank_2/Bert/1/8/Exp.Default_Bert_Exp-op2.40.9." + time_text(-300), "other iteration");
    tree.add_dump("rank_3/Bert/1/7/Exp.Default_Bert_Exp-op3.40.9." + time_text(-300), "other rank");
    tree.add_dump("rank_2/Bert/x/7/Exp.Default_Bert_Exp-op4.40.9." + time_text(-300), "no graph");
    tree.add_dump("rank_2/Bert/1/7/Exp.Default_Bert_Exp-op5.40.8." + time_text(-300), "other stream");
    CHECK(shown_in(tree) == "Default/Bert/Exp-op1|Exp|-|exact");
    CHECK(remarks_of(tree.location()).empty());
}

TEST_CASE("MindSpore's folders: several nets or graphs with the ids are candidates, the nearest first") {
    Tree tree({9, 40, 0}, "rank_2/debug_files/7/", "40.9");
    tree.add("rank_2/Bert/0/7/Exp.a-op1.40.9." + time_text(-700) + ".output.0.ND.npy");
    tree.add_dump("rank_2/Bert/1/7/Mul.b-op2.40.9." + time_text(-300), "b-op2");
    tree.add("rank_2/Eval/0/7/statistic.csv",
             "Op Type,Op Name,Task ID,Stream ID,Timestamp,IO,Slot,Data Size,Data Type,Shape\nAdd,c-op3,40,9," +
                 time_text(-500) + ",output,0,2,float16,\"(1,)\"\n");
    CHECK(shown_in(tree) == "b-op2|Mul|-|type; a-op1|Exp|-|type; c-op3|Add|-|type");
}

TEST_CASE("MindSpore's folders: the ids of the overflow dump's name count") {
    Tree no_record({65535, 65535, 0}, "rank_0/debug_files/0/", "40.9");
    no_record.add_dump("rank_0/Net/0/0/Exp.a.40.9." + time_text(-300), "a");
    CHECK(shown_in(no_record) == "a|Exp|-|exact");
    Tree other({5, 6, 0}, "rank_0/debug_files/0/", "40.9");
    other.add_dump("rank_0/Net/0/0/Exp.a.40.9." + time_text(-300), "a")
        .add_dump("rank_0/Net/0/0/Mul.b.6.5." + time_text(-300), "b");
    CHECK(shown_in(other) == "a|Exp|-|type; b|Mul|-|type");
    CHECK(remarks_of(other.location()) == "warning name_ids_used");
}
