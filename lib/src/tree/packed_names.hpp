// Names of files, one behind the other in one piece of memory: of strings each takes 32 bytes and mostly a block more,
// and blocks that one thread asks for and another gives back let both wait for each other.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace opdebug::tree {

class PackedNames {
public:
    void reserve(std::size_t bytes) { text_.reserve(bytes); }
    void add(std::string_view name) {
        text_.insert(text_.end(), name.begin(), name.end());
        text_.push_back(kEnd);
    }

    /// With what stands between them.
    std::size_t bytes() const noexcept { return text_.size(); }

    /// Calls `use` with each, in the order they were added. Where they are they stay until one is added, also when all
    /// are moved.
    template <class Use>
    void each(Use use) const {
        const std::string_view text(text_.data(), text_.size());
        for (std::size_t begin = 0; begin < text.size();) {
            const std::size_t end = text.find(kEnd, begin);
            use(text.substr(begin, end - begin));
            begin = end + 1;
        }
    }

private:
    static constexpr char kEnd = '\0';  // a damaged file system may hand out names with anything else in them

    std::vector<char> text_;  // a string moves what is short
};

}  // namespace opdebug::tree
