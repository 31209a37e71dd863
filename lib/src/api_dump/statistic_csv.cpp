// statistic.csv of MindSpore and msprobe, and CANN's statistics of a single operator.
#include "api_dump/readers.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <opdebug/tree.hpp>

#include "api_dump/file_text.hpp"
#include "remarks/diagnose.hpp"
#include "tree/name.hpp"

namespace opdebug::api_dump {
namespace {

/// Limit of kernels that wait for more rows: rows of parallel kernels may alternate.
constexpr std::size_t kMostOpen = 64;

/// All numbers of "(1,3,224,224)", "[1, 3]" and "4x50x50x16".
std::vector<std::uint64_t> shape_in(std::string_view text) {
    constexpr std::string_view kDigits = "0123456789";
    std::vector<std::uint64_t> shape;
    for (std::size_t at = text.find_first_of(kDigits); at != std::string_view::npos;) {
        const std::size_t end = std::min(text.find_first_not_of(kDigits, at), text.size());
        shape.push_back(tree::parse_number(text.substr(at, end - at)).value_or(0));
        at = text.find_first_of(kDigits, end);
    }
    return shape;
}

using Cells = std::vector<std::string_view>;

/// A cell without surrounding quotation marks and blanks.
std::string_view bare(std::string_view cell) {
    constexpr std::string_view kAround = " \t\"\r";
    const std::size_t begin = cell.find_first_not_of(kAround);
    return begin == std::string_view::npos ? std::string_view()
                                           : cell.substr(begin, cell.find_last_not_of(kAround) - begin + 1);
}

/// The cells of a row. Commas inside quotation marks and brackets belong to the cell, for example in shapes.
Cells cells_of(std::string_view row) {
    Cells cells;
    std::size_t begin = 0, brackets = 0;
    bool quoted = false;
    for (std::size_t i = 0; i <= row.size(); ++i) {
        const char c = i < row.size() ? row[i] : ',';
        const bool ends_cell = i == row.size() || (c == ',' && !quoted && brackets == 0);
        if (ends_cell) {
            cells.push_back(bare(row.substr(begin, i - begin)));
            begin = i + 1;
        } else if (c == '"') {
            quoted = !quoted;
        } else if (!quoted && (c == '(' || c == '[')) {
            ++brackets;
        } else if (!quoted && (c == ')' || c == ']') && brackets != 0) {
            --brackets;
        }
    }
    return cells;
}

/// Columns by their names in the first row: lower case without blanks, "maxvalue" of "Max Value".
class CsvColumns {
public:
    explicit CsvColumns(std::string_view header) {
        for (const std::string_view cell : cells_of(header)) {
            std::string name = tree::one_spelling(cell);
            std::erase_if(name, [](char c) { return c == ' ' || c == '_'; });
            names_.push_back(std::move(name));
        }
        while (!names_.empty() && names_.back().empty()) {
            names_.pop_back();
        }
    }

    bool has(std::string_view name) const { return index_of(name) != names_.size(); }
    std::size_t size() const noexcept { return names_.size(); }

    /// The index of that column; size() if the file has none.
    std::size_t index_of(std::string_view name) const {
        return static_cast<std::size_t>(std::find(names_.begin(), names_.end(), name) - names_.begin());
    }

    /// The cell of the first of these columns that the file has; empty if the row or file has none.
    std::string_view cell(const Cells& cells, std::initializer_list<std::string_view> names) const {
        for (const std::string_view name : names) {
            if (const std::size_t column = index_of(name); column != names_.size()) {
                return column < cells.size() ? cells[column] : std::string_view();
            }
        }
        return {};
    }
    std::string_view cell(const Cells& cells, std::string_view name) const { return cell(cells, {name}); }

private:
    std::vector<std::string> names_;
};

/// Whether the cell means: not computed.
bool is_not_computed(std::string_view cell) {
    return tree::equals_ignoring_case(cell, "na") || tree::equals_ignoring_case(cell, "n/a") ||
           tree::equals_ignoring_case(cell, "null");
}

/// A kernel and its rows so far.
struct OpenKernel {
    ApiEntry entry;
    std::set<std::pair<ApiValueKind, std::string>> slots;
    std::optional<std::uint64_t> last_time;

