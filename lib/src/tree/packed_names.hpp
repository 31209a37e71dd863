// Names of files, one behind the other in one piece of memory: a string of its own takes 32 bytes more for each.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace opdebug::tree {

class PackedNames {
public:
    void reserve(std::size_t bytes) { text_.reserve(bytes); }
    void add(std::string_view name) {
        text_ += name;
        text_ += kEnd;
    }

    /// With what stands between them.
    std::size_t bytes() const noexcept { return text_.size(); }

    /// Calls `use` with each, in the order they were added. They stay where they are until one is added or all move.
    template <class Use>
    void each(Use use) const {
        for (std::size_t begin = 0; begin < text_.size();) {
            const std::size_t end = text_.find(kEnd, begin);
            use(std::string_view(text_).substr(begin, end - begin));
            begin = end + 1;
        }
    }

private:
    static constexpr char kEnd = '/';  // no name of a file holds it

    std::string text_;
};

}  // namespace opdebug::tree
