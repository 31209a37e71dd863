// Chains of overflowing operators: where the first bad value appears, as far as the dumps show it.
#include <doctest/doctest.h>

#include <algorithm>

#include <opdebug/scan.hpp>

#include "dump_tree.hpp"
#include "overflow_tree.hpp"
#include "scan_items.hpp"
#include "temporary_directory.hpp"
#include "text.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

constexpr auto chain_born = OriginVerdict::born_here;
constexpr auto inherited = OriginVerdict::inherited;
constexpr auto not_visible = OriginVerdict::not_visible;

/// An item of a rank and step, so many seconds after scan_begin_us.
ScanItem item(std::uint64_t rank, std::uint64_t step, double seconds, std::optional<OriginVerdict> verdict) {
    ScanItem made =
        item_of_rank(rank, step, scan_begin_us + static_cast<std::uint64_t>(seconds * static_cast<double>(second_us)));
    if (verdict) {
        made.origin = Origin{*verdict, "because of " + made.file};
        made.origin->bad_input = verdict == inherited;
        made.origin->bad_output = verdict != not_visible;
    }
    return made;
}

/// One whose dump holds only outputs, and a bad value in them.
ScanItem only_outputs(double seconds) {
    ScanItem made = item(0, 3, seconds, not_visible);
    made.origin->bad_output = made.origin->values_unseen = true;
    return made;
}

/// One that is bad by integers at the ends of their range.
ScanItem integers(double seconds) {
    ScanItem made = item(0, 3, seconds, chain_born);
    made.origin->integers_only = true;
    return made;
}

OverflowChains chains_in_order(std::vector<ScanItem> items) {
    std::sort(items.begin(), items.end(), comes_before);
    return chains_of(items);
}

/// "verdict@position" of a link; "none".
std::string shown(const std::optional<ChainLink>& link) {
    return link ? std::string(to_string(link->origin->verdict)) + "@" + std::to_string(link->position) : "none";
}

/// "count: born inherited not_visible not_measured".
std::string counts_of(const OverflowChain& chain) {
    return std::to_string(chain.count) + ": " + std::to_string(chain.born_here) + " " +
           std::to_string(chain.inherited) + " " + std::to_string(chain.not_visible) + " " +
           std::to_string(chain.not_measured);
}

}  // namespace

TEST_CASE("chains: the first that is born, and what follows it as inherited") {
    const OverflowChains chains = chains_in_order(
        {item(0, 3, 4, inherited), item(0, 3, 1, not_visible), item(0, 3, 2, chain_born), item(0, 3, 3, inherited)});
    REQUIRE(chains.chains.size() == 1);
    const OverflowChain& chain = chains.chains[0];
    CHECK(counts_of(chain) == "4: 1 2 1 0");
    CHECK(shown(chain.first_bad) == "born_here@1");
    CHECK(shown(chain.first_born_here) == "born_here@1");
    CHECK(chain.inherited_after == 2);
    CHECK(chain.step == std::optional<std::uint64_t>(3));
    CHECK(chain.rank == std::optional<std::uint64_t>(0));
    CHECK(chain.first_us == std::optional<std::uint64_t>(scan_begin_us + second_us));
    CHECK(chain.last_us == std::optional<std::uint64_t>(scan_begin_us + 4 * second_us));
    CHECK(chain.links.size() == 4);
    CHECK(chain.remarks.empty());
}

TEST_CASE("chains: steps and ranks are chains of their own, in the order of their first dumps") {
    const OverflowChains chains = chains_in_order({item(1, 1, 20, chain_born), item(0, 1, 25, inherited),
                                                   item(0, 0, 9, not_visible), item(1, 0, 5, std::nullopt)});
    REQUIRE(chains.chains.size() == 4);
    CHECK(chains.count == 4);
    std::string order;
    for (const OverflowChain& chain : chains.chains) {
        order += std::to_string(*chain.step) + "/" + std::to_string(*chain.rank) + " ";
    }
    CHECK(order == "0/1 0/0 1/1 1/0 ");
}

