#include "api_dumps.hpp"

#include <filesystem>
#include <vector>

#include "api_dump_builder.hpp"
#include "temporary_directory.hpp"

namespace opdebug::bench {
namespace {

using test::MadeCall;
using test::MadeValue;

constexpr std::size_t kExchangeEach = 10;

void make_bad(std::vector<MadeValue>& values) {
    for (MadeValue& value : values) {
        if (value.kind == MadeValue::Kind::tensor) {
            value.max = value.min = value.norm = "NaN";
        }
    }
}

MadeCall all_reduce(std::size_t count, const std::vector<std::int64_t>& ranks) {
    MadeCall call;
    call.name = "Distributed.all_reduce." + std::to_string(count) + ".forward";
    call.inputs = {test::made_tensor()};
    call.outputs = {test::made_tensor()};
    call.named_inputs.emplace_back("group", test::made_group(ranks, "default"));
    return call;
}

void infect(std::vector<MadeCall>& calls, std::size_t first_bad, std::uint64_t ranks) {
    std::vector<std::int64_t> all;
    for (std::uint64_t rank = 0; rank < ranks; ++rank) {
        all.push_back(static_cast<std::int64_t>(rank));
    }
    for (std::size_t i = 0; i < calls.size(); ++i) {
        if (i % kExchangeEach == 0) {
            calls[i] = all_reduce(i / kExchangeEach, all);
        }
        if (i > first_bad) {
            make_bad(calls[i].inputs);
        }
        if (i >= first_bad) {
            make_bad(calls[i].outputs);
        }
    }
}

}  // namespace

void write_api_dumps(const std::string& folder, const ApiStep& step) {
    for (std::uint64_t rank = 0; rank < step.ranks; ++rank) {
        test::MadeDump dump = test::language_model_step(step.calls, rank);
        if (step.first_bad) {
            infect(dump.calls, *step.first_bad, step.ranks);
        }
        const std::string place = "step0/rank" + std::to_string(rank) + "/dump.json";
        test::write_file(std::filesystem::path(folder) / place, dump_json(dump));
    }
}

}  // namespace opdebug::bench
