// explain(): one dump in one call.
#include <doctest/doctest.h>

#include <opdebug/opdebug.hpp>

#include "build_paths.hpp"
#include "demo_dump.hpp"
#include "overflow_tree.hpp"
#include "temporary_directory.hpp"
#include "text.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

const std::string kExplained = std::string(source_folder) + "/" + demo_dump_path;
const std::string kItsLogs = std::string(source_folder) + "/testdata/demo/logs";

}  // namespace

TEST_CASE("explain: dump, operator and text in one call") {
    ExplainOptions options;
    options.logs = {kItsLogs};
    const Result<Explanation> explanation = explain(kExplained, options);
    REQUIRE(explanation);
    CHECK(explanation->dump.overflow() == true);
    REQUIRE(explanation->location.op);
    CHECK(explanation->location.op->best.name == "bert/encoder/layer_3/attention/softmax/Exp");
    CHECK(explanation->log_failures.empty());
    CHECK(contains(explanation->text, "bert/encoder/layer_3/attention/softmax/Exp"));
    CHECK(explanation->text.back() == '\n');
    options.language = Language::chinese;
    CHECK(contains(explain(kExplained, options)->text, "溢出"));
}

TEST_CASE("explain: without logs the dump and its folder alone") {
    const Result<Explanation> explanation = explain(kExplained);
    REQUIRE(explanation);
    CHECK(!explanation->location.op);
    CHECK(!explanation->evidence.op_dump);
    ExplainOptions verbose;
    verbose.verbose = true;
    CHECK(explain(kExplained, verbose)->text.size() > explanation->text.size());
}

TEST_CASE("explain: logs that cannot be read cost only themselves") {
    ExplainOptions options;
    options.logs = {kItsLogs, "/does/not/exist"};
    const Result<Explanation> some = explain(kExplained, options);
    REQUIRE(some);
    REQUIRE(some->log_failures.size() == 1);
    CHECK(some->log_failures[0].file == "/does/not/exist");
    CHECK(some->location.op);
    options.logs = {"/does/not/exist"};
    const Result<Explanation> none = explain(kExplained, options);
    REQUIRE(none);
    REQUIRE(none->log_failures.size() == 1);
    CHECK(none->log_failures[0].code == ErrorCode::file_not_found);
    CHECK(!none->location.op);
}

TEST_CASE("explain: the operator's dump is measured if asked") {
    const TemporaryDirectory folder;
    MadeUpOverflow overflow;
    overflow.inputs = {half_tensor({half_one})};
    overflow.outputs = {half_tensor({half_inf})};
    write_overflow(folder.path().string(), overflow);
    ExplainOptions options;
    options.tensors = true;
    const Result<Explanation> explanation = explain(overflow_file(folder.path().string(), overflow), options);
    REQUIRE(explanation);
    REQUIRE(explanation->evidence.origin);
    CHECK(explanation->evidence.origin->verdict == OriginVerdict::born_here);
}

TEST_CASE("explain: errors and limits are those of decoding") {
    const Result<Explanation> missing = explain("/does/not/exist");
    REQUIRE(!missing);
    CHECK(missing.error().code == ErrorCode::file_not_found);
    ExplainOptions options;
    options.limits.file_bytes = 100;
    const Result<Explanation> large = explain(kExplained, options);
    REQUIRE(!large);
    CHECK(large.error().code == ErrorCode::file_too_large);
}
