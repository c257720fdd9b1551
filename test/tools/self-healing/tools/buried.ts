import type { ToolFailure } from "../logs/tool-failures.ts";

/** Failures inside what build services, workspaces and the tools themselves put around them, shortened from runs. */
export const BURIED: readonly ToolFailure[] = [
  {
    name: "nginx, whose time stands behind that of GitHub's runner",
    run: "./check.sh",
    log: `2026-01-15T12:00:00.1234567Z ##[group]Run ./check.sh
2026-01-15T12:00:00.1234567Z ##[endgroup]
2026-01-15T12:00:01.1234567Z 2026/01/15 12:00:01 [emerg] 41#41: host not found in upstream "tax" in /home/dev/shop/nginx.conf:6
2026-01-15T12:00:01.2234567Z nginx: configuration file /home/dev/shop/nginx.conf test failed
2026-01-15T12:00:01.3234567Z ##[error]Process completed with exit code 1.
`,
    cause: "host not found in upstream",
    category: "configuration",
    place: "/home/dev/shop/nginx.conf:6",
    advice: /nginx\.conf:6/,
  },
  {
    name: "Apache, which names the place above the message",
    run: "apache2ctl configtest",
    log: `AH00526: Syntax error on line 6 of /home/dev/shop/httpd.conf:
Invalid command 'RewriteEngine', perhaps misspelled or defined by a module not included in the server configuration
`,
    cause: "Syntax error on line 6",
    category: "configuration",
    place: "/home/dev/shop/httpd.conf:6",
    advice: /httpd\.conf:6: Invalid command 'RewriteEngine'/,
  },
  {
    name: "Ant, which calls the reason for its end a warning",
    run: "ant dist",
    log: `Buildfile: /home/dev/shop/build.xml

dist:

BUILD FAILED
/home/dev/shop/build.xml:4: Warning: Could not find file /home/dev/shop/settings/live.properties to copy.

Total time: 0 seconds
`,
    cause: "Could not find file",
    category: "missing_file",
    place: "/home/dev/shop/build.xml:4",
    advice: /^Make \/home\/dev\/shop\/settings\/live\.properties,/m,
  },
  {
    name: "Composer, whose box breaks words",
    run: "composer update",
    log: `Loading composer repositories with package information

In PathRepository.php line 163:
                                                                               
  The \`url\` supplied for the path (../packages/money) repository does not exi  
  st                                                                           
                                                                               

update [--with WITH] [--prefer-source] [--no-dev] [--] [<packages>...]

`,
    cause: "The `url` supplied for the path (../packages/money) repository does not exist",
    category: "missing_file",
    ecosystem: "php",
    advice: /packages\/money/,
  },
  {
    name: "Composer without a network, told in its box",
    run: "composer install",
    log: `
In CurlDownloader.php line 377:
                                                                               
  curl error 6 while downloading https://packages.acme.test/packages.json: Co  
  uld not resolve host: packages.acme.test                                     
                                                                               

`,
    cause: "Could not resolve host: packages.acme.test",
    category: "network",
    ecosystem: "php",
    advice: /^getent hosts packages\.acme\.test$/m,
  },
  {
    name: "a submodule whose host has no address",
    run: "git submodule update --init",
    log: `Cloning into '/home/dev/shop/tax'...
fatal: unable to access 'https://git.acme.test/tax.git/': Could not resolve host: git.acme.test
fatal: clone of 'https://git.acme.test/tax.git' into submodule path '/home/dev/shop/tax' failed
Failed to clone 'tax' a second time, aborting
`,
    cause: "Could not resolve host",
    category: "network",
    ecosystem: "git",
    advice: /git\.acme\.test/,
    never: /submodule sync/,
  },
  {
    name: "debhelper, which warns of the file for which it stops",
    run: "dpkg-buildpackage -b",
    log: `   dh_install
dh_install: warning: Cannot find (any matches for) "dist/shop.js" (tried in ., debian/tmp)

dh_install: warning: shop missing files: dist/shop.js
dh_install: error: missing files, aborting
make: *** [debian/rules:3: binary] Error 25
dpkg-buildpackage: error: debian/rules binary subprocess returned exit status 2
`,
    cause: "dist/shop.js",
    category: "missing_file",
    place: "dist/shop.js",
    advice: /dist\/shop\.js/,
  },
  {
    name: "a test of Meson's, whose words look like a compiler's",
    run: "meson test -C build",
    log: `11/14 unit-11 OK              0.02s
12/14 unit-12 FAIL            0.01s   exit status 1
>>> /home/dev/shop/build/t12
――――――――――――――――――――――――――――――――――――― ✀  ―――――――――――――――――――――――――――――――――――――
stderr:
t12.c:2: expected total 30, got 33
――――――――――――――――――――――――――――――――――――――――――――――――――――――――――――――――――――――――――――――

13/14 unit-13 OK              0.06s

Ok:                 13
Fail:               1
`,
    cause: "unit-12 FAIL",
    category: "test_failure",
    ecosystem: "c",
    place: "t12.c:2",
    advice: /unit-12/,
  },
  {
    name: "Tcl, which names the file last",
    run: "tclsh shop.tcl",
    log: `can't read "sun": no such variable
    while executing
"return $sun "
    (procedure "total" line 1)
    invoked from within
"total {1 2 3}"
    (file "shop.tcl" line 3)
`,
    cause: 'can\'t read "sun"',
    category: "unknown",
    place: "shop.tcl:3",
    advice: /sun/,
  },
  {
    name: "SBCL, a value of the wrong type",
    run: "sbcl --script shop.lisp",
    log: `unit 29 ok
Unhandled TYPE-ERROR in thread #<SB-THREAD:THREAD "main thread" RUNNING
                                  {1001348003}>:
  The value
    "two"
  is not of type
    NUMBER

Backtrace for: #<SB-THREAD:THREAD "main thread" RUNNING {1001348003}>
0: (SB-KERNEL:TWO-ARG-+ 1 "two")
1: (LOAD #<SB-SYS:FD-STREAM for "file /home/dev/shop/shop.lisp" {1001337013}> :IF-DOES-NOT-EXIST :ERROR)

unhandled condition in --disable-debugger mode, quitting
`,
    cause: "Unhandled TYPE-ERROR",
    category: "unknown",
    advice: /TYPE-ERROR/,
  },
  {
    name: "cpanm, after the index that it did not get",
    run: "cpanm --installdeps .",
    log: `! cannot open file '/home/dev/.cpanm/sources/02packages.details.txt.gz': No such file or directory opening compressed index
! Couldn't find module or a distribution Acme::Shop (9.0)
! Installing the dependencies failed: Module 'Acme::Shop' is not installed
! Bailing out the installation for ..
`,
    cause: "Couldn't find module or a distribution Acme::Shop",
    category: "dependency_resolution",
    advice: /Install the Perl module Acme::Shop/,
  },
  {
    name: "gpg, a signature that is none",
    run: "gpg --verify shop.tar.gz.asc shop.tar.gz",
    log: `gpg: no signature found
gpg: the signature could not be verified.
Please remember that the signature file (.sig or .asc)
should be the first file given on the command line.
`,
    cause: "no signature found",
    category: "unknown",
    ecosystem: "shell",
    advice: /Fetch the file and its signature anew/,
  },
];
