/* What of the library programs may link with: everything else is hidden (-fvisibility=hidden). C99 and C++17. */
#ifndef OPDEBUG_EXPORT_H
#define OPDEBUG_EXPORT_H

#define OPDEBUG_API __attribute__((visibility("default")))

#endif
