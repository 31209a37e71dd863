#include "logs/packing/line_bases.hpp"

#include <utility>

namespace opdebug::logs {

const std::string* LineBases::base_of(const LineKind& kind, std::string_view line) {
    for (std::size_t place = 0; place < bases_.size(); ++place) {
        if (bases_[place]->is_of(kind)) {
            const std::string* const base = &bases_[place]->line;
            if (place != 0) {
                std::swap(bases_[place], bases_[place - 1]);
            }
            return base;
        }
    }
    if (bases_.size() == most_) {
        return nullptr;
    }
    bases_.push_back(std::make_shared<const Base>(Base{std::string(kind.format_id), kind.role, std::string(line)}));
    return &bases_.back()->line;
}

}  // namespace opdebug::logs
