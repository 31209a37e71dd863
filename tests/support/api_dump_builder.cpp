#include "api_dump_builder.hpp"

#include <array>

#include <fmt/format.h>

#include "random.hpp"

namespace opdebug::test {
namespace {

/// Python's json.dump with an indent.
class PythonJson {
public:
    explicit PythonJson(int indent) : indent_(indent) {}

    void open(char bracket) {
        text_ += bracket;
        ++depth_;
        first_ = true;
    }
    void close(char bracket) {
        --depth_;
        if (!first_) {
            line();
        }
        first_ = false;
        text_ += bracket;
    }
    void item() {
        text_ += first_ ? "" : indent_ != 0 ? "," : ", ";
        first_ = false;
        line();
    }
    void key(const std::string& name) {
        item();
        text_ += '"' + name + "\": ";
    }
    void word(const std::string& word) { text_ += word; }
    void quoted(const std::string& text) { text_ += '"' + text + '"'; }
    std::string take() { return std::move(text_); }

private:
    void line() {
        if (indent_ != 0) {
            text_ += '\n' + std::string(depth_ * static_cast<std::size_t>(indent_), ' ');
        }
    }

    int indent_;
    std::size_t depth_ = 0;
    bool first_ = true;
    std::string text_;
};

bool is_finite(const std::string& number) {
    return number != "NaN" && number != "Infinity" && number != "-Infinity";
}

class DumpWriter {
public:
    DumpWriter(const MadeDump& dump, MsprobeVersion version, int indent)
        : dump_(dump), version_(version), json_(indent) {}

    std::string write();

private:
    void call(const MadeCall& call);
    void parameter_gradients(const MadeCall& call);
    void section(const char* key, const std::vector<MadeValue>& values);
    void named(const char* key, const std::vector<std::pair<std::string, MadeValue>>& values);
    void value(const MadeValue& value);
    void tensor(const MadeValue& value);
    void integers(const std::vector<std::int64_t>& numbers);
    void text_member(const char* key, const std::string& text) {
        json_.key(key);
        json_.quoted(text);
    }
    void word_member(const char* key, const std::string& word) {
        json_.key(key);
        json_.word(word);
    }

