#include "api_dump_builder.hpp"

#include <array>

#include <fmt/format.h>

#include "random.hpp"

namespace opdebug::test {

MadeValue made_tensor(std::string max, std::string min, std::string dtype, std::vector<std::int64_t> shape) {
    MadeValue value;
    value.max = std::move(max);
    value.min = std::move(min);
    value.dtype = std::move(dtype);
    value.shape = std::move(shape);
    return value;
}

MadeValue made_scalar(std::string type, std::string value) {
    MadeValue scalar;
    scalar.kind = MadeValue::Kind::scalar;
    scalar.dtype = std::move(type);
    scalar.value = std::move(value);
    return scalar;
}

MadeValue made_list(std::vector<MadeValue> items) {
    MadeValue list;
    list.kind = MadeValue::Kind::list;
    list.items = std::move(items);
    return list;
}

MadeValue made_dict(std::vector<std::pair<std::string, MadeValue>> members) {
    MadeValue dict;
    dict.kind = MadeValue::Kind::dict;
    for (auto& [name, member] : members) {
        dict.names.push_back(std::move(name));
        dict.items.push_back(std::move(member));
    }
    return dict;
}

MadeValue made_group(std::vector<std::int64_t> ranks, std::string id) {
    MadeValue group;
    group.kind = MadeValue::Kind::process_group;
    group.group_ranks = std::move(ranks);
    group.group_id = std::move(id);
    return group;
}

MadeValue made_point_to_point(std::string operation, std::int64_t peer, MadeValue tensor, std::int64_t tag,
                              std::string group_id) {
    MadeValue value;
    value.kind = MadeValue::Kind::point_to_point;
    value.items.push_back(std::move(tensor));
    value.operation = std::move(operation);
    value.group_id = std::move(group_id);
    value.peer = peer;
    value.tag = tag;
    return value;
}

MadeDump language_model_step(std::size_t calls, std::uint64_t seed) {
    constexpr std::array<const char*, 8> kApis = {
        "Functional.linear",  "Tensor.__add__",           "Torch.matmul",   "Functional.layer_norm",
        "Functional.dropout", "NPU.npu_fusion_attention", "Tensor.__mul__", "Functional.gelu"};
    Random random(seed);
    const auto number = [&random] {
        return fmt::format("{}", static_cast<double>(random.below(4096)) / 1024 + 0.0009765625);
    };
    const auto tensor = [&number](std::int64_t rows) {
        MadeValue value = made_tensor(number(), "-" + number(), "bfloat16", {rows, 1, 5120});
        value.norm = fmt::format("{}1234567", number());
        return value;
    };
    MadeDump dump;
    for (std::size_t i = 0; dump.calls.size() < calls; ++i) {
        const std::string name = fmt::format("{}.{}", kApis[i % kApis.size()], i / kApis.size());
        MadeCall forward{name + ".forward", {tensor(4096), tensor(5120)}, {}, {}, {tensor(4096)}, {}, false};
        forward.named_inputs = {{"p", made_scalar("float", "0.1")}, {"training", made_scalar("bool", "true")}};
        dump.calls.push_back(std::move(forward));
        if (i % 2 == 1 && dump.calls.size() < calls) {
            dump.calls.push_back({name + ".backward", {tensor(4096)}, {}, {}, {tensor(4096), tensor(5120)}, {}, false});
        }
    }
    return dump;
}

}  // namespace opdebug::test
