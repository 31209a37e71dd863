// Whether the first overflow is certainly the first.
#include <doctest/doctest.h>

#include "scan_items.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

/// The messages of first_uncertain; all diagnostics must be of that code.
std::string doubts(std::vector<ScanItem> items) {
    std::string text;
    for (const Diagnostic& diagnostic : overview_in_order(std::move(items)).diagnostics) {
        CHECK(diagnostic.code == "first_uncertain");
        CHECK(diagnostic.severity == Severity::warning);
        text += diagnostic.message + "\n";
    }
    return text;
}

bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

/// A dump that cannot be decoded. Without a time it has no number for a name.
ScanItem failed(ScanItem item) {
    item.state = DumpState::failed;
    if (!item.timestamp_us) {
        item.file = item.file.substr(0, item.file.rfind('/') + 1) + "Opdebug.Node_OpDebug.1.2";
    }
    item.causes.clear();
    return item;
}

constexpr std::uint64_t t0 = scan_begin_us;

}  // namespace

TEST_CASE("first overflow: one rank's clock orders its own dumps") {
    CHECK(doubts({item_of_rank(0, 1, t0), item_of_rank(0, 1, t0 + 1)}).empty());
    CHECK(doubts({item_of_rank(0, 1, t0)}).empty());
    CHECK(doubts({}).empty());
}

TEST_CASE("first overflow: another rank within a second of the same step is a rival, and named") {
    const std::string text = doubts({item_of_rank(0, 1, t0), item_of_rank(1, 1, t0 + second_us)});
    CHECK(has(
        text,
        "run/rank_0/1/1772618400000000 is listed as the first overflow, but 1 other overflow dump may be earlier: "));
    CHECK(has(text, "run/rank_1/1/1772618401000000 (1.000 s later). Clocks of ranks"));
    CHECK(doubts({item_of_rank(0, 1, t0), item_of_rank(1, 1, t0 + second_us + 1)}).empty());
    CHECK(doubts({item_of_rank(0, 1, t0), item_of_rank(1, 2, t0 + 1)}).empty());  // a later step is later
}

TEST_CASE("first overflow: without ranks another device, time folder or tree is another clock") {
    const auto item = [](const std::string& root, const std::string& time, std::uint64_t device, std::uint64_t at) {
        ScanItem made =
            overflowed_item(root + "/" + time + "/" + std::to_string(device) + "/" + std::to_string(at), 1, at);
        made.path_ids.time = time;
        made.path_ids.device_id = device;
        return made;
    };
    const std::string now = "20260304100000", later = "20260304100001";
    CHECK(doubts({item("a", now, 0, t0), item("a", now, 0, t0 + 5)}).empty());
    CHECK(has(doubts({item("a", now, 0, t0), item("a", now, 1, t0 + 5)}), "(5 us later"));
    CHECK(has(doubts({item("a", now, 0, t0), item("a", later, 0, t0 + 5)}), "(5 us later"));
    CHECK(has(doubts({item("a", now, 0, t0), item("b", now, 0, t0 + 5)}), "(5 us later"));
}

TEST_CASE("first overflow: a dump with no step, no time or the same time may be earlier") {
    CHECK(has(doubts({item_of_rank(0, 1, t0), overflowed_item("run/loose", std::nullopt, t0 - 3 * second_us)}),
              "run/loose (3.000 s earlier)"));
    CHECK(has(doubts({item_of_rank(0, 1, t0), overflowed_item("run/loose")}), "run/loose (time not known)"));
    CHECK(doubts({item_of_rank(0, 1, t0), overflowed_item("run/loose", std::nullopt, t0 + 3 * second_us)}).empty());
    CHECK(has(doubts({item_of_rank(0, 1, t0), item_of_rank(0, 1, std::nullopt)}),
              "(time not known). Without a plausible time, dumps are listed by step and path"));
    CHECK(has(doubts({item_of_rank(0, 1, std::nullopt), item_of_rank(1, 1, std::nullopt)}), "listed by step and path"));
    ScanItem twin = item_of_rank(0, 1, t0);
    twin.file += ".b";
    CHECK(has(doubts({item_of_rank(0, 1, t0), twin}), "(at the same time). Clocks"));
}

