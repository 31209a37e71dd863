// The table of kernels after APIs, and names of kernels.
#include <doctest/doctest.h>

#include "api_ties/kernel_table.hpp"

using namespace opdebug;
using namespace opdebug::api_ties;

TEST_CASE("kernel table: the built-in one is sound") {
    const KernelTable table;
    const ApiKernels* const linear = table.row_of("linear");
    REQUIRE(linear != nullptr);
    CHECK(linear->forward.front() == "MatMulV2");
    CHECK(table.row_of("Linear") == linear);
    CHECK(table.row_of("no_such_api") == nullptr);
    CHECK(table.has_only_api("linear"));
    CHECK_FALSE(table.has_only_api("add_"));
    CHECK_FALSE(table.has_only_api("no_such_operation"));
    CHECK(table.apis_of("add_") == std::vector<std::string_view>{"add_", "__iadd__"});
    CHECK(table.apis_of("mm") == std::vector<std::string_view>{"mm"});
}

TEST_CASE("kernel names of eager mode: API family and operator type") {
    // Names of public traces and logs.
    CHECK(type_in_kernel("aclnnAddmm_MatMulCommon_MatMulV2") == "MatMulV2");
    CHECK(family_in_kernel("aclnnAddmm_MatMulCommon_MatMulV2") == "Addmm");
    CHECK(type_in_kernel("aclnnFlashAttentionScore_FlashAttentionScore_FlashAttentionScore") == "FlashAttentionScore");
    CHECK(family_in_kernel("aclnnInplaceMuls_MulAiCore_Mul") == "Muls");
    for (const char* const other : {"Conv2D1", "trans_Cast_0", "aclnnAbs_0", "aclnnAbs", "", "te_matmul_0_1"}) {
        CAPTURE(other);
        CHECK(type_in_kernel(other).empty());
        CHECK(family_in_kernel(other).empty());
    }
    CHECK(plain_name("__add__") == "add");
    CHECK(plain_name("add_") == "add");
    CHECK(plain_name("LayerNorm") == plain_name("layer_norm"));
}
