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
        std::string buffer;
        const auto text = store.text_at(places[i], buffer);
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

TEST_CASE("document store: the file has no name, and a moved store keeps its texts") {
    const TemporaryDirectory folder;
    DocumentStore store(folder.path().string(), 4);
    const auto small = store.add("abc");
    const auto large = store.add("defghi");
    REQUIRE(small);
    REQUIRE(large);
    CHECK(std::filesystem::is_empty(folder.path()));
    std::string buffer;
    DocumentStore moved(std::move(store));
    DocumentStore assigned(folder.path().string());
    assigned = std::move(moved);
    CHECK(*assigned.text_at(*small, buffer) == "abc");
    CHECK(*assigned.text_at(*large, buffer) == "defghi");
    const auto empty = assigned.add("");
    REQUIRE(empty);
    CHECK(assigned.text_at(*empty, buffer)->empty());
}

TEST_CASE("document store: a folder that is not there and a full disk are errors, what was kept stays") {
    const TemporaryDirectory folder;
    DocumentStore nowhere(folder / "none", 2);
    std::string buffer;
    CHECK(outcome(nowhere.add("ab")) == "ok");
    const auto failed = nowhere.add("cd");
    REQUIRE(outcome(failed) == "write_failed");
    CHECK(failed.error().message.find(folder / "none") != std::string::npos);
    CHECK(*nowhere.text_at({0, 2}, buffer) == "ab");

    DocumentStore full(folder.path().string(), 0);
    const auto kept = full.add("kept");
    REQUIRE(kept);
    {
        const FileSizeLimit limit(6);
        CHECK(outcome(full.add("too long")) == "write_failed");
    }
    CHECK(*full.text_at(*kept, buffer) == "kept");
    const auto next = full.add("next");
    REQUIRE(next);
    CHECK(*full.text_at(*next, buffer) == "next");
}