    /// MindSpore writes the time of each row, and rows of one time belong together. Otherwise each slot occurs once in
    /// a kernel, inputs first.
    bool continues_with(const ApiEntry& kernel, const ApiValue& value) const {
        const bool follows_output =
            value.kind == ApiValueKind::input && !slots.empty() && slots.rbegin()->first == ApiValueKind::output;
        return (kernel.timestamp_us && kernel.timestamp_us == last_time) ||
               (!follows_output && !slots.contains({value.kind, value.index}));
    }
};

/// CANN's file of one operator has the ids in its name: {op_type}.{op_name}.{task}.{stream}.{timestamp}.csv.
std::optional<ApiEntry> operator_of_file(const std::string& path) {
    constexpr std::string_view kEnding = ".csv";
    std::string_view name = file_name_of(path);
    ApiEntry entry;
    entry.phase = ApiPhase::kernel;
    entry.name = name;
    if (name.size() > kEnding.size() && name.substr(name.size() - kEnding.size()) == kEnding) {
        name.remove_suffix(kEnding.size());
    }
    if (const std::optional<DumpName> parts = parse_dump_name(name)) {
        entry.name = parts->op_name;
        entry.api = parts->op_type;
        entry.task_id = parts->task_id;
        entry.stream_id = parts->stream_id;
        entry.timestamp_us = parts->timestamp_us;
    }
    return entry;
}

class StatisticReader {
public:
    StatisticReader(ApiFile& file, std::string_view header, const std::function<void(ApiEntry&&)>& use)
        : file_(file), use_(use), columns_(header), direction_(columns_.has("io") ? "io" : "input/output") {
        if (columns_.has("opname")) {
            file_.framework = columns_.has("taskid") ? ApiFramework::mindspore : ApiFramework::unknown;
        } else {
            operator_ = operator_of_file(file.file);
        }
    }

    /// Returns false for a row that does not match the header.
    bool add(std::string_view line, bool has_end) {
        const Cells cells = cells_of(line);
        const bool is_whole = cells.size() >= columns_.size() || (has_end && lacks_statistics_only(cells));
        std::optional<ApiValue> value = is_whole ? value_of(cells) : std::nullopt;
        if (!value) {
            return false;
        }
        if (has_no_finite_value(cells, *value)) {
            value->max = value->min = std::numeric_limits<double>::quiet_NaN();
            ++without_finite_;
        }
        note_process(cells);
        OpenKernel& kernel = open_kernel(kernel_of(cells), *value);
        kernel.slots.emplace(value->kind, value->index);
        kernel.entry.inputs_dumped = kernel.entry.inputs_dumped || value->kind == ApiValueKind::input;
        kernel.entry.values.push_back(*std::move(value));
        return true;
    }

    /// Call it at the end: emits the open kernels.
    void finish() {
        while (!open_.empty()) {
            hand_on_oldest();
        }
        if (without_finite_ != 0) {
            file_.diagnostics.push_back(remarks::diagnose("null_statistics", {{"count", without_finite_}}));
        }
    }

private:
    std::optional<ApiValue> value_of(const Cells& cells) const {
        const std::string_view direction = columns_.cell(cells, direction_);
        const bool is_input = tree::equals_ignoring_case(direction, "input");
        if (!is_input && !tree::equals_ignoring_case(direction, "output")) {
            return std::nullopt;
        }
        ApiValue value;
        value.kind = is_input ? ApiValueKind::input : ApiValueKind::output;
        value.index = columns_.cell(cells, {"slot", "index"});
        value.dtype = element_name(columns_.cell(cells, {"datatype", "dtype"}));
        value.shape = shape_in(columns_.cell(cells, "shape"));
        if (cells.size() < columns_.size()) {
            return value;  // unknown which statistics it has
        }
        value.max = number_in(columns_.cell(cells, {"maxvalue", "max"}));
        value.min = number_in(columns_.cell(cells, {"minvalue", "min"}));
        value.norm = number_in(columns_.cell(cells, {"l2normvalue", "l2norm", "norm"}));
        value.nan = tree::parse_number(columns_.cell(cells, "nancount"));
        value.pos_inf = tree::parse_number(columns_.cell(cells, "positiveinfcount"));
        value.neg_inf = tree::parse_number(columns_.cell(cells, "negativeinfcount"));
        value.checksum = columns_.cell(cells, {"md5", "md5value", "sha1"});
        return value;
    }

    ApiEntry kernel_of(const Cells& cells) const {
        if (operator_) {
            return *operator_;
        }
        ApiEntry entry;
        entry.phase = ApiPhase::kernel;
        entry.name = columns_.cell(cells, "opname");
        entry.api = columns_.cell(cells, "optype");
        entry.task_id = tree::parse_number(columns_.cell(cells, "taskid"));
        entry.stream_id = tree::parse_number(columns_.cell(cells, "streamid"));
        entry.timestamp_us = tree::parse_number(columns_.cell(cells, "timestamp"));
        return entry;
    }

