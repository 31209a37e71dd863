// Lists made of others, and joined: texts with separators, lists of several scans one after the other, remarks each
// once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <opdebug/result.hpp>

namespace opdebug::report {

/// The texts of the items with `separator` between them; empty texts are left out.
template <class Items, class TextOf>
std::string joined(const Items& items, std::string_view separator, const TextOf& text_of) {
    std::string text;
    for (const auto& item : items) {
        const std::string part(text_of(item));
        text += text.empty() || part.empty() ? std::string_view() : separator;
        text += part;
    }
    return text;
}

/// What `make` makes of the first items, at most `most` of them.
template <class Items, class Make>
auto mapped(const Items& items, const Make& make, std::size_t most = SIZE_MAX) {
    std::vector<std::decay_t<decltype(make(*items.begin()))>> made;
    made.reserve(std::min<std::size_t>(items.size(), most));
    for (auto item = items.begin(); item != items.end() && made.size() < most; ++item) {
        made.push_back(make(*item));
    }
    return made;
}

template <class T>
void append(const std::vector<T>& more, std::vector<T>& list) {
    list.insert(list.end(), more.begin(), more.end());
}

class RemarksOnce {
public:
    /// False: the same remark is there already.
    bool insert(const Diagnostic& remark) {
        const bool is_new = known_.emplace(remark.severity, remark.code, remark.message).second;
        if (is_new) {
            all_.push_back(remark);
        }
        return is_new;
    }
    void add(const std::vector<Diagnostic>& remarks) {
        for (const Diagnostic& remark : remarks) {
            insert(remark);
        }
    }

    /// In the order in which they came.
    const std::vector<Diagnostic>& all() const noexcept { return all_; }
    std::vector<Diagnostic> take() { return std::move(all_); }

private:
    std::set<std::tuple<Severity, std::string, std::string>> known_;
    std::vector<Diagnostic> all_;
};

}  // namespace opdebug::report
