// Replacing and checking the placeholders of catalogue messages.
#include "status/remark.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace opdebug::status {
namespace {

std::string value_of(std::string_view name, const RemarkValues& values) {
    if (name == "status") {
        return fmt::format("{}", values.status);
    }
    if (name == "status_hex") {
        return fmt::format("{:#x}", values.status);
    }
    if (name == "bits") {
        return fmt::format("{:#x}", values.bits);
    }
    if (name == "code") {
        return fmt::format("{}", values.code);
    }
    if (name == "code_hex") {
        return fmt::format("{:#x}", values.code);
    }
    return fmt::format("{{{}}}", name);
}

}  // namespace

std::string fill(std::string_view message, const RemarkValues& values) {
    std::string filled;
    while (true) {
        const std::size_t open = message.find('{');
        const std::size_t close = open == std::string_view::npos ? open : message.find('}', open);
        if (close == std::string_view::npos) {
            return filled.append(message);
        }
        filled.append(message.substr(0, open)).append(value_of(message.substr(open + 1, close - open - 1), values));
        message.remove_prefix(close + 1);
    }
}

std::optional<std::string> unknown_placeholder(std::string_view message,
                                               std::initializer_list<std::string_view> allowed) {
    while (true) {
        const std::size_t brace = message.find_first_of("{}");
        if (brace == std::string_view::npos) {
            return std::nullopt;
        }
        const std::size_t close = message.find('}', brace);
        if (message[brace] == '}' || close == std::string_view::npos) {
            return std::string(1, message[brace]);
        }
        const std::string_view name = message.substr(brace + 1, close - brace - 1);
        if (std::find(allowed.begin(), allowed.end(), name) == allowed.end()) {
            return std::string(message.substr(brace, close - brace + 1));
        }
        message.remove_prefix(close + 1);
    }
}

}  // namespace opdebug::status
