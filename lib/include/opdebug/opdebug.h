/*
 * The C interface of opdebug: decodes overflow dumps (OpDebug files) of Ascend NPUs. C99. It needs one other header of
 * the library, opdebug/export.h.
 *
 * Documents are JSON text in UTF-8, as in docs/reference/json.md and as the program `opdebug` writes them. They are one
 * line without a line break. The report of a scan has lines, as in the program's file.
 *
 * Memory: the caller owns each `char *` that a function returns and frees it with opdebug_string_free(). Handles have
 * functions of their own. A `const char *` result belongs to its object. The library reads arguments only during the
 * call.
 *
 * Errors: a function that can fail takes `opdebug_error **error`. On failure it returns NULL (the setter: 0). It stores
 * an error there, unless `error` is NULL; the caller frees it with opdebug_error_free(). On success it stores NULL.
 * Every such function can report `out_of_memory`, and `invalid_argument` for a NULL where a value is needed. Codes:
 * docs/reference/codes.md. `internal_error` is a fault of the library. No function prints, ends the program, or throws.
 * One exception: the JSON library inside ends the program if the system refuses even some hundred bytes. Long before
 * that, Linux refuses large pieces.
 *
 * `paths` and `count`: at least one path; none of them is empty. Paths are bytes, relative to the working directory.
 *
 * Threads: every function may be called from several threads at once. Several threads may use one opdebug_logs or
 * opdebug_files, also one opdebug_options that nobody changes.
 */
#ifndef OPDEBUG_OPDEBUG_H
#define OPDEBUG_OPDEBUG_H

#include <stddef.h>
#include <stdint.h>

#include <opdebug/export.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct opdebug_error opdebug_error;     /* what went wrong; never changes */
typedef struct opdebug_files opdebug_files;     /* paths of dumps that were found; never changes */
typedef struct opdebug_logs opdebug_logs;       /* what logs state of tasks; never changes */
typedef struct opdebug_options opdebug_options; /* see below */

/*
 * The library calls it at most once in 20 milliseconds, in the calling thread. Not 0: the function ends with the error
 * `interrupted`. It must return: no longjmp, no C++ exception, no end of the thread (pthread_exit, pthread_cancel). The
 * caller must not cancel a thread inside any function of the library.
 */
typedef int opdebug_stop(void* data);

/*
 * An opdebug_stop for interpreters, whose own functions may not return. `flag` is a `const int *` that any thread may
 * set during the call. Not 0: stop. NULL: never.
 */
OPDEBUG_API int opdebug_stop_when_set(void* flag);

/* The version of the linked library, "X.Y.Z". Static. */
OPDEBUG_API const char* opdebug_version(void);

/* For NULL they return NULL, and -1 as offset. */
OPDEBUG_API const char* opdebug_error_code(const opdebug_error* error);    /* stable, for example "file_not_found" */
OPDEBUG_API const char* opdebug_error_message(const opdebug_error* error); /* an English sentence */
OPDEBUG_API const char* opdebug_error_file(const opdebug_error* error);    /* NULL: about no file */
OPDEBUG_API int64_t opdebug_error_offset(const opdebug_error* error);      /* byte in the file; -1: unknown */
OPDEBUG_API void opdebug_error_free(opdebug_error* error);                 /* NULL is allowed */

/* Frees a text that a function returned. NULL is allowed. */
OPDEBUG_API void opdebug_string_free(char* text);

