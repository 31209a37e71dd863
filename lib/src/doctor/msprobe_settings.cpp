// Checks of msprobe's config.json: verdicts that its settings allow, and settings that msprobe rejects at its start.
// Sources: msprobe 2026-08, config_json_introduct.md, debugger_config.py of PyTorch and MindSpore, common_config.py.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "doctor/checks.hpp"

namespace opdebug::doctor {
namespace {

using nlohmann::json;

constexpr std::array kTasks{"statistics", "tensor", "nan_check", "structure", "acc_check", "exception_dump"};

using Words = std::vector<std::string>;

/// The strings of a member that is a string or a list of strings. Empty for other or missing members.
Words words_of(const json& object, const char* name) {
    Words words;
    const auto member = object.find(name);
    if (member == object.end()) {
        return words;
    }
    for (const json& item : member->is_array() ? *member : json::array({*member})) {
        if (item.is_string() && !item.get_ref<const std::string&>().empty()) {
            words.push_back(item.get<std::string>());
        }
    }
    return words;
}

bool contains(const Words& words, std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// Whether the member is true in Python: not null, false, 0, "", [] or {}.
bool is_set(const json& object, const char* name) {
    const auto member = object.find(name);
    if (member == object.end() || member->is_null() || *member == false || *member == 0) {
        return false;
    }
    if (const auto* const text = member->get_ptr<const std::string*>()) {
        return !text->empty();
    }
    return !member->is_structured() || !member->empty();
}

/// The settings as msprobe reads them: the section of the task, with msprobe's defaults.
struct Settings {
    Settings(const json& document, std::string file_path, Findings& all)
        : file(std::move(file_path)), findings(all), whole(document) {
        task = word_or(document, "task", "statistics");
        level = word_or(document, "level", "L1");
        if (task == "structure" && level != "L0") {
            level = "mix";  // as msprobe replaces it
        }
        const auto found = document.find(task);
        section = found != document.end() && found->is_object() ? *found : json::object();
        list = words_of(section, "list");
        summary = words_of(section, "summary_mode");
        const auto mode = section.find("summary_mode");
        summary_is_list = mode != section.end() && mode->is_array() && !mode->empty();
        data_mode = words_of(section, "data_mode");
    }

    bool is_task(std::initializer_list<std::string_view> tasks) const {
        return std::find(tasks.begin(), tasks.end(), task) != tasks.end();
    }
    bool is_level(std::initializer_list<std::string_view> levels) const {
        return std::find(levels.begin(), levels.end(), level) != levels.end();
    }
    /// Only settings of MindSpore graphs have lists of statistics, a device for them, and kernels with paths as names.
    bool is_of_mindspore_graph() const {
        return task == "exception_dump" || summary_is_list || section.contains("device") ||
               std::any_of(list.begin(), list.end(), [](const std::string& name) {
                   return name.rfind("name-regex(", 0) == 0 || name.find('/') != std::string::npos;
               });
    }
    /// Whether data_mode dumps `side` of a pair. If it names none of the two, it dumps both.
    bool dumps(std::string_view side, std::string_view other) const {
        return data_mode.empty() || contains(data_mode, "all") || contains(data_mode, side) ||
               !contains(data_mode, other);
    }
    std::string shown_data_mode() const { return fmt::format("[{}]", fmt::join(data_mode, ", ")); }
    void refuse(const std::string& reason, const std::string& wanted) const {
        findings.add("settings_refused", file, {{"reader", "msprobe"}, {"reason", reason}, {"wanted", wanted}});
    }

    std::string file;
    Findings& findings;
    const json& whole;
    json section;
    std::string task, level;
    Words list, summary, data_mode;
    bool summary_is_list = false;

private:
    static std::string word_or(const json& object, const char* name, const char* unset) {
        const Words words = words_of(object, name);
        return words.empty() ? unset : words.front();
    }
};

/// Reports combinations for which msprobe raises an error.
void check_refused(const Settings& settings) {
    const bool async = is_set(settings.whole, "async_dump");
    if (async && settings.task == "tensor" && settings.list.empty() && settings.level != "debug") {
        settings.refuse("task tensor with async_dump needs a list", "the names of the calls in \"list\"");
    }
    if (async && contains(settings.summary, "md5")) {
        settings.refuse("async_dump excludes summary_mode md5", "summary_mode \"statistics\"");
    }
    if (settings.data_mode.size() > 1 && contains(settings.data_mode, "all")) {
        settings.refuse("data_mode all excludes other entries", "data_mode [\"all\"]");
    }
    if (settings.task == "nan_check") {
        if (settings.level != "L1") {
            settings.refuse("task nan_check needs level L1, not " + settings.level, "level \"L1\"");
        }
        if (!settings.dumps("output", "input")) {
            settings.refuse("task nan_check needs outputs, but data_mode selects only inputs", "data_mode [\"all\"]");
        }
    } else if (settings.level == "L2" && !settings.is_of_mindspore_graph()) {
        if (settings.task != "tensor") {
            settings.refuse(
                "level L2 of PyTorch needs task tensor, not " + settings.task + " (a MindSpore graph accepts it)",
                "task \"tensor\", or level \"L1\"");
        }
        if (settings.list.size() != 1) {
            settings.refuse(
                fmt::format("level L2 of PyTorch needs one name in list, not {} (a MindSpore graph accepts it)",
                            settings.list.size()),
                "one API name in \"list\"");
        }
        if (is_set(settings.section, "scope")) {
            settings.refuse("level L2 excludes scope", "\"list\" with one API name, and no scope");
        }
    }
}

/// Reports settings without statistics, or without those that show NaN and Inf.
void check_statistics(const Settings& settings) {
    const auto no_values = [&settings](const std::string& member, std::optional<Severity> severity = std::nullopt) {
        settings.findings.add("settings_give_no_values", settings.file, {{"member", member}}, severity);
    };
    if (settings.task == "structure") {
        no_values("task structure");
        return;
    }
    if (contains(settings.summary, "xor")) {
        no_values("summary_mode xor");
        return;
    }
    const bool is_graph = settings.task == "statistics" && (settings.summary_is_list || settings.level == "L2");
    if (!is_graph || settings.summary.empty() || contains(settings.summary, "statistics")) {
        return;
    }
    const bool only_checksum = std::all_of(settings.summary.begin(), settings.summary.end(),
                                           [](const std::string& word) { return word == "md5" || word == "hash"; });
    if (only_checksum) {
        no_values(fmt::format("summary_mode {} on a MindSpore graph", fmt::join(settings.summary, ", ")),
                  Severity::warning);
    } else if (!contains(settings.summary, "max") || !contains(settings.summary, "min")) {
        settings.findings.add("settings_give_partial_values", settings.file,
                              {{"member", fmt::format("[{}]", fmt::join(settings.summary, ", "))}});
    }
}

/// Reports inputs, outputs or passes that are not dumped.
void check_data_mode(const Settings& settings) {
    const auto add = [&settings](std::string_view code) {
        settings.findings.add(code, settings.file, {{"data_mode", settings.shown_data_mode()}});
    };
    if (!settings.dumps("input", "output")) {
        add("inputs_not_dumped");
    } else if (!settings.dumps("output", "input") && settings.task != "nan_check") {
        add("outputs_not_dumped");
    }
    if (!settings.dumps("backward", "forward") || !settings.dumps("forward", "backward")) {
        add("pass_not_dumped");
    }
}

/// Reports calls that the risk filter drops; PyTorch only. A null or empty value means ALL.
void check_risk_level(const Settings& settings) {
    const auto member = settings.whole.find("risk_level");
    const bool by_default = member == settings.whole.end();
    const std::string value = by_default ? "FOCUS" : member->is_string() ? member->get<std::string>() : std::string();
    if ((value == "FOCUS" || value == "CORE") && settings.is_level({"L1", "mix"}) &&
        !settings.is_of_mindspore_graph()) {
        settings.findings.add("calls_left_out", settings.file,
                              {{"value", value}, {"by_default", by_default ? " by default" : ""}},
                              value == "CORE" ? Severity::warning : Severity::info);
    }
}

void check_values(const Settings& settings) {
    const auto add = [&settings](std::string_view code, Values values = {}) {
        settings.findings.add(code, settings.file, values);
    };
    if (settings.is_task({"statistics", "tensor"}) && settings.is_level({"L0", "L1", "mix"})) {
        for (const char* member : {"slice", "request_id"}) {
            if (is_set(settings.section, member)) {
                add("values_of_a_slice", {{"member", member}});
            }
        }
    }
    if (settings.is_task({"statistics", "tensor"}) && !contains(words_of(settings.whole, "precision"), "high") &&
        !contains(settings.summary, "xor")) {
        add("low_precision_statistics");
    }
    if (is_set(settings.whole, "async_dump")) {
        add("dump_written_at_step_end");
    }
}

/// Reports whether and where msprobe dumps at all.
void check_extent(const Settings& settings) {
    const auto add = [&settings](std::string_view code, Values values = {}) {
        settings.findings.add(code, settings.file, values);
    };
    const auto enabled = settings.whole.find("dump_enable");
    if (enabled != settings.whole.end() && *enabled == false) {
        add("dump_switched_off");
    }
    if (is_set(settings.whole, "rank")) {
        add("ranks_selected", {{"ranks", settings.whole["rank"].dump()}});
    }
    if (settings.is_level({"L0", "mix"}) && !settings.is_of_mindspore_graph()) {
        add("level_needs_model", {{"level", settings.level}});
    }
    if (settings.task == "nan_check") {
        add("nan_check_conditions");
    }
}

}  // namespace

bool is_msprobe(const json& settings) {
    return settings.contains("task") ||
           (settings.contains("dump_path") &&
            (settings.contains("level") ||
             std::any_of(kTasks.begin(), kTasks.end(), [&](const char* task) { return settings.contains(task); })));
}

void check_msprobe(const std::string& file, const json& document, Findings& findings) {
    const Settings settings(document, file, findings);
    if (settings.task == "overflow_check") {
        findings.add("overflow_check_gone", file);
        return;
    }
    if (std::find(kTasks.begin(), kTasks.end(), settings.task) == kTasks.end()) {
        return;  // a task of another version, with unknown settings
    }
    check_refused(settings);
    check_statistics(settings);
    if (settings.is_task({"statistics", "tensor", "nan_check"})) {
        check_data_mode(settings);
        check_risk_level(settings);
    }
    check_values(settings);
    check_extent(settings);
}

}  // namespace opdebug::doctor
