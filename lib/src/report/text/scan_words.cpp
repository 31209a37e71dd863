#include "report/text/scan_words.hpp"

#include <fmt/format.h>

#include "remarks/durations.hpp"
#include "scan/times.hpp"

namespace opdebug::report {
namespace {

constexpr ScanWords words_of_scan(Language language) {
    const auto say = [language](std::string_view english, std::string_view chinese) {
        return language == Language::chinese ? chinese : english;
    };
    return {
        .first = say("FIRST OVERFLOW", "首个溢出"),
        .first_failed = say("FIRST OVERFLOW, TASK FAILED", "首个溢出，任务失败"),
        .first_of_rank = say("FIRST OF RANK", "rank 首个溢出"),
        .new_group = say("NEW", "新的溢出"),
        .next = say("next: ", "处理方法："),
        .origin = say("origin: ", "来源："),
        .unknown_operator = say("(unknown)", "（未知）"),
        .time_unknown = say("time unknown", "时间未知"),
        .before_rank_format = say("{} before any other rank", "比其他所有 rank 早 {}"),
        .before_device_format = say("{} before any other device", "比其他所有 device 早 {}"),
        .dumps_of = {say("{} dump", "{} 个 dump"), say("{} dumps", "{} 个 dump")},
        .ranks_of = {say("{} rank", "{} 个 rank"), say("{} ranks", "{} 个 rank")},
        .devices_of = {say("{} device", "{} 个 device"), say("{} devices", "{} 个 device")},
        .uncertain = say("first: uncertain, ", "首个溢出不确定："),
        .close_format = say("{} may be earlier", "{} 可能更早"),
        .close_ranks_format = say("{} of {} may be earlier", "{1} 的 {0} 可能更早"),
        .no_time_format = say("{} without a usable time", "{} 没有可用的时间"),
        .implausible = say("its time is implausible", "其时间不合理"),
        .uncertain_list = say("Is it the first?", "它确实是首个吗？"),
        .unreadable_format = {say("{} unreadable dump may be earlier", "{} 个无法读取的 dump 可能更早"),
                              say("{} unreadable dumps may be earlier", "{} 个无法读取的 dump 可能更早")},
        .warnings_format = {say("{} clean dump has a warning: an overflow may be hidden there (--all lists it)",
                                "{} 个未溢出的 dump 带有警告，其中可能隐藏溢出（--all 列出）"),
                            say("{} clean dumps have a warning: an overflow may be hidden there (--all lists them)",
                                "{} 个未溢出的 dump 带有警告，其中可能隐藏溢出（--all 列出）")},
        .spread_format = say("How it spread in step {}", "step {} 中的传播过程"),
        .spread = say("How it spread", "传播过程"),
        .all_format = say("({}; --ranks shows all)", "（{}，--ranks 显示全部）"),
        .rest_format = say("{} by {}", "{1} 前另有 {0}"),
        .more_operators_format = say(" → {} more", " → 另有 {} 个"),
        .operators = say("Operators, by first overflow", "算子（按首次溢出排序）"),
        .shown_format = say("({} of {}; --top N)", "（共 {1} 个，显示 {0} 个；--top N）"),
        .time = say("first", "首次"),
        .dumps = say("dumps", "dump 数"),
        .ranks = say("ranks", "rank 数"),
        .devices = say("devices", "device 数"),
        .steps = say("steps", "step"),
        .op = say("operator", "算子"),
        .causes = say("causes", "原因"),
        .pattern = say("pattern", "规律"),
        .every_step = say("every step", "每个 step"),
        .recurring = say("recurring", "多次"),
        .one_off = say("once", "一次"),
        .one_core = say("one core", "集中于一个核"),
        .one_block = say("one block", "集中于一个 block"),
        .overflowed_format = say("{} overflowed", "溢出 {} 个"),
        .clean_format = say("{} clean", "未溢出 {} 个"),
        .failed_format = say("{} unreadable ({}; --unreadable lists them)", "无法读取 {} 个（{}；--unreadable 列出）"),
        .truncated = say("truncated", "文件被截断"),
        .none_chosen = say("No overflow fits the filters.", "没有符合筛选条件的溢出。"),
        .ranks_list = say("Ranks, by first overflow", "rank（按首次溢出排序）"),
        .unreadable_list = say("Unreadable dumps", "无法读取的 dump"),
        .more_format = say("  {} more (-v)\n", "  另有 {} 项（-v）\n"),
        .comma = say(", ", "，"),
    };
}

constexpr ScanWords kEnglishWords = words_of_scan(Language::english);
constexpr ScanWords kChineseWords = words_of_scan(Language::chinese);

}  // namespace

const ScanWords& scan_words_in(Language language) {
    return language == Language::chinese ? kChineseWords : kEnglishWords;
}

std::string show_count(std::uint64_t count) {
    std::string text = fmt::to_string(count);
    for (std::size_t place = text.size(); place > 3; place -= 3) {
        text.insert(place - 3, ",");
    }
    return text;
}

std::string show_offset(const std::optional<std::uint64_t>& time_us, const std::optional<std::uint64_t>& from_us,
                        Language language) {
    if (!time_us || !from_us) {
        return {};
    }
    constexpr std::int64_t kRoundedToMinute = 59'999'500;
    const std::int64_t later_us = scan_stage::time_difference(*time_us, *from_us);
    return later_us > -kRoundedToMinute && later_us < kRoundedToMinute
               ? fmt::format("{:+.3f} s", static_cast<double>(later_us) / 1e6)
               : fmt::format("{}{}", later_us < 0 ? '-' : '+', remarks::show_duration(later_us).in(language));
}

std::string short_cause(std::string_view id) {
    constexpr std::string_view kUnit = "ai_core.";
    std::string text(id.substr(id.starts_with(kUnit) ? kUnit.size() : 0));
    for (const std::string_view end : {std::string_view("_overflow"), std::string_view("_conversion")}) {
        if (text.size() > end.size() && text.ends_with(end)) {
            text.resize(text.size() - end.size());
        }
    }
    return text;
}

}  // namespace opdebug::report