    /// Whether a short row has all cells up to the shape, or a slot as last cell, and no number after them. CANN and
    /// msprobe omit statistics that a type does not have.
    bool lacks_statistics_only(const Cells& cells) const {
        const std::size_t slot =
            std::max(columns_.index_of(direction_), columns_.index_of(columns_.has("slot") ? "slot" : "index"));
        const std::size_t shape = columns_.index_of("shape");
        if (slot >= cells.size()) {
            return false;
        }
        const std::size_t described = (shape < cells.size() && !cells[shape].empty() ? shape : slot) + 1;
        return std::none_of(cells.begin() + static_cast<std::ptrdiff_t>(described), cells.end(),
                            [](std::string_view cell) { return !cell.empty() && !is_not_computed(cell); });
    }

    /// ATB's rows contain device and process: "0_39943".
    void note_process(const Cells& cells) {
        const std::string_view device_and_process = columns_.cell(cells, "deviceandpid");
        if (!file_.process && !device_and_process.empty()) {
            file_.process = tree::parse_number(device_and_process.substr(device_and_process.rfind('_') + 1));
        }
    }

    /// Old writers write "null" as maximum and minimum if no element is finite (MindSpore's documents). NA and empty
    /// cells mean "not computed". Count columns are more reliable.
    bool has_no_finite_value(const Cells& cells, const ApiValue& value) const {
        const auto is_null = [this, &cells](std::string_view name) {
            return tree::equals_ignoring_case(columns_.cell(cells, name), "null");
        };
        const bool counts =
            columns_.has("nancount") || columns_.has("positiveinfcount") || columns_.has("negativeinfcount");
        const bool is_floating = value.dtype.find("float") != std::string::npos;
        const bool has_elements = std::find(value.shape.begin(), value.shape.end(), 0U) == value.shape.end();
        return !counts && is_null("maxvalue") && is_null("minvalue") && is_floating && has_elements &&
               !(value.norm && std::isfinite(*value.norm));
    }

    /// The newest open kernel of that name and stream if the row continues it; otherwise a new one. Without times, only
    /// adjacent rows are joined.
    OpenKernel& open_kernel(ApiEntry&& kernel, const ApiValue& value) {
        const auto has_name = [&kernel](const OpenKernel& other) {
            return kernel.stream_id == other.entry.stream_id && kernel.name == other.entry.name;
        };
        const auto last = kernel.timestamp_us || open_.empty() ? open_.rend() : std::next(open_.rbegin());
        const auto known = std::find_if(open_.rbegin(), last, has_name);
        if (known != last && known->continues_with(kernel, value)) {
            known->last_time = kernel.timestamp_us;
            return *known;
        }
        if (open_.size() == kMostOpen) {
            hand_on_oldest();
        }
        kernel.inputs_dumped = false;
        const std::optional<std::uint64_t> time = kernel.timestamp_us;
        return open_.emplace_back(OpenKernel{std::move(kernel), {}, time});
    }

    void hand_on_oldest() {
        open_.front().entry.position = file_.entries++;
        use_(std::move(open_.front().entry));
        open_.pop_front();
    }

    ApiFile& file_;
    const std::function<void(ApiEntry&&)>& use_;
    CsvColumns columns_;
    std::string_view direction_;
    std::optional<ApiEntry> operator_;  ///< operator of the file, if there is only one
    std::uint64_t without_finite_ = 0;  ///< values marked as having no finite element
    std::deque<OpenKernel> open_;       ///< in the order of their first rows
};

}  // namespace

bool is_statistic_header(std::string_view line) {
    const CsvColumns columns(line.substr(0, line.find('\n')));
    const bool has_statistics = (columns.has("datatype") || columns.has("dtype")) && columns.has("shape");
    return has_statistics && (columns.has("io") || columns.has("input/output"));
}

Result<ApiFile> read_statistic_csv(const std::string& path, const ApiReadOptions& options,
                                   const std::function<void(ApiEntry&&)>& use) {
    constexpr LinesOfDump kRows{LineEnd::outside_quotes, " \t,", "api_dump_cut.row", "api_dump_damaged.rows",
                                "no_calls.kernels"};
    ApiFile file;
    file.file = path;
    file.source = ApiSource::statistic_csv;
    std::optional<StatisticReader> rows;
    const auto read_row = [&](const Line& line) -> Result<bool> {
        if (rows) {
            return rows->add(line.text, line.has_end);
        }
        if (!is_statistic_header(line.text)) {
            return Error{
                ErrorCode::api_dump_invalid,
                "not a statistic.csv: the first line must name the columns Data Type, Shape, and input or output", path,
                std::nullopt};
        }
        rows.emplace(file, line.text, use);
        return true;
    };
    const auto finish = [&rows] {
        if (rows) {
            rows->finish();
        }
    };
    const Result<std::uint64_t> damaged = read_lines(kRows, options, file, read_row, finish);
    return damaged ? Result<ApiFile>(std::move(file)) : damaged.error();
}

}  // namespace opdebug::api_dump
