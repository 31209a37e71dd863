// The Chinese texts of help, by the English ones.
#include "command_line/command_line.hpp"

#include <algorithm>
#include <iterator>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/text/text_table.hpp"
#include "system/system.hpp"

namespace opdebug::tool {
namespace {

constexpr std::size_t kHelpColumns = 100;

struct HelpText {
    std::string_view en, zh;
};

constexpr HelpText kTexts[] = {
    // pages and filters
    {"show only these ranks, for example 3,8-11", "只显示这些 rank，例如 3,8-11"},
    {"show only these steps", "只显示这些 step"},
    {"show only these devices", "只显示这些 device"},
    {"show only models whose name fits", "只显示名称匹配的模型"},
    {"show only operators or calls whose name or type fits, for example '*softmax*'",
     "只显示名称或类型匹配的算子或调用，例如 '*softmax*'"},
    {"show only this cause, for example ai_core.float_overflow (ids: opdebug explain)",
     "只显示该原因，例如 ai_core.float_overflow（编码见 opdebug explain）"},
    {"show only overflows from this local time, for example '2026-10-12 09:41:27'",
     "只显示该本地时间及之后的溢出，例如 '2026-10-12 09:41:27'"},
    {"show only overflows up to this local time", "只显示该本地时间及之前的溢出"},
    {"operators that text shows (default: 10)", "text 中显示的算子数（默认：10）"},
    {"text: list all ranks in the order of their first overflow", "text：按首次溢出的顺序列出全部 rank"},
    {"text: list what may be earlier than the first overflow", "text：列出可能早于首个溢出的 dump"},
    {"text: list all unreadable dumps", "text：列出全部无法读取的 dump"},
    {"text with all tasks in full, whole lines and paths", "text 中完整显示全部任务、日志行与路径"},
    {"colours in text: auto (default: only on a terminal, without NO_COLOR), always or never; COLUMNS sets the width",
     "text 的颜色：auto（默认，仅在终端且未设置 NO_COLOR 时）、always 或 never；COLUMNS 设置宽度"},
    {"Combines reports of 'opdebug scan --format jsonl' into the report that one scan of everything gives. REPORT: a "
     "file, plain, .gz or .zst; - is standard input. Write it with --shard or --host, so that it lists all dumps. "
     "Parts that are missing, cut or not usable are named, and the others merged.",
     "将 'opdebug scan --format jsonl' 的报告合并为对全部内容扫描一次所得的报告。REPORT 为文件，可为 .gz 或 .zst；- "
     "表示标准输入。扫描时使用 --shard 或 --host，报告才会列出全部 "
     "dump。缺失、不完整或无法使用的部分会被列出，其余照常合并。"},
    // commands
    {"decode overflow dumps: cause, operator and model", "解析溢出 dump：原因、算子与模型"},
    {"build a log index for --logs", "为 --logs 创建日志索引"},
    {"decode every dump below folders: what overflowed first, where, why",
     "解析目录下的全部 dump：首个溢出是什么、在哪里、为什么"},
    {"list tasks that overflowed or failed, from logs alone", "仅凭日志列出溢出或失败的任务"},
    {"report whether overflows mattered, from training logs", "由训练日志判断溢出是否有影响"},
    {"Reads training logs and reports whether overflows mattered: NaN loss, sinking loss scale, static scale, or "
     "normal "
     "probing. LOG: the text log of a training run, one file for each process or for all, or a folder of such files.",
     "读取训练日志，判断溢出是否有影响：loss 为 NaN、loss scale 持续下降、静态 "
     "scale，或正常试探。LOG：训练的文本日志，每个进程一个文件，或所有进程共用一个文件；也可以是这些文件的目录。"},
    {"log of the training run: its verdict, and whether the step of each overflow was skipped",
     "训练日志：给出其结论，以及每个溢出所在步是否被跳过"},
    {"compare with the dumps of a benchmark, for example on a GPU", "与标杆（例如 GPU）的 dump 比较"},
    {"step of the benchmark minus step here (default 0)", "标杆的 step 减去本次的 step（默认 0）"},
    {"the first step that is bad only on the NPU, and its call", "仅 NPU 异常的首个 step 及其调用"},
    {"compare with the log of a benchmark, for example on a GPU", "与标杆（例如 GPU）的日志比较"},
    {"json: list each step", "json：列出每一步"},
    {"text: list all runs", "text：列出全部运行"},
    {"exit status 3 for this verdict: nan_loss, sinking, static_scale_hit, here_only or more_often",
     "出现该结论时，退出码为 3：nan_loss、sinking、static_scale_hit、here_only 或 more_often"},
    {"whether the loss scale probes, sinks, or the loss is NaN",
     "判断 loss scale 是正常试探还是持续下降，以及 loss 是否为 NaN"},
    {"whether it happens more often than on the benchmark", "判断异常步是否多于标杆"},
    {"combine the reports of shards and hosts", "合并各分片与各主机的报告"},
    {"explain bare status numbers", "解释单独的状态值"},
    {"explain codes of results and logs", "解释结果与日志中的代码"},
    {"write the JSON of msaccucmp convert", "写出与 msaccucmp convert 相同的 JSON"},
    {"measure the inputs and outputs of operators", "统计算子的输入与输出"},
    {"write the summary of msaccucmp overflow", "写出与 msaccucmp overflow 相同的汇总"},
    {"follow a running job and report each rank's first overflow", "跟踪运行中的作业，报告各 rank 的首个溢出"},
    {"list what is missing before or after a run", "列出运行前后缺少的设置与数据"},
    {"find the API call that made the first bad value", "查找产生首个异常值的 API 调用"},
    {"list, show, check and try log formats", "列出、显示、检查并试用日志格式"},
    {"write the bash completion script", "写出 bash 补全脚本"},
    {"write the manual page", "写出手册页"},
    // what commands do
    {"Decodes every overflow dump below the paths and writes one report: what overflowed first, where, why, how often. "
     "Nothing is written into the folders that are read.",
     "解析路径下的全部溢出 dump，并写出一份报告：首个溢出是什么、在哪里、为什么、出现多少次。不会向读取的目录写入任何"
     "内容。"},
    {"Decodes overflow dumps: what happened, in which operator of which model. One file gives one JSON document, "
     "several files give one line each. FILE '-' reads a dump from standard input.",
     "解析溢出 dump：发生了什么，在哪个模型的哪个算子中。一个文件输出一个 JSON 文档，多个文件各输出一行。FILE 为 - "
     "时从标准输入读取 dump。"},
    {"Lists each task that the logs report as overflowed or failed, the first one first: operator, model, return code "
     "and evidence. Needs no dump. With --stream and --task: which operator and model one task is.",
     "列出日志中报告为溢出或失败的各个任务，最早的在前：算子、模型、返回码与依据。不需要 dump。使用 --stream 与 --task "
     "时：查找某一任务的算子与模型。"},
    {"Explains status numbers. UNIT: ai-core, dha-atomic, l2-atomic, aic, aiv, aicpu or sdma. VALUE: decimal or 0x...; "
     "four values joined by commas are the status of a version-1 record; '-' reads values from standard input.",
     "解释状态值。UNIT：ai-core、dha-atomic、l2-atomic、aic、aiv、aicpu 或 sdma。VALUE：十进制或 "
     "0x...；以逗号连接的四个"
     "值是版本 1 记录的状态；- 表示从标准输入读取。"},
    {"Lists what is or will be missing to explain overflows: log levels, dump switches, permissions, disk space, "
     "clocks. "
     "PATH: a dump path, logs, or a file of dump settings (acl.json). Without PATH: the environment only.",
     "列出解释溢出所缺少的内容：日志级别、dump 开关、权限、磁盘空间、时钟。PATH：dump 路径、日志，或 dump 配置文件"
     "（acl.json）。不带 PATH 时只检查环境。"},
    {"Explains codes: cause ids, codes of diagnostics and errors, findings of doctor, confidence words, verdicts, and "
     "return codes of the runtime. Without CODE: all of them.",
     "解释代码：原因 id、诊断与错误的代码、doctor 的发现、可信程度、结论，以及运行时返回码。不带 CODE 时列出全部。"},
    {"Names the API call, with step and rank, that made the first NaN, Inf or overflow. Reads dumps of msprobe "
     "(dump.json), ptdbg_ascend (.pkl text) and MindSpore (statistic.csv). A path is a dump's folder, a step, a rank "
     "or one file.",
     "读取 msprobe（dump.json）、ptdbg_ascend（.pkl 文本）与 MindSpore（statistic.csv）写出的 API 调用 "
     "dump，并给出哪个调用"
     "在哪个 step 与 rank 上产生了首个 NaN、Inf 或溢出。路径可以是 dump 的目录、某个 step、某个 rank 或单个文件。"},
    {"Measures the dumps of operators: largest and smallest value, mean, NaN, Inf and more of each input and output. A "
     "folder means every operator dump below it. One file gives one JSON document, several files or a folder give "
     "one line each.",
     "统计算子的 dump：各输入与输出的最大值、最小值、均值、NaN、Inf 等。目录表示其下的全部算子 dump。一个文件输出一个 "
     "JSON 文档，多个文件或目录各输出一行。"},
    {"Writes DIR/<dump name>.output.<index>.json for each overflow dump, with the text that 'msaccucmp convert' "
     "writes. A folder is read with everything below it; its tree is mirrored below DIR. Operator dumps are left "
     "alone.",
     "为每个溢出 dump 写出 DIR/<dump 名>.output.<编号>.json，内容与 msaccucmp convert 相同。目录连同其下的全部内容一起"
     "读取，并在 DIR 下保持相同的目录结构。不处理算子 dump。"},
    {"Writes overflow_summary_<time>.txt, as 'msaccucmp overflow' does, with the causes: the first overflows below a "
     "folder, their operators, and the tensors of these, which are also written as .npy files. The summary is shown on "
     "standard output as well.",
     "与 msaccucmp overflow 相同，写出 overflow_summary_<time>.txt，并包含原因：目录下最早的溢出、其算子及其张量；张量"
     "还会写为 .npy 文件。汇总同时显示在标准输出。"},
    {"Follows the dump_path of a running job: reports the first overflow of each rank and each new group of overflows. "
     "Ctrl-C or SIGTERM ends it with the report of a scan. Nothing is written into the folders.",
     "跟踪运行中作业的 dump_path：报告各 rank 的首个溢出，以及每个新的溢出分组。按 Ctrl-C 或收到 SIGTERM "
     "后，输出扫描报告"
     "并结束。不会向目录写入任何内容。"},
    {"Saves the log lines about tasks in one file. 'opdebug decode --logs FILE' reads it instead of the logs. PATH: a "
     "log file, a folder with logs, or an earlier map. --format jsonl: writes each fact as one line of JSON instead, "
     "for scripts.",
     "读取一次日志，并将其中的任务信息保存为索引文件；opdebug decode --logs FILE 可用它代替日志。PATH：日志文件、日志"
     "目录，或已有的索引。--format jsonl：改为将每条事实写成一行 JSON，供脚本使用。"},
    {"Definitions of the log lines that show which operator a task runs. list (default): one line each; show NAME: the "
     "whole definition of an id or catalogue mark; check FILE...: whether each file is sound together with the "
     "built-in definitions; try FILE LOG: which lines of a log the definitions of a file read, and which they miss.",
     "日志行的格式定义，用于得知任务执行哪个算子。list（默认）：各占一行；show NAME：某个 id "
     "或目录标记的完整定义；check "
     "FILE...：检查各文件与内置定义一起是否有效；try FILE "
     "LOG：列出某文件中的定义读出了日志的哪些行，以及漏掉了哪些行。"},
    {"Writes the manual page of opdebug and all its commands, in the form that man(1) reads. To read it: opdebug "
     "manual -o opdebug.1 && man -l opdebug.1",
     "写出 opdebug 及其全部命令的手册页，格式供 man(1) 使用。阅读方法：opdebug manual -o opdebug.1 && man -l "
     "opdebug.1"},
    {"Writes the script with which bash completes commands, options and their values. For ~/.bashrc: source <(opdebug "
     "completion bash) zsh can load the same script: autoload -Uz bashcompinit && bashcompinit && source <(opdebug "
     "completion bash)",
     "写出 bash 补全脚本，用于补全命令、选项及其值。在 ~/.bashrc 中：source <(opdebug completion bash)。zsh 也可加载该"
     "脚本：autoload -Uz bashcompinit && bashcompinit && source <(opdebug completion bash)"},
    // options
    {"text (default on a terminal), json (default elsewhere), jsonl (one line each), csv or html",
     "text（终端上的默认值）、json（其他情况的默认值）、jsonl（各占一行）、csv 或 html"},
    {"text (default on a terminal), json (default elsewhere) or jsonl (one line each)",
     "text（终端上的默认值）、json（其他情况的默认值）或 jsonl（各占一行）"},
    {"text (default on a terminal) or json (default elsewhere)", "text（终端上的默认值）或 json（其他情况的默认值）"},
    {"text (default on a terminal), or jsonl (default elsewhere): the record document of each overflow",
     "text（终端上的默认值）或 jsonl（其他情况的默认值）：各溢出的记录文档"},
    {"only the N earliest dumps in the timeline", "时间线中只列出最早的 N 个 dump"},
    {"clean dumps in the timeline, and all findings of API dumps",
     "时间线中也列出未溢出的 dump，并列出 API dump 的全部发现"},
    {"also measure the operators' own dumps: what their inputs and outputs hold, and whether the bad value was born in "
     "the operator or inherited; reads these files as a whole",
     "同时统计算子自身的 dump：其输入与输出的内容，以及异常值产生于该算子还是由输入带入；会完整读取这些文件"},
    {"overflow: exit status 3 when there is an overflow, or API dumps have a culprit",
     "overflow：有溢出，或 API dump 中有问题调用时，退出码为 3"},
    {"overflow: exit status 3 when a task overflowed", "overflow：有任务溢出时，退出码为 3"},
    {"overflow: exit status 3 when a culprit is found", "overflow：找到问题调用时，退出码为 3"},
    {"overflow: exit status 3 when there was an overflow", "overflow：出现溢出时，退出码为 3"},
    {"no progress line and no closing line", "不显示进度行与结束行"},
    {"no progress line", "不显示进度行"},
    {"no closing line", "不显示结束行"},
    {"no progress line, and no lines of what was found and written", "不显示进度行，也不显示找到与写出的内容"},
    {"only errors on standard error", "标准错误只输出错误"},
    {"log file or folder of the run, or a map of 'opdebug index'; may be repeated",
     "本次运行的日志文件或目录，或 opdebug index 创建的索引；可重复"},
    {"trace_view.json of PyTorch's profiler of the same run, plain, .gz or .zst: which API call launched the kernel "
     "that overflowed; may be repeated",
     "同一次运行的 PyTorch profiler 的 trace_view.json，可为 .gz 或 .zst：用于得知溢出的核函数由哪个 API "
     "调用下发；可重复"},
    {"write there instead of standard output", "写入该文件，而不是标准输出"},
    {"language of texts: en or zh (default from LANG)", "文本的语言：en 或 zh（默认取自 LANG）"},
    {"language of the causes: en or zh (default from LANG)", "原因的语言：en 或 zh（默认取自 LANG）"},
    {"show this help", "显示此帮助"},
    {"only shard I of N, from 0 to N-1, of the dumps; auto: from Slurm, Open MPI, PMI or Kubernetes. 'opdebug merge' "
     "makes one report of all N, written with --format jsonl",
     "只处理 N 份中的第 I 份 dump，I 从 0 到 N-1；auto：取自 Slurm、Open MPI、PMI 或 Kubernetes。以 --format jsonl "
     "写出的 "
     "N 份可用 opdebug merge 合并为一份报告"},
    {"the machine that holds the dumps, for every record; auto: this one's name",
     "dump 所在的主机，写入每条记录；auto：本机名称"},
    {"threads (default: one per core); the result does not depend on it", "线程数（默认每核一个）；结果与其无关"},
    {"time zone of the logs, if it is not that of the dump's time folder or of this machine",
     "日志本地时间的时区，用于既不同于 dump 时间目录也不同于本机的情况"},
    {"definitions of more log lines: a folder with .json files, or one file; may be repeated",
     "其他日志行的格式定义：包含 .json 文件的目录，或单个文件；可重复"},
    {"set an input limit, for example file_bytes=256M (K, M, G: powers of 1024); may be repeated; names: see LIMITS in "
     "the manual page",
     "设置输入限制，例如 file_bytes=256M（K、M、G 为 1024 的幂）；可重复；名称见手册页的 LIMITS"},
    {"text with explanations, sources and bits", "text 中显示说明、出处与各位"},
    {"text with all details, whole lines and paths", "显示全部细节，以及完整的日志行与路径"},
    {"only from this local time of the logs, as '2026-10-12 09:41:27'",
     "只从该时间（日志本地时间）起，例如 '2026-10-12 09:41:27'"},
    {"only up to this time", "只到该时间为止"},
    {"only tasks of this device", "只列出该设备的任务"},
    {"look up one task: its stream, with --task", "查找某一任务：其流，与 --task 一起使用"},
    {"look up one task: its number, with --stream", "查找某一任务：其编号，与 --stream 一起使用"},
    {"when the task of --stream and --task ran", "--stream 与 --task 所指任务的执行时间"},
    {"with PATH: also check the variables of this shell", "带 PATH 时：同时检查当前 shell 的环境变量"},
    {"text with explanations, sources, codes and whole paths", "text 中显示说明、出处、代码与完整路径"},
    {"at most N findings of each verdict and file (default 1000)", "每种结论与每个文件最多列出 N 个发现（默认 1000）"},
    {"write each tensor there as {dump name}.{input|output}.{index}.npy, for numpy.load",
     "将各张量写为 {dump 名}.{input|output}.{编号}.npy，供 numpy.load 使用"},
    {"compare with the same tensors of a run that is trusted, bit for bit", "与可信运行的相同张量逐位比较"},
    {"--against: the tensor, for example output.0, or input.0,output.0 for A and B",
     "用于 --against：所比较的张量，例如 output.0；A 与 B 不同时为 input.0,output.0"},
    {"--against: exit status 3 if a tensor differs: difference", "用于 --against：张量不同时退出码为 3：difference"},
    {"how the two differ: overwritten memory or noise", "两者有何不同：内存被覆盖还是数值噪声"},
    {"write the settings that bring missing evidence", "写出获取缺失依据所需的设置"},
    {"Reads a report and writes the settings of the next run that bring the missing evidence: msprobe's config.json, "
     "acl.json, the JSON of MindSpore and environment variables. REPORT: JSON of api, scan, decode, train or tensors "
     "--against.",
     "读取报告，写出下次运行的设置以获取缺失的依据：msprobe 的 config.json、acl.json、MindSpore 的 JSON 与环境变量。"
     "REPORT：api、scan、decode、train 或 tensors --against 的 JSON。"},
    {"what the run is for: tensor, bench, watch, kernel, nan_check or train (default: by the report)",
     "运行的目的：tensor、bench、watch、kernel、nan_check 或 train（默认由报告决定）"},
    {"write each file there; never overwrites a file", "将各文件写入该目录；不会覆盖已有文件"},
    {"dump folder in the settings (default: ./opdebug_next)", "设置中的 dump 目录（默认：./opdebug_next）"},
    {"dump all steps if the report names none", "报告中没有 step 时，对全部 step dump"},
    {"the values of the culprit for the next run", "下次运行获取问题调用的数值"},
    {"files to find overwritten memory", "查找内存覆盖所需的文件"},
    {"dump file or folder; several joined by commas", "dump 文件或目录；多个以逗号连接"},
    {"folder for the results (default: the current one); made when missing", "结果目录（默认当前目录）；不存在时创建"},
    {"accepted as the official converter does; the content decides", "与官方转换工具相同，接受但不使用；以内容为准"},
    {"npy, bin, msnpy or pt: accepted as well; an overflow dump becomes JSON",
     "npy、bin、msnpy 或 pt：同样接受；溢出 dump 转换为 JSON"},
    {"folder with everything below it; may be repeated", "目录及其下的全部内容；可重复"},
    {"folder for the results; made when missing", "结果目录；不存在时创建"},
    {"how many overflows (default: 1)", "溢出的个数（默认 1）"},
    {"form of the file of -o, if its suffix does not name it: json (default), jsonl (a part for merge), text, csv or "
     "html",
     "-o 文件的格式，用于后缀不能表明格式的情况：json（默认）、jsonl（供 merge 使用）、text、csv 或 html"},
    {"end after SECONDS without a new dump; 0: after the present dumps",
     "SECONDS 秒内没有新的 dump 时结束；0：处理完现有 dump 后结束"},
    {"end after so long", "经过该时长后结束"},
    {"run /bin/sh -c COMMAND at the first overflow, with its record document on standard input",
     "首个溢出时运行 /bin/sh -c COMMAND，并将其记录文档写入标准输入"},
    {"polling interval, 0.01 or more (default 2)", "轮询间隔，不小于 0.01（默认 2）"},
    {"the result will be merged again: with --format jsonl", "结果还会再次合并：与 --format jsonl 一起使用"},
    {"the map to write (required)", "要写出的索引（必需）"},
    {"map (default), or jsonl: one fact a line; -o - writes it to standard output",
     "map（默认），或 jsonl：每行一条事实；-o - 时写到标准输出"},
    {"Long options may have one dash: -out is --out.", "长选项可以只用一个短横线：-out 即 --out。"},
    // examples
    {"what overflowed first, where and why", "首个溢出是什么、在哪里、为什么"},
    {"the same as one page for the browser", "以浏览器页面输出相同的内容"},
    {"one dump: cause, operator, model and evidence", "单个 dump：原因、算子、模型与依据"},
    {"the record document with statistics of the tensors", "包含张量统计的记录文档"},
    {"the first task that overflowed or failed, and the others", "首个溢出或失败的任务，以及其他任务"},
    {"which operator this task runs", "该任务执行哪个算子"},
    {"two causes of the AI Core", "AI Core 的两个原因"},
    {"a version-1 status as JSON", "以 JSON 输出版本 1 的状态"},
    {"before a run: the settings of this shell", "运行之前：检查当前 shell 的设置"},
    {"after a run: what the dumps and logs lack", "运行之后：检查 dump 与日志缺少的内容"},
    {"return codes in a log", "日志中的返回码"},
    {"a diagnostic and a verdict", "一个诊断与一个结论"},
    {"the first bad value of one step, per rank", "某一 step 中各 rank 的首个异常值"},
    {"every finding of one rank", "某个 rank 的全部发现"},
    {"all findings as JSON", "以 JSON 输出全部发现"},
    {"text: list all findings, also calls that only inherited a bad value",
     "text：列出全部发现，包括仅由输入带入异常值的调用"},
    {"text: other culprits in the list (default: 10)", "text：列出的其他问题调用数（默认：10）"},
    {"text with all details, whole names, stacks and paths", "显示全部细节，以及完整的名称、调用栈与路径"},
    {"statistics of the inputs and outputs", "输入与输出的统计"},
    {"write each tensor for numpy.load", "写出各张量，供 numpy.load 使用"},
    {"all overflow dumps below a folder", "目录下的全部溢出 dump"},
    {"one dump, into the current folder", "单个 dump，写入当前目录"},
    {"the first overflow", "首个溢出"},
    {"the first five", "最早的五个"},
    {"follow a job; Ctrl-C writes the report", "跟踪作业；按 Ctrl-C 写出报告"},
    {"send mail at the first overflow", "首个溢出时发送邮件"},
    {"one page of the reports of all shards", "将所有分片的报告合并为一个页面"},
    {"a report that can be merged again", "可再次合并的报告"},
    {"a log index, before the logs rotate away", "在日志被轮转覆盖之前创建索引"},
    {"use it instead of the logs", "用它代替日志"},
    {"one definition", "单个定义"},
    {"whether a definition file is valid", "检查定义文件是否有效"},
    {"which lines of a log it reads", "查看它读出了日志的哪些行"},
    {"read the manual page", "阅读手册页"},
    {"install it", "安装手册页"},
    {"completion in this shell", "在当前 shell 中补全"},
    {"completion in every new shell", "在每个新 shell 中补全"},
};

/// "  -o, --output FILE"
std::string spelled(const Option& option) {
    const std::string names = fmt::format("  {}", fmt::join(spellings(option), ", "));
    return option.value ? names + " " + option.value->name : names;
}

std::string options_help(const CommandLine& line, bool advanced, std::string_view title) {
    constexpr std::size_t kColumn = 26;
    std::string text;
    for (const Option& option : line.options) {
        if (option.is_advanced != advanced) {
            continue;
        }
        const std::string names = spelled(option);
        const bool fits = names.size() < kColumn;
        text += fits ? "" : names + "\n";
        text += report::wrapped(report::padded(fits ? names : "", kColumn), help_in(option.summary, Language::chinese),
                                kColumn, kHelpColumns);
    }
    return text.empty() ? text : fmt::format("\n{}\n{}", title, text);
}

}  // namespace

Language help_language(const std::vector<std::string>& arguments) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const bool is_next = arguments[i] == "--lang" && i + 1 < arguments.size();
        const std::string value = is_next ? "--lang=" + arguments[i + 1] : arguments[i];
        if (value == "--lang=zh" || value == "--lang=en") {
            return value == "--lang=zh" ? Language::chinese : Language::english;
        }
    }
    return language_of_environment();
}

