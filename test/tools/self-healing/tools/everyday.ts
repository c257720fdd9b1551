import type { ToolFailure } from "../logs/tool-failures.ts";

/** Returns a failure of a command that was typed, rather than of a build. */
const typed = (
  run: string,
  log: string,
  expected: Pick<ToolFailure, "cause" | "category" | "advice"> & Partial<ToolFailure>,
): ToolFailure => ({ name: `${run}: ${expected.cause}`, run, log: `${log}\n`, ...expected });

const KEY_CHANGED = `@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@
@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @
@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@
IT IS POSSIBLE THAT SOMEONE IS DOING SOMETHING NASTY!
Offending ED25519 key in /home/acme/.ssh/known_hosts:3
Host key for git.acme.test has changed and you have requested strict checking.
Host key verification failed.`;

const KEY_OPEN = `@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@
@         WARNING: UNPROTECTED PRIVATE KEY FILE!          @
@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@
Permissions 0644 for '/home/acme/.ssh/id_rsa' are too open.
This private key will be ignored.
Load key "/home/acme/.ssh/id_rsa": bad permissions
git@git.acme.test: Permission denied (publickey).`;

const UNREADABLE = `fatal: Could not read from remote repository.

Please make sure you have the correct access rights
and the repository exists.`;

const GIT: readonly ToolFailure[] = [
  typed("git clone /nosuch", "Cloning into 'nosuch'...\nfatal: repository '/nosuch' does not exist", {
    cause: "repository '/nosuch'",
    category: "configuration",
    ecosystem: "git",
    advice: /no repository at \/nosuch/,
    never: /tag that exists|docker/,
  }),
  typed(
    "git push origin main",
    "error: src refspec main does not match any\nerror: failed to push some refs to '../shop.git'",
    {
      cause: "src refspec main",
      category: "configuration",
      advice: /none called main/,
      never: /deploy key|credential/,
    },
  ),
  typed(
    "git push origin main",
    "remote: error: GH006: Protected branch update failed for refs/heads/main.\nTo git.acme.test:acme/shop.git\n ! [remote rejected] main -> main (protected branch hook declined)\nerror: failed to push some refs to 'git.acme.test:acme/shop.git'",
    {
      cause: "rotected branch",
      category: "permission",
      advice: /pull request/,
      never: /deploy key|failed to push/,
    },
  ),
  typed(
    "git push",
    "remote: commits must name a ticket\n ! [remote rejected] tax -> tax (pre-receive hook declined)\nerror: failed to push some refs to 'x'",
    { cause: "hook declined", category: "configuration", advice: /server's hook/, never: /deploy key/ },
  ),
  typed("git pull", `${KEY_CHANGED}\n${UNREADABLE}`, {
    cause: "has changed",
    category: "configuration",
    advice: /^ssh-keygen -R git\.acme\.test$/m,
    never: /deploy key|credential/,
  }),
  typed(
    "git pull",
    `No ED25519 host key is known for git.acme.test and you have requested strict checking.
Host key verification failed.\n${UNREADABLE}`,
    {
      cause: "No ED25519 host key",
      category: "configuration",
      advice: /^ssh-keyscan git\.acme\.test$/m,
      never: /deploy key|credential/,
    },
  ),
  typed("git pull", `${KEY_OPEN}\n${UNREADABLE}`, {
    cause: "id_rsa",
    category: "permission",
    place: "/home/acme/.ssh/id_rsa",
    advice: /^chmod 600 \/home\/acme\/\.ssh\/id_rsa$/m,
    never: /deploy key/,
  }),
  typed("git pull", `git@git.acme.test: Permission denied (publickey).\n${UNREADABLE}`, {
    cause: "Permission denied (publickey)",
    category: "permission",
    advice: /deploy key/,
  }),
  typed("git checkout nosuch", "error: pathspec 'nosuch' did not match any file(s) known to git", {
    cause: "pathspec 'nosuch'",
    category: "configuration",
    advice: /Correct nosuch/,
    never: /unshallow/,
  }),
  ...[
    ["git merge nosuch", "merge: nosuch - not something we can merge"],
    ["git switch nosuch", "fatal: invalid reference: nosuch"],
    ["git rebase nosuch", "fatal: invalid upstream 'nosuch'"],
    ["git branch -d nosuch", "error: branch 'nosuch' not found."],
    ["git add nosuch", "fatal: pathspec 'nosuch' did not match any files"],
    [
      "git log nosuch",
      "fatal: ambiguous argument 'nosuch': unknown revision or path not in the working tree.\nUse '--' to separate paths from revisions, like this:",
    ],
  ].map(([run = "", log = ""]) =>
    typed(run, log, {
      cause: "nosuch",
      category: "configuration",
      advice: /Correct nosuch/,
      never: /unshallow/,
    }),
  ),
  typed(
    "git push",
    "fatal: No configured push destination.\nEither specify the URL from the command-line or configure a remote repository using\n\n    git remote add <name> <url>\n\nand then push using the remote name\n\n    git push <name>\n",
    {
      cause: "No configured push destination",
      category: "configuration",
      advice: /^Do as the log itself says: git remote add <name> <url>/,
      never: /branch, tag or path/,
    },
  ),
  typed("git fetch upstream", `fatal: 'upstream' does not appear to be a git repository\n${UNREADABLE}`, {
    cause: "'upstream' does not appear",
    category: "configuration",
    advice: /git remote add/,
    never: /deploy key/,
  }),
  typed(
    "git push",
    "fatal: The current branch tax has no upstream branch.\nTo push the current branch and set the remote as upstream, use\n\n    git push --set-upstream origin tax\n",
    {
      cause: "no upstream branch",
      category: "configuration",
      advice: /^Run what the log itself tells to run\ngit push --set-upstream origin tax/,
    },
  ),
  typed(
    "git pull",
    "There is no tracking information for the current branch.\nPlease specify which branch you want to merge with.\nSee git-pull(1) for details.\n\n    git pull <remote> <branch>\n",
    { cause: "no tracking information", category: "configuration", advice: /--set-upstream-to/ },
  ),
  typed(
    "git commit -m y",
    "error: Committing is not possible because you have unmerged files.\nhint: Fix them up in the work tree, and then use 'git add/rm <file>'\nhint: as appropriate to mark resolution and make a commit.\nfatal: Exiting because of an unresolved conflict.\nU\tcart.ts",
    {
      cause: "unmerged files",
      category: "configuration",
      advice: /Resolve the conflicts, add the files/,
      never: /branch, tag or path/,
    },
  ),
  typed("git checkout tax", "cart.ts: needs merge\nerror: you need to resolve your current index first", {
    cause: "resolve your current index",
    category: "configuration",
    advice: /Resolve the conflicts, add the files/,
  }),
  typed(
    "git switch tax",
    "error: Your local changes to the following files would be overwritten by checkout:\n\tcart.ts\nPlease commit your changes or stash them before you switch branches.\nAborting",
    { cause: "local changes", category: "configuration", advice: /^git stash$/m, never: /git merge/ },
  ),
  typed(
    "git commit -m z",
    'On branch main\nUntracked files:\n  (use "git add <file>..." to include in what will be committed)\n\tf\n\nnothing added to commit but untracked files present (use "git add" to track)',
    {
      cause: "nothing added",
      category: "configuration",
      advice: /use "git add" to track$/m,
      never: /track\)/,
    },
  ),
];

