// Lists of several scans joined: one after the other, remarks each once.
#pragma once

#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <opdebug/result.hpp>

namespace opdebug::report {

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

    bool has(const Diagnostic& remark) const {
        return known_.count({remark.severity, remark.code, remark.message}) != 0;
    }

    /// In the order in which they came.
    const std::vector<Diagnostic>& all() const noexcept { return all_; }
    std::vector<Diagnostic> take() { return std::move(all_); }

private:
    std::set<std::tuple<Severity, std::string, std::string>> known_;
    std::vector<Diagnostic> all_;
};

}  // namespace opdebug::report
