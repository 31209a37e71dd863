// Which lines count when several name something for one task, and what is stated about ids that are not sure.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>

#include "locate/operator_lines.hpp"
#include "location.hpp"
#include "logs/formats/formats.hpp"
#include "made_up_map.hpp"
#include "text.hpp"

using namespace opdebug;
using namespace opdebug::test;
using logs::FactKind;
using logs::LogKind;

namespace {

MadeUpFact named(std::string_view format, std::string_view op, std::int64_t at, LogKind log = LogKind::ge_log) {
    MadeUpFact fact(FactKind::operator_of_task, at, format, log);
    fact.fact.operator_name = op;
    return fact.task(21, 6);
}

MadeUpFact kernel(std::string_view name, std::int64_t at) {
    MadeUpFact fact(FactKind::kernel_of_task, at, "runtime.launch", LogKind::runtime_log);
    fact.fact.kernel_name = name;
    return fact.task(21, 6);
}

MadeUpFact bound_to(std::uint64_t model, std::int64_t at) {
    MadeUpFact fact(FactKind::model_bind, at, "runtime.model_bind_stream", LogKind::runtime_log);
    fact.fact.stream_id = 21;
    fact.fact.model_id = model;
    return fact;
}

MadeUpFact report(FactKind kind, std::int64_t at) {
    return MadeUpFact(kind, at, "made.report", LogKind::runtime_log).task(21, 6);
}

}  // namespace

TEST_CASE("order: GE's table of tasks counts more than traces and reports, whatever their order in the log") {
    const auto map = map_of({bound_to(3, 0), named("ge.find_exception_op", "reported", 10),
                             named("ge.kernel_trace", "traced", 20), named("ge.save_dump_task", "listed", 30)});
    check_located(locate_in(map, dump_of({21, 6, 3}, 100)),
                  {.op = "listed|-|-|exact",
                   .candidates = "",
                   .remarks = "warning sources_disagree, warning sources_disagree",
                   .said = {"sources_disagree", "traced"}});
}

TEST_CASE("order: a trace counts more than a report, a report more than the dump of a single operator") {
    const MadeUpFact single = named("adump.task", "single", 10, LogKind::runtime_log);
    const MadeUpFact reported = named("ge.save_exception_info", "reported", 10);
    const MadeUpFact traced = named("ge.kernel_trace", "traced", 10);
    CHECK(shown(locate_in(map_of({kernel("k", 9), single, reported, traced}), dump_of({21, 6}, 100)).op) ==
          "traced|-|k|exact");
    CHECK(shown(locate_in(map_of({kernel("k", 9), single, reported}), dump_of({21, 6}, 100)).op) ==
          "reported|-|k|exact");
    CHECK(shown(locate_in(map_of({kernel("k", 9), single}), dump_of({21, 6}, 100)).op) == "single|-|k|exact");
}

TEST_CASE("order: adump's report on a task for the case that it fails counts more than the dump of a single operator") {
    const MadeUpFact single = named("adump.launch_ids", "single", 10, LogKind::runtime_log);
    for (const char* format : {"adump.node", "aclnn.exception_operator"}) {
        const MadeUpFact reported = named(format, "reported", 10, LogKind::runtime_log);
        CHECK(shown(locate_in(map_of({kernel("k", 9), single, reported}), dump_of({21, 6}, 100)).op) ==
              "reported|-|k|exact");
    }
}

TEST_CASE("order: the line of a failure comes after all others, and does not deny the name in its launch line") {
    const MadeUpFact failed = named("runtime.fault_aicpu_operator", "failed", 20, LogKind::runtime_log);
    const MadeUpFact single = named("adump.launch_ids", "single", 10, LogKind::runtime_log);
    CHECK(shown(locate_in(map_of({kernel("RunToyKernel", 9), single, failed}), dump_of({21, 6}, 100)).op) ==
          "single|-|RunToyKernel|exact");
    check_located(locate_in(map_of({kernel("RunToyKernel", 9), failed}), dump_of({21, 6}, 100)),
                  {.op = "failed|-|RunToyKernel|exact", .remarks = "warning task_failed"});
    check_located(locate_in(map_of({kernel("-1_0_1_mine", 9), failed}), dump_of({21, 6}, 100)),
                  {.op = "mine|-|-1_0_1_mine|kernel", .remarks = "warning task_failed, warning sources_disagree"});
}