TEST_CASE("chains: models of one rank are chains of their own") {
    ScanItem other = item(0, 3, 2, chain_born);
    other.path_ids.model_name = "eval_net";
    const OverflowChains chains = chains_in_order({item(0, 3, 1, inherited), other});
    REQUIRE(chains.chains.size() == 2);
    CHECK(chains.chains[1].model == "eval_net");
    CHECK(chains.chains[1].remarks.empty());  // the first bad value of that model
}

TEST_CASE("chains: a bad value in the inputs of the first came from elsewhere") {
    const OverflowChains chains =
        chains_in_order({item(0, 3, 1, inherited), item(0, 3, 2, chain_born), item(0, 3, 3, inherited)});
    const OverflowChain& chain = chains.chains[0];
    CHECK(shown(chain.first_bad) == "inherited@0");
    CHECK(shown(chain.first_born_here) == "born_here@1");
    CHECK(chain.inherited_after == 1);
    CHECK(remark_codes(chain.remarks) == "from_outside");
}

TEST_CASE("chains: nothing visible, nothing measured: no first bad value") {
    const OverflowChains chains = chains_in_order({item(0, 3, 1, not_visible), item(0, 3, 2, std::nullopt)});
    CHECK(counts_of(chains.chains[0]) == "2: 0 0 1 1");
    CHECK_FALSE(chains.chains[0].first_bad);
    CHECK(chains.chains[0].remarks.empty());
}

TEST_CASE("chains: dumps before it that were not measured make it uncertain") {
    const OverflowChains chains = chains_in_order({item(0, 3, 1, std::nullopt), item(0, 3, 2, not_visible),
                                                   item(0, 3, 3, chain_born), item(0, 3, 4, std::nullopt)});
    CHECK(remark_codes(chains.chains[0].remarks) == "not_measured_before");
    CHECK(contains(message_of(chains.chains[0].remarks, "not_measured_before"), "1 of the 2 dumps"));
}

TEST_CASE("chains: a dump before it that is damaged, or holds no outputs, makes it uncertain as well") {
    ScanItem damaged = item(0, 3, 1, not_visible);
    damaged.origin->values_unseen = true;
    const OverflowChains chains = chains_in_order({damaged, item(0, 3, 2, inherited)});
    CHECK(remark_codes(chains.chains[0].remarks) == "from_outside, not_measured_before");
    CHECK(contains(message_of(chains.chains[0].remarks, "not_measured_before"),
                   "1 of the 1 dump before the first bad value has"));
}

TEST_CASE("chains: dumps of outputs only show a bad value too, so what follows does not come from outside") {
    const OverflowChains chains = chains_in_order({only_outputs(1), only_outputs(2), item(0, 3, 3, inherited)});
    const OverflowChain& chain = chains.chains[0];
    CHECK(shown(chain.first_bad) == "not_visible@0");
    CHECK_FALSE(chain.first_born_here);
    CHECK(counts_of(chain) == "3: 0 1 2 0");
    CHECK(remark_codes(chain.remarks).empty());
}

TEST_CASE("chains: integers at the ends of their range do not win over what is certainly bad") {
    const OverflowChains chains =
        chains_in_order({integers(1), item(0, 3, 2, inherited), item(0, 3, 3, chain_born), item(0, 3, 4, inherited)});
    const OverflowChain& chain = chains.chains[0];
    CHECK(shown(chain.first_bad) == "inherited@1");
    CHECK(shown(chain.first_born_here) == "born_here@2");
    CHECK(chain.inherited_after == 1);
    CHECK(counts_of(chain) == "4: 2 2 0 0");
    CHECK(remark_codes(chain.remarks) == "integers_before");
    CHECK(contains(message_of(chain.remarks, "integers_before"), "1 dump before the first bad value shows integers"));
    CHECK(contains(message_of(chain.remarks, "integers_before"), "may have come from there"));
    // What was born itself did not come from integers.
    const OverflowChains two = chains_in_order({integers(1), item(0, 3, 2, chain_born)});
    CHECK(shown(two.chains[0].first_born_here) == "born_here@1");
    CHECK_FALSE(contains(message_of(two.chains[0].remarks, "integers_before"), "come from"));
}

