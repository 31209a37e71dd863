// What a command says on standard error.
#pragma once

#include <string>
#include <vector>

#include <opdebug/result.hpp>

namespace opdebug::tool {

/// Says something on stderr, after "opdebug: ". Control characters of names become visible.
void say(const std::string& message);

/// Says each failure in a line of its own.
void say_failures(const std::vector<Error>& failures);

/// Says each remark in a line of its own.
void say_remarks(const std::vector<Diagnostic>& remarks);

/// Says the remarks of severity error; in front of each stands `file`, where one is given.
void say_errors(const std::vector<Diagnostic>& remarks, const std::string& file = {});

/// Whether a remark of severity error is among them: part of the input is damaged or missing.
bool has_errors(const std::vector<Diagnostic>& remarks);

}  // namespace opdebug::tool