TEST_CASE("order: a failure is reported next to the operator also where its line names neither operator nor kernel") {
    LogText log;
    log.at(0).set_up_stream(21).launch(21, 0, "add_custom").sent(21, 6).at(50);
    const std::string launched = log.text();
    for (const char* line : {"Task run failed, device_id=0, stream_id=21, task_id=6, sqe_type=0(ffts), errType=0x1(x), "
                             "sqSwStatus=0",
                             "Task execution failed, device_id=0, stream_id=21, task_id=6, flip_num=0, task_type=0.",
                             "Task exception! device_id=0, stream_id=21, task_id=6, type=0(KERNEL_AICORE), "
                             "failuremode =0, retCode=0x26, [aicore exception]",
                             "Real task exception! device_id=0, stream_id=21, task_id=6, task_type=0 (KERNEL_AICORE)",
                             "stream_id=21, task_id=6, retCode=0x7150026,[aicore exception]"}) {
        log.clear();
        const std::string failed = log.runtime("Report", line, "WARNING").text();
        check_located(locate_in(task_map_of({launched + failed}), dump_of({21, 6}, 100)),
                      {.op = "-|-|add_custom|kernel", .remarks = "warning task_failed"});
    }
    log.clear();
    const std::string overflowed =
        log.runtime("Report", "stream_id=21, task_id=6, retCode=0x715005b,[aicore overflow]", "WARNING").text();
    CHECK_FALSE(
        contains(remarks_of(locate_in(task_map_of({launched + overflowed}), dump_of({21, 6}, 100))), "task_failed"));
}