const DATABASES: readonly ToolFailure[] = [
  ...[
    ["mysql", "ERROR 1045 (28000): Access denied for user 'root'@'localhost' (using password: NO)"],
    [
      "psql -h db shop",
      'psql: error: connection to server at "db" (10.0.0.2), port 5432 failed: FATAL:  password authentication failed for user "shop"',
    ],
    [
      "psql -h db shop",
      'psql: error: connection to server at "db", port 5432 failed: fe_sendauth: no password supplied',
    ],
    ["redis-cli get cart", "(error) NOAUTH Authentication required."],
  ].map(([run = "", log = ""]) =>
    typed(run, log, {
      cause: log.slice(-20),
      category: "permission",
      advice: /user and password/,
      never: /the code that it tests|Run it again/,
    }),
  ),
  typed(
    "mysql shop",
    "ERROR 1064 (42000) at line 1: You have an error in your SQL syntax near 'SELEC' at line 1",
    {
      cause: "1064",
      category: "compile_error",
      advice: /Mend the statement/,
      never: /the code that it tests/,
    },
  ),
  ...[
    [
      "psql -h 127.0.0.1 -p 1",
      'psql: error: connection to server at "127.0.0.1", port 1 failed: Connection refused\n\tIs the server running on that host and accepting TCP/IP connections?',
    ],
    ["mysql -h 127.0.0.1 -P 1", "ERROR 2003 (HY000): Can't connect to MySQL server on '127.0.0.1:1' (111)"],
    ["redis-cli -p 1 ping", "Could not connect to Redis at 127.0.0.1:1: Connection refused"],
  ].map(([run = "", log = ""]) =>
    typed(run, log, {
      cause: "onnect",
      category: "network",
      advice: /port 1 of 127\.0\.0\.1/,
      never: /Cache downloads|Run it again/,
    }),
  ),
  typed(
    "mysql",
    "ERROR 2002 (HY000): Can't connect to local MySQL server through socket '/run/mysqld/mysqld.sock' (2)",
    {
      cause: "2002",
      category: "network",
      advice: /Start the database server/,
      never: /the code that it tests/,
    },
  ),
];

