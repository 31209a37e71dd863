// Known facts about single APIs.
#include "api_culprits/known_apis.hpp"

#include <doctest/doctest.h>

using namespace opdebug;
using namespace opdebug::api_culprits;

TEST_CASE("known APIs: calls between ranks, of torch by their prefix only") {
    const CommunicationApi* const gather = communication_api("Distributed.all_gather");
    REQUIRE(gather != nullptr);
    CHECK(gather->flow == Flow::everyone);
    CHECK(gather->received_keyword == "tensor_list");
    CHECK_FALSE(gather->without_group);
    const CommunicationApi* const reduce = communication_api("AllReduce");
    REQUIRE(reduce != nullptr);
    CHECK(reduce->sums);
    CHECK(reduce->without_group);
    CHECK(communication_api("Distributed.broadcast")->received_off_root);
    CHECK_FALSE(communication_api("Distributed.scatter")->received_off_root);
    // torch.distributed.scatter(tensor, scatter_list=None, src=0, ...), but broadcast(tensor, src, ...)
    CHECK(communication_api("Distributed.scatter")->partner_0_by_default);
    CHECK(communication_api("Distributed.gather")->partner_0_by_default);
    CHECK_FALSE(communication_api("Distributed.broadcast")->partner_0_by_default);
    CHECK(communication_api("Torch.gather") == nullptr);
    CHECK(communication_api("Torch._c10d_functional.all_reduce") != nullptr);
    CHECK(communication_api("Aten.c10d.allgather_.default") == communication_api("Torch.c10d.allgather_"));
    CHECK(communication_api("Torch.all_reduce") == nullptr);
    CHECK(communication_api("Distributed.gather_into_tensor")->received_position.empty());
    CHECK(communication_api("MintDistributed.gather_into_tensor")->received_position == "0");
    CHECK(communication_api("NPU.npu_gmm_alltoallv")->computes);
    CHECK(communication_api("Distributed.get_rank") == nullptr);
}