TEST_CASE("chains: integers alone are the first bad value of their chain, but not of the step") {
    const OverflowChains chains = chains_in_order({integers(1), integers(2), item(1, 3, 9, chain_born)});
    REQUIRE(chains.chains.size() == 2);
    CHECK(shown(chains.chains[0].first_bad) == "born_here@0");
    CHECK(shown(chains.chains[0].first_born_here) == "born_here@0");
    CHECK(chains.chains[1].remarks.empty());
}

TEST_CASE("chains: what may be a mask is reported where it would come from outside") {
    ScanItem masked = item(0, 3, 1, inherited);
    CHECK_FALSE(contains(message_of(chains_in_order({masked}).chains[0].remarks, "from_outside"), "mask"));
    masked.origin->mask_possible = true;
    CHECK(contains(message_of(chains_in_order({masked}).chains[0].remarks, "from_outside"), "attention mask"));
}

TEST_CASE("chains: ranks of one time are reported as such") {
    const OverflowChains chains = chains_in_order({item(0, 3, 1, chain_born), item(1, 3, 1, chain_born)});
    CHECK(contains(message_of(chains.chains[0].remarks, "first_bad_uncertain"),
                   "rank 1 shows a bad value at the same time in this step"));
    CHECK(contains(message_of(chains.chains[1].remarks, "first_bad_uncertain"),
                   "rank 0 shows a bad value at the same time in this step"));
}

TEST_CASE("chains: equal and unknown times leave the first uncertain") {
    ScanItem same = item(0, 3, 2, inherited);
    same.file += "_b";
    ScanItem no_time = item(0, 3, 3, chain_born);
    no_time.timestamp_us.reset();
    CHECK(remark_codes(chains_in_order({item(0, 3, 2, chain_born), same}).chains[0].remarks) == "order_by_path");
    CHECK(remark_codes(chains_in_order({item(0, 3, 2, chain_born), no_time}).chains[0].remarks) == "order_by_path");
    ScanItem clean = item(0, 3, 2, not_visible);
    clean.file = same.file;
    CHECK(remark_codes(chains_in_order({item(0, 3, 2, chain_born), clean}).chains[0].remarks).empty());
}

TEST_CASE("chains: another rank's earlier bad value is reported, where the times can be compared") {
    const OverflowChains chains = chains_in_order({item(0, 3, 1, chain_born), item(1, 3, 9, inherited)});
    REQUIRE(chains.chains.size() == 2);
    CHECK(chains.chains[0].remarks.empty());
    CHECK(remark_codes(chains.chains[1].remarks) == "from_outside, bad_value_elsewhere");
    const std::string message = message_of(chains.chains[1].remarks, "bad_value_elsewhere");
    CHECK(contains(message, "rank 0"));
    CHECK(contains(message, "8.000 s earlier in this step. This bad value may have come from there"));
    // What was born here did not come from there.
    const OverflowChains both_born = chains_in_order({item(0, 3, 1, chain_born), item(1, 3, 9, chain_born)});
    CHECK_FALSE(contains(message_of(both_born.chains[1].remarks, "bad_value_elsewhere"), "come from"));
}

TEST_CASE("chains: ranks are compared although GE put the time of their processes into the model's name") {
    ScanItem a = item(0, 3, 1, chain_born), b = item(1, 3, 9, chain_born);
    a.path_ids.model_name = "ge_default_20230911064048_1";
    b.path_ids.model_name = "ge_default_20230911064051_1";
    CHECK(remark_codes(chains_in_order({a, b}).chains[1].remarks) == "bad_value_elsewhere");
    b.path_ids.model_name = "ge_default_20230911064051_2";
    CHECK(remark_codes(chains_in_order({a, b}).chains[1].remarks).empty());
}

