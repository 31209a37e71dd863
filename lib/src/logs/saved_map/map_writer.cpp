#include "logs/saved_map/map_writer.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

#include "logs/facts/launch_lines.hpp"
#include "logs/processes/process_facts.hpp"
#include "tree/folder.hpp"

namespace opdebug::logs {
namespace {

/// Larger frames compress better; one line costs the reading of a whole frame.
constexpr std::size_t kFrameSize = std::size_t{128} << 10U;

/// The line of a text around a part of it.
std::string_view line_around(std::string_view text, std::string_view part) {
    const auto place = static_cast<std::size_t>(part.data() - text.data());
    const std::size_t before = place == 0 ? std::string_view::npos : text.rfind('\n', place - 1);
    const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
    return text.substr(begin, std::min(text.find('\n', place), text.size()) - begin);
}

bool is_inside(std::string_view text, std::string_view part) {
    return std::less_equal<>()(text.data(), part.data()) &&
           std::less_equal<>()(part.data() + part.size(), text.data() + text.size());
}

bool states_nothing(const StatedLine& line) {
    const FormatDefinition& format = *line.match.format;
    return line.match.fact.kind == FactKind::nothing && format.remembers.empty() && format.forgets.empty();
}

}  // namespace

void MapWriter::use_formats(const LogFormats& formats, const std::vector<NamedText>& of_the_user) {
    for (const FormatDefinition* format : formats.definitions()) {
        if (format->once) {
            used_once_.insert(format->remembers);
        }
    }
    for (const NamedText& added : of_the_user) {
        const auto is_same = [&added](const NamedText& known) { return known.text == added.text; };
        if (std::none_of(tables_.log_formats.begin(), tables_.log_formats.end(), is_same)) {
            tables_.log_formats.push_back(added);
        }
    }
}

void MapWriter::begin_file(const std::string& path, const HostsOfWriters& hosts) {
    tables_.files.push_back({path, {}, {}});
    line_begin_ = line_begin_of(path);
    root_ = root_of(path);
    folder_ = tree::folder_of(path);
    writers_.clear();
    hosts_ = hosts;
    last_time_us_ = 0;
}

MapWriter::KnownOfProcess& MapWriter::known_of(const Writer& writer) {
    const auto host = hosts_.find(writer);
    return known_[{writer.on_device ? folder_ : root_, writer, host == hosts_.end() ? 0U : host->second}];
}

/// Whether the line may matter to a request for another task than its own. It is about a stream, a model, a process or
/// the reading of other lines of the thread; or it is the first one that shows that the process has submit lines.
bool MapWriter::matters_to_all(const StatedLine& line) {
    const Fact& fact = line.match.fact;
    const FormatDefinition& format = *line.match.format;
    const bool uses_up = std::any_of(format.completed_by.begin(), format.completed_by.end(),
                                     [this](const std::string& name) { return used_once_.count(name) != 0; });
    const bool is_provisional = fact.task_id_provisional && is_kernel_launch(fact);
    const bool is_of_task = is_of_one_task(fact.kind) || fact.kind == FactKind::model_of_task;
    if (uses_up || !format.remembers.empty() || !format.forgets.empty() || !is_of_task ||
        (!is_provisional && (!fact.stream_id || !fact.task_id))) {
        return true;
    }
    return submits_a_kernel(fact) && !std::exchange(known_of(line.writer).has_submit_line, true);
}

void MapWriter::add(std::string_view text, const StatedLines& lines) {
    SavedFile& file = tables_.files.back();
    for (const auto& [writer, shown] : lines.writers) {
        const auto [known, is_new] = writers_.try_emplace(writer, file.writers.size());
        if (is_new) {
            const auto host = hosts_.find(writer);
            file.writers.push_back({writer, host == hosts_.end() ? 0U : host->second, {}});
        }
        file.writers[known->second].lines.add(shown);
    }
    for (std::size_t next = 0; next < lines.lines.size();) {
        const StatedLine& first = lines.lines[next];
        bool is_general = false, states = false;
        for (; next < lines.lines.size() && lines.lines[next].number == first.number; ++next) {
            is_general = matters_to_all(lines.lines[next]) || is_general;
            states = states || !states_nothing(lines.lines[next]);
        }
        if (!states) {
            continue;
        }
        const bool is_of_text = is_inside(text, first.text);
        const std::string_view line = is_of_text ? line_around(text, first.text) : first.text;
        SpecialLine special{lines.lines_before + first.number,
                            {},
                            is_of_text ? line.data() + line.size() == text.data() + text.size() : first.is_cut};
        if (first.lacks_time) {
            special.time_us = first.time_us.value_or(last_time_us_);
        }
        if (special.time_us || special.is_cut) {
            file.special_lines.push_back(special);
        }
        record(line, special.line, is_general);
    }
    last_time_us_ = lines.last_time_us.value_or(last_time_us_);
}

void MapWriter::record(std::string_view line, std::uint64_t number, bool is_general) {
    OpenFrame& open = is_general ? general_ : tasks_;
    const auto file = static_cast<std::uint32_t>(tables_.files.size() - 1);
    if (open.text.empty()) {
        open.frame = {{}, number, {}};
    }
    if (open.frame.files.empty() || open.frame.files.back().file != file) {
        open.frame.files.push_back({file, 0});
    }
    ++open.frame.files.back().count;
    open.text += line_begin_;
    open.text += std::to_string(number);
    open.text += ':';
    open.text += line;
    open.text += '\n';
    if (open.text.size() >= kFrameSize) {
        close(open, is_general);
    }
}

void MapWriter::close(OpenFrame& open, bool is_general) {
    if (open.text.empty()) {
        return;
    }
    open.frame.part.content_size = open.text.size();
    auto compress = [content = std::exchange(open.text, {})] { return compress_frame(content); };
    std::future<std::string> bytes =
        pool_.has_threads() ? pool_.post(std::move(compress)) : std::async(std::launch::deferred, std::move(compress));
    compressing_.push_back({is_general, std::move(open.frame), std::move(bytes)});
    if (compressing_.size() >= std::max(threads_, 1U)) {
        store_first();
    }
}

void MapWriter::store_first() {
    Compressing first = std::move(compressing_.front());
    compressing_.pop_front();
    std::string bytes = first.bytes.get();
    first.frame.part.size = bytes.size();
    if (first.is_general) {
        general_frames_.emplace_back(std::move(first.frame), std::move(bytes));
    } else {
        first.frame.part.offset = file_.size();
        file_ += bytes;
        tables_.task_frames.push_back(std::move(first.frame));
    }
}

FilePart MapWriter::store_skippable(const std::string& content) {
    const std::string frame = compress_frame(content);
    append_little_endian(file_, kSkippableFrame, 4);
    append_little_endian(file_, frame.size(), 4);
    const FilePart part{file_.size(), frame.size(), content.size()};
    file_ += frame;
    return part;
}

Result<std::string> MapWriter::finish(LinesOfTasks& lines, const StatementsOf& states) {
    close(tasks_, false);
    close(general_, true);
    while (!compressing_.empty()) {
        store_first();
    }
    for (auto& [frame, bytes] : general_frames_) {
        frame.part.offset = file_.size();
        file_ += bytes;
        tables_.general_frames.push_back(std::move(frame));
    }
    tables_.open_launches = lines.open();
    const auto store = [this](const std::string& page) { return store_skippable(page); };
    tables_.task_pages = write_key_pages(lines.of_tasks(), store);
    tables_.address_pages = write_key_pages(lines.of_addresses(), store);
    for (SavedFile& file : tables_.files) {
        for (SavedWriter& writer : file.writers) {
            if (states) {
                const TaskMapBuilder::Statements statements = states(file.path, writer.writer, writer.host);
                writer.lines.states_unwanted = statements.states_anything;
                writer.lines.names_unwanted = statements.states_tasks;
            }
        }
    }
    const std::string tables = write_tables(tables_);
    const FilePart part = store_skippable(tables);
    if (!is_inside_file(part, file_.size())) {
        return Error{ErrorCode::write_failed,
                     "the logs have too many files for a saved map: make one of fewer logs",
                     {},
                     std::nullopt};
    }
    std::string header;
    append_little_endian(header, kSkippableFrame, 4);
    append_little_endian(header, kMapHeader - kSkippableHeader, 4);
    header += kMapName;
    for (const std::uint64_t number : {part.offset, part.size, part.content_size, std::uint64_t{file_.size()}}) {
        append_little_endian(header, number);
    }
    file_.replace(0, kMapHeader, header);
    return std::move(file_);
}

}  // namespace opdebug::logs
