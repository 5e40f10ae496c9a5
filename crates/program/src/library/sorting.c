/* <stdlib.h>: sorting and searching. */
#include "model.h"

static void __unravel_swap(char *a, char *b, size_t size) {
    for (; size; size--, a++, b++) {
        char kept = *a;
        *a = *b;
        *b = kept;
    }
}

/* The order of equal elements is unspecified: an element that comes to stand beside an equal one may go
 * past it. */
void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
    char *first = base;
    for (size_t i = 1; i < count; i++)
        for (size_t j = i; j > 0; j--) {
            char *here = first + j * size;
            int order = compare(here - size, here);
            if (order < 0 || (order == 0 && !between(0, 0, 1)))
                break;
            __unravel_swap(here - size, here, size);
        }
}

/* Which of several equal elements is found is unspecified. */
void *bsearch(const void *key, const void *base, size_t count, size_t size,
              int (*compare)(const void *, const void *)) {
    const char *low = base, *end = low + count * size, *first = base;
    while (count) {
        const char *middle = first + count / 2 * size;
        int order = compare(key, middle);
        if (!order) {
            while (middle > low && between(0, 0, 1) && !compare(key, middle - size))
                middle -= size;
            while (middle + size < end && between(0, 0, 1) && !compare(key, middle + size))
                middle += size;
            return (void *)middle;
        }
        if (order > 0) {
            first = middle + size;
            count--;
        }
        count /= 2;
    }
    return 0;
}