/*
 * Options. Functions take NULL for none, and ignore options that they do not use. One handle may serve several calls;
 * it may be changed or freed after each of them. Each option has a name and a text as value.
 *
 *   language              "en" (default) or "zh": the language of texts
 *   temporary_folder      where a scan keeps many documents for its report; "/tmp" by default
 *   utc_offset_minutes    minutes that the local time of the logs is ahead of UTC, if it is known
 *   threads               0 to 1024; 0 (default): as many as the machine runs at once. Results do not depend on it
 *   first                 dumps in the report of a scan, as `opdebug scan --first`
 *   findings_per_verdict  findings of each verdict and file in a report on API dumps; 1000 by default
 *   tensors               1: measure the located operators' own dumps, as `opdebug decode --tensors`
 *   verbose               1: text with all details, whole lines and paths
 *   system_time_zone      1 (default): this machine's zone, if nothing better shows the zone of the logs; 0: UTC
 *   all                   1: clean dumps too in the report of a scan, as `opdebug scan --all`
 * Once for each path:
 *   status_catalogue      JSON files that describe status words (docs/guides/own-formats.md), not the built-in ones
 *   log_formats           definitions of more log lines (docs/reference/log-formats.md)
 *   wanted                dumps and folders with dumps: keep of the logs only what these need, in much less memory
 *   traces                traces of the same run (trace_view.json), as `opdebug scan --trace`
 * Input limits, for example "file_bytes" or "limits.file_bytes": docs/reference/commands.md, "Limits".
 */

/* Freed with opdebug_options_free(). NULL if there is no memory. */
OPDEBUG_API opdebug_options* opdebug_options_new(void);

/* NULL is allowed. */
OPDEBUG_API void opdebug_options_free(opdebug_options* options);

/*
 * 1 if the option is set. 0 if not, with the error invalid_argument: its message names the option, the expected values
 * and the given one. The other options stay as they are.
 */
OPDEBUG_API int opdebug_options_set(opdebug_options* options, const char* name, const char* value,
                                    opdebug_error** error);

/*
 * Reads logs, folders of logs and saved maps, as --logs does. Options: log_formats, wanted, threads, limits. `stop` may
 * be NULL. opdebug_logs_to_json() lists unreadable files. Errors: if nothing can be read, that of the first file;
 * log_unreadable, log_format_invalid, interrupted; those of reading the files of log_formats; no path of wanted exists.
 * The caller frees the result with opdebug_logs_free().
 */
OPDEBUG_API opdebug_logs* opdebug_read_logs(const char* const* paths, size_t count, const opdebug_options* options,
                                            opdebug_stop* stop, void* stop_data, opdebug_error** error);

/* Counts, unreadable files and remarks: the document opdebug.logs/1. */
OPDEBUG_API char* opdebug_logs_to_json(const opdebug_logs* logs, opdebug_error** error);

/* NULL is allowed. No other call may use the handle. */
OPDEBUG_API void opdebug_logs_free(opdebug_logs* logs);

/*
 * Decodes a dump and locates its operator: the document opdebug.record/1. `logs` may be NULL: then only the operators'
 * dumps in the folder of the dump count. A partly usable dump is a document with diagnostics of severity error.
 * Options: language, tensors, utc_offset_minutes, system_time_zone, status_catalogue, limits. Errors: those of reading
 * a file and of decoding (docs/reference/codes.md), catalogue_invalid.
 */
OPDEBUG_API char* opdebug_decode_file(const char* path, const opdebug_logs* logs, const opdebug_options* options,
                                      opdebug_error** error);

/* The same as text for people, like `opdebug decode --format text`. Options: also verbose. */
OPDEBUG_API char* opdebug_explain_file(const char* path, const opdebug_logs* logs, const opdebug_options* options,
                                       opdebug_error** error);

/*
 * As opdebug_decode_file() for bytes in memory. `file` (may be NULL) is their path: it gives ids and appears in errors.
 * Only the files of status_catalogue are read, so the option tensors measures nothing. `bytes` may be NULL if `size` is
 * 0.
 */
OPDEBUG_API char* opdebug_decode_bytes(const void* bytes, size_t size, const char* file, const opdebug_logs* logs,
                                       const opdebug_options* options, opdebug_error** error);

/*
 * Explains one status: the object that `opdebug status --format json` gives for one value. `unit`: "ai-core",
 * "dha-atomic", "l2-atomic", "aic", "aiv", "aicpu" or "sdma". `words`: one value, or the four of an accelerator
 * record of version 1. Options: language, status_catalogue, limits. Errors: invalid_argument, catalogue_invalid, those
 * of reading a file.
 */
