// Texts that are written once and read again in another order.
#include <doctest/doctest.h>

#include "outcome.hpp"
#include "report/parts/document_store.hpp"
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
    std::vector<DocumentStore::Span> places;
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
