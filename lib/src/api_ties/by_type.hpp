// type_and_order and type_only: the operator type of the overflow is one that the call's API launches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include <opdebug/api_ties.hpp>

#include "api_ties/findings.hpp"
#include "api_ties/fit.hpp"
#include "api_ties/kernel_table.hpp"
#include "api_ties/losses.hpp"
#include "api_ties/places.hpp"

namespace opdebug::api_ties {

class ByType {
public:
    /// Works through all overflows at once: order is that among all of a place. All must outlive this.
    /// `lacking`: for each overflow, whether others of its place may be missing; empty: none are.
    ByType(const Findings& findings, const std::vector<KernelOverflow>& overflows, const Places& places,
           const KernelTable& table, const std::vector<bool>& lacking);

    Fits of(std::size_t overflow) const;

private:
    using Key = std::uint32_t;  ///< a name that overflows ask for
    using List = std::tuple<Place, Key, std::uint64_t>;
    /// Overflows that ask for the same: places, names in the order of their worth, tensors.
    using Question = std::tuple<std::vector<Place>, std::vector<Key>, std::vector<std::uint64_t>>;
    using Asking = std::map<Question, std::vector<std::size_t>>;

    struct Answer {
        FindingList findings;
        std::size_t overflows = 0;    ///< that ask for the same
        bool tensors_differ = false;  ///< type and shape of the operator's tensors are those of no bad value
        bool is_doubted = false;      ///< likelier calls fit but for their tensors
    };

    void index_finding(std::size_t finding);
    std::vector<Key> keys_of(const ApiFinding& finding);
    std::vector<Key> keys_of(const KernelOverflow& overflow);
    void add_key(std::vector<Key>& keys, const std::string& name) const;
    FindingList fitting(const Question& question, bool likely) const;
    Answer answer(const Question& question) const;
    FindingList listed(const Question& question, Key key, bool likely) const;
    void answer_all(const std::vector<KernelOverflow>& overflows, const Places& places);
    void pair_in_order(const std::vector<std::size_t>& overflows, const FindingList& fitting);
    bool is_order_known(const std::vector<std::size_t>& by_time, const FindingList& fitting) const;
    std::string fit_of(std::size_t overflow, std::size_t finding, bool tensors_differ) const;
    FindingList told_of(std::size_t overflow, const FindingList& fitting) const;

    const Findings& findings_;
    const std::vector<KernelOverflow>& overflows_;
    const KernelTable& table_;
    const std::vector<bool>& lacking_;
    Losses losses_;
    std::unordered_map<std::string, Key> wanted_;
    std::map<std::uint64_t, bool> wanted_tensors_;
    std::unordered_map<std::string, std::vector<Key>> keys_of_calls_;  ///< by function and direction
    std::map<List, FindingList> likely_, possible_;
    std::vector<Answer> answers_;
    /// Of an overflow that is paired with a finding by their order.
    struct Pair {
        std::size_t finding = 0, nth = 0, all = 0;  ///< nth: from 1
    };
    std::vector<std::size_t> answer_of_;      ///< index in answers_, for each overflow
    std::vector<std::optional<Pair>> pairs_;  ///< for each overflow
};

}  // namespace opdebug::api_ties
