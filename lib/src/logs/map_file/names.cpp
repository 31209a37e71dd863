// The names of kinds and members in a saved map: a new kind or member of this version needs no code here.
#include <algorithm>
#include <array>

#include "logs/facts/fact_members.hpp"
#include "logs/map_file/block.hpp"

namespace opdebug::logs::map_file {
namespace {

constexpr std::uint64_t kMostMembers = 64;  // their marks are bits of one number
constexpr std::uint64_t kMostKinds = 256;   // FactKind and LogKind are bytes

template <class List, class NameOf>
void write_list(ByteWriter& out, const List& list, NameOf name_of) {
    out.number(list.size());
    for (const auto& item : list) {
        out.text(name_of(item));
    }
}

std::vector<FactKind> kinds() {
    std::vector<FactKind> kinds;
    for (auto kind = FactKind::operator_of_task;; kind = static_cast<FactKind>(static_cast<int>(kind) + 1)) {
        kinds.push_back(kind);
        if (kind == FactKind::nothing) {  // the last one
            return kinds;
        }
    }
}

/// Calls `take` with each name of a list. A list of more than `most` is a fault, of which nothing is read.
template <class Take>
void read_list(ByteReader& in, std::uint64_t most, Take take) {
    const std::uint64_t count = in.count();
    if (count > most) {
        in.fail();
    }
    for (std::uint64_t i = 0; i < count && in.ok(); ++i) {
        take(in.text());
    }
}

/// The member of a name; null when this version has none.
template <class Members>
auto member_of(const Members& members, std::string_view name) {
    const auto found = std::find_if(members.begin(), members.end(), [name](const auto& m) { return m.name == name; });
    return found == members.end() ? decltype(found->member)(nullptr) : found->member;
}

}  // namespace

std::string names_section() {
    const auto name_of_member = [](const auto& member) { return member.name; };
    ByteWriter out;
    write_list(out, kinds(), [](FactKind kind) { return to_string(kind); });
    write_list(out, std::array{LogKind::ge_log, LogKind::runtime_log, LogKind::device_log},
               [](LogKind log) { return to_string(log); });
    write_list(out, number_members(), name_of_member);
    write_list(out, text_members(), name_of_member);
    write_list(out, kFlags, name_of_member);
    write_list(out, kPlaces, name_of_member);
    return out.result();
}

std::optional<Names> read_names(Bytes section) {
    ByteReader in(section);
    Names names;
    read_list(in, kMostKinds, [&](std::string_view name) { names.kinds.push_back(fact_kind_from(name)); });
    read_list(in, kMostKinds, [&](std::string_view name) { names.logs.push_back(log_kind_from(name)); });
    read_list(in, kMostMembers,
              [&](std::string_view name) { names.numbers.push_back(member_of(number_members(), name)); });
    read_list(in, kMostMembers, [&](std::string_view name) { names.texts.push_back(member_of(text_members(), name)); });
    read_list(in, kMostMembers, [&](std::string_view name) { names.flags.push_back(member_of(kFlags, name)); });
    read_list(in, kMostMembers, [&](std::string_view name) { names.places.push_back(member_of(kPlaces, name)); });
    return in.ok() ? std::optional<Names>(std::move(names)) : std::nullopt;
}

}  // namespace opdebug::logs::map_file
