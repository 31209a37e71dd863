// Properties of everything that is written for people and programs.
#pragma once

#include <string_view>

#include <opdebug/result.hpp>

namespace opdebug::fuzz {

/// The document follows the JSON Schema of that name (lib/data/schema), and what JSON lets through to a terminal is
/// escaped.
void require_valid_document(const char* schema, std::string_view document);

/// Text for a terminal: no control characters but line breaks.
void require_safe_text(std::string_view text);

/// An error has a message, its location is in the input of that size, and its document and line are sound.
void require_sound_error(const Error& error, std::size_t input_size);

/// What is refused is called `invalid`, or by the code of a limit that it passes.
void require_refused_as(ErrorCode invalid, const Error& error);

}  // namespace opdebug::fuzz
