/** Headers of C, C++ and POSIX, which come with the compiler or the system. */
export const STANDARD_HEADERS: ReadonlySet<string> = new Set(
  [
    // C (ISO/IEC 9899:2024)
    "assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg stdatomic",
    "stdbit stdbool stdckdint stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar wchar wctype",
    // POSIX (IEEE Std 1003.1-2024) and what Unix systems add
    "aio cpio dirent dlfcn fcntl fmtmsg fnmatch ftw glob grp iconv langinfo libgen libintl monetary mqueue ndbm netdb",
    "nl_types poll pthread pwd regex sched search semaphore spawn strings syslog tar termios ulimit unistd utime utmpx",
    "wordexp alloca crypt endian err execinfo features fts getopt ifaddrs malloc paths pty resolv stropts sysexits",
    "termio ucontext util utmp values windows winsock2 ws2tcpip io direct process conio tchar intrin immintrin",
    "arpa/inet net/if netinet/in netinet/tcp netinet/udp netinet/ip netpacket/packet rpc/rpc",
    "sys/acct sys/epoll sys/event sys/eventfd sys/file sys/inotify sys/ioctl sys/ipc sys/mman sys/mount sys/msg",
    "sys/param sys/poll sys/prctl sys/queue sys/random sys/resource sys/select sys/sem sys/sendfile sys/shm sys/signalfd",
    "sys/socket sys/stat sys/statfs sys/statvfs sys/syscall sys/sysctl sys/sysinfo sys/sysmacros sys/time sys/timeb",
    "sys/timerfd sys/times sys/tree sys/types sys/ucontext sys/uio sys/un sys/user sys/utsname sys/vfs sys/wait",
  ].flatMap((names) => names.split(" ").map((name) => `${name}.h`)),
);
