/*
 * The C interface of opdebug: decodes overflow dumps (OpDebug files) of Ascend NPUs. C99. The one other header of the
 * library that it needs is opdebug/export.h.
 *
 * Documents come as JSON text in UTF-8, in the forms of docs/json-output.md: the same that the program `opdebug`
 * writes. They stand on one line without a line break at its end; the report of a scan has lines, as in the program's
 * file.
 *
 * Memory: a `char *` that a function returns is the caller's, who gives it to opdebug_string_free(). Handles have a
 * function of their own. `const char *` results belong to the object they come from. What the caller passes in is
 * only looked at during the call.
 *
 * Errors: a function that can fail takes `opdebug_error **error`. On failure it returns NULL and, where `error` is
 * not NULL, stores an error there that the caller gives to opdebug_error_free(); on success it stores NULL. Each
 * function that can fail may give `out_of_memory`, and `invalid_argument` for a NULL where a value is needed and for
 * options that it does not know. The codes are those of docs/json-output.md; `internal_error` is a fault of the
 * library. No function prints, ends the program, or throws. One exception is known: where the system refuses even some
 * hundred bytes, the JSON library inside ends the program; Linux refuses large pieces long before.
 *
 * Options: the text of one JSON object, or NULL for none. Names that a function does not know are an error, so
 * nothing is ignored silently.
 *   language             "en" (default) or "zh": the texts of causes
 *   tensors              true: the located operators' own dumps are measured, as `opdebug decode --tensors` does
 *   utc_offset_minutes   minutes that the local time of the logs is ahead of UTC, where it is known
 *   system_time_zone     true (default): where nothing better tells the zone of the logs, this machine's is taken, as
 *                        the program does; false: UTC
 *   status_catalogue     a list of paths: JSON files that describe status words (docs/status-catalogue.md), in place
 *                        of the built-in ones
 *   log_formats          a list of paths: definitions of further log lines (docs/log-formats.md), beside the built-in
 *                        ones
 *   wanted               a list of paths of dumps and folders with dumps: only what these ask for is kept of the
 *                        logs, which needs far less memory
 *   threads              a number up to 1024; 0 (default): as many as the machine runs at once. Results do not depend
 *                        on it
 *   all, first           of a scan's report, as the options of `opdebug scan`: true or false; a number
 *   traces               of a scan: a list of paths of profilers' traces of the same run (trace_view.json), which tie
 *                        overflow dumps to API calls, as `opdebug scan --trace` does
 *   findings_per_verdict of a report on API dumps: findings that are kept of each verdict and file, a number from 1 on
 *                        (default 1000)
 *   limits               an object, for example {"file_bytes": 1000000}: how much is taken of what files claim and
 *                        hold. Names, defaults and codes of passed limits: docs/embedding.md, "Limits"; values are
 *                        whole numbers from 1 on
 *   temporary_folder     where a scan keeps documents for its report once they are many; "/tmp" by default
 *
 * Empty lists of options are as good as none. Paths are relative to the working directory. `paths` and `count`: at
 * least one path; none of them is empty.
 *
 * Threads: every function may be called from several threads at once. One opdebug_logs may be used by several
 * threads, one opdebug_files too; one opdebug_scan by one at a time.
 */
#ifndef OPDEBUG_OPDEBUG_H
#define OPDEBUG_OPDEBUG_H

#include <stddef.h>
#include <stdint.h>

#include <opdebug/export.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct opdebug_error opdebug_error; /* what went wrong; never changes */
typedef struct opdebug_files opdebug_files; /* paths of dumps that were found; never changes */
typedef struct opdebug_logs opdebug_logs;   /* what logs say of tasks; never changes */
typedef struct opdebug_scan opdebug_scan;   /* a scan that is under way */

/*
 * Asked now and then, at most once in 20 milliseconds, in the calling thread; not 0: give up, with the error
 * `interrupted`. It has to return: no longjmp, no C++ exception, no end of the thread (pthread_exit, pthread_cancel)
 * leaves it, as functions of interpreters that are shutting down may try. The thread must not be cancelled in any other
 * function of the library either.
 */
typedef int opdebug_stop(void* data);

