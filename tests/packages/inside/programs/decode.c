/* decode_c DUMP: prints the record document. */
#include <opdebug/opdebug.h>

#include <stdio.h>

int main(int count, char** values) {
    opdebug_error* error = NULL;
    char* document = opdebug_decode_file(count == 2 ? values[1] : "", NULL, NULL, &error);
    if (document == NULL) {
        fprintf(stderr, "%s\n", opdebug_error_message(error));
        opdebug_error_free(error);
        return 1;
    }
    puts(document);
    opdebug_string_free(document);
    return 0;
}
