// What one log line states, independent of its text.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace opdebug::logs {

/// The statements that log lines make. A new text for one of them is one entry in lib/data/log-formats; only a new
/// statement is code.
enum class FactKind : std::uint8_t {
    operator_of_task,   ///< (stream, task) runs this graph node
    dumped_with_task,   ///< (stream, task) runs this graph node, or reads what it made: both are in the list of dumps
    kernel_of_task,     ///< (stream, task) runs this kernel: the line of its launch
    unnamed_launch,     ///< a task was launched whose kernel has no name in the log
    fault_kernel,       ///< (stream, task) ran this kernel and failed: later than the launch, so it starts no new use
    stream_open,        ///< a stream id begins to mean a new stream
    stream_close,       ///< the stream id is free again
    model_bind,         ///< a stream belongs to a runtime model from now on
    model_unbind,       ///< ... no longer
    model_of_task,      ///< (stream, task) belongs to a runtime model
    ge_model_stream,    ///< GE initialised a stream, for a GE model where it states so
    ge_model,           ///< GE model id with its graph id and/or name
    runtime_model,      ///< runtime model id with its name
    model_of_stream,    ///< a model name and one of its streams
    model_load_begin,   ///< the thread starts to load a model file
    model_load_end,     ///< the thread loaded a model file under this GE model id
    graph_name,         ///< graph id with its name
    end_of_graph_task,  ///< (stream, task) is the end-of-graph task, not an operator
    debug_task,         ///< (stream, task) is the overflow-debug task, not an operator
    submit,             ///< a task was sent: (stream, task) is final
    model_execute,      ///< GE or the runtime starts to execute a model; with both ids it pairs them
    task_renumbered,    ///< a task that is not sent yet got another id
    ids_wrapped,        ///< the task ids of a stream begin again from here
    task_fault,         ///< (stream, task) failed; the line does not name operator or kernel
    failure,            ///< a task failed that the line does not name; or the device and process of the next failures
    stated_error,       ///< an error without a task, of the host or a network: its code or its words
    stated_overflow,    ///< an overflow that the line gives no task of
    overflow_report,    ///< the host received a report that (stream, task) overflowed
    capture_stream,     ///< tasks that are launched on the origin stream go to this (capture) stream
    capture_end,        ///< ... no longer
    model_end,          ///< a model is gone: its id may come back with another meaning
    visible_device,     ///< the process sees a device of the driver under a number of its own
    process_device,     ///< the process works on the device
    dump_folder,        ///< the process writes its dumps below a folder that is called by this time
    process_rank,       ///< the process has this rank among so many
    run_begin,          ///< a new process has the process id: streams, models and tasks lose their meaning
    run_pause,          ///< nothing was logged for a while: the process id may mean a new process
    part,               ///< half of a statement: only together with a later line of the same thread
    nothing,            ///< looks like a statement but is none: kept so that nobody reads it as one
};

/// Which log a fact comes from; the spelling of "kind" in evidence.
enum class LogKind : std::uint8_t { ge_log, runtime_log, device_log };

/// The spelling in the format files and in evidence: the enumerator's own name.
std::string_view to_string(FactKind kind) noexcept;
std::string_view to_string(LogKind kind) noexcept;
std::optional<FactKind> fact_kind_from(std::string_view name) noexcept;
std::optional<LogKind> log_kind_from(std::string_view name) noexcept;
/// All spellings, for messages: "a, b, c".
std::string fact_kind_names();
std::string log_kind_names();

/// The low half of a task's number: tasks have 16 bits in the hardware; some lines put the number of wraps above them,
/// or a serial number of 32 bits.
constexpr std::uint64_t kLowHalfOfTask = 0xFFFF;

/// The task that a line is about, and what identifies lines of one launch. Empty: the line does not contain it.
struct TaskIds {
    std::optional<std::uint64_t> stream_id, task_id, device_id, task_type;
    std::optional<std::uint64_t> task_sn;  ///< 950: 32-bit number of the task next to its queue position
};