/*
 * An opdebug_stop for callers that cannot give a function of their own, or whose functions may not return: `flag` is a
 * `const int *`, which any thread may set while the call lasts; not 0: give up. NULL: never.
 */
OPDEBUG_API int opdebug_stop_when_set(void* flag);

/* The version of the library that is linked, "X.Y.Z". Static. */
OPDEBUG_API const char* opdebug_version(void);

/* Of NULL: NULL, and -1 as offset. */
OPDEBUG_API const char* opdebug_error_code(const opdebug_error* error);    /* stable, for example "file_not_found" */
OPDEBUG_API const char* opdebug_error_message(const opdebug_error* error); /* an English sentence */
OPDEBUG_API const char* opdebug_error_file(const opdebug_error* error);    /* NULL where no file is to blame */
OPDEBUG_API int64_t opdebug_error_offset(const opdebug_error* error);      /* byte in the file; -1: no place */
OPDEBUG_API void opdebug_error_free(opdebug_error* error);                 /* NULL is allowed */

/* Frees a text that a function returned. NULL is allowed. */
OPDEBUG_API void opdebug_string_free(char* text);

/*
 * Reads logs, folders of logs and saved maps, as --logs does. Options: log_formats, wanted, threads, limits. `stop` may
 * be NULL. Files that could not be read are told by opdebug_logs_to_json(). Errors: when nothing could be read that of
 * the first file, log_unreadable, log_format_invalid, interrupted; those of reading for the files of log_formats, and
 * when no path of wanted is there. The result is freed with opdebug_logs_free().
 */
OPDEBUG_API opdebug_logs* opdebug_read_logs(const char* const* paths, size_t count, const char* options,
                                            opdebug_stop* stop, void* stop_data, opdebug_error** error);

/* What was read and what could not be: the document opdebug.logs/1. */
OPDEBUG_API char* opdebug_logs_to_json(const opdebug_logs* logs, opdebug_error** error);

/* NULL is allowed. Nobody may use the handle meanwhile or afterwards; scans that were started with it may go on. */
OPDEBUG_API void opdebug_logs_free(opdebug_logs* logs);

/*
 * Decodes a dump and locates its operator: the document opdebug.record/1. `logs` may be NULL: then the operators'
 * dumps beside the dump are asked only. A dump that is partly usable is a document with diagnostics of severity
 * error. Options: language, tensors, utc_offset_minutes, system_time_zone, status_catalogue, limits. Errors: those of
 * reading a file and of decoding (docs/json-output.md), catalogue_invalid.
 */
OPDEBUG_API char* opdebug_decode_file(const char* path, const opdebug_logs* logs, const char* options,
                                      opdebug_error** error);

/*
 * The same for bytes in memory; `file` (may be NULL) is the path that they came from: it gives ids and is named in
 * errors; no file or folder is read but those of status_catalogue. Option tensors finds nothing to measure here.
 * `bytes` may be NULL where `size` is 0.
 */
OPDEBUG_API char* opdebug_decode_bytes(const void* bytes, size_t size, const char* file, const opdebug_logs* logs,
                                       const char* options, opdebug_error** error);

/*
 * Explains one status: the object that `opdebug status --format json` gives for one value. `unit`: "ai-core",
 * "dha-atomic", "l2-atomic", "aic", "aiv", "aicpu" or "sdma". `words`: one value, or the four of an accelerator
 * record of version 1. Options: language, status_catalogue, limits. Errors: invalid_argument, catalogue_invalid, those
 * of reading a file.
 */
OPDEBUG_API char* opdebug_decode_status(const char* unit, const uint64_t* words, size_t count, const char* options,
                                        opdebug_error** error);

/*
 * Finds the dumps of files and of the trees below folders: those that opdebug_scan_start() with the same paths would
 * read. Nothing is decoded; converted JSON may be opened, which has to tell whether it is a copy. `stop` may be NULL.
 * Given paths that are not there and folders that cannot be read cost only themselves: opdebug_files_to_json() tells
 * them. Errors: file_not_found, permission_denied or read_failed when none of the paths can be used; interrupted. The
 * result is freed with opdebug_files_free().
 */
