// The members of a fact by their names: for what treats all of them alike.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "logs/facts/task_map.hpp"

namespace opdebug::logs {

inline constexpr std::array<NumberMember, 18> kNumbers{{
    {"stream_id", &Fact::stream_id},
    {"task_id", &Fact::task_id},
    {"context_id", &Fact::context_id},
    {"thread_id", &Fact::thread_id},
    {"device_id", &Fact::device_id},
    {"model_id", &Fact::model_id},
    {"ge_model_id", &Fact::ge_model_id},
    {"graph_id", &Fact::graph_id},
    {"flip_num", &Fact::flip_num},
    {"task_type", &Fact::task_type},
    {"report_stream_id", &Fact::report_stream_id},
    {"origin_stream_id", &Fact::origin_stream_id},
    {"previous_task_id", &Fact::previous_task_id},
    {"task_sn", &Fact::task_sn},
    {"address1", &Fact::address1},
    {"address2", &Fact::address2},
    {"user_device_id", &Fact::user_device_id},
    {"dump_folder", &Fact::dump_folder},
}};

inline constexpr std::array<TextMember, 5> kTexts{{
    {"operator_name", &Fact::operator_name},
    {"operator_type", &Fact::operator_type},
    {"kernel_name", &Fact::kernel_name},
    {"model_name", &Fact::model_name},
    {"model_file", &Fact::model_file},
}};

struct FlagMember {
    std::string_view name;
    bool Fact::*member;
};
inline constexpr std::array<FlagMember, 5> kFlags{{
    {"task_id_provisional", &Fact::task_id_provisional},
    {"task_id_unconfirmed", &Fact::task_id_unconfirmed},
    {"task_id_from_sn", &Fact::task_id_from_sn},
    {"name_cut", &Fact::name_cut},
    {"of_model", &Fact::of_model},
}};

/// Further lines that a fact rests on.
struct PlaceMember {
    std::string_view name;
    FurtherLine StoredFact::*member;
};
inline constexpr std::array<PlaceMember, 2> kPlaces{{
    {"submit", &StoredFact::submit},
    {"completed_by", &StoredFact::completed_by},
}};

static_assert(kNumbers.size() <= 32 && kTexts.size() <= 8 && kFlags.size() <= 8 && kPlaces.size() <= 8,
              "marked by the bits of masks of so many bits (LineFact)");

/// The place of a member in its list. A member that is in none does not compile.
consteval std::size_t number_index(std::optional<std::uint64_t> Fact::*member) {
    std::size_t index = 0;
    while (kNumbers.at(index).member != member) {
        ++index;
    }
    return index;
}
consteval std::size_t text_index(std::string Fact::*member) {
    std::size_t index = 0;
    while (kTexts.at(index).member != member) {
        ++index;
    }
    return index;
}
consteval std::size_t flag_index(bool Fact::*member) {
    std::size_t index = 0;
    while (kFlags.at(index).member != member) {
        ++index;
    }
    return index;
}

}  // namespace opdebug::logs
