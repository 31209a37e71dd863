#include "report/html/scan_html.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bytes/counted.hpp"
#include "report/html/html_axis.hpp"
#include "report/html/html_table.hpp"
#include "report/html/html_timeline.hpp"
#include "report/text/numbers_and_times.hpp"

namespace opdebug::report {
namespace {

// User units of the drawing; the page scales it to its width.
constexpr double kWidth = 1000, kLeft = 128, kRight = 984, kTop = 6, kBottom = 46, kLane = 28;
constexpr double kMargin = 10, kEdge = 34;  // beside the axis: free, or for dumps far outside it
constexpr std::size_t kLaneName = 20;       // letters that fit beside a lane

/// Shapes of radius 1 around 0,0, so that causes differ without colour too; in the order of the colours of page.css.
constexpr const char* kShapes[] = {
    "M-1 0A1 1 0 1 0 1 0A1 1 0 1 0-1 0Z",                                         // circle
    "M-.9-.9H.9V.9H-.9Z",                                                         // square
    "M0-1.3L1.3 0 0 1.3-1.3 0Z",                                                  // diamond
    "M0-1.2L1.2.9H-1.2Z",                                                         // triangle
    "M0 1.2L1.2-.9H-1.2Z",                                                        // triangle upside down
    "M-.4-1.2H.4V-.4H1.2V.4H.4V1.2H-.4V.4H-1.2V-.4H-.4Z",                         // plus
    "M-1.1-.7-.7-1.1 0-.4.7-1.1 1.1-.7.4 0 1.1.7.7 1.1 0 .4-.7 1.1-1.1.7-.4 0Z",  // cross: other causes
    "M-1 0A1 1 0 1 0 1 0A1 1 0 1 0-1 0Z",                                         // circle, not filled: clean
};

/// Where the axis begins and ends.
double axis_left(const Timeline& timeline) {
    return kLeft + kMargin + (timeline.before > 0 ? kEdge : 0);
}

double axis_right(const Timeline& timeline) {
    return kRight - kMargin - (timeline.after > 0 ? kEdge : 0);
}

double x_of(std::uint64_t value, const Timeline& timeline) {
    const double left = axis_left(timeline), right = axis_right(timeline);
    if (timeline.low == timeline.high) {
        return (left + right) / 2;
    }
    return left + (right - left) * static_cast<double>(value - timeline.low) /
                      static_cast<double>(timeline.high - timeline.low);
}

double x_of(const TimelineMark& mark, const Timeline& timeline) {
    switch (mark.side) {
        case AxisSide::before: return kLeft + kMargin;
        case AxisSide::after: return kRight - kMargin;
        case AxisSide::inside: break;
    }
    return x_of(mark.low + (mark.high - mark.low) / 2, timeline);
}

double lane_middle(std::size_t lane) {
    return kTop + kLane * (static_cast<double>(lane) + 0.5);
}

std::string value_text(std::uint64_t value, const Timeline& timeline) {
    return timeline.axis == TimelineAxis::time ? show_time(value) : fmt::format("step {}", value);
}

/// Both languages in one line: the tooltips of a drawing cannot be switched.
std::string cause_text(const Timeline& timeline, std::size_t cause) {
    if (cause == kOtherCause) {
        return "other causes / 其他原因";
    }
    if (cause == kCleanDump) {
        return "no overflow / 未溢出";
    }
    const std::string& id = timeline.causes[cause];
    const std::string english = cause_name(id, Language::english), chinese = cause_name(id, Language::chinese);
    return english == chinese ? english : english + " / " + chinese;
}

/// The words of the tooltip, a line each.
std::string tooltip(const TimelineMark& mark, const Timeline& timeline) {
    const ScanItem& item = mark.first->item;
    std::string text = mark.count > 1 ? fmt::format("{} × ", mark.count) : std::string();
    text += html(cause_text(timeline, mark.cause));
    text += "\n" + value_text(mark.low, timeline);
    if (mark.high > mark.low) {
        text += " – " + value_text(mark.high, timeline);
    }
    if (const std::string op = show_operator(item.operator_name, item.operator_type); !op.empty()) {
        text += "\n" + html(op);
    }
    return text + "\n" + html(item.file) + (mark.count > 1 ? "\n..." : "");
}

std::string draw_mark(const TimelineMark& mark, const Timeline& timeline) {
    // Marks one below the other share the height of the lane.
    const double room = std::min(7.0, (kLane - 8) / 2 / static_cast<double>(mark.places) - 0.4);
    const double radius = std::min(mark.places == 1 ? 7.0 : room, 4 + 0.7 * std::log2(static_cast<double>(mark.count)));
    const double offset = (static_cast<double>(mark.place) - static_cast<double>(mark.places - 1) / 2) *
                          std::min(9.0, (kLane - 8) / static_cast<double>(mark.places));
    return fmt::format(
        "<path class=\"c{}\" transform=\"translate({:.1f} {:.1f}) scale({:.1f})\" d=\"{}\">"
        "<title>{}</title></path>\n",
        mark.cause, x_of(mark, timeline), lane_middle(mark.lane) + offset, radius, kShapes[mark.cause],
        tooltip(mark, timeline));
}

/// A name that fits beside the lane; its tooltip has all of it. Names of lanes are ASCII but for the dashes.
std::string draw_lane(std::size_t lane, const std::string& name) {
    const double top = kTop + kLane * static_cast<double>(lane);
    std::string text = fmt::format("<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n",
                                   lane % 2 == 0 ? "lane" : "lane odd", kLeft, top, kRight - kLeft, kLane);
    const std::string shown = name.size() <= kLaneName ? name : "..." + name.substr(name.size() - (kLaneName - 3));
    text += fmt::format("<text class=\"name\" x=\"{}\" y=\"{}\">{}<title>{}</title></text>\n", kLeft - 8, top + 18,
                        html(shown), html(name));
    return text;
}

/// The broken line between the axis and what lies far outside it.
std::string draw_break(double x, double label_x, double bottom, const char* label, const char* meaning) {
    return fmt::format(
        "<path class=\"grid break\" d=\"M{0:.1f} {1}V{2}\"/>"
        "<text class=\"caption\" x=\"{3:.1f}\" y=\"{4}\">{5}<title>{6}</title></text>\n",
        x, kTop, bottom + 4, label_x, bottom + 38, label, meaning);
}

std::string draw_breaks(const Timeline& timeline, double bottom) {
    constexpr double kHalf = kEdge / 2;
    std::string text;
    if (timeline.before > 0) {
        text += draw_break(axis_left(timeline) - kHalf, kLeft + kMargin, bottom, "«", "far earlier / 早得多");
    }
    if (timeline.after > 0) {
        text += draw_break(axis_right(timeline) + kHalf, kRight - kMargin, bottom, "»", "far later / 晚得多");
    }
    return text;
}

std::string draw_axis(const Timeline& timeline) {
    const bool time = timeline.axis == TimelineAxis::time;
    const double bottom = kTop + kLane * static_cast<double>(timeline.lanes.size());
    std::string text;
    for (const AxisTick& tick :
         time ? time_ticks(timeline.low, timeline.high) : number_ticks(timeline.low, timeline.high)) {
        const double x = x_of(tick.value, timeline);
        text += fmt::format(
            "<path class=\"grid\" d=\"M{0:.1f} {1}V{2}\"/>"
            "<text class=\"tick\" x=\"{0:.1f}\" y=\"{3}\">{4}</text>\n",
            x, kTop, bottom + 4, bottom + 18, html(tick.label));
    }
    text += draw_breaks(timeline, bottom);
    const std::string caption =
        time ? show_time(timeline.low) +
                   (timeline.high > timeline.low ? " – " + show_time(timeline.high) : std::string())
             : std::string("step");
    return text + fmt::format("<text class=\"caption\" x=\"{:.1f}\" y=\"{}\">{}</text>\n", (kLeft + kRight) / 2,
                              bottom + 38, html(caption));
}

std::string legend_item(std::size_t cause, const std::string& name) {
    return fmt::format(
        "<li><svg viewBox=\"-1.6 -1.6 3.2 3.2\" aria-hidden=\"true\"><path class=\"c{}\" d=\"{}\"/></svg>"
        "{}</li>\n",
        cause, kShapes[cause], name);
}

std::string legend(const Timeline& timeline) {
    std::string text = "<ul class=\"legend\">\n";
    for (std::size_t cause = 0; cause < timeline.causes.size(); ++cause) {
        const std::string& id = timeline.causes[cause];
        text +=
            legend_item(cause, in_both_languages(cause_name(id, Language::english), cause_name(id, Language::chinese)));
    }
    if (timeline.has_other) {
        text += legend_item(kOtherCause, in_both_languages("other causes", "其他原因"));
    }
    if (timeline.has_clean) {
        text += legend_item(kCleanDump, in_both_languages("no overflow", "未溢出"));
    }
    return text + "</ul>\n";
}

std::string notes(const Timeline& timeline) {
    std::string text = in_both_languages("A dump with two causes has two marks. Point at a mark to see what it is.",
                                         "有两个原因的 dump 有两个标记。将鼠标指向标记可查看内容。");
    if (timeline.folded) {
        text += " " + in_both_languages("Larger marks stand for several dumps close together.",
                                        "较大的标记代表时间相近的多个 dump。");
    }
    const bool time = timeline.axis == TimelineAxis::time;
    if (const std::uint64_t outside = timeline.before + timeline.after; outside > 0) {
        text +=
            " " + in_both_languages(
                      fmt::format("Far outside the axis: {}, drawn beyond the broken line at its edge. {}",
                                  bytes::counted(outside, "dump"), time ? "A clock or a file name may be wrong." : ""),
                      fmt::format("有 {} 个 dump 远在坐标轴之外，画在边缘的虚线外侧。{}", outside,
                                  time ? "可能是时钟或文件名有误。" : ""));
    }
    if (timeline.without_value > 0) {
        text +=
            " " +
            in_both_languages(
                fmt::format("Not drawn, because {} {} is not known: {}.", timeline.without_value == 1 ? "its" : "their",
                            time ? "time" : "step", bytes::counted(timeline.without_value, "dump")),
                fmt::format("{} 个 dump 的{}未知，未画出。", timeline.without_value, time ? "时间" : " step "));
    }
    return "<p class=\"note\">" + text + "</p>\n";
}

}  // namespace

std::string html_chart(const std::vector<const ScanEntry*>& entries) {
    const Timeline timeline = timeline_chart(entries);
    if (timeline.axis == TimelineAxis::none) {
        return {};
    }
    const double height = kTop + kLane * static_cast<double>(timeline.lanes.size()) + kBottom;
    std::string text = legend(timeline);
    text += fmt::format(
        "<div class=\"chart\" tabindex=\"0\" role=\"group\" aria-labelledby=\"chart-heading\">\n"
        "<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-labelledby=\"chart-heading\">\n",
        kWidth, height);
    for (std::size_t lane = 0; lane < timeline.lanes.size(); ++lane) {
        text += draw_lane(lane, timeline.lanes[lane]);
    }
    text += draw_axis(timeline);
    for (const TimelineMark& mark : timeline.marks) {
        text += draw_mark(mark, timeline);
    }
    return text + "</svg>\n</div>\n" + notes(timeline);
}

}  // namespace opdebug::report