OPDEBUG_API opdebug_files* opdebug_find_dumps(const char* const* paths, size_t count, opdebug_stop* stop,
                                              void* stop_data, opdebug_error** error);

/* The same with options: limits. Give a scan of the same paths the same ones. */
OPDEBUG_API opdebug_files* opdebug_find_dumps_with_options(const char* const* paths, size_t count, const char* options,
                                                           opdebug_stop* stop, void* stop_data, opdebug_error** error);

/* The path of a dump, byte for byte as it can be opened, in path order from index 0. NULL behind the last one. */
OPDEBUG_API const char* opdebug_files_path(const opdebug_files* files, size_t index);

/* What was found and what could not be read: the document opdebug.files/1. Bytes that are not UTF-8 are lost in it. */
OPDEBUG_API char* opdebug_files_to_json(const opdebug_files* files, opdebug_error** error);

/* NULL is allowed. */
OPDEBUG_API void opdebug_files_free(opdebug_files* files);

/*
 * Begins a scan of files and of the trees below folders, as `opdebug scan` does: finds the dumps, then decodes and
 * locates them in threads of its own. Given paths that are not there and folders that cannot be read cost only
 * themselves: opdebug_scan_summary() and opdebug_scan_report() tell them in `failures`, behind the dumps that failed;
 * no document of opdebug_scan_next() does. What could not be read of the logs stands in the `diagnostics` of both, as
 * in the program's report. Options: those of opdebug_decode_file(), threads, all, first, traces, temporary_folder.
 * `stop` may be NULL; it is asked during this call only. Whoever wants to give up later polls opdebug_scan_wait() and
 * frees the scan. Errors: file_not_found, permission_denied or read_failed when none of the paths can be used;
 * catalogue_invalid; interrupted. The result is freed with opdebug_scan_free().
 */
OPDEBUG_API opdebug_scan* opdebug_scan_start(const char* const* paths, size_t count, const opdebug_logs* logs,
                                             const char* options, opdebug_stop* stop, void* stop_data,
                                             opdebug_error** error);

/* Waits until opdebug_scan_next() would return at once, but not longer than that: 1 when it would, else 0. */
OPDEBUG_API int opdebug_scan_wait(opdebug_scan* scan, unsigned milliseconds);

/*
 * The document opdebug.record/1 of the next dump, in path order, waiting for it: overflowed, clean and failed dumps
 * (those hold the error as diagnostic). As in the report, clean dumps lack the remark `no_overflow`. NULL at the end,
 * with *error NULL, and also after it. Errors: out_of_memory, internal_error.
 */
OPDEBUG_API char* opdebug_scan_next(opdebug_scan* scan, opdebug_error** error);

/*
 * The document opdebug.report/1, after opdebug_scan_next() has told the end. Errors: invalid_argument before the end;
 * write_failed, read_failed of the temporary file.
 */
OPDEBUG_API char* opdebug_scan_report(opdebug_scan* scan, opdebug_error** error);

/*
 * The last line of the report as JSON lines (docs/json-output.md), after opdebug_scan_next() has told the end: counts,
 * groups, failures, diagnostics. Much smaller than the report, for it repeats no document, and it needs no temporary
 * file. Errors: invalid_argument before the end.
 */
OPDEBUG_API char* opdebug_scan_summary(opdebug_scan* scan, opdebug_error** error);

/* Ends the scan, also in the middle of it. NULL is allowed. */
OPDEBUG_API void opdebug_scan_free(opdebug_scan* scan);

/*
 * Reads the API dumps of the given paths (dump roots, steps, ranks, single files), judges their calls and tells which
 * ones made the first bad values, as `opdebug api` does: the document opdebug.api_report/1. Files and folders that
 * could not be read are told in its `failures`; where there is no API dump at all, its counts are 0. Options: threads,
 * findings_per_verdict, limits. `stop` may be NULL. Errors: file_not_found, permission_denied or read_failed when none
 * of the paths can be used; interrupted.
 */
OPDEBUG_API char* opdebug_api_report(const char* const* paths, size_t count, const char* options, opdebug_stop* stop,
                                     void* stop_data, opdebug_error** error);

#ifdef __cplusplus
}
#endif

#endif
