#include "hostile_names.hpp"

#include <algorithm>

#include "log_builder.hpp"
#include "overflow_tree.hpp"
#include "temporary_directory.hpp"

namespace opdebug::test {
namespace {

const std::vector<std::string> names{
    "\x1b[31mred\x1b[0m",                        // colour (CSI)
    "\x1b[2J\x1b[1;1Hcleared",                   // the screen is emptied
    "\x1b]0;title\a",                            // title of the window (OSC 0)
    "\x1b]8;;file:etc\x1b\\link\x1b]8;;\x1b\\",  // a link (OSC 8)
    "\x1b]52;c;cm0gLXJm\a",                      // the clipboard (OSC 52)
    "\x1bPq#0\x1b\\",                            // picture (DCS)
    "\xc2\x9b"
    "31m C1 \xc2\x9d"
    "0;t\xc2\x9c",  // CSI, OSC and ST as one character each, UTF-8
    "\x9b"
    "31m raw C1 \x9d"
    "0;t\x9c",                                                  // and as raw bytes
    "bell\a back\b\b\b\b over\x7f",                             // BEL, BS, DEL
    "line one\nopdebug: line two",                              // a line break
    "shown\rhidden",                                            // CR
    "tab\tstop\vform\ffeed\x0e\x0f",                            // TAB, VT, FF, SO, SI
    "latin \xe9 cut \xe7\xae overlong \xc0\xaf\xe0\x80\x9b",    // no UTF-8
    "surrogate \xed\xa0\x80 beyond \xf4\x90\x80\x80 \xff\xfe",  // no UTF-8 either
    "\xe2\x80\xae"
    "lasrever\xe2\x80\xac \xe2\x81\xa6i\xe2\x81\xa9 \xe2\x80\x8e\xe2\x80\x8f\xd8\x9c",
    "zero\xe2\x80\x8bwidth\xe2\x80\x8d\xe2\x81\xa0 line\xe2\x80\xa8paragraph\xe2\x80\xa9 \xef\xbb\xbf"
    "bom\xc2\xad",
    "tag\xf3\xa0\x81\xa1 annotation\xef\xbf\xb9",
    "<script>document.title='ran'<script>",
    "\"><img src=x onerror=\"document.title='ran'\">",
    "' autofocus onfocus='document.title=1' style='x:y'",
    "javascript:document.title='ran'",
    "]]><!-- <![CDATA[ --> &lt;&#0;&amp",
    "<title><textarea><style>*{display:none}<plaintext>",
    "{{script}}{{title}}",
    "=cmd|'calc'!A0",
    "+1+1",
    "-1+1",
    "@SUM(1;1)",
    "\t=1+1",
    "\r=1+1",
    " =1+1",
    "\"=1+1\"",
    "a;=1+1;\"@b\"",
    "\xef\xbc\x9d"
    "1",  // U+FF1D, a wide =
    "comma, \"quote\" 'and' ; more",
    "-o",
    "--help",
    "%s%n%99999d",
    "{} {0} {:x}",
    "$(touch x) `touch y` ; touch z | cat & !!",
    "..",
    "*",
    "~",
    "\\..\\x1b\\n",
    std::string(180, 'L'),
    "溢出 算子 é",  // only unusual
};

/// A folder may not be called like this one's parent.
std::string folder_name(std::size_t i) {
    return names[i] == ".." ? "..." : names[i];
}

MadeUpOverflow overflow_of(std::size_t i) {
    MadeUpOverflow overflow;
    overflow.rank = overflow.step = overflow.milliseconds = i;
    overflow.op_name = names[i];
    overflow.inputs = {half_tensor({half_one})};
    overflow.outputs = {half_tensor({half_inf})};
    return overflow;
}

MadeUpOverflow logged_overflow(std::size_t i) {
    MadeUpOverflow overflow = overflow_of(i);
    overflow.milliseconds = 1000 + i;
    overflow.with_op_dump = false;
    return overflow;
}

}  // namespace

const std::vector<std::string>& hostile_names() {
    return names;
}

std::string hostile_dump(const std::string& root, std::size_t i) {
    return overflow_file(root + "/" + folder_name(i), overflow_of(i));
}

std::string hostile_logged_dump(const std::string& root, std::size_t i) {
    return overflow_file(root + "/logged", logged_overflow(i));
}

void write_hostile_job(const std::string& root) {
    const Buffer dump = build_overflow_dump(ai_core_example(32));
    for (std::size_t i = 0; i < names.size(); ++i) {
        write_overflow(root + "/" + folder_name(i), overflow_of(i));
        write_overflow(root + "/logged", logged_overflow(i));
        const std::string number = std::to_string(i);
        DumpFile op_dump;
        op_dump.op_name = names[i];
        op_dump.outputs = {half_tensor({half_inf})};
        // The name of a model is that of a folder; of a long operator, that in mapping.csv.
        write_file(root + "/20260304100000/" + number + "/" + folder_name(i) +
                       "/11/7/Opdebug.Node_OpDebug.9.9.1772618405000000",
                   dump);
        write_file(root + "/mapped/" + number + "/123", build_v2(op_dump));
        write_file(root + "/mapped/" + number + "/mapping.csv", "123,Exp." + names[i] + ".57.563.1772618405000000\n");
        // A dump that cannot be read, and a name that is nearly one.
        write_file(root + "/" + folder_name(i) + "/Opdebug.Node_OpDebug.1.1." + std::to_string(1772618405000000 + i),
                   "");
        write_file(root + "/" + folder_name(i) + "/Opdebug.Node_OpDebug." + names[i], "x");
    }
}

void write_hostile_log(const std::string& folder) {
    LogText log;
    log.at(0).set_up_stream(563);
    for (std::size_t i = 0; i < names.size(); ++i) {
        std::string name = names[i];
        std::replace(name.begin(), name.end(), '\n', ' ');
        const int task =
            static_cast<int>(1100 + i);  // the task of a dump that is made 1000 + i milliseconds after the begin
        log.save_dump_task(name + '\0', 563, task).launch_2023(563, task, name + '\0').bind(514, 563, name);
        log.line("ERROR", name, name);
    }
    write_file(folder + "/debug/plog/plog-5100_20260304100000000.log", log.text());
    write_file(folder + "/debug/plog/plog-5100_" + names[0] + ".log", log.text());
}

}  // namespace opdebug::test
