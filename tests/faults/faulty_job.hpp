// A small job with one file of each kind that is read, for tests that let the system fail under it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "log_builder.hpp"
#include "op_dump_builder.hpp"
#include "overflow_tree.hpp"
#include "packed_text.hpp"
#include "temporary_directory.hpp"

namespace opdebug::test {

/// Two overflows of rank 0 and one of rank 1 with the operators' dumps. The long names of one folder are in
/// mapping.csv. One dump is without overflow. The logs name the model and operators; each kind of packing has one file.
struct FaultyJob {
    TemporaryDirectory directory;
    std::string dumps = directory / "job";
    std::string logs = directory / "logs";
    std::string overflow, op_dump;  ///< of rank 0, the first
    std::string clean;              ///< a dump without overflow
    std::string mapped, mapping;    ///< a dump that is called by a number, and its mapping.csv
    std::string plain_log, gzip_log, zstd_log;

    FaultyJob() {
        const MadeUpOverflow first{
            0, 3, 1, "net/exp_1", {half_tensor({half_one, half_two})}, {half_tensor({half_inf})}};
        const MadeUpOverflow second{0, 3, 2, "net/exp_2", {half_tensor({half_inf})}, {half_tensor({half_nan})}};
        const MadeUpOverflow third{1, 3, 3, "net/exp_3", {half_tensor({half_one})}, {half_tensor({half_max})}};
        for (const MadeUpOverflow& one : {first, second, third}) {
            write_overflow(dumps, one);
        }
        overflow = overflow_file(dumps, first);
        op_dump = op_dump_file(dumps, first);
        clean = write_file(dumps + "/rank_1/Net/0/3/Opdebug.Node_OpDebug.9.563.1772618405000009",
                           build_overflow_dump(ai_core_example(0)));
        mapped = write_file(dumps + "/rank_2/Net/0/3/12345", build_overflow_dump(ai_core_example(32)));
        mapping =
            write_file(dumps + "/rank_2/Net/0/3/mapping.csv", "12345,Opdebug.Node_OpDebug.57.563.1772618405000012\n");
        plain_log = write_file(logs + "/debug/plog/plog-5100_1.log", log_of(5100, "net/exp_1", 101));
        gzip_log = write_file(logs + "/debug/plog/plog-5200_1.log.gz", gzip_of(log_of(5200, "net/exp_2", 102)));
        zstd_log = write_file(logs + "/debug/plog/plog-5300_1.log.zst", zstd_of(log_of(5300, "net/exp_3", 103)));
    }

    /// Some kilobytes, so that a file can fail in its middle; what names the task is near the begin.
    static std::string log_of(int process, const std::string& op, int task) {
        LogText log(process);
        log.at(0).set_up_stream(563).at(10).bind(514, 563, "tiny").at(20).save_dump_task(op, 563, task);
        for (int i = 0; i < 200; ++i) {
            log.at(100 + i).save_dump_task("net/other_" + std::to_string(i * 7919 % 1000), 563, 1000 + i);
        }
        return log.text();
    }
};

}  // namespace opdebug::test
