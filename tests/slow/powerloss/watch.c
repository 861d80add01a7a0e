/* Watches what a process does to the files of one folder, and makes it fail where it is told to.

   Preloaded. Every call that changes a file or a name in WATCH_FOLDER is written to the file WATCH_TRACE, with what was
   written and when a sync began and ended; several processes may share a trace. A record is

       char kind; int32 process; int32 file; int64 at; int32 flags; int32 length; length bytes

   kinds  O opened (flags: made)   W written at `at`   T cut to `at`   S sync begins   D sync done   C closed
          U unlinked   R renamed (from NUL to)   L linked (from NUL to)   M mapped for writing
   `file` is the descriptor; the bytes of O, U are the name within the folder ("." for the folder itself).

   watch_fail(n, error, times): the n-th watched call from now on that could fail does, and `times` - 1 after it, with
   that errno and without having done anything. watch_calls(): how many such calls there were since then. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define FILES 65536
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static char folder[4096];
static size_t folder_length;
static int trace = -1;
static char watched[FILES];
static atomic_long calls, fail_from, fail_until;
static atomic_int fail_errno;

__attribute__((constructor)) static void begin(void)
{
    const char *name = getenv("WATCH_FOLDER"), *out = getenv("WATCH_TRACE");
    if (!name || !realpath(name, folder))
        return;
    folder_length = strlen(folder);
    if (out)
        trace = REAL(open)(out, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
}

void watch_fail(long n, int error, long times)
{
    atomic_store(&calls, 0);
    atomic_store(&fail_errno, error);
    atomic_store(&fail_until, n ? n + times : 0);
    atomic_store(&fail_from, n);
}

long watch_calls(void)
{
    return atomic_load(&calls);
}

/* The name within the folder, or NULL. The folder itself is "." */
static const char *within(const char *path, char *space)
{
    if (!folder_length || !path)
        return NULL;
    if (path[0] != '/') {
        if (!getcwd(space, 4096) || strlen(space) + strlen(path) + 2 > 8192)
            return NULL;
        strcat(space, "/");
        path = strcat(space, path);
    }
    if (strncmp(path, folder, folder_length))
        return NULL;
    path += folder_length;
    while (*path == '/')
        path++;
    return *path ? path : ".";
}

static void put(char kind, int file, int64_t at, int32_t flags, const void *bytes, int32_t length)
{
    if (trace < 0)
        return;
    struct __attribute__((packed)) { char kind; int32_t process, file; int64_t at; int32_t flags, length; } head = {
        kind, getpid(), file, at, flags, length };
    struct iovec parts[2] = { { &head, sizeof head }, { (void *)bytes, length } };
    int kept = errno;
    if (writev(trace, parts, 2) != (ssize_t)(sizeof head + length))
        abort();
    errno = kept;
}

static int fails(void)
{
    long n = atomic_fetch_add(&calls, 1) + 1;
    if (n < atomic_load(&fail_from) || n >= atomic_load(&fail_until))
        return 0;
    errno = atomic_load(&fail_errno);
    return 1;
}

static int is_watched(int file)
{
    return file >= 0 && file < FILES && watched[file];
}

static int opened(const char *name, const char *path, int flags, mode_t mode)
{
    struct stat before;
    int there = stat(path, &before) == 0;
    int writes = (flags & O_ACCMODE) != O_RDONLY;
    if (writes && fails())
        return -1;
    int file = REAL(open)(path, flags, mode);
    if (file >= 0 && file < FILES) {
        watched[file] = 1;
        put('O', file, (flags & O_TRUNC) ? 1 : 0, !there, name, strlen(name));
    }
    return file;
}

#define MODE(flags) mode_t mode = 0; if ((flags) & (O_CREAT | O_TMPFILE)) { va_list rest; va_start(rest, flags); mode = va_arg(rest, mode_t); va_end(rest); }

