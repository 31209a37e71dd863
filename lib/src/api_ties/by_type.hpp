// type_and_order and type_only: the operator type of the overflow is one that the call's API launches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
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
    /// Names in the order of their worth.
    using PlacesAndNames = std::pair<std::vector<Place>, std::vector<Key>>;
    using Tensors = std::vector<std::uint64_t>;

    /// Overflows of the same places and names.
    struct Group {
        std::vector<std::size_t> overflows;                      ///< all of them
        std::map<Tensors, std::vector<std::size_t>> by_tensors;  ///< the same, by tensors that some call has, too
    };

    /// Of a list that many overflows may share: memory must not grow with overflows times findings.
    struct Listed {
        FindingList first;  ///< as many as are looked at
        std::size_t all = 0;
    };

    /// To overflows that ask for the same places, names and tensors.
    struct Answer {
        std::size_t list = 0;         ///< index in lists_
        std::size_t overflows = 0;    ///< that ask for the same
        bool tensors_differ = false;  ///< type and shape of the operator's tensors are those of no bad value
        bool is_doubted = false;      ///< likelier calls fit but for their tensors
        bool is_shared = false;       ///< some of the calls fit overflows with other tensors, too
    };

    void index_finding(std::size_t finding);
    std::vector<Key> keys_of(const ApiFinding& finding);
    std::vector<Key> keys_of(const KernelOverflow& overflow);
    void add_key(std::vector<Key>& keys, const std::string& name) const;
    FindingList fitting(const PlacesAndNames& asked, const Tensors& tensors, bool likely) const;
    FindingList listed(const PlacesAndNames& asked, const Tensors& tensors, Key key, bool likely) const;
    void answer_all(const Places& places);
    void answer_group(const PlacesAndNames& asked, const Group& group);
    std::size_t keep(const FindingList& fitting, std::size_t most);
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
    std::set<std::uint64_t> wanted_tensors_;                           ///< of overflows
    std::set<std::uint64_t> tensors_of_calls_;                         ///< those of them that calls have
    std::unordered_map<std::string, std::vector<Key>> keys_of_calls_;  ///< by function and direction
    std::map<List, FindingList> likely_, possible_;
    std::vector<Listed> lists_;
    std::vector<Answer> answers_;
    /// Of an overflow that is paired with a finding by their order.
    struct Pair {
        std::size_t finding = 0, nth = 0, all = 0;  ///< nth: from 1
    };
    std::vector<std::size_t> answer_of_;      ///< index in answers_, for each overflow
    std::vector<std::optional<Pair>> pairs_;  ///< for each overflow
};

}  // namespace opdebug::api_ties
