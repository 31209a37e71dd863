#include "report/json_chain.hpp"

namespace opdebug::report {
namespace {

Json link_to_json(const ChainLink& link) {
    return {{"position", link.position},
            {"file", link.file},
            {"timestamp_us", value_or_null(link.timestamp_us)},
            {"operator_type", text_or_null(link.operator_type)},
            {"operator", text_or_null(link.operator_name)},
            {"verdict", link.origin ? Json(to_string(link.origin->verdict)) : Json(nullptr)},
            {"bad_input", link.origin ? Json(link.origin->bad_input) : Json(nullptr)},
            {"bad_output", link.origin ? Json(link.origin->bad_output) : Json(nullptr)},
            {"op_dump", to_string(link.op_dump)}};
}

/// The dump that a chain points out is told with the reason of its verdict.
Json pointed_out(const std::optional<ChainLink>& link) {
    if (!link) {
        return nullptr;
    }
    Json item = link_to_json(*link);
    item["because"] = link->origin ? Json(link->origin->because) : Json(nullptr);
    return item;
}

}  // namespace

Json chain_to_json(const OverflowChain& chain) {
    Json links = Json::array();
    for (const ChainLink& link : chain.links) {
        links.push_back(link_to_json(link));
    }
    return {{"step", value_or_null(chain.step)},
            {"rank", value_or_null(chain.rank)},
            {"device_id", value_or_null(chain.device_id)},
            {"folder_time", value_or_null(chain.folder_time)},
            {"model", text_or_null(chain.model)},
            {"count", chain.count},
            {"verdicts",
             {{"born_here", chain.born_here},
              {"inherited", chain.inherited},
              {"not_visible", chain.not_visible},
              {"not_measured", chain.not_measured}}},
            {"first", value_or_null(chain.first_us)},
            {"last", value_or_null(chain.last_us)},
            {"first_bad", pointed_out(chain.first_bad)},
            {"first_born_here", pointed_out(chain.first_born_here)},
            {"inherited_after", chain.inherited_after},
            {"dumps", std::move(links)},
            {"remarks", diagnostics_to_json(chain.remarks)}};
}

}  // namespace opdebug::report