std::string usage_in(Language language, const std::string& usage) {
    std::string text = usage;
    for (const auto& [english, chinese] : {std::pair("[options]", "[选项]"), std::pair("[arguments]", "[参数]")}) {
        const std::size_t place = language == Language::chinese ? text.find(english) : std::string::npos;
        text = place == std::string::npos ? text : text.replace(place, std::string_view(english).size(), chinese);
    }
    return text;
}

std::string chinese_help(const CommandLine& line) {
    std::string text = fmt::format("用法：{}\n\n{}", usage_in(Language::chinese, line.usage),
                                   report::wrapped("", help_in(line.summary, Language::chinese), 0, kHelpColumns));
    text += options_help(line, false, "选项：") + options_help(line, true, "高级选项：");
    text += line.single_dash_long ? fmt::format("\n{}\n", help_in(kSingleDashRemark, Language::chinese)) : "";
    text += line.examples.empty() ? "" : "\n示例：\n";
    for (const Example& example : line.examples) {
        text += fmt::format("  {}\n      {}\n", example.call, help_in(example.meaning, Language::chinese));
    }
    return text;
}

std::string help_in(std::string_view english, Language language) {
    const std::string text = on_one_line(std::string(english));
    const auto* const known =
        std::find_if(std::begin(kTexts), std::end(kTexts), [&text](const HelpText& one) { return one.en == text; });
    return language == Language::chinese && known != std::end(kTexts) ? std::string(known->zh) : std::string(english);
}

}  // namespace opdebug::tool
