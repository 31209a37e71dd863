// What is known of single APIs: the built-in file, and files that are refused.
#include "api_culprits/known_apis.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace opdebug;
using namespace opdebug::api_culprits;

namespace {

/// A file with these rows, each list sound unless it is given.
Result<KnownApis> file_of(const std::string& traits, const std::string& values = {},
                          const std::string& functions = {}) {
    const std::string sound_values = R"({"meaning": "weight", "apis": ["a"], "positions": ["1"], "source": "s"})";
    const std::string sound_function = R"({"namespaces": ["N"], "apis": ["a"], "flow": "send", "source": "s"})";
    const std::string sound_operator = R"({"apis": ["a"], "flow": "send", "source": "s"})";
    return read_known_apis("mine.json", R"({"schema": "opdebug.known_apis/1", "traits": [)" + traits +
                                            R"(], "values": [)" + (values.empty() ? sound_values : values) +
                                            R"(], "functions_between_ranks": [)" +
                                            (functions.empty() ? sound_function : functions) +
                                            R"(], "operators_between_ranks": [)" + sound_operator + "]}");
}

std::string message_of(const std::string& traits, const std::string& values = {}, const std::string& functions = {}) {
    const Result<KnownApis> read = file_of(traits, values, functions);
    return read ? "sound" : read.error().message;
}

bool holds(const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
}

const std::string sound_trait = R"({"trait": "makes_masks", "apis": ["a"], "source": "s"})";

}  // namespace

TEST_CASE("known APIs: calls between ranks, of torch by their prefix only") {
    const CommunicationApi* const gather = communication_api("Distributed.all_gather");
    REQUIRE(gather != nullptr);
    CHECK(gather->flow == Flow::everyone);
    CHECK(gather->received_keyword == "tensor_list");
    CHECK(gather->lists_ranks);
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

TEST_CASE("known APIs: a row needs a source, known words, and APIs that no other row of its list has") {
    CHECK(message_of(sound_trait) == "sound");
    CHECK(holds(message_of(sound_trait + ", " + sound_trait), "a has another row"));
    CHECK(holds(message_of(R"({"trait": "makes_masks", "apis": ["a"]})"), "\"source\" is missing"));
    CHECK(holds(message_of(R"({"trait": "makes_noise", "apis": ["a"], "source": "s"})"), "/traits/0/trait"));
    CHECK(holds(message_of(R"({"trait": "makes_masks", "apis": [], "source": "s"})"), "/traits/0/apis"));
    CHECK(holds(message_of(sound_trait, R"({"meaning": "bias", "apis": ["a"], "positions": ["1"], "source": "s"})"),
                "/values/0/meaning"));
    CHECK(
        holds(message_of(sound_trait, {}, R"({"namespaces": ["N"], "apis": ["a"], "flow": "nowhere", "source": "s"})"),
              "/functions_between_ranks/0/flow"));
    CHECK(holds(
        message_of(sound_trait, {}, R"({"namespaces": ["N"], "apis": ["a", "a"], "flow": "send", "source": "s"})"),
        "a has another row"));
    CHECK_FALSE(read_known_apis("mine.json", "{}").ok());
}

TEST_CASE("known APIs: what is said to be false is false, and what is neither is refused") {
    const auto with_sums = [](const std::string& value) {
        return R"({"namespaces": ["N"], "apis": ["a"], "flow": "send", "sums": )" + value + R"(, "source": "s"})";
    };
    const Result<KnownApis> denied = file_of(sound_trait, {}, with_sums("false"));
    REQUIRE(denied.ok());
    CHECK_FALSE(denied->functions_between_ranks.at("N.a").sums);
    const Result<KnownApis> said = file_of(sound_trait, {}, with_sums("true"));
    REQUIRE(said.ok());
    CHECK(said->functions_between_ranks.at("N.a").sums);
    CHECK(holds(message_of(sound_trait, {}, with_sums("\"yes\"")), "/functions_between_ranks/0/sums"));
}