TEST_CASE("order: a failure is reported within 10 s of the dump, and not if its line names another kernel") {
    const std::string ids = "device_id=0, stream_id=21, task_id=6";
    const std::string by_ids = "Task run failed, " + ids + ", sqe_type=0(ffts), errType=0x1(x), sqSwStatus=0";
    const auto of_kernel = [&ids](const std::string& kernel) {
        return "Aicore kernel execute failed, " + ids + ", report_stream_id=21, fault kernel_name=" + kernel +
               ", func_name=" + kernel + "__kernel0, program id=1, hash=2";
    };
    const auto remarks = [](bool of_model, const std::string& line, std::int64_t at) {
        LogText log;
        log.at(0).set_up_stream(21);
        if (of_model) {
            log.bind(3, 21);
        }
        log.launch_2021(21, 6, "add").at(at).runtime("Report", line, "ERROR");
        log.at(20'000'000).runtime("Run", "noise");
        const std::uint64_t model = of_model ? 3 : 0xffffffff;
        const Location location = locate_in(task_map_of(log), dump_of({21, 6, model}, 60'000));
        CHECK(shown(location.op) == "-|-|add|kernel");
        return remarks_of(location);
    };
    for (const bool of_model : {true, false}) {
        for (const std::string& line : {by_ids, of_kernel("add")}) {
            for (const std::int64_t near : {50'000, 60'000, 69'990}) {
                CHECK(remarks(of_model, line, near) == "warning task_failed");
            }
            for (const std::int64_t far : {49'999, 70'001, 3'600'000, 18'000'000}) {
                CHECK_FALSE(contains(remarks(of_model, line, far), "task_failed"));
            }
        }
    }
    for (const std::string kernel : {"add", "other"}) {
        LogText log;
        log.at(0).set_up_stream(21).bind(3, 21).launch(21, 0, "add").sent(21, 6);
        log.at(60'000).runtime("Report", of_kernel(kernel), "ERROR");
        const Location location = locate_in(task_map_of(log), dump_of({21, 6, 3}, 60'000));
        CHECK((remarks_of(location).find("task_failed") == std::string::npos) == (kernel == "other"));
    }
}

TEST_CASE("order: each row of the table is of built-in formats that name operators") {
    const auto definitions = logs::built_in_log_formats()->definitions();
    for (const locate_stage::StatementRow& row : locate_stage::statement_rows()) {
        const auto is_of_row = [&row](const logs::FormatDefinition* format) {
            return format->states == FactKind::operator_of_task && format->id.rfind(row.id_begins_with, 0) == 0;
        };
        CHECK_MESSAGE(std::any_of(definitions.begin(), definitions.end(), is_of_row), std::string(row.id_begins_with));
    }
}

TEST_CASE(
    "order: MindSpore's table of tasks counts as GE's, its reports and the dumps of single operators come later") {
    const MadeUpFact overflow = named("mindspore.overflow", "told", 10);
    const MadeUpFact table = named("mindspore.dump_kernel_ids", "listed", 20);
    CHECK(shown(locate_in(map_of({overflow, table}), dump_of({21, 6}, 100)).op) == "listed|-|-|type");
    for (const char* format : {"mindspore.dumped_kernel", "ge.launch_dump_ids"}) {
        CHECK(shown(locate_in(map_of({named(format, "single", 5), overflow}), dump_of({21, 6}, 100)).op) ==
              "told|-|-|type");
    }
}

TEST_CASE("order: the device's table of a model's tasks counts more than a report") {
    const auto map = map_of({bound_to(3, 0), named("ge.find_exception_op", "reported", 10)},
                            {named("device.op_mapping", "on_device", 10, LogKind::device_log)});
    CHECK(shown(locate_in(map, dump_of({21, 6, 3}, 100)).op) == "on_device|-|-|exact");
}

TEST_CASE("order: a device log that contradicts the kernel speaks of another use of the ids") {
    MadeUpFact on_device = named("device.op_mapping", "other", 10, LogKind::device_log);
    for (const bool saved : {false, true}) {  // a saved map states the same as the log
        on_device.from_saved_map = saved;
        check_located(locate_in(map_of({kernel("-1_0_1_mine", 10)}, {on_device}), dump_of({21, 6}, 100)),
                      {.op = "mine|-|-1_0_1_mine|kernel", .remarks = "warning sources_disagree"});
    }
}

TEST_CASE("order: an operator whose type is not its kernel's is doubtful") {
    const MadeUpFact launched = kernel("Exp_0123456789abcdef0123456789abcdef_high_performance_1", 20);
    for (const auto& [type, confidence] : {std::pair{"Add", "type"}, std::pair{"Exp", "exact"}}) {
        MadeUpFact reported = named("adump.node", "op", 21, LogKind::runtime_log);
        reported.fact.operator_type = type;
        const Location location = locate_in(map_of({launched, reported}), dump_of({21, 6}, 100));
        REQUIRE(location.op);
        CHECK(to_string(location.op->best.confidence) == std::string(confidence));
        CHECK((remarks_of(location) == "warning sources_disagree") == (type == std::string("Add")));
    }
}

TEST_CASE(
    "order: a kernel's name that holds another node than GE's line is told, one that holds none or its own is not") {
    const auto located = [](const MadeUpFact& named, const MadeUpFact& launched) {
        return locate_in(map_of({bound_to(3, 0), named, launched}), dump_of({21, 6, 3}, 100));
    };
    const MadeUpFact listed = named("ge.save_dump_task", "net/mul.b_1", 10);
    for (const char* other : {"-1_0_1_other", "2_0_11_GatherV2", "-1_0_1_net/mul.b_12", "-1_0_1_net/mul.b",
                              "-1_0_1_other_mix_aic", "-1_0_1_net/mul.b_1_mix", "0_1_net_mul__kernel0"}) {
        check_located(located(listed, kernel(other, 20)), {.op = "net/mul.b_1|-|" + std::string(other) + "|exact",
                                                           .remarks = "warning sources_disagree",
                                                           .said = {"sources_disagree", other}});
    }
    for (const char* its : {"-1_0_1_net/mul.b_1", "00_1_net/mul.b_1", "-1_0_1_net_mul_b_1", "add_custom",
                            "te_mul_0a1b_1__kernel0", "Other_0123456789abcdef0123456789abcdef_high_precision_7",
                            "-1_0_1_net/mul.b_1_mix_aic", "0_1_net_mul_b_1_mix_aiv", "0_1_net_mul_b_1__kernel0"}) {
        CHECK(remarks_of(located(listed, kernel(its, 20))).empty());
    }
    CHECK(remarks_of(located(named("ge.save_dump_task", "11_GatherV2", 10), kernel("2_0_11_GatherV2", 20))).empty());
    CHECK(remarks_of(located(named("ge.save_dump_task", "a_mix_aic", 10), kernel("-1_0_1_a_mix_aic", 20))).empty());
}

TEST_CASE("order: names that lines lost a part of do not disagree") {
    MadeUpFact listed = named("ge.save_dump_task", "net/mul_1", 10);
    MadeUpFact launched = kernel("-1_0_1_net/m", 20);
    launched.fact.name_cut = true;
    CHECK(remarks_of(locate_in(map_of({listed, launched}), dump_of({21, 6}, 100))) == "warning name_truncated");
    listed.fact.operator_name = "net/m";
    listed.fact.name_cut = true;
    CHECK(remarks_of(locate_in(map_of({listed, kernel("-1_0_1_net/mul_1", 20)}), dump_of({21, 6}, 100))) ==
          "warning name_truncated");
}

TEST_CASE("order: of a name that lines cut at several lengths the longest part answers") {
    const auto cut = [](std::string_view op, std::int64_t at) {
        MadeUpFact fact = named("ge.save_dump_task", op, at);
        fact.fact.name_cut = true;
        return fact;
    };
    check_located(locate_in(map_of({bound_to(3, 0), cut("net/m", 10), cut("net/mul_", 20)}), dump_of({21, 6, 3}, 100)),
                  {.op = "net/mul_|-|-|exact", .candidates = ""});
    const auto forked = map_of({bound_to(3, 0), cut("net/m", 10), cut("net/mul", 20), cut("net/max", 30)});
    CHECK(candidates_of(locate_in(forked, dump_of({21, 6, 3}, 100))) ==
          "net/m|-|-|type; net/mul|-|-|type; net/max|-|-|type");
}

TEST_CASE("confidence: a line with a type and no name gives the type only, and completes a kernel") {
    MadeUpFact typed = named("adump.task", "", 10, LogKind::runtime_log);
    typed.fact.operator_type = "Mul";
    CHECK(shown(locate_in(map_of({typed}), dump_of({21, 6}, 100)).op) == "-|Mul|-|type");
    CHECK(shown(locate_in(map_of({kernel("add_custom", 9), typed}), dump_of({21, 6}, 100)).op) ==
          "-|Mul|add_custom|kernel");
}

TEST_CASE("kernel: a task of a model that gets another kernel has the last one before the overflow") {
    const auto map = map_of({bound_to(3, 0), kernel("first", 10), kernel("second", 20'000)});
    CHECK(shown(locate_in(map, dump_of({21, 6, 3}, 15'000)).op) == "-|-|first|kernel");
    CHECK(shown(locate_in(map, dump_of({21, 6, 3}, 25'000)).op) == "-|-|second|kernel");
}

TEST_CASE("unsure ids: an unconfirmed id answers only when nothing else does, with a warning") {
    MadeUpFact guess = kernel("guessed", 5000);
    guess.fact.task_id_unconfirmed = true;
    check_located(locate_in(map_of({guess}), dump_of({21, 6}, 6000)), {.op = "-|-|guessed|kernel",
                                                                       .remarks = "warning task_id_unconfirmed",
                                                                       .said = {"task_id_unconfirmed", "RUNTIME=1"}});
    check_located(locate_in(map_of({kernel("confirmed", 1000), guess}), dump_of({21, 6}, 6000)),
                  {.op = "-|-|confirmed|kernel", .candidates = "", .remarks = ""});
}

TEST_CASE("unsure ids: a serial number and a queue position that lead to different kernels are candidates") {
    MadeUpFact serial = kernel("by_serial", 1000);
    serial.fact.task_id_from_sn = true;
    check_located(
        locate_in(map_of({kernel("by_position", 500), serial}), dump_of({21, 6}, 6000)),
        {.candidates = "-|-|by_position|kernel; -|-|by_serial|kernel", .remarks = "warning task_number_unclear"});
    check_located(locate_in(map_of({serial}), dump_of({21, 6}, 6000)),
                  {.op = "-|-|by_serial|kernel", .remarks = "warning task_number_unclear"});
    serial.fact.kernel_name = "by_position";
    check_located(locate_in(map_of({kernel("by_position", 500), serial}), dump_of({21, 6}, 6000)),
                  {.candidates = "", .remarks = ""});
}

TEST_CASE("overflow line: a host log that reports the overflow near the dump is reported") {
    const auto map = map_of({kernel("k", 1000), report(FactKind::overflow_report, 1500)});
    check_located(locate_in(map, dump_of({21, 6}, 1400)),
                  {.remarks = "info overflow_in_log", .said = {"overflow_in_log", "log0:2, 0.100 s after"}});
    CHECK(remarks_of(locate_in(map, dump_of({21, 6}, 12'000))).empty());
    CHECK_FALSE(contains(remarks_of(locate_in(map, dump_of({21, 7}, 1400))), "overflow_in_log"));
}

TEST_CASE("overflow line: of several possible zones the one in which the log reports the overflow is taken") {
    // The log covers ten hours, so many zones fit; only in UTC+02:00 the dump of 08:00 UTC meets the report at 10:00.
    constexpr std::int64_t hour = 3'600'000;
    MadeUpFact begin(FactKind::model_execute, -5 * hour, "made.begin", LogKind::runtime_log);
    MadeUpFact end(FactKind::model_execute, 5 * hour, "made.end", LogKind::runtime_log);
    const auto map = map_of({begin, kernel("k", -1000), report(FactKind::overflow_report, 500), end});
    Dump dump = dump_of({21, 6}, -2 * hour);
    LocateOptions options;
    options.task_map = map;
    options.host_utc_offset_minutes = -660;  // not inside of the log
    check_located(locate(dump, options),
                  {.op = "-|-|k|kernel", .remarks = "info overflow_in_log", .said = {"time_zone", "UTC+02:00"}});
}

TEST_CASE("wraps: ids that was restarted between the launch and the overflow are warned of") {
    MadeUpFact wrap(FactKind::ids_wrapped, 2000, "runtime.flip", LogKind::runtime_log);
    wrap.fact.stream_id = 21;
    wrap.fact.flip_num = 1;
    MadeUpFact later = wrap;
    later.time_us = log_time_us(9000);
    const auto map = map_of({kernel("k", 1000), wrap, later});
    check_located(
        locate_in(map, dump_of({21, 6}, 5000)),
        {.op = "-|-|k|kernel", .remarks = "warning ids_wrapped", .said = {"ids_wrapped", "restarted between"}});
    CHECK(remarks_of(locate_in(map, dump_of({21, 6}, 1500))).empty());
}
