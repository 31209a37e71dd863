// The .pkl text of ptdbg_ascend.
#include "api_dump_builder.hpp"

#include <fmt/format.h>

namespace opdebug::test {
namespace {

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

}  // namespace opdebug::test
