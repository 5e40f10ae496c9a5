/* unravel-corpus
 * title: the check itself is wrong: it forbids the total that the two uploads are meant to reach
 * stands-for: ConcBugAssist, Table 1, lazy01
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: order violation
 * orders: photo < video, video < look; video < photo, photo < look
 * repair: signal-wait
 * differs: the check fails whenever it comes last; an order can move it forward, but no lock keeps it from coming last
 */
#include <assert.h>
#include <pthread.h>

#define QUOTA 3 /* megabytes; may be used up */

/* The space that one user takes. Nothing guards it. */
struct disk_usage {
    int used;
};

static struct disk_usage usage = {0};

static void *upload_photo(void *arg) {
    struct disk_usage *u = arg;

    u->used += 1; //@photo
    return NULL;
}

static void *upload_video(void *arg) {
    struct disk_usage *u = arg;

    u->used += 2; //@video
    return NULL;
}

static void *check_quota(void *arg) {
    struct disk_usage *u = arg;

    int used = u->used; //@look
    assert(used < QUOTA); //@check
    return NULL;
}

int main(void) {
    pthread_t photo, video, checker;

    pthread_create(&photo, NULL, upload_photo, &usage);
    pthread_create(&video, NULL, upload_video, &usage);
    pthread_create(&checker, NULL, check_quota, &usage);
    pthread_join(photo, NULL);
    pthread_join(video, NULL);
    pthread_join(checker, NULL);
    return 0;
}
