/* unravel-corpus
 * title: the caller brings the buffer for the text
 * stands-for: a mistake C programmers make: a function like strtok or ctime that returns a static buffer, avoided
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

/* The port as text of two digits. */
static const char *port_text(int port, char text[3]) {
    text[0] = (char)('0' + port / 10); //@write
    text[1] = (char)('0' + port % 10);
    text[2] = 0;
    return text;
}

static void *announce(void *arg) {
    const int *port = arg;
    char buffer[3];
    const char *text = port_text(*port, buffer);
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
    printf("announced\n");
    return 0;
}
