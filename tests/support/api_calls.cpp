#include "api_calls.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "api_run.hpp"

namespace opdebug::test {
namespace {

bool has_phase(std::string_view name) {
    return name.find(".forward") != std::string_view::npos || name.find(".backward") != std::string_view::npos ||
           name.find(".parameters_grad") != std::string_view::npos;
}

bool is_number(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::string full_name(std::string_view name) {
    const bool has_count = is_number(name.substr(name.rfind('.') + 1));
    return std::string(name) + (has_phase(name) ? "" : has_count ? ".forward" : ".0.forward");
}

/// As Python writes it.
std::string python_number(std::string_view text) {
    return text == "inf" ? "Infinity" : text == "-inf" ? "-Infinity" : text == "nan" ? "NaN" : std::string(text);
}

std::vector<std::int64_t> integers(std::string_view text) {
    std::vector<std::int64_t> numbers;
    while (!text.empty()) {
        const std::string_view number = text.substr(0, text.find(','));
        numbers.push_back(std::stoll(std::string(number)));
        text.remove_prefix(std::min(text.size(), number.size() + 1));
    }
    return numbers;
}

/// Cuts what follows the mark off the text.
std::string_view cut_behind(std::string_view& text, char mark) {
    const std::size_t at = text.find(mark);
    const std::string_view behind = at == std::string_view::npos ? std::string_view() : text.substr(at + 1);
    text = text.substr(0, at);
    return behind;
}

MadeValue tensor_of(std::string_view word) {
    MadeValue value = made_tensor();
    if (word.find('@') != std::string_view::npos) {
        value.shape = integers(cut_behind(word, '@'));
    }
    if (word.find(':') != std::string_view::npos) {
        value.dtype = cut_behind(word, ':');
    }
    if (word != ".") {
        const std::string_view minimum = cut_behind(word, '/');
        value.max = python_number(word);
        value.min = python_number(minimum.empty() ? word : minimum);
    }
    return value;
}

class CallReader {
public:
    explicit CallReader(std::string_view text) : rest_(text) {}

    std::vector<MadeCall> calls() {
        std::vector<MadeCall> calls;
        while (!rest_.empty()) {
            calls.push_back(call());
            accept(';');
        }
        return calls;
    }

private:
    MadeCall call() {
        MadeCall call;
        call.name = full_name(word("("));
        accept('(');
        while (!accept(')')) {
            argument(call);
        }
        while (!rest_.empty() && rest_.front() != ';') {
            if (accept('!')) {
                call.is_nan = std::stoll(std::string(word(" ;")));
            } else {
                call.outputs.push_back(value());
            }
        }
        return call;
    }

    void argument(MadeCall& call) {
        const std::size_t end = rest_.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789");
        const std::string key(rest_.substr(0, end));
        const char mark = end < rest_.size() ? rest_[end] : ' ';
        if (key.empty() || (mark != '=' && mark != ':')) {
            call.inputs.push_back(value());
            return;
        }
        rest_.remove_prefix(end + 1);
        if (key == "group" && rest_.front() != '"') {
            const std::vector<std::int64_t> ranks = integers(word(" )"));
            call.named_inputs.emplace_back(key, made_group(ranks, "group_of_" + std::to_string(ranks.size())));
        } else {
            (mark == '=' ? call.named_inputs : call.parameters).emplace_back(key, value());
        }
    }

    MadeValue value() {
        if (accept('[')) {
            std::vector<MadeValue> items;
            while (!accept(']')) {
                items.push_back(value());
            }
            return made_list(std::move(items));
        }
        if (accept('{')) {
            std::vector<std::pair<std::string, MadeValue>> members;
            while (!accept('}')) {
                std::string key(word("="));
                accept('=');
                members.emplace_back(std::move(key), value());
            }
            return made_dict(std::move(members));
        }
        const std::string_view text = word(" ;()[]{}");
        if (accept('(')) {
            return operation(text);
        }
        if (text.front() == '#') {
            return made_scalar(is_number(text.substr(1)) ? "int" : "float", python_number(text.substr(1)));
        }
        if (text.front() == '"') {
            return made_scalar("str", std::string(text));
        }
        MadeValue none;
        none.kind = MadeValue::Kind::null;
        return text == "null" ? none : tensor_of(text);
    }

    MadeValue operation(std::string_view name) {
        const std::int64_t peer = std::stoll(std::string(word(" ")));
        skip_blanks();
        MadeValue tensor = value();
        const bool has_id = rest_.front() != ')';
        const std::string id(has_id ? word(")") : "00000000");
        accept(')');
        return made_point_to_point(std::string(name), peer, std::move(tensor), 0, id);
    }

    /// The text before one of the marks.
    std::string_view word(const char* marks) {
        const std::string_view found = rest_.substr(0, rest_.find_first_of(marks));
        if (found.empty()) {
            throw std::invalid_argument("no call or value at: " + std::string(rest_));
        }
        rest_.remove_prefix(found.size());
        if (rest_.empty() || rest_.front() == ' ') {
            skip_blanks();
        }
        return found;
    }

    bool accept(char mark) {
        const bool is_there = !rest_.empty() && rest_.front() == mark;
        rest_.remove_prefix(is_there ? 1 : 0);
        skip_blanks();
        return is_there;
    }

    void skip_blanks() { rest_.remove_prefix(std::min(rest_.size(), rest_.find_first_not_of(' '))); }

    std::string_view rest_;
};

}  // namespace

std::vector<MadeCall> calls_of(std::string_view text) {
    return CallReader(text).calls();
}

}  // namespace opdebug::test
