// Parts with API dumps: shards give what one scan gives, hosts are put together, damage costs the part.
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include "api_run.hpp"
#include "overflow_tree.hpp"
#include "random.hpp"
#include "scan_items.hpp"
#include "shard_reports.hpp"
#include "text.hpp"
#include "trace_builder.hpp"

using namespace opdebug;
using namespace opdebug::test;
using nlohmann::ordered_json;

namespace {

const char* const apis[] = {"Torch.exp.0.forward", "Functional.linear.0.forward", "Torch.add.0.forward"};

/// Some ranks and steps with a call that makes NaN or Inf, and some without; some files are damaged.
void write_random_api_dumps(const std::string& root, Random& random) {
    for (std::uint64_t i = random.below(6) + 1; i > 0; --i) {
        MadeDump dump;
        dump.calls = {clean_call("Torch.mul.0.forward")};
        if (!random.one_in(3)) {
            dump.calls.push_back(born(random.one_of(apis)));
            dump.calls.push_back(made_call("Torch.mul.1.forward", {nan_tensor()}, {nan_tensor()}));
        }
        std::string text = dump_json(dump);
        if (random.one_in(5)) {
            text.resize(text.size() - static_cast<std::size_t>(random.below(text.size() / 2)));
        }
        write_file(fmt::format("{}/api/step{}/rank{}/dump.json", root, random.below(3), random.below(4)), text);
    }
}

/// The part of a tree with one call that went bad and one overflow dump.
std::string part_of_one_call() {
    ApiRun run;
    run.add(1, 0, {born("Torch.exp.0.forward")});
    MadeUpOverflow overflow;
    overflow.step = 1;
    write_overflow(run.path(), overflow);
    return part_text({run.path()}, {}, ScanShard{0, 1});
}

std::vector<std::string> write_shards(const TemporaryDirectory& directory, const std::string& root,
                                      const ReportRequest& request, std::uint64_t count) {
    std::vector<std::string> parts;
    for (std::uint64_t i = count; i-- > 0;) {
        parts.push_back(
            write_file(directory / fmt::format("parts/{}", i), part_text({root}, request, ScanShard{i, count})));
    }
    return parts;
}

void check_same(const ScanReport& report, const ScanReport& expected, const std::string& which) {
    const auto forms = all_forms(report), wanted = all_forms(expected);
    for (std::size_t form = 0; form < forms.size(); ++form) {
        const bool same = forms[form] == wanted[form];
        CHECK_MESSAGE(same, which << ", form " << std::string(form_names[form]));
    }
}

ordered_json api_of(const Merge& merge) {
    return ordered_json::parse(written(merge.report, &ScanReport::write_json)).at("api");
}

std::string host_part(const TemporaryDirectory& directory, const std::string& root, const std::string& host) {
    ReportRequest request;
    request.host = host;
    return write_file(directory / host, part_text({root}, request, std::nullopt));
}

/// The same part with its last line changed.
template <class Change>
std::string with_last_line(const std::string& part, Change change) {
    const std::size_t begin = part.rfind('\n', part.size() - 2) + 1;
    ordered_json line = ordered_json::parse(part.substr(begin));
    change(line.at("merge").at("api"));
    return part.substr(0, begin) + line.dump() + "\n";
}

}  // namespace

TEST_CASE("merge with API dumps: shards of random trees give the report of the whole, in every form") {
    for (std::uint64_t count = 1; count <= 9; ++count) {
        const std::uint64_t seed = 0xA91 + count;
        Random random(seed);
        const TemporaryDirectory directory;
        const std::string root = directory / "tree";
        if (!random.one_in(4)) {
            write_random_tree(root, seed);
        }
        write_random_api_dumps(root, random);
        ReportRequest request;
        request.tensors = random.one_in(2);
        const ScanReport expected = scanned_report({root}, request);
        const std::vector<std::string> parts = write_shards(directory, root, request, count);
        const std::string which = fmt::format("seed {}, {} shards", seed, count);
        check_same(merged(parts).report, expected, which);
    }
}

