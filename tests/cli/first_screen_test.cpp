// The first screen of `scan` and `merge`: the answer about a job of 64 ranks whose first overflow is known.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "known_job.hpp"
#include "report/text/text_table.hpp"
#include "tool.hpp"

using namespace opdebug::test;

namespace {

ProcessResult scan_known(const KnownJob& job, std::vector<std::string> more, const std::string& columns = "100") {
    ProcessOptions options;
    options.environment = {{"TZ", "UTC"}, {"COLUMNS", columns}};
    more.insert(more.begin(), {"scan", job.dumps, "--logs", job.logs, "--utc-offset", "+08:00"});
    return run_tool(more, options);
}

/// With the path as it was given.
std::string first_block(const KnownJob& job) {
    return R"(FIRST OVERFLOW   layer_11/attention/softmax/Exp (Exp)                    rank 37  device 5  step 120
  model llama_train   2026-03-04 08:26:40.005 (+08:00), 1.349 s before any other rank
  AI Core status 0x120: floating-point overflow, overflow in a conversion to float16
  )" + opdebug::report::shorten_path(job.dumps + "/" + job.first_file, 98) +
           R"(
  next: The inputs were not dumped: set dump mode "all" for the next run, then use --tensors.
)";
}

const std::string spread_block =
    R"(
How it spread in step 120                                              (63 ranks; --ranks shows all)
  +0.000 s  rank 37   layer_11/…/Exp → layer_12/…/MatMulV2 → layer_13/ln/LayerNorm
  +1.349 s  rank 44   layer_9/attention/softmax/Exp
  …         61 ranks by +1.408 s
)";

const std::string operators_block =
    R"(
Operators, by first overflow                                                     (10 of 16; --top N)
     first  dumps  ranks  steps    operator                        causes       pattern
  +0.000 s    145     16  120-129  layer_11/attention/softmax/Exp  float, fp16  every step
  +0.040 s      1      1  120      layer_12/mlp/dense/MatMulV2     float        once
  +0.080 s      1      1  120      layer_13/ln/LayerNorm           float        once
  +1.349 s      1      1  120      layer_9/attention/softmax/Exp   float        once
)";

const std::string last_line = "363 dumps: 353 overflowed, 10 unreadable (truncated; --unreadable lists them)\n";

std::size_t widest_line(const std::string& text) {
    std::size_t columns = 0;
    for (const std::string& line : lines_of(text)) {
        columns = std::max(columns, opdebug::report::display_columns(line));
    }
    return columns;
}

}  // namespace

TEST_CASE("first screen: 64 ranks in 25 lines: the first overflow, its spread, the operators, the counts") {
    const TemporaryDirectory directory;
    const KnownJob job = write_known_job(directory / "job");
    const ProcessResult run = scan_known(job, {"--format", "text"});
    CHECK(run.exit_status == 1);
    CHECK(run.err == "opdebug: 363 dumps, 353 overflowed, 10 failed\n");
    const std::string expected = first_block(job) + spread_block + operators_block;
    CHECK(run.out.substr(0, expected.size()) == expected);
    CHECK(run.out.ends_with("\n\n" + last_line));
    CHECK(lines_of(run.out).size() <= 25);
    CHECK(widest_line(run.out) <= 100);

    for (const char* columns : {"80", "140"}) {
        const std::string text = scan_known(job, {"--format", "text"}, columns).out;
        CHECK(widest_line(text) <= static_cast<std::size_t>(std::stoi(columns)));
        CHECK(contains(text, "FIRST OVERFLOW   layer_11/attention/softmax/Exp (Exp)"));
        CHECK(contains(text, "1.349 s before any other rank"));
    }
}

TEST_CASE("first screen: the dump of the first overflow: operator, place, causes, what to do, in both languages") {
    const TemporaryDirectory directory;
    const KnownJob job = write_known_job(directory / "job");
    const auto decode = [&job](const std::string& columns, const std::string& language) {
        ProcessOptions options;
        options.environment = {{"TZ", "UTC"}, {"COLUMNS", columns}};
        return run_tool({"decode", job.dumps + "/" + job.first_file, "--logs", job.logs, "--utc-offset", "+08:00",
                         "--format", "text", "--lang", language},
                        options)
            .out;
    };
    for (const char* columns : {"80", "100", "140"}) {
        CAPTURE(columns);
        const std::string text = decode(columns, "en");
        CHECK(text.starts_with("OVERFLOW  layer_11/attention/softmax/Exp (Exp) "));
        CHECK(contains(text, "exact: "));
        const std::string separator = std::string(columns) == "80" ? "\n  " : "   ";
        CHECK(contains(text, "\n  rank 37   device 5   model llama_train   step 120" + separator +
                                 "2026-03-04 08:26:40.005 (+08:00)\n"));
        CHECK(contains(text, "\nWhy   AI Core status 0x120\n  0x020  floating-point overflow "));
        CHECK(contains(text, "\n  0x100  overflow in a conversion to float16 "));
        CHECK(text.find("\nNext\n  1. ") < text.find("\nEvidence"));
        CHECK(widest_line(text) <= static_cast<std::size_t>(std::stoi(columns)));
        const std::string chinese = decode(columns, "zh");
        CHECK(chinese.starts_with("溢出  layer_11/attention/softmax/Exp (Exp) "));
        CHECK(contains(chinese, "精确匹配"));
        CHECK(widest_line(chinese) <= static_cast<std::size_t>(std::stoi(columns)));
    }
    const std::string scanned = scan_known(job, {"--format", "text", "--lang", "zh"}).out;
    CHECK(scanned.starts_with("首个溢出   layer_11/attention/softmax/Exp (Exp) "));
    CHECK(contains(scanned, "rank 37  device 5  step 120  llama_train\n"));
    CHECK(contains(scanned, "比其他所有 rank 早 1.349 秒\n"));
}
