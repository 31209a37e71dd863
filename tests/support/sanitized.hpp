// Whether the tests are built with a sanitizer, which needs memory and descriptors of its own.
#pragma once

namespace opdebug::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)  // GCC
inline constexpr bool kIsSanitized = true;
#elif defined(__has_feature)  // clang
inline constexpr bool kIsSanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
inline constexpr bool kIsSanitized = false;
#endif

}  // namespace opdebug::test