const FILES: readonly ToolFailure[] = [
  ["rsync -a /x y", 'rsync: [sender] link_stat "/x" failed: No such file or directory (2)', "/x"],
  [
    "tar xzf x.tgz",
    "tar: x.tgz: Cannot open: No such file or directory\ntar: Error is not recoverable: exiting now",
    "x.tgz",
  ],
  ["tar xzf x.tgz", "tar (child): x.tgz: Cannot open: No such file or directory", "x.tgz"],
  ["cp a b", "cp: cannot stat 'a': No such file or directory", "a"],
  ["head nosuch", "head: cannot open 'nosuch' for reading: No such file or directory", "nosuch"],
  ["mkdir /nosuch/a", "mkdir: cannot create directory ‘/nosuch/a’: No such file or directory", "/nosuch/a"],
  ["sort nosuch", "sort: cannot read: nosuch: No such file or directory", "nosuch"],
  ["sed s/a/b/ nosuch", "sed: can't read nosuch: No such file or directory", "nosuch"],
  ["bash run", "bash: line 27: cd: nosuch: No such file or directory", "nosuch"],
  ["dd if=x of=y", "dd: failed to open 'x': No such file or directory", "x"],
  [
    "python3 nosuch",
    "python3: can't open file '/app/nosuch': [Errno 2] No such file or directory",
    "/app/nosuch",
  ],
  ["java -jar x.jar", "Error: Unable to access jarfile x.jar", "x.jar"],
  ["javac X.java", "error: file not found: X.java\nUsage: javac <options> <source files>", "X.java"],
  ["sh build.sh", "build.sh: 3: cd: can't cd to dist", "dist"],
  ["unzip x.zip", "unzip:  cannot find or open x.zip, x.zip.zip or x.zip.ZIP.", "x.zip"],
  ["sh build.sh", "sh: 1: cd: can't cd to /nosuch", "/nosuch"],
].map(([run = "", log = "", path = ""]) =>
  typed(run, log, {
    cause: path,
    category: "missing_file",
    place: path,
    advice: new RegExp(`Make ${path},.*\\n(?:.*\\n)*find \\. -iname ${path.split("/").at(-1)} `),
  }),
);

const METADATA = `Collecting shop
  error: subprocess-exited-with-error

  × Getting requirements to build wheel did not run successfully.
  │ exit code: 1
  ╰─> [3 lines of output]
      Traceback (most recent call last):
        File "<string>", line 2, in <module>
      ModuleNotFoundError: No module named 'setuptools'
      [end of output]

  note: This error originates from a subprocess, and is likely not a problem with pip.
error: metadata-generation-failed

× Encountered error while generating package metadata.
╰─> See above for output.`;

