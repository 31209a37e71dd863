// What a call between ranks gives and takes, as the other ranks' calls of it are compared with.
#pragma once

#include <cstdint>
#include <vector>

#include "api_culprits/found.hpp"
#include "api_culprits/judge_call.hpp"

namespace opdebug::api_culprits {

struct GroupedTransfer {
    Transfer transfer;  ///< its number of the group is not set
    Group group;        ///< its ranks as they are told
};

/// One transfer, or one for each message of a batch. `common`: what they share.
std::vector<GroupedTransfer> transfers_of(const Call& call, const Evidence& evidence, const Transfer& common);

/// The bad places in the list of a call that gathers, as "1" of "0.1". Its other results are what the rank itself gave.
std::vector<std::uint32_t> bad_pieces(const Call& call, const Evidence& evidence);

}  // namespace opdebug::api_culprits