/// One statement. Numbers that the line does not give are empty; 65535 and 4294967295 as context or thread are empty.
struct Fact : TaskIds {
    FactKind kind = {};
    LogKind log = {};
    std::string format_id;  ///< id of the log format that read the line
    std::optional<std::uint64_t> context_id, thread_id;
    std::optional<std::uint64_t> model_id;     ///< runtime model id
    std::optional<std::uint64_t> ge_model_id;  ///< GE / ACL model id
    std::optional<std::uint64_t> graph_id, flip_num;
    std::optional<std::uint64_t> report_stream_id;    ///< on which the model was executed and the fault reported
    std::optional<std::uint64_t> origin_stream_id;    ///< on which tasks are launched that a capture stream takes
    std::optional<std::uint64_t> previous_task_id;    ///< before the task was renumbered
    std::optional<std::uint64_t> address1, address2;  ///< of the kernel's code on the device (inferred)
    /// The device as the process numbers it: not the driver's number where ASCEND_RT_VISIBLE_DEVICES chooses devices.
    std::optional<std::uint64_t> user_device_id;
    std::optional<std::uint64_t> fault_code;        ///< of a failure, as the line states it
    std::optional<std::uint64_t> process_id;        ///< of a printed error; a log line has it in its prefix
    std::optional<std::uint64_t> chip_id;           ///< of the driver; may differ from the number of the device
    std::optional<std::uint64_t> dump_folder;       ///< the time that a folder of dumps is called by, 14 digits
    std::optional<std::uint64_t> rank, rank_count;  ///< in a group of processes
    std::string operator_name, operator_type, kernel_name, model_name, model_file;
    std::string reason;                ///< of a failure, in words
    std::string suspect;               ///< the location that a collective waited for
    std::string rank_group;            ///< of `rank`, by the name that all of the group have
    bool task_id_provisional = false;  ///< printed before the task id was final: the next submit of the thread decides
    bool task_id_unconfirmed = false;  ///< provisional, and no submit line gave the final one
    bool task_id_from_sn = false;      ///< 950: task_id holds the low 16 bits of task_sn instead of the position
    bool of_model = false;             ///< only tasks of models have such a line
    bool name_cut = false;             ///< the line was cut at its length limit inside one of the names
};

/// Whether all members are equal: read by the same format, with the same numbers, texts and flags.
bool states_the_same(const Fact& a, const Fact& b) noexcept;

/// The members that a pattern can capture, by their names.
template <class Value>
struct FactMember {
    std::string_view name;
    Value Fact::*member;
};
using NumberMember = FactMember<std::optional<std::uint64_t>>;
using TextMember = FactMember<std::string>;
inline constexpr std::array<NumberMember, 23> kNumbers{{
    {"stream_id", &Fact::stream_id},
    {"task_id", &Fact::task_id},
    {"context_id", &Fact::context_id},
    {"thread_id", &Fact::thread_id},
    {"device_id", &Fact::device_id},
    {"model_id", &Fact::model_id},
    {"ge_model_id", &Fact::ge_model_id},
    {"graph_id", &Fact::graph_id},
    {"flip_num", &Fact::flip_num},
    {"task_type", &Fact::task_type},
    {"report_stream_id", &Fact::report_stream_id},
    {"origin_stream_id", &Fact::origin_stream_id},
    {"previous_task_id", &Fact::previous_task_id},
    {"task_sn", &Fact::task_sn},
    {"address1", &Fact::address1},
    {"address2", &Fact::address2},
    {"user_device_id", &Fact::user_device_id},
    {"fault_code", &Fact::fault_code},
    {"process_id", &Fact::process_id},
    {"chip_id", &Fact::chip_id},
    {"dump_folder", &Fact::dump_folder},
    {"rank", &Fact::rank},
    {"rank_count", &Fact::rank_count},
}};

inline constexpr std::array<TextMember, 8> kTexts{{
    {"operator_name", &Fact::operator_name},
    {"operator_type", &Fact::operator_type},
    {"kernel_name", &Fact::kernel_name},
    {"model_name", &Fact::model_name},
    {"model_file", &Fact::model_file},
    {"reason", &Fact::reason},
    {"suspect", &Fact::suspect},
    {"rank_group", &Fact::rank_group},
}};

/// Whether a statement has a member of this name.
bool is_number_member(std::string_view name) noexcept;
bool is_fact_member(std::string_view name) noexcept;

inline constexpr std::array<FactMember<bool>, 5> kFlags{{
    {"task_id_provisional", &Fact::task_id_provisional},
    {"task_id_unconfirmed", &Fact::task_id_unconfirmed},
    {"task_id_from_sn", &Fact::task_id_from_sn},
    {"name_cut", &Fact::name_cut},
    {"of_model", &Fact::of_model},
}};

/// What a statement is worth nothing without: all of `all`, and one of `any` where there are some.
struct Requirement {
    std::vector<std::string_view> all;
    std::vector<std::string_view> any;
};
Requirement requirement(FactKind kind);
/// Reports of overflow do not: they are found by either number of the task.
bool needs_task_id(FactKind kind) noexcept;

/// Whether the fact has what its statement needs.
bool is_complete(const Fact& fact) noexcept;

}  // namespace opdebug::logs