const PROGRAMS: readonly ToolFailure[] = [
  typed(
    "/usr/bin/pip3 install flask",
    `error: externally-managed-environment

× This environment is externally managed
╰─> To install Python packages system-wide, try apt install
    python3-xyz, where xyz is the package you are trying to
    install.

    create a virtual environment using python3 -m venv path/to/venv.

note: If you believe this is a mistake, please contact your Python installation or OS distribution provider. You can override this, at the risk of breaking your Python installation or OS, by passing --break-system-packages.`,
    {
      cause: "externally",
      category: "configuration",
      ecosystem: "python",
      advice: /virtual environment, or a program with pipx/,
      never: /the code that it tests/,
    },
  ),
  typed("pip install shop", METADATA, {
    cause: "No module named 'setuptools'",
    category: "dependency_resolution",
    advice: /^pip install setuptools$/m,
    never: /compiler and headers/,
  }),
  typed(
    "uv pip install shop",
    "  × No solution found when resolving dependencies:\n  ╰─▶ Because shop was not found in the package registry, we can conclude that your requirements are unsatisfiable.",
    {
      cause: "No solution found",
      category: "dependency_resolution",
      advice: /./,
      never: /the code that it tests/,
    },
  ),
  typed(
    "systemctl start nosuch",
    "System has not been booted with systemd as init system (PID 1). Can't operate.\nFailed to connect to bus: Host is down",
    {
      cause: "systemd",
      category: "configuration",
      advice: /no systemd runs here/,
      never: /Run it again|Cache/,
    },
  ),
  typed("nginx", "nginx: [emerg] bind() to 0.0.0.0:80 failed (98: Address already in use)", {
    cause: "0.0.0.0:80",
    category: "configuration",
    advice: /port 80/,
    never: /variables and secrets/,
  }),
  typed("./shop", "2026/01/02 10:20:30 listen tcp :8080: bind: address already in use", {
    cause: ":8080",
    category: "configuration",
    advice: /port 8080/,
    never: /variables and secrets/,
  }),
  typed("python3 serve.py", "OSError: [Errno 98] Address already in use", {
    cause: "Address already in use",
    category: "configuration",
    advice: /already listens/,
    never: /variables and secrets/,
  }),
  typed("./start", "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory", {
    cause: "heap limit",
    category: "out_of_memory",
    ecosystem: "node",
    advice: /--max-old-space-size/,
    never: /dmesg/,
  }),
  typed(
    "cmake .",
    'CMake Error: The source directory "/srv/shop" does not appear to contain CMakeLists.txt.\nSpecify --help for usage, or press the help button on the CMake GUI.',
    {
      cause: "does not appear to contain",
      category: "configuration",
      advice: /folder that holds the Makefile or CMakeLists\.txt/,
      never: /variables and secrets/,
    },
  ),
  typed("make", "make: *** No targets specified and no makefile found.  Stop.", {
    cause: "no makefile",
    category: "configuration",
    advice: /folder that holds the Makefile/,
  }),
  typed("cargo run", "error: could not find `Cargo.toml` in `/srv/shop` or any parent directory", {
    cause: "Cargo.toml",
    category: "missing_file",
    place: "Cargo.toml",
    advice: /folder that holds Cargo\.toml/,
  }),
  typed(
    "npm run buid",
    'npm error Missing script: "buid"\nnpm error\nnpm error Did you mean this?\nnpm error   npm run build # run the "build" package script\nnpm error\nnpm error To see a list of scripts, run:\nnpm error   npm run',
    {
      cause: "buid",
      category: "configuration",
      advice:
        /^Run what the log itself tells to run\nnpm run build\n(?:.*\n)*Do as the log itself says: Did you mean npm run build\?/,
      never: /Did you mean this/,
    },
  ),
  typed(
    "git comit",
    "git: 'comit' is not a git command. See 'git --help'.\n\nThe most similar command is\n\tcommit",
    {
      cause: "comit",
      category: "configuration",
      advice: /Did you mean commit\?/,
    },
  ),
  typed("apt-get install nosuch", "Reading package lists...\nE: Unable to locate package nosuch", {
    cause: "Unable to locate",
    category: "dependency_resolution",
    advice: /^apt-get update && apt-cache search nosuch$/m,
  }),
  typed(
    "apt-get install curl",
    "E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 4711 (apt-get)\nE: Unable to acquire the dpkg frontend lock (/var/lib/dpkg/lock-frontend), is another process using it?",
    { cause: "lock", category: "infrastructure", advice: /other installation has ended/ },
  ),
  typed("sudo -n ls", "sudo: a password is required", {
    cause: "password",
    category: "permission",
    advice: /NOPASSWD/,
  }),
  typed("pytest -k zz", "collected 0 items\n\n============ no tests ran in 3.72s ============", {
    cause: "no tests ran",
    category: "configuration",
    ecosystem: "python",
    advice: /--collect-only/,
  }),
  typed(
    "pytest nosuch",
    "collected 0 items\n\n============ no tests ran in 4.45s ============\nERROR: file or directory not found: nosuch\n",
    {
      cause: "not found: nosuch",
      category: "missing_file",
      place: "nosuch",
      advice: /Make nosuch, or correct the path/,
    },
  ),
];