    const MadeDump& dump_;
    MsprobeVersion version_;
    PythonJson json_;
};

std::string DumpWriter::write() {
    json_.open('{');
    text_member("task", dump_.task);
    text_member("level", dump_.level);
    if (version_ >= MsprobeVersion::february_2025) {
        text_member("framework", dump_.framework);
    }
    word_member("dump_data_dir", "null");
    json_.key("data");
    json_.open('{');
    for (const MadeCall& made : dump_.calls) {
        json_.key(made.name);
        json_.open('{');
        call(made);
        json_.close('}');
    }
    json_.close('}');
    json_.close('}');
    return json_.take();
}

void DumpWriter::call(const MadeCall& call) {
    if (call.name.find(".parameters_grad") != std::string::npos) {
        return parameter_gradients(call);
    }
    const bool is_module = call.name.compare(0, 7, "Module.") == 0 || call.name.compare(0, 5, "Cell.") == 0;
    if (call.name.find("backward") != std::string::npos) {
        const bool has_torch_words = version_ == MsprobeVersion::may_2024;
        section(has_torch_words ? "grad_output" : "input", call.inputs);
        section(has_torch_words ? "grad_input" : "output", call.outputs);
    } else {
        section("input_args", call.inputs);
        named("input_kwargs", call.named_inputs);
        if (is_module && version_ >= MsprobeVersion::december_2024) {
            named("parameters", call.parameters);
        }
        if (version_ == MsprobeVersion::february_2025 || version_ == MsprobeVersion::june_2025) {
            word_member("is_recompute", call.is_recompute ? "true" : "false");
        }
        section("output", call.outputs);
    }
    if (call.is_nan) {
        word_member("is_nan", std::to_string(*call.is_nan));
    }
}

void DumpWriter::parameter_gradients(const MadeCall& call) {
    for (const auto& [name, gradient] : call.parameters) {
        section(name.c_str(), {gradient});
    }
}

void DumpWriter::section(const char* key, const std::vector<MadeValue>& values) {
    json_.key(key);
    json_.open('[');
    for (const MadeValue& made : values) {
        json_.item();
        value(made);
    }
    json_.close(']');
}

void DumpWriter::named(const char* key, const std::vector<std::pair<std::string, MadeValue>>& values) {
    json_.key(key);
    json_.open('{');
    for (const auto& [name, made] : values) {
        json_.key(name);
        value(made);
    }
    json_.close('}');
}

void DumpWriter::integers(const std::vector<std::int64_t>& numbers) {
    json_.open('[');
    for (const std::int64_t number : numbers) {
        json_.item();
        json_.word(std::to_string(number));
    }
    json_.close(']');
}

void DumpWriter::value(const MadeValue& made) {
    switch (made.kind) {
        case MadeValue::Kind::tensor: tensor(made); return;
        case MadeValue::Kind::null: json_.word("null"); return;
        case MadeValue::Kind::list:
            json_.open('[');
            for (const MadeValue& item : made.items) {
                json_.item();
                value(item);
            }
            json_.close(']');
            return;
        case MadeValue::Kind::dict:
            json_.open('{');
            for (std::size_t i = 0; i < made.items.size(); ++i) {
                json_.key(made.names[i]);
                value(made.items[i]);
            }
            json_.close('}');
            return;
        case MadeValue::Kind::scalar:
            json_.open('{');
            text_member("type", made.dtype);
            word_member("value", made.value);
            break;
        case MadeValue::Kind::process_group:
            json_.open('{');
            text_member("type", "torch.ProcessGroup");
            json_.key("group_ranks");
            integers(made.group_ranks);
            text_member("group_id", made.group_id);
            break;
        case MadeValue::Kind::point_to_point:
            json_.open('{');
            text_member("class_type", "torch.distributed.P2POp");
            json_.key("tensor");
            value(made.items.front());
            text_member("op", made.operation);
            word_member("peer", std::to_string(made.peer));
            word_member("tag", std::to_string(made.tag));
            text_member("group_id", made.group_id);
            break;
    }
    json_.close('}');
}

void DumpWriter::tensor(const MadeValue& made) {
    const bool is_mindspore = dump_.framework == "mindspore";
    std::string dtype = (is_mindspore ? "" : "torch.") + made.dtype;
    if (is_mindspore) {
        dtype = dtype == "bfloat16" ? "BFloat16" : static_cast<char>(dtype[0] - 'a' + 'A') + dtype.substr(1);
    }
    json_.open('{');
    text_member("type", is_mindspore ? "mindspore.Tensor" : "torch.Tensor");
    text_member("dtype", dtype);
    json_.key("shape");
    integers(made.shape);
    if (dump_.task != "nan_check") {
        word_member("Max", made.max);
        word_member("Min", made.min);
        word_member("Mean", made.max);
        word_member("Norm", made.norm);
    }
    if (!is_mindspore) {
        word_member("requires_grad", "true");
    }
    const bool has_bounds = version_ <= MsprobeVersion::february_2025 && !(is_finite(made.max) && is_finite(made.min));
    if (has_bounds) {
        word_member("Max_except_inf_nan", "1.0");
        word_member("Min_except_inf_nan", "-1.0");
    }
    json_.close('}');
}

/// "Functional_linear_0_forward" up to version 5.0.
std::string ptdbg_name(const std::string& name, const PtdbgForm& form) {
    std::string written = name;
    if (form.major < 6) {
        for (char& c : written) {
            c = c == '.' ? '_' : c;
        }
    }
    return written;
}

std::string python_list(const std::vector<std::int64_t>& numbers) {
    return fmt::format("[{}]", fmt::join(numbers, ", "));
}

class PtdbgWriter {
public:
    PtdbgWriter(const MadeCall& call, const PtdbgForm& form)
        : form_(form), name_(ptdbg_name(call.name, form)), separator_(form.major < 6 ? '_' : '.') {}

    std::string stack_line() const {
        std::string frames;
        for (const auto& [file, line] : form_.stack) {
            frames += fmt::format(R"line({}["{}", "{}", "f", "x = g(x)"])line", frames.empty() ? "" : ", ", file, line);
        }
        return frames.empty() ? "" : fmt::format("[\"{}{}stack_info\", [{}]]\n", name_, separator_, frames);
    }

    std::string lines(const char* kind, const std::vector<MadeValue>& values) const {
        std::string text;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const bool is_single_result = values.size() == 1 && std::string(kind) == "output";
            text +=
                line(fmt::format("{}{}{}{}", name_, separator_, kind, is_single_result ? "" : fmt::format(".{}", i)),
                     values[i]);
        }
        return text;
    }

private:
    std::string line(const std::string& name, const MadeValue& value) const {
        const int flag = form_.is_overflow_file ? 101 : 0;
        if (value.kind == MadeValue::Kind::list) {
            std::string text;
            for (std::size_t i = 0; i < value.items.size(); ++i) {
                text += line(fmt::format("{}.{}", name, i), value.items[i]);
            }
            return text;
        }
        const bool has_norm = form_.major > 3;
        if (value.kind == MadeValue::Kind::scalar) {
            return fmt::format("[\"{0}\", {1}, [], \"<class '{2}'>\", \"[]\", [{3}, {3}, {3}{4}]]\n", name, flag,
                               value.dtype, value.value, has_norm ? ", " + value.value : "");
        }
        return fmt::format("[\"{}\", {}, [], \"torch.{}\", {}, [{}, {}, {}{}]]\n", name, flag, value.dtype,
                           python_list(value.shape), value.max, value.min, value.max,
                           has_norm ? ", " + value.norm : "");
    }

