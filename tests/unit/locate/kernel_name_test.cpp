// Kernel names of each era → node name or operator type (docs/internals/logs.md, "Kernel names").
#include "locate/kernel_name.hpp"

#include <string>

#include <doctest/doctest.h>

using opdebug::locate_stage::decode_kernel_name;
using opdebug::locate_stage::kernel_is_of_node;

namespace {

/// "node N", "type T" or "-".
std::string decoded(std::string_view kernel) {
    const auto name = decode_kernel_name(kernel);
    CHECK_FALSE_MESSAGE((name.node && name.operator_type), kernel);
    return name.node ? "node " + *name.node : name.operator_type ? "type " + *name.operator_type : "-";
}

}  // namespace

TEST_CASE("kernel name: 2020 and 2021, session, graph and model before the node") {
    CHECK(decoded("-1_0_1_trans_Cast_17") == "node trans_Cast_17");
    CHECK(decoded("0_1_GatherToy") == "node GatherToy");
    CHECK(decoded("-1_0_2_block1/conv_a") == "node block1/conv_a");
}

TEST_CASE("kernel name: 2022, the session is joined to the rest or stands before it") {
    CHECK(decoded("16805736118314619649-1_0_1_Add_35") == "node Add_35");
    CHECK(decoded("12646006_1663210912148832_-1_0_while/layer_0/Select") == "node while/layer_0/Select");
}

TEST_CASE("kernel name: 2023, static and dynamic graphs") {
    CHECK(decoded("00_1_Variable/Assign") == "node Variable/Assign");
    CHECK(decoded("2_0_11_GatherV2") == "node GatherV2");
}

TEST_CASE("kernel name: numbers inside and after the node belong to it") {
    CHECK(decoded("-1_0_1_layer_3/Mul_2_1") == "node layer_3/Mul_2_1");
}

TEST_CASE("kernel name: 2024 and later, the operator type stands before a hash") {
    CHECK(decoded("RealDiv_0123456789abcdef0123456789abcdef_high_precision_210000000") == "type RealDiv");
    CHECK(decoded("FlashToy_0123456789abcdef0123456789abcdef_10000000000022420943_mix_aic") == "type FlashToy");
    CHECK(decoded("AddCustom_0123456789abcdef0123456789abcdef_0") == "type AddCustom");
    CHECK(decoded("Cast_0123456789abcdef0123456789abcdef") == "type Cast");
}

TEST_CASE("kernel name: only 32 lower-case hex digits are a hash") {
    CHECK(decoded("Cast_0123456789abcdef0123456789abcde") == "-");
    CHECK(decoded("Cast_0123456789abcdef0123456789abcdef0_1") == "-");
    CHECK(decoded("Cast_0123456789ABCDEF0123456789ABCDEF_1") == "-");
    CHECK(decoded("_0123456789abcdef0123456789abcdef_1") == "-");
}

TEST_CASE("kernel name: of user kernels and device functions nothing is guessed") {
    for (const char* kernel : {"add_custom", "_Z19toy_kernelPiPfj", "reshape_and_cache_200000000", "none", "",
                               "aicore_kernel_0_mix_aic", "te_toy_11aa_22bb_1__kernel0", "1_Add", "_", "-1_0_1_"}) {
        CHECK_MESSAGE(decoded(kernel) == "-", kernel);
    }
}

TEST_CASE("kernel name: types of GE begin with a capital letter and hold no underscore") {
    CHECK(decoded("reshape_and_store_high_performance_1") == "-");
    CHECK(decoded("toy_norm_0123456789abcdef0123456789abcdef_7") == "-");
    CHECK(decoded("Toy_norm_0123456789abcdef0123456789abcdef_7") == "-");
    CHECK(decoded("ToyNorm_ND_BF16_high_performance_7") == "type ToyNorm");
}

TEST_CASE("kernel name: is of a node when only numbers stand before it") {
    CHECK(kernel_is_of_node("-1_0_1_block1/conv_a", "block1/conv_a"));
    CHECK(kernel_is_of_node("00_1_3_dense", "3_dense"));
    CHECK(kernel_is_of_node("Add", "Add"));
    CHECK_FALSE(kernel_is_of_node("-1_0_1_block1/conv_a", "conv_a"));
    CHECK_FALSE(kernel_is_of_node("-1_0_1_Add", "Mul"));
    CHECK_FALSE(kernel_is_of_node("1Add", "Add"));
    CHECK_FALSE(kernel_is_of_node("Add", "-1_0_1_Add"));
}

TEST_CASE("kernel names: te_<type in lower case>_<hash> gives a known type with one spelling") {
    const std::string hash(32, 'a');
    const auto type = [&hash](const std::string& lower) {
        return decode_kernel_name("te_" + lower + "_" + hash + "_1__kernel0").operator_type;
    };
    CHECK(type("gatherv2") == "GatherV2");
    CHECK(type("layernormxbackpropv2") == "LayerNormXBackpropV2");
    CHECK(decode_kernel_name("te_realdiv_0123456789abcdef" + hash + "_" + hash + "_2").operator_type == "RealDiv");
    CHECK(type("nmswithmask") == "NMSWithMask");
    CHECK(type("gatherv3") == "GatherV3");
    CHECK(type("raggedbincount") == std::nullopt);  // RaggedBinCount and RaggedBincount
    CHECK(type("notatype") == std::nullopt);
    CHECK(type("fused_op_add") == std::nullopt);
    CHECK(decode_kernel_name("te_add_7").operator_type == std::nullopt);
}

TEST_CASE("kernel names: a hash is no node") {
    CHECK(decode_kernel_name("00_1_" + std::string(128, 'b')).node == std::nullopt);
    CHECK(decode_kernel_name("00_1_add").node == "add");
}