int open(const char *path, int flags, ...)
{
    MODE(flags)
    char space[8192];
    const char *name = within(path, space);
    return name ? opened(name, path, flags, mode) : REAL(open)(path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
    MODE(flags)
    return open(path, flags | O_LARGEFILE, mode);
}

int openat(int at, const char *path, int flags, ...)
{
    MODE(flags)
    if (at == AT_FDCWD || path[0] == '/')
        return open(path, flags, mode);
    return REAL(openat)(at, path, flags, mode);
}

int openat64(int at, const char *path, int flags, ...)
{
    MODE(flags)
    return openat(at, path, flags | O_LARGEFILE, mode);
}

int close(int file)
{
    if (is_watched(file)) {
        watched[file] = 0;
        put('C', file, 0, 0, "", 0);
    }
    return REAL(close)(file);
}

ssize_t write(int file, const void *bytes, size_t length)
{
    if (!is_watched(file))
        return REAL(write)(file, bytes, length);
    if (fails())
        return -1;
    off_t at = lseek(file, 0, SEEK_CUR);
    if (fcntl(file, F_GETFL) & O_APPEND)
        at = lseek(file, 0, SEEK_END);
    ssize_t done = REAL(write)(file, bytes, length);
    if (done > 0)
        put('W', file, at, 0, bytes, done);
    return done;
}

ssize_t pwrite(int file, const void *bytes, size_t length, off_t at)
{
    if (!is_watched(file))
        return REAL(pwrite)(file, bytes, length, at);
    if (fails())
        return -1;
    ssize_t done = REAL(pwrite)(file, bytes, length, at);
    if (done > 0)
        put('W', file, at, 0, bytes, done);
    return done;
}

ssize_t pwrite64(int file, const void *bytes, size_t length, off_t at)
{
    return pwrite(file, bytes, length, at);
}

int ftruncate(int file, off_t length)
{
    if (!is_watched(file))
        return REAL(ftruncate)(file, length);
    if (fails())
        return -1;
    int done = REAL(ftruncate)(file, length);
    if (done == 0)
        put('T', file, length, 0, "", 0);
    return done;
}

int ftruncate64(int file, off_t length)
{
    return ftruncate(file, length);
}

/* What nobody here calls is refused rather than missed. */
int fallocate(int file, int mode, off_t at, off_t length)
{
    if (is_watched(file))
        abort();
    return REAL(fallocate)(file, mode, at, length);
}

int posix_fallocate(int file, off_t at, off_t length)
{
    if (is_watched(file))
        abort();
    return REAL(posix_fallocate)(file, at, length);
}

static int synced(int file, int (*sync)(int))
{
    if (!is_watched(file))
        return sync(file);
    if (fails())
        return -1;
    put('S', file, 0, 0, "", 0);
    int done = sync(file);
    if (done == 0)
        put('D', file, 0, 0, "", 0);
    return done;
}

int fsync(int file)
{
    return synced(file, REAL(fsync));
}

int fdatasync(int file)
{
    return synced(file, REAL(fdatasync));
}

int unlink(const char *path)
{
    char space[8192];
    const char *name = within(path, space);
    if (name && fails())
        return -1;
    int done = REAL(unlink)(path);
    if (name && done == 0)
        put('U', -1, 0, 0, name, strlen(name));
    return done;
}

int unlinkat(int at, const char *path, int flags)
{
    if (!flags && (at == AT_FDCWD || path[0] == '/'))
        return unlink(path);
    return REAL(unlinkat)(at, path, flags);
}

static void put_two(char kind, const char *from, const char *to)
{
    char both[8192];
    size_t first = strlen(from) + 1, second = strlen(to);
    memcpy(both, from, first);
    memcpy(both + first, to, second);
    put(kind, -1, 0, 0, both, first + second);
}

int rename(const char *from, const char *to)
{
    char space[8192], other[8192];
    const char *old = within(from, space), *new = within(to, other);
    if (old && new && fails())
        return -1;
    int done = REAL(rename)(from, to);
    if (old && new && done == 0)
        put_two('R', old, new);
    return done;
}

int renameat(int old, const char *from, int new, const char *to)
{
    if (old == AT_FDCWD && new == AT_FDCWD)
        return rename(from, to);
    return REAL(renameat)(old, from, new, to);
}

int link(const char *from, const char *to)
{
    char space[8192], other[8192];
    const char *old = within(from, space), *new = within(to, other);
    if (old && new && fails())
        return -1;
    int done = REAL(link)(from, to);
    if (old && new && done == 0)
        put_two('L', old, new);
    return done;
}

int linkat(int old, const char *from, int new, const char *to, int flags)
{
    if (old == AT_FDCWD && new == AT_FDCWD)
        return link(from, to);
    return REAL(linkat)(old, from, new, to, flags);
}

void *mmap(void *where, size_t length, int rights, int flags, int file, off_t at)
{
    if ((rights & PROT_WRITE) && (flags & MAP_SHARED) && is_watched(file))
        put('M', file, at, 0, "", 0);
    return REAL(mmap)(where, length, rights, flags, file, at);
}

void *mmap64(void *where, size_t length, int rights, int flags, int file, off_t at)
{
    return mmap(where, length, rights, flags, file, at);
}