TEST_CASE("merge with API dumps: without the shard that reads them it is said what is missing") {
    ApiRun run;
    run.add(1, 0, {born()});
    for (std::uint64_t rank = 0; rank < 3; ++rank) {
        MadeUpOverflow overflow;
        overflow.rank = rank;
        write_overflow(run.path(), overflow);
    }
    const TemporaryDirectory directory;
    const std::vector<std::string> parts = write_shards(directory, run.path(), {}, 3);  // the last is shard 0
    const Merge merge = merged({parts[0], parts[1]});
    CHECK(codes_of(merge.report.api_diagnostics()) == "api_dumps_missing ");
    CHECK(api_of(merge).at("counts").at("files") == 0);
    // A shard of its own misses nothing.
    CHECK(scanned_report({run.path()}, {}, ScanShard{1, 3}).api_diagnostics().empty());
}

TEST_CASE("merge with API dumps: of several hosts the earliest step counts, and nothing orders them") {
    ApiRun early, late;
    early.add(2, 0, {born()});
    early.add(3, 1, {born("Torch.exp.0.forward")});
    late.add(3, 7, {born("Torch.add.0.forward")});
    MadeUpOverflow overflow;
    overflow.rank = 7;
    overflow.step = 3;
    write_overflow(early.path(), overflow);  // a dump of rank 7, but not of the host whose call is of rank 7
    const TemporaryDirectory directory;
    const Merge merge =
        merged({host_part(directory, late.path(), "node2"), host_part(directory, early.path(), "node1")});
    const ordered_json api = api_of(merge);
    CHECK(api.at("first").size() == 1);
    CHECK(api.at("first").at(0).at("step") == 2);
    REQUIRE(api.at("findings").size() == 3);
    CHECK(api.at("findings").at(1).at("rank") == 1);
    CHECK(api.at("findings").at(2).at("rank") == 7);
    CHECK(api.at("counts").at("files") == 3);
    CHECK(contains(codes_of(merge.report.api_diagnostics()), "api_hosts_not_ordered "));
    for (const ordered_json& tie : api.at("ties")) {
        CHECK(tie.at("rank") != 7);
    }
}

TEST_CASE("merge with API dumps: of several hosts a known step is first, and that of an unknown one may be earlier") {
    ApiRun unknown, known;
    unknown.add_file("rank0/dump.json", dump_json({"statistics", "L1", "pytorch", {born("Torch.exp.0.forward")}}));
    known.add(5, 1, {born()});
    const TemporaryDirectory directory;
    const Merge merge =
        merged({host_part(directory, unknown.path(), "node1"), host_part(directory, known.path(), "node2")});
    const ordered_json api = api_of(merge);
    REQUIRE(api.at("first").size() == 1);
    CHECK(api.at("first").at(0).at("step") == 5);
    CHECK(api.at("findings").at(1).at("step").is_null());
    CHECK(message_of(merge.report.api_diagnostics(), "order_unknown") ==
          "1 bad value from dumps without a known step (Torch.exp.0.forward) may be earlier than the first culprit of "
          "step 5: their order is unknown");
}

TEST_CASE("merge with API dumps: hosts that read the same ones tell of them once") {
    ApiRun shared;
    shared.add(1, 0, {born("Torch.exp.0.forward")});
    const TemporaryDirectory local_1, local_2, parts;
    MadeUpOverflow overflow;
    overflow.step = 1;
    write_overflow(local_1.path().string(), overflow);
    overflow.rank = 1;
    write_overflow(local_2.path().string(), overflow);
    std::vector<std::string> files;
    for (const auto& [host, local] : {std::pair("node1", &local_1), std::pair("node2", &local_2)}) {
        ReportRequest request;
        request.host = host;
        files.push_back(write_file(parts / host, part_text({local->path().string(), shared.path()}, request, {})));
    }
    const Merge merge = merged(files);
    const ordered_json api = api_of(merge);
    CHECK(api.at("counts").at("files") == 1);
    CHECK(api.at("findings").size() == 1);
    CHECK_FALSE(contains(codes_of(merge.report.api_diagnostics()), "api_hosts_not_ordered"));
    REQUIRE(api.at("timeline").size() == 2);  // ranks 0 and 1: the dumps of both hosts
    CHECK(api.at("timeline").at(0).at("entries").size() == 2);
    CHECK(api.at("timeline").at(1).at("entries").size() == 1);
}

