// Texts that are written once and read again in another order.
#include <doctest/doctest.h>

#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <filesystem>

#include "outcome.hpp"
#include "report/entries/document_store.hpp"
#include "temporary_directory.hpp"

using namespace opdebug;
using namespace opdebug::test;
using report::DocumentStore;

namespace {

std::string text_of(std::size_t number) {
    return std::to_string(number) + std::string(number % 97, 'x');
}

/// Adds texts, then reads them backwards; the number of those that are not what they were.
std::size_t wrong_texts(DocumentStore& store, std::size_t count) {
    std::vector<DocumentStore::Place> places;
    for (std::size_t i = 0; i < count; ++i) {
        const auto place = store.add(text_of(i));
        REQUIRE(outcome(place) == "ok");
        places.push_back(*place);
    }
    std::size_t wrong = 0;
    for (std::size_t i = count; i-- > 0;) {
        const auto text = store.text_at(places[i]);
        REQUIRE(outcome(text) == "ok");
        wrong += static_cast<std::size_t>(*text != text_of(i));
    }
    return wrong;
}

/// Lets files grow to `size` bytes only, as on a full disk.
class FileSizeLimit {
public:
    explicit FileSizeLimit(rlim_t size) {
        before_ = std::signal(SIGXFSZ, SIG_IGN);
        getrlimit(RLIMIT_FSIZE, &limit_);
        rlimit smaller = limit_;
        smaller.rlim_cur = size;
        setrlimit(RLIMIT_FSIZE, &smaller);
    }
    ~FileSizeLimit() {
        setrlimit(RLIMIT_FSIZE, &limit_);
        std::signal(SIGXFSZ, before_);
    }
    FileSizeLimit(const FileSizeLimit&) = delete;
    FileSizeLimit& operator=(const FileSizeLimit&) = delete;

private:
    rlimit limit_{};
    void (*before_)(int) = nullptr;
};

}  // namespace

TEST_CASE("document store: texts come back, from memory, from the file and from both") {
    const TemporaryDirectory folder;
    for (const std::uint64_t limit : {std::uint64_t{1} << 20U, std::uint64_t{0}, std::uint64_t{1000}}) {
        DocumentStore store(folder.path().string(), limit);
        CHECK(wrong_texts(store, 500) == 0);
        CHECK(wrong_texts(store, 10000) == 0);  // more than memory is requested step by step
        CHECK(wrong_texts(store, 50) == 0);
    }
}

TEST_CASE("document store: texts come back one after the other, with gaps, and out of order") {
    const TemporaryDirectory folder;
    for (const std::uint64_t limit : {std::uint64_t{0}, std::uint64_t{1000}, std::uint64_t{1} << 16U}) {
        DocumentStore store(folder.path().string(), limit);
        std::vector<DocumentStore::Place> places;
        for (std::size_t i = 0; i < 20000; ++i) {  // more than are read at once
            const auto place = store.add(text_of(i));
            REQUIRE(place);
            places.push_back(*place);
        }
        for (const std::size_t step : {1U, 2U, 7777U, 19999U}) {
            report::DocumentReader reader(store);
            std::size_t wrong = 0;
            for (std::size_t i = 0, number = 0; i < places.size(); ++i, number = (number + step) % places.size()) {
                const auto text = reader.text_at(places[number]);
                wrong += static_cast<std::size_t>(!text || *text != text_of(number));
            }
            CHECK(wrong == 0);
        }
        for (const std::uint64_t ahead : {1U, 5000U, 100'000'000U}) {  // bytes, also beyond the end of the file
            report::DocumentReader reader(store);
            std::size_t wrong = 0, had = 0;
            for (std::size_t i = 0; i < places.size(); ++i) {
                had += static_cast<std::size_t>(reader.has(places[i]));
                const auto text = reader.text_at(places[i], {places[i].offset, ahead});
                wrong += static_cast<std::size_t>(!text || *text != text_of(i) || !reader.has(places[i]));
            }
            CHECK(wrong == 0);
            CHECK((ahead < 5000 || had > places.size() * 9 / 10));
        }
        for (const std::uint64_t around : {1U, 5000U, 100'000'000U}) {  // also before the begin of the file
            report::DocumentReader reader(store);
            std::size_t wrong = 0, had = 0;
            for (std::size_t i = places.size(); i-- > 0;) {
                had += static_cast<std::size_t>(reader.has(places[i]));
                const std::uint64_t begin = places[i].offset - std::min(places[i].offset, around);
                const auto text = reader.text_at(places[i], {begin, places[i].offset - begin + places[i].length});
                wrong += static_cast<std::size_t>(!text || *text != text_of(i) || !reader.has(places[i]));
            }
            CHECK(wrong == 0);
            CHECK((around < 5000 || had > places.size() * 9 / 10));
        }
    }
}

TEST_CASE("document store: the file has no name, and a moved store keeps its texts") {
    const TemporaryDirectory folder;
    DocumentStore store(folder.path().string(), 4);
    const auto small = store.add("abc");
    const auto large = store.add("defghi");
    REQUIRE(small);
    REQUIRE(large);
    CHECK(std::filesystem::is_empty(folder.path()));
    DocumentStore moved(std::move(store));
    DocumentStore assigned(folder.path().string());
    assigned = std::move(moved);
    CHECK(*assigned.text_at(*small) == "abc");
    CHECK(*assigned.text_at(*large) == "defghi");
    const auto empty = assigned.add("");
    REQUIRE(empty);
    CHECK(assigned.text_at(*empty)->empty());
}

TEST_CASE("document store: a folder that is not there and a full disk are errors, what was kept stays") {
    const TemporaryDirectory folder;
    DocumentStore nowhere(folder / "none", 2);
    CHECK(outcome(nowhere.add("ab")) == "ok");
    const auto failed = nowhere.add("cd");
    REQUIRE(outcome(failed) == "write_failed");
    CHECK(failed.error().message.find(folder / "none") != std::string::npos);
    CHECK(*nowhere.text_at({0, 2}) == "ab");

    DocumentStore full(folder.path().string(), 0);
    const auto kept = full.add("kept");
    REQUIRE(kept);
    {
        const FileSizeLimit limit(6);
        CHECK(outcome(full.add("too long")) == "write_failed");
    }
    CHECK(*full.text_at(*kept) == "kept");
    const auto next = full.add("next");
    REQUIRE(next);
    CHECK(*full.text_at(*next) == "next");
}