TEST_CASE("first overflow: a later step with an earlier time may be earlier") {
    const std::string text = doubts({item_of_rank(0, 3, t0), item_of_rank(0, 9, t0 - 600 * second_us)});
    CHECK(has(text, "(step 9, 10 min 0 s earlier)"));
    CHECK(doubts({item_of_rank(0, 3, t0), item_of_rank(1, 9, t0 - second_us)}).empty());  // clocks differ by a second
    CHECK(doubts({item_of_rank(0, 3, t0), item_of_rank(1, 9, second_us)}).empty());       // 1970 contradicts nothing
}

TEST_CASE("first overflow: clean dumps are no rivals, and long lists are cut") {
    ScanItem clean = item_of_rank(1, 1, t0);
    clean.state = DumpState::clean;
    CHECK(doubts({item_of_rank(0, 1, t0), clean}).empty());
    std::vector<ScanItem> many;
    for (std::uint64_t rank = 0; rank < 8; ++rank) {
        many.push_back(item_of_rank(rank, 1, t0 + rank));
    }
    const std::string text = doubts(many);
    CHECK(has(text, "but 7 other overflow dumps"));
    CHECK(has(text, "run/rank_3/"));
    CHECK_FALSE(has(text, "run/rank_4/"));
}

TEST_CASE("first overflow: a dump that cannot be decoded may be earlier") {
    const ScanItem first = item_of_rank(0, 3, t0);
    const std::string earlier = doubts({first, failed(item_of_rank(1, 3, t0 - 5 * second_us))});
    CHECK(
        earlier ==
        "run/rank_0/3/1772618400000000 is listed as the first overflow, but 1 overflow dump that cannot be decoded may "
        "be earlier: run/rank_1/3/1772618395000000 (5.000 s earlier). Such dumps are written only after an "
        "overflow\n");
    CHECK(has(doubts({first, failed(item_of_rank(0, 3, t0 - 1))}), "rank_0/3/1772618399999999 (1 us earlier)"));
    CHECK(has(doubts({first, failed(item_of_rank(1, 2, t0 + 9 * second_us))}), "(step 2, 9.000 s later)"));
    CHECK(has(doubts({first, failed(item_of_rank(0, 2, std::nullopt))}),
              "rank_0/2/Opdebug.Node_OpDebug.1.2 (step 2, time not known)"));
    CHECK(has(doubts({first, failed(item_of_rank(1, 3, t0 + second_us))}), "(1.000 s later)"));
    CHECK(has(doubts({first, failed(item_of_rank(0, 3, std::nullopt))}),
              "rank_0/3/Opdebug.Node_OpDebug.1.2 (time not known)"));
    CHECK(has(doubts({first, failed(overflowed_item("run/77", std::nullopt, t0 - 1))}), "run/77 (1 us earlier)"));
    CHECK(has(doubts({first, failed(item_of_rank(0, 4, t0 - 1))}), "(step 4, 1 us earlier)"));
    CHECK(has(doubts({first, failed(item_of_rank(1, 3, second_us))}), "(its time is before 2019)"));
    ScanItem on_a_host = failed(item_of_rank(0, 3, t0 - 1));
    on_a_host.host = "node-2";
    CHECK(has(doubts({first, on_a_host}), "may be earlier: node-2:run/rank_0/3/1772618399999999 (1 us earlier)"));
}

TEST_CASE("first overflow: a dump that cannot be decoded and is later for sure is no rival") {
    const ScanItem first = item_of_rank(0, 3, t0);
    CHECK(doubts({first, failed(item_of_rank(0, 3, t0 + 1))}).empty());
    CHECK(doubts({first, failed(item_of_rank(1, 3, t0 + second_us + 1))}).empty());
    CHECK(doubts({first, failed(item_of_rank(1, 4, t0 + 1))}).empty());
    CHECK(doubts({first, failed(overflowed_item("run/77", std::nullopt, t0 + 2 * second_us))}).empty());
    CHECK(doubts({failed(item_of_rank(0, 3, t0))}).empty());  // there is no first
}

TEST_CASE("first overflow: files that were given, but are not called as overflow dumps, are no rivals") {
    const ScanItem first = item_of_rank(0, 3, t0);
    for (const std::string name : {"Conv2D.net_conv.1.2.1772618399999999", "notes.txt", "data.json"}) {
        ScanItem given = failed(item_of_rank(0, 3, t0 - 1));
        given.file = "run/rank_0/3/" + name;
        CHECK(doubts({first, given}).empty());
    }
    ScanItem converted = failed(item_of_rank(0, 3, t0 - 1));
    converted.file = "run/rank_0/3/Opdebug.Node_OpDebug.1.2.1772618399999999.output.0.json";
    CHECK(has(doubts({first, converted}), "1 overflow dump that cannot be decoded"));
}

