/* explain DUMP [LOG]...: prints what a dump tells, and in which operator of which model, as one JSON document. */
#include <opdebug/opdebug.h>
#include <stdio.h>

/* Says what went wrong and frees it. */
static void tell(opdebug_error *error) {
    const char *file = opdebug_error_file(error);
    const int64_t offset = opdebug_error_offset(error);
    fprintf(stderr, "explain: ");
    if (file != NULL) {
        fprintf(stderr, "%s: ", file);
    }
    if (offset >= 0) {
        fprintf(stderr, "at byte %lld: ", (long long)offset);
    }
    fprintf(stderr, "%s [%s]\n", opdebug_error_message(error), opdebug_error_code(error));
    opdebug_error_free(error);
}

int main(int argc, char **argv) {
    opdebug_error *error = NULL;
    opdebug_logs *logs = NULL;
    char *document;
    if (argc < 2) {
        fprintf(stderr, "usage: explain DUMP [LOG]...\n");
        return 2;
    }
    if (argc > 2) {
        logs = opdebug_read_logs((const char *const *)(argv + 2), (size_t)(argc - 2), NULL, NULL, NULL, &error);
        if (logs == NULL) {
            tell(error);
            return 1;
        }
    }
    document = opdebug_decode_file(argv[1], logs, NULL, &error);
    opdebug_logs_free(logs);
    if (document == NULL) {
        tell(error);
        return 1;
    }
    puts(document);
    opdebug_string_free(document);
    return 0;
}
