// Searches of Boost.Regex in several threads, as the logs are matched. With the argument "race" all of them count their
// steps in one location, which ThreadSanitizer must show although its suppressions leave out what Boost.Regex does.
#include <cstddef>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <boost/regex.hpp>

#include "logs/formats/format_pattern.hpp"

using opdebug::logs::BoundedIterator;
using opdebug::logs::StepsLeft;

namespace {

constexpr int kThreads = 8;
constexpr int kSearches = 20;
constexpr std::size_t kManySteps = 1'000'000;

void search(const boost::regex& expression, const std::string& text, StepsLeft& steps) {
    boost::match_results<BoundedIterator> match;
    boost::regex_search(BoundedIterator(text.data(), steps), BoundedIterator(text.data() + text.size(), steps), match,
                        expression);
}

}  // namespace

int main(int count, char** arguments) {
    const bool race = count > 1 && std::string_view(arguments[1]) == "race";
    const boost::regex expression(R"((?<a>\S+) x(?:(?<b>[^,]+), )*(\w+) end\s(?=q))");
    std::string text;
    for (int i = 0; i < 20; ++i) {
        text += "name x12, 13, foo, bar baz ";
    }
    text += "name x12, 13, foo end q";
    StepsLeft shared(kManySteps);
    std::vector<std::thread> threads;
    for (int thread = 0; thread < kThreads; ++thread) {
        threads.emplace_back([&] {
            StepsLeft own(kManySteps);
            for (int i = 0; i < kSearches; ++i) {
                search(expression, text, race ? shared : own);
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    return 0;
}