TEST_CASE("first overflow: a dump without a step, of the first one's clock, is as late as its time") {
    const auto item = [](const std::string& folders, std::optional<std::uint64_t> step, std::uint64_t at) {
        ScanItem made = overflowed_item("run/20260304180000/0/" + folders + std::to_string(at), step, at);
        made.path_ids.time = "20260304180000";
        made.path_ids.device_id = 0;
        return made;
    };
    const ScanItem first = item("net/1/1/", 1, t0);
    CHECK(doubts({first, item("", std::nullopt, t0 + 500'000)}).empty());
    CHECK(has(doubts({first, item("", std::nullopt, t0)}), "(at the same time)"));
    CHECK(has(doubts({first, item("", std::nullopt, t0 - 1)}), "(1 us earlier)"));
    ScanItem other_device = item("", std::nullopt, t0 + 500'000);
    other_device.path_ids.device_id = 1;
    CHECK(has(doubts({first, other_device}), "(0.500 s later)"));
}

TEST_CASE("first overflow: a time of 2100 or later is none, so its dump may be earlier") {
    constexpr std::uint64_t too_late = 4'102'444'800'000'000;  // 2100-01-01: 47482 days after 1970
    const ScanItem first = item_of_rank(0, 3, t0);
    const std::string text = doubts({first, item_of_rank(1, 3, too_late)});
    CHECK(has(text,
              "but 1 other overflow dump may be earlier: run/rank_1/3/4102444800000000 (its time is 2100 or "
              "later). Without a plausible time, dumps are listed by step and path\n"));
    CHECK(doubts({first, item_of_rank(1, 3, too_late - 1)}).empty());
    CHECK(has(doubts({first, item_of_rank(0, 3, too_late)}), "(its time is 2100 or later)"));
    CHECK(has(doubts({first, overflowed_item("run/loose", std::nullopt, too_late)}), "loose (its time is 2100"));
    CHECK(doubts({first, item_of_rank(1, 4, too_late)}).empty());  // the step decides
    const std::string both = doubts({item_of_rank(0, 3, too_late), item_of_rank(0, 3, too_late + 1)});
    CHECK(has(both, "its time is 2100 or later. A clock"));
    CHECK_FALSE(has(both, "may be earlier"));  // one clock, however wrong, orders its own dumps
    CHECK(has(doubts({first, failed(item_of_rank(1, 3, too_late))}), "1 overflow dump that cannot be decoded may"));
}

TEST_CASE("first overflow: times at the ends of the number range do not confuse") {
    const std::uint64_t most = ~std::uint64_t{0};
    std::vector<ScanItem> items;
    for (std::uint64_t step = 1; step <= 5; ++step) {
        items.push_back(item_of_rank(0, step, step % 2 == 0 ? most : 0));
        items.push_back(item_of_rank(1, step, step % 2 == 0 ? 0 : most));
    }
    CHECK_FALSE(doubts(items).empty());
}

TEST_CASE("first overflow: a time of before there were such dumps is doubted, one of 2019 is not") {
    CHECK(has(doubts({item_of_rank(0, 3, 1000), item_of_rank(0, 3, t0)}), "its time is before 2019"));
    CHECK(doubts({item_of_rank(0, 3, 1'546'300'800'000'000), item_of_rank(0, 3, t0)}).empty());
}

TEST_CASE("first overflow: where its time is wild, the first dump with a plausible time is named") {
    const std::string early = doubts({item_of_rank(0, 3, 0), item_of_rank(0, 3, 1), item_of_rank(0, 3, t0)});
    CHECK(has(early, "run/rank_0/3/0 is listed as the first overflow, but its time is before 2019"));
    CHECK(has(early, "The first dump with a plausible time is run/rank_0/3/" + std::to_string(t0)));
    const std::uint64_t most = ~std::uint64_t{0};
    const std::string late = doubts({item_of_rank(0, 3, most), item_of_rank(0, 4, t0)});
    CHECK(has(late, "its time is 2100 or later"));
    CHECK(has(late, "The first dump with a plausible time is run/rank_0/4/" + std::to_string(t0)));
    CHECK_FALSE(has(doubts({item_of_rank(0, 3, 0), item_of_rank(0, 3, most)}), "plausible"));
}
