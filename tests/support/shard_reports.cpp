#include "shard_reports.hpp"

#include <filesystem>
#include <stdexcept>

#include <fmt/format.h>

#include "dump_builder.hpp"
#include "overflow_tree.hpp"
#include "random.hpp"
#include "temporary_directory.hpp"

namespace opdebug::test {
namespace {

namespace fs = std::filesystem;

std::string random_folder(Random& random) {
    const std::uint64_t rank = random.below(5);
    const std::uint64_t step = random.below(4);
    switch (random.below(5)) {
        case 0: return fmt::format("rank_{}/debug_files/{}", rank, step);
        case 1:
            return fmt::format("rank_{}/2026030410000{}/{}/ge_default_2026030410000{}_1/11/{}", rank, random.below(2),
                               rank, random.below(2), step);
        case 2: return fmt::format("run{}/2026030410000{}/{}/Net/11/{}", random.below(2), random.below(2), rank, step);
        case 3: return fmt::format("flat{}", random.below(3));
        default: return fmt::format("odd \xFF{}/rank_{}", random.below(2), rank);
    }
}

Buffer random_dump(Random& random) {
    if (random.one_in(9)) {
        return cut(build_overflow_dump(ai_core_example()), static_cast<std::size_t>(random.below(2100)));
    }
    if (random.one_in(2)) {
        AcceleratorPayload payload;
        for (std::uint64_t i = random.below(2); i < 3; ++i) {
            payload.entries.push_back(core_entry(random.one_in(2) ? AccType::aic : AccType::aiv, 57 + random.below(2),
                                                 random.one_in(4) ? 0 : 0x20U << random.below(4), random.below(3),
                                                 random.below(2)));
        }
        return build_overflow_dump(payload);
    }
    constexpr std::uint64_t kStatus[] = {0, 0x20, 0x20, 0x110, 1U << 20U};
    return build_overflow_dump(ai_core_example(random.one_of(kStatus)));
}

/// Times that are near each other, far apart, the same, or credible to nobody.
std::uint64_t random_time(Random& random) {
    if (random.one_in(20)) {
        return 1000 + random.below(100);
    }
    return job_begin_us + random.below(4) * 700'000 + random.below(random.one_in(2) ? 3 : 20'000'000);
}

void write_plain_dump(const std::string& root, Random& random) {
    const std::string folder = root + "/" + random_folder(random);
    const std::string name = fmt::format("Opdebug.Node_OpDebug.{}.5.{}", 57 + random.below(2), random_time(random));
    const std::string file = write_file(folder + "/" + name, random_dump(random));
    if (random.one_in(8)) {
        const std::string link = fmt::format("{}/Opdebug.Node_OpDebug.9.5.{}", folder, random_time(random));
        std::error_code there;
        fs::create_symlink(random.one_in(3) ? "nowhere" : file, link, there);
    }
    if (random.one_in(3)) {
        write_file(fmt::format("{}/Add.net_Add_{}.57.5.{}", folder, random.below(2), random_time(random)), "x");
    }
    if (random.one_in(5)) {
        write_file(folder + "/readme.txt", "x");
    }
    if (random.one_in(7)) {
        write_file(folder + "/Opdebug.Node_OpDebug.bak", "x");
    }
}

void write_measured_overflow(const std::string& root, Random& random) {
    MadeUpOverflow overflow;
    overflow.rank = random.below(4);
    overflow.step = random.below(4);
    overflow.milliseconds = random.below(5000);
    overflow.op_name = fmt::format("net/op_{}", random.below(3));
    const auto tensor = [&random] {
        return half_tensor({half_one, random.one_in(2) ? half_inf : half_two, random.one_in(4) ? half_max : half_one});
    };
    overflow.inputs = {tensor()};
    overflow.outputs = {tensor()};
    overflow.with_op_dump = !random.one_in(4);
    overflow.missing_bytes = random.one_in(6) ? 2 : 0;
    write_overflow(root, overflow);
}

}  // namespace

std::array<std::string, 5> all_forms(const ScanReport& report) {
    return {written(report, &ScanReport::write_json), written(report, &ScanReport::write_json_lines),
            written(report, &ScanReport::write_csv), written(report, &ScanReport::write_text),
            written(report, &ScanReport::write_html)};
}

ScanReport scanned_report(const std::vector<std::string>& paths, const ReportRequest& request,
                          std::optional<ScanShard> shard, bool partial) {
    ScanOptions scan_options;
    scan_options.threads = 1;
    scan_options.tensors = request.tensors;
    scan_options.shard = shard;
    ScanReportOptions options;
    options.all = request.all;
    options.first = request.first;
    options.report.tensors = request.tensors;
    options.report.host = request.host;
    options.partial = partial;
    ScanReport report(options);
    const Result<Scan> result = scan(paths, scan_options, [&report](ScannedDump&& dump) { report.add(dump); });
    if (!result) {
        throw std::runtime_error(to_string(result.error()));
    }
    if (const auto error = report.finish(*result)) {
        throw std::runtime_error(to_string(*error));
    }
    return report;
}

std::string part_text(const std::vector<std::string>& paths, const ReportRequest& request,
                      std::optional<ScanShard> shard) {
    return written(scanned_report(paths, request, shard, true), &ScanReport::write_json_lines);
}

Merge merged(const std::vector<std::string>& files, const MergeOptions& options) {
    std::vector<MergeInput> inputs;
    for (const std::string& file : files) {
        inputs.push_back({file});
    }
    Result<Merge> merge = merge_reports(inputs, options);
    if (!merge) {
        throw std::runtime_error(to_string(merge.error()));
    }
    return std::move(*merge);
}

void write_random_tree(const std::string& root, std::uint64_t seed) {
    Random random(seed);
    write_plain_dump(root, random);
    const std::uint64_t count = random.below(60);
    for (std::uint64_t i = 0; i < count; ++i) {
        random.one_in(3) ? write_measured_overflow(root, random) : write_plain_dump(root, random);
    }
}

}  // namespace opdebug::test