TEST_CASE("merge with API dumps: dumps of several hosts in one timeline, and a trace that one of them has a use for") {
    ApiRun a, b;
    a.add(3, 0, {born("Torch.exp.0.forward")});
    b.add(3, 0, {born("Torch.exp.0.forward"), born("Torch.mul.0.forward")});
    MadeUpOverflow overflow;
    overflow.step = 3;
    write_overflow(a.path(), overflow);
    overflow.milliseconds = 40;  // of another task
    write_overflow(b.path(), overflow);
    MadeTrace trace;
    const std::uint64_t begin = job_begin_us - MadeTrace::kBegin;
    trace.operation("aten::exp", begin - 50, 20);
    trace.launch(563, 100, "aclnnExp_ExpAiCore_Exp", begin - 10, begin - 45);
    a.add_file("profile/rank0/trace_view.json", trace.text());
    a.add_file("profile/rank7/trace_view.json", trace.text());
    const TemporaryDirectory directory;
    MergeOptions options;
    options.report.ties.traces = {a.path() + "/profile/rank0/trace_view.json",
                                  a.path() + "/profile/rank7/trace_view.json"};
    const std::string of_a = host_part(directory, a.path(), "node1"), of_b = host_part(directory, b.path(), "node2");
    const Merge both = merged({of_a, of_b}, options);
    const std::string codes = codes_of(both.report.api_diagnostics());
    CHECK(contains(codes, "dump_hosts_not_ordered "));
    CHECK(count_of(codes, "trace_unused ") == 1);
    CHECK(count_of(written(both.report, &ScanReport::write_json_lines),
                   "/rank7/trace_view.json: the trace was not used: no overflow dump") == 1);
    CHECK_FALSE(contains(codes_of(merged({of_a}).report.api_diagnostics()), "dump_hosts_not_ordered"));
}

TEST_CASE("merge with API dumps: a damaged member costs the part") {
    const TemporaryDirectory directory;
    const std::string sound = part_of_one_call();
    const auto codes_with = [&](auto change) {
        const Merge merge = merged({write_file(directory / "part", with_last_line(sound, change))});
        return codes_of(merge.scan.diagnostics);
    };
    CHECK_FALSE(contains(codes_with([](ordered_json&) {}), "part_cut"));
    CHECK(contains(codes_with([](ordered_json& api) { api = 7; }), "part_cut"));
    CHECK(
        contains(codes_with([](ordered_json& api) { api["report"]["findings"][0]["verdict"] = "sure"; }), "part_cut"));
    CHECK(contains(codes_with([](ordered_json& api) { api["report"]["findings"][0]["position"] = -1; }), "part_cut"));
    CHECK(contains(codes_with([](ordered_json& api) { api["report"]["first"] = nullptr; }), "part_cut"));
    CHECK(contains(codes_with([](ordered_json& api) { api["report"]["first"][0]["tensors"][0]["max"] = "big"; }),
                   "part_cut"));
    CHECK(contains(codes_with([](ordered_json& api) { api["overflows"][0]["rank"] = "0"; }), "part_cut"));
    CHECK(contains(codes_with([](ordered_json& api) { api.erase("overflows"); }), "part_cut"));
}

TEST_CASE("merge with API dumps: any byte of the last line may be another one") {
    const TemporaryDirectory directory;
    const std::string sound = part_of_one_call();
    const std::size_t begin = sound.find("\"merge\"", sound.rfind('\n', sound.size() - 2));
    constexpr std::uint64_t kSeed = 0xB17E;
    Random random(kSeed);
    constexpr std::string_view kBytes = "0-9e\"[]{},:\\n\xFF";
    for (int i = 0; i < 300; ++i) {
        std::string damaged = sound;
        const std::size_t at = begin + static_cast<std::size_t>(random.below(sound.size() - 1 - begin));
        damaged[at] = kBytes[static_cast<std::size_t>(random.below(kBytes.size()))];
        const Merge merge = merged({write_file(directory / "part", damaged)});
        const std::string shown = written(merge.report, &ScanReport::write_json);
        const bool is_document = ordered_json::accept(shown);
        CHECK_MESSAGE(is_document, "seed " << kSeed << ", change " << i << " at " << at);
        CHECK(merge.scan.counts.dumps == 1);
    }
}
