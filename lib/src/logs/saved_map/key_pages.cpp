#include "logs/saved_map/map_tables.hpp"

#include <algorithm>
#include <iterator>

#include "logs/saved_map/byte_numbers.hpp"

namespace opdebug::logs {
namespace {

constexpr std::size_t kPageSize = std::size_t{32} << 10U;

auto parts(const KeyedLine& line) {
    return std::tie(line.key, line.line);
}

/// Lines of one key, each by its distance from the one before.
void write_lines(std::vector<KeyedLine>::const_iterator begin, std::vector<KeyedLine>::const_iterator end,
                 ByteWriter& out) {
    out.number(static_cast<std::uint64_t>(end - begin));
    LineNumber before;
    for (auto line = begin; line != end; ++line) {
        const bool is_same_file = line->line.file == before.file;
        out.number(line->line.file - before.file);
        out.number(line->line.line - (is_same_file ? before.line : 0));
        before = line->line;
    }
}

}  // namespace

std::vector<KeyPage> write_key_pages(std::vector<KeyedLine>& lines,
                                     const std::function<FilePart(const std::string&)>& store) {
    std::sort(lines.begin(), lines.end(), [](const KeyedLine& a, const KeyedLine& b) { return parts(a) < parts(b); });
    lines.erase(std::unique(lines.begin(), lines.end(),
                            [](const KeyedLine& a, const KeyedLine& b) { return parts(a) == parts(b); }),
                lines.end());
    std::vector<KeyPage> pages;
    ByteWriter page;
    LineKey first, before;
    for (auto begin = lines.cbegin(); begin != lines.cend();) {
        const LineKey key = begin->key;
        const auto end = std::find_if(begin, lines.cend(), [&key](const KeyedLine& line) { return line.key != key; });
        if (page.size() == 0) {
            first = key;
            before = {};
        }
        page.number(key.first - before.first);
        page.number(key.second - (key.first == before.first ? before.second : 0));
        write_lines(begin, end, page);
        before = key;
        begin = end;
        if (page.size() >= kPageSize || begin == lines.cend()) {
            pages.push_back({store(page.take()), first});
        }
    }
    return pages;
}

std::vector<KeyPage> pages_with(const std::vector<KeyPage>& pages, const std::vector<LineKey>& keys) {
    std::vector<KeyPage> found;
    for (auto page = pages.begin(); page != pages.end(); ++page) {
        const auto key = std::lower_bound(keys.begin(), keys.end(), page->first);
        const auto next = std::next(page);
        if (key != keys.end() && (next == pages.end() || *key < next->first)) {
            found.push_back(*page);
        }
    }
    return found;
}

bool find_lines(Bytes page, const std::vector<LineKey>& keys, std::vector<LineNumber>& lines) {
    ByteReader in(page);
    LineKey key;
    while (in.ok() && !in.at_end()) {
        const std::uint64_t step = in.number();
        key.second = in.number() + (step == 0 ? key.second : 0);
        key.first += step;
        const bool is_wanted = std::binary_search(keys.begin(), keys.end(), key);
        LineNumber line;
        for (std::uint64_t left = in.count(); left != 0 && in.ok(); --left) {
            const std::uint64_t files = in.number();
            line.line = in.number() + (files == 0 ? line.line : 0);
            line.file += static_cast<std::uint32_t>(files);
            if (is_wanted) {
                lines.push_back(line);
            }
        }
    }
    return in.ok();
}

}  // namespace opdebug::logs
