// dump.json as msprobe's versions write it.
#include "api_dump_builder.hpp"

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

}  // namespace

std::string dump_json(const MadeDump& dump, MsprobeVersion version, int indent) {
    return DumpWriter(dump, version, indent).write();
}

}  // namespace opdebug::test