TEST_CASE("chains: clocks of ranks may differ by a second, so the first of them is not certain") {
    const OverflowChains chains =
        chains_in_order({item(0, 3, 1, chain_born), item(1, 3, 1.4, chain_born), item(2, 3, 30, chain_born)});
    CHECK(remark_codes(chains.chains[0].remarks) == "first_bad_uncertain");
    const std::string message = message_of(chains.chains[0].remarks, "first_bad_uncertain");
    CHECK(contains(message, "rank 1 shows a bad value 0.400 s later"));
    CHECK_FALSE(contains(message, "rank 2"));
    CHECK(remark_codes(chains.chains[1].remarks) == "first_bad_uncertain");
    CHECK(remark_codes(chains.chains[2].remarks) == "bad_value_elsewhere");
}

TEST_CASE("chains: an implausible time is not compared with other ranks") {
    ScanItem wrong = item(1, 3, 0, chain_born);
    wrong.timestamp_us = second_us;  // 1970
    const OverflowChains chains = chains_in_order({item(0, 3, 1, chain_born), wrong});
    REQUIRE(chains.chains.size() == 2);
    CHECK(remark_codes(chains.chains[0].remarks).empty());
    CHECK(remark_codes(chains.chains[1].remarks).empty());
}

TEST_CASE("chains: without a step the chain is over all time, and says so") {
    ScanItem a = item_of_rank(0, std::nullopt, scan_begin_us), b = item_of_rank(0, std::nullopt, scan_begin_us + 1);
    const OverflowChains chains = chains_in_order({a, b});
    REQUIRE(chains.chains.size() == 1);
    CHECK(remark_codes(chains.chains[0].remarks) == "step_unknown");
}

TEST_CASE("chains: at most 1,000 chains and 20 dumps of each are listed, all are counted") {
    std::vector<ScanItem> items;
    for (std::uint64_t step = 0; step < 1001; ++step) {
        items.push_back(item(0, step, static_cast<double>(step), not_visible));
    }
    for (int i = 0; i < 25; ++i) {
        items.push_back(item(0, 0, 1 + i, i == 24 ? chain_born : not_visible));
    }
    const OverflowChains chains = chains_in_order(items);
    CHECK(chains.count == 1001);
    REQUIRE(chains.chains.size() == 1000);
    CHECK(chains.chains[0].count == 26);
    CHECK(chains.chains[0].links.size() == 20);
    CHECK(shown(chains.chains[0].first_bad) == "born_here@25");
}

TEST_CASE("chains: a tree of two ranks and steps gives the same report with any number of threads") {
    const TemporaryDirectory directory;
    const std::string root = directory.path().string();
    const Tensor clean = half_tensor({half_one, half_two}), bad = half_tensor({half_inf, half_one});
    for (std::uint64_t rank = 0; rank < 2; ++rank) {
        for (std::uint64_t step = 0; step < 3; ++step) {
            for (std::uint64_t i = 0; i < 5; ++i) {
                MadeUpOverflow overflow;
                overflow.rank = rank;
                overflow.step = step;
                overflow.milliseconds = step * 10'000 + rank * 4000 + i * 100;
                overflow.op_name = "net/op_" + std::to_string(i);
                overflow.inputs = {i > 2 ? bad : clean};
                overflow.outputs = {i >= 2 ? bad : clean};
                overflow.with_op_dump = i != 0;
                overflow.missing_bytes = i == 4 ? 2 : 0;
                write_overflow(root, overflow);
            }
        }
    }
    ScanReportOptions report_options;
    report_options.report.tensors = true;
    std::string first;
    for (const unsigned threads : {1U, 2U, 3U, 8U}) {
        ScanOptions options;
        options.tensors = true;
        options.threads = threads;
        const Scanned scanned = scan_tree({root}, options);
        const ScanReport report = report_of(scanned.dumps, scanned.scan, report_options);
        std::string all;
        for (const WriteReport write : {&ScanReport::write_json, &ScanReport::write_json_lines, &ScanReport::write_csv,
                                        &ScanReport::write_text, &ScanReport::write_html}) {
            all += written(report, write);
        }
        first = first.empty() ? all : first;
        CHECK(all == first);
    }
    CHECK(contains(first, "\"first_bad\":{\"position\":2,"));
    CHECK(contains(first, "dumps 5 (born here 1, inherited 2, not visible 1, not measured 1)"));
}
