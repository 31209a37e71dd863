// Lines that are kept as what they have of the first one of their kind.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace opdebug::logs {

/// Which line of a fact it is: of the lines that the facts of one format have in one role most differ in a few words.
struct LineKind {
    std::string_view format_id;
    std::size_t role = 0;
};

/// The first line of each kind, to which others are compared. Texts stay where they are as long as this or a copy.
class LineBases {
public:
    LineBases() = default;
    /// Of lines that are kept whole: facts that are opened at once are not worth comparing.
    static LineBases none() {
        LineBases bases;
        bases.most_ = 0;
        return bases;
    }

    /// The base of such lines. The line becomes it where there is none yet; null where there are too many kinds.
    const std::string* base_of(const LineKind& kind, std::string_view line);

private:
    struct Base {
        std::string format_id;
        std::size_t role = 0;
        std::string line;
        bool is_of(const LineKind& kind) const noexcept { return role == kind.role && format_id == kind.format_id; }
    };
    static constexpr std::size_t kMost = 64;  ///< a line is looked for among them; logs have some ten kinds

    std::size_t most_ = kMost;
    std::vector<std::shared_ptr<const Base>> bases_;  ///< those that are asked for often come first
};

}  // namespace opdebug::logs