const THROWN: readonly ToolFailure[] = [
  typed(
    "./p",
    "\nthread 'main' (10877) panicked at src/main.rs:1:77:\nindex out of bounds: the len is 1 but the index is 6\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace",
    {
      cause: "panicked",
      category: "unknown",
      place: "src/main.rs:1",
      advice: /src\/main\.rs:1.*index out of bounds/,
    },
  ),
  typed(
    "node thr.js",
    "/srv/thr.js:1\nfunction g(o){ return o.a.b } g({})\n                          ^\n\nTypeError: Cannot read properties of undefined (reading 'b')\n    at g (/srv/thr.js:1:27)\n    at Object.<anonymous> (/srv/thr.js:1:31)\n\nNode.js v20.20.2",
    { cause: "TypeError", category: "unknown", place: "/srv/thr.js:1", advice: /Look at \/srv\/thr\.js:1/ },
  ),
  typed(
    "java P",
    'Exception in thread "main" java.lang.NullPointerException: Cannot invoke "Object.toString()" because "<local1>" is null\n\tat P.main(P.java:1)',
    {
      cause: "NullPointer",
      category: "unknown",
      ecosystem: "unknown",
      place: "P.java:1",
      advice: /Look at P\.java:1/,
    },
  ),
  typed(
    "go run p.go",
    "panic: runtime error: index out of range [5] with length 0\n\ngoroutine 1 [running]:\nmain.main()\n\t/srv/p.go:2 +0x1d\nexit status 2",
    { cause: "panic", category: "unknown", place: "/srv/p.go:2", advice: /Look at \/srv\/p\.go:2/ },
  ),
  typed(
    "php p.php",
    "PHP Fatal error:  Uncaught RuntimeException: closed in /srv/p.php:1\nStack trace:\n#0 /srv/p.php(1): f()\n#1 {main}\n  thrown in /srv/p.php on line 1",
    { cause: "closed", category: "unknown", place: "/srv/p.php:1", advice: /Look at \/srv\/p\.php:1/ },
  ),
  typed(
    "ruby p.rb",
    "p.rb:1:in `f': undefined method `x' for nil:NilClass (NoMethodError)\n\tfrom p.rb:3:in `<main>'",
    {
      cause: "undefined method",
      category: "unknown",
      place: "p.rb:1",
      advice: /Look at p\.rb:1/,
    },
  ),
].map((failure) => ({ ...failure, never: /does not say why|line that is quoted/ }));

export const EVERYDAY: readonly ToolFailure[] = [...GIT, ...DATABASES, ...FILES, ...PROGRAMS, ...THROWN];