OPDEBUG_API char* opdebug_decode_status(const char* unit, const uint64_t* words, size_t count,
                                        const opdebug_options* options, opdebug_error** error);

/*
 * Finds the dumps of files and of the trees below folders: those that opdebug_scan() with the same paths reads.
 * Nothing is decoded. `stop` may be NULL. opdebug_files_to_json() lists missing paths and unreadable folders. Options:
 * limits; use the same ones for a scan. Errors: file_not_found, permission_denied or read_failed if none of the paths
 * can be used; interrupted. The caller frees the result with opdebug_files_free().
 */
OPDEBUG_API opdebug_files* opdebug_find_dumps(const char* const* paths, size_t count, const opdebug_options* options,
                                              opdebug_stop* stop, void* stop_data, opdebug_error** error);

/* The path of a dump, as it can be opened, in path order from index 0. NULL after the last one. */
OPDEBUG_API const char* opdebug_files_path(const opdebug_files* files, size_t index);

/* Found dumps and unreadable paths: the document opdebug.files/1. In it, bytes that are not UTF-8 are U+FFFD. */
OPDEBUG_API char* opdebug_files_to_json(const opdebug_files* files, opdebug_error** error);

/* NULL is allowed. */
OPDEBUG_API void opdebug_files_free(opdebug_files* files);

/*
 * Scans files and the trees below folders, as `opdebug scan`: the document opdebug.report/1. `logs` may be NULL.
 * `failures` lists failed dumps, then missing paths and unreadable folders; `diagnostics` lists unreadable logs.
 * Options: those of opdebug_decode_file(), threads, all, first, traces, temporary_folder. `stop` may be NULL. Errors:
 * file_not_found, permission_denied or read_failed if none of the paths can be used; catalogue_invalid; write_failed,
 * read_failed of the temporary file; interrupted.
 */
OPDEBUG_API char* opdebug_scan(const char* const* paths, size_t count, const opdebug_logs* logs,
                               const opdebug_options* options, opdebug_stop* stop, void* stop_data,
                               opdebug_error** error);

/*
 * Judges the calls in API dumps of the given paths (dump roots, steps, ranks, single files), as `opdebug api`: the
 * document opdebug.api_report/1. Its `failures` list unreadable files and folders. Without API dumps its counts are 0.
 * Options: threads, findings_per_verdict, limits. `stop` may be NULL. Errors: file_not_found, permission_denied or
 * read_failed if none of the paths can be used; interrupted.
 */
OPDEBUG_API char* opdebug_api_report(const char* const* paths, size_t count, const opdebug_options* options,
                                     opdebug_stop* stop, void* stop_data, opdebug_error** error);

/*
 * Measures the tensors of an operator's own dump: the document opdebug.tensors/1. Damage of one tensor costs only that
 * tensor. Options: limits. `stop` may be NULL. Errors: those of reading a file and of its container; interrupted.
 */
OPDEBUG_API char* opdebug_measure_op_dump(const char* path, const opdebug_options* options, opdebug_stop* stop,
                                          void* stop_data, opdebug_error** error);

/*
 * Lists what dumps, logs and settings lack to explain overflows, as `opdebug doctor PATH`: the
 * document opdebug.doctor/1. A path that cannot be read is a finding. Options: language, limits.
 * `stop` may be NULL. Error: interrupted.
 */
OPDEBUG_API char* opdebug_examine(const char* const* paths, size_t count, const opdebug_options* options,
                                  opdebug_stop* stop, void* stop_data, opdebug_error** error);

/*
 * Makes one report of several, as `opdebug merge`: the document opdebug.report/1. `paths`: reports as JSON lines,
 * plain, gzip or Zstandard. The diagnostics name unusable parts. Options: language, first, temporary_folder. `stop` may
 * be NULL. Errors: invalid_argument when no part can be used; write_failed, read_failed of the temporary folder;
 * interrupted.
 */
OPDEBUG_API char* opdebug_merge_reports(const char* const* paths, size_t count, const opdebug_options* options,
                                        opdebug_stop* stop, void* stop_data, opdebug_error** error);

#ifdef __cplusplus
}
#endif

#endif
