/* unravel-corpus
 * title: the formatter returns its static buffer, which another thread fills before it is read
 * stands-for: a mistake C programmers make: a function like strtok or ctime that returns a static buffer
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: write < write, write < read
 * repair: mutex
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

/* The port as text of two digits. The result is good until the next call. */
static const char *port_text(int port) {
    static char text[3];

    text[0] = (char)('0' + port / 10); //@write
    text[1] = (char)('0' + port % 10);
    text[2] = 0;
    return text;
}

static void *announce(void *arg) {
    const int *port = arg;
    const char *text = port_text(*port);
    char first_digit = text[0]; //@read

    assert(first_digit == '0' + *port / 10); //@check
    return NULL;
}

int main(void) {
    pthread_t ssh, web;
    int ssh_port = 22, web_port = 80;

    pthread_create(&ssh, NULL, announce, &ssh_port);
    pthread_create(&web, NULL, announce, &web_port);
    pthread_join(ssh, NULL);
    pthread_join(web, NULL);
    return 0;
}