    const PtdbgForm& form_;
    std::string name_;
    char separator_;
};

}  // namespace

MadeValue made_tensor(std::string max, std::string min, std::string dtype, std::vector<std::int64_t> shape) {
    MadeValue value;
    value.max = std::move(max);
    value.min = std::move(min);
    value.dtype = std::move(dtype);
    value.shape = std::move(shape);
    return value;
}

MadeValue made_scalar(std::string type, std::string value) {
    MadeValue scalar;
    scalar.kind = MadeValue::Kind::scalar;
    scalar.dtype = std::move(type);
    scalar.value = std::move(value);
    return scalar;
}

MadeValue made_list(std::vector<MadeValue> items) {
    MadeValue list;
    list.kind = MadeValue::Kind::list;
    list.items = std::move(items);
    return list;
}

MadeValue made_dict(std::vector<std::pair<std::string, MadeValue>> members) {
    MadeValue dict;
    dict.kind = MadeValue::Kind::dict;
    for (auto& [name, member] : members) {
        dict.names.push_back(std::move(name));
        dict.items.push_back(std::move(member));
    }
    return dict;
}

MadeValue made_group(std::vector<std::int64_t> ranks, std::string id) {
    MadeValue group;
    group.kind = MadeValue::Kind::process_group;
    group.group_ranks = std::move(ranks);
    group.group_id = std::move(id);
    return group;
}

MadeValue made_point_to_point(std::string operation, std::int64_t peer, MadeValue tensor, std::int64_t tag,
                              std::string group_id) {
    MadeValue value;
    value.kind = MadeValue::Kind::point_to_point;
    value.items.push_back(std::move(tensor));
    value.operation = std::move(operation);
    value.group_id = std::move(group_id);
    value.peer = peer;
    value.tag = tag;
    return value;
}

std::string dump_json(const MadeDump& dump, MsprobeVersion version, int indent) {
    return DumpWriter(dump, version, indent).write();
}

std::string ptdbg_text(const std::vector<MadeCall>& calls, const PtdbgForm& form) {
    std::string text;
    for (const MadeCall& call : calls) {
        const PtdbgWriter writer(call, form);
        const bool is_backward = call.name.find("backward") != std::string::npos;
        const std::string inputs = writer.lines("input", call.inputs), outputs = writer.lines("output", call.outputs);
        text += form.is_overflow_file ? writer.stack_line() : "";
        text += form.is_overflow_file && is_backward ? outputs + inputs : inputs + outputs;
        text += form.is_overflow_file ? "" : writer.stack_line();
    }
    return text;
}

MadeDump language_model_step(std::size_t calls, std::uint64_t seed) {
    constexpr std::array<const char*, 8> kApis = {
        "Functional.linear",  "Tensor.__add__",           "Torch.matmul",   "Functional.layer_norm",
        "Functional.dropout", "NPU.npu_fusion_attention", "Tensor.__mul__", "Functional.gelu"};
    Random random(seed);
    const auto number = [&random] {
        return fmt::format("{}", static_cast<double>(random.below(4096)) / 1024 + 0.0009765625);
    };
    const auto tensor = [&number](std::int64_t rows) {
        MadeValue value = made_tensor(number(), "-" + number(), "bfloat16", {rows, 1, 5120});
        value.norm = fmt::format("{}1234567", number());
        return value;
    };
    MadeDump dump;
    for (std::size_t i = 0; dump.calls.size() < calls; ++i) {
        const std::string name = fmt::format("{}.{}", kApis[i % kApis.size()], i / kApis.size());
        MadeCall forward{name + ".forward", {tensor(4096), tensor(5120)}, {}, {}, {tensor(4096)}, {}, false};
        forward.named_inputs = {{"p", made_scalar("float", "0.1")}, {"training", made_scalar("bool", "true")}};
        dump.calls.push_back(std::move(forward));
        if (i % 2 == 1 && dump.calls.size() < calls) {
            dump.calls.push_back({name + ".backward", {tensor(4096)}, {}, {}, {tensor(4096), tensor(5120)}, {}, false});
        }
    }
    return dump;
}

}  // namespace opdebug::test
