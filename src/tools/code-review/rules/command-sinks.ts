import { LEVEL } from "../flow/level.ts";
import type { Sinks } from "./sinks.ts";

const { parameter, unknown } = LEVEL;

/** What hands a text to a shell, or starts the program that it names. */
export const COMMAND_SINKS: Sinks = {
  javascript: [
    {
      names: "exec execSync execFile execFileSync fork",
      path: /^(?:child_process|cp|childProcess|shell|shelljs|sh)\b|^(?:exec|execSync|execFile|execFileSync)$|promisify|^require\(\)\.exec|^(?:conn|connection|ssh|sshClient|sudo|sudoPrompt)\.exec$/,
      atLeast: parameter,
    },
    {
      names: "spawn spawnSync",
      path: /^(?:child_process|cp|childProcess|Bun)\b|^(?:spawn|spawnSync)$/,
      atLeast: parameter,
    },
    { names: "execa execaCommand execaCommandSync execaSync command", path: /^execa/, atLeast: parameter },
    { names: "Command", path: /^Deno\.Command$/, atLeast: parameter },
    { names: "execCommand sshExec", atLeast: parameter },
  ],
  python: [
    { names: "system popen popen2 popen3 popen4", path: /^(?:os|popen2|posix|pty)\./, atLeast: unknown },
    { names: "getoutput getstatusoutput create_subprocess_shell", atLeast: unknown },
    {
      names:
        "execl execle execlp execlpe execv execve execvp execvpe spawnl spawnlp spawnv spawnvp startfile",
      path: /^os\./,
      atLeast: parameter,
    },
    { names: "spawn", path: /^(?:pty|pexpect)\./, atLeast: unknown },
    { names: "exec_command", atLeast: unknown },
    { names: "create_subprocess_exec", atLeast: parameter },
    {
      names: "spawnl spawnlp spawnv spawnvp spawnle spawnve",
      path: /^os\./,
      argument: 1,
      atLeast: parameter,
    },
    {
      names: "run sudo local",
      path: /^(?:c|ctx|conn|connection|fabric(?:\.\w{1,12})?)\.(?:run|sudo|local)$|^(?:local|sudo)$/,
      atLeast: unknown,
    },
    { names: "call check_call check_output run Popen", path: /^subprocess\./, atLeast: parameter },
  ],
  go: [
    {
      names: "Run Output CombinedOutput Start",
      path: /^(?:session|sess|sshSession)\.\w{3,14}$/,
      atLeast: unknown,
    },
    {
      names: "Command CommandContext",
      path: /exec\.(?:Command|CommandContext)$/,
      argument: "any",
      atLeast: parameter,
    },
    { names: "Exec ForkExec StartProcess", path: /(?:syscall|os)\./, atLeast: parameter },
  ],
  java: [
    { names: "exec", path: /getRuntime\(\)\.exec$|^(?:r|rt|runtime|Runtime)\.exec$/, atLeast: unknown },
    {
      names: "ProcessBuilder command",
      argument: "any",
      path: /ProcessBuilder$|(?:pb|builder|process)\w{0,10}\.command$/i,
      atLeast: parameter,
    },
  ],
  ruby: [
    {
      names: "system exec spawn syscall",
      path: /^(?:(?:Kernel|Process|PTY)\.)?(?:system|exec|spawn|syscall)$/,
      atLeast: unknown,
    },
    {
      names: "popen popen2 popen2e popen3 capture2 capture2e capture3 pipeline",
      path: /^(?:IO|Open3|PTY|POSIX)\./,
      atLeast: unknown,
    },
  ],
  php: [
    {
      names: "fromShellCommandline Process",
      path: /^(?:Process(?:\.fromShellCommandline)?|Symfony\S{1,60}Process)$/,
      atLeast: unknown,
    },
    {
      names: "exec shell_exec system passthru popen proc_open pcntl_exec expect_popen",
      path: /^\w{1,20}$/,
      atLeast: unknown,
    },
  ],
  c: [
    {
      names:
        "system popen _popen wsystem _wsystem WinExec execl execlp execle execv execvp ShellExecute ShellExecuteA ShellExecuteW CreateProcess CreateProcessA CreateProcessW _popen _wpopen",
      atLeast: unknown,
      argument: "any",
    },
  ],
  cpp: [
    {
      names:
        "system popen _popen _wsystem WinExec execl execlp execv execvp ShellExecute ShellExecuteA ShellExecuteW CreateProcess CreateProcessA CreateProcessW _popen _wpopen",
      atLeast: unknown,
      argument: "any",
    },
  ],
  csharp: [
    { names: "Start", path: /Process\.Start$/, argument: "any", atLeast: parameter },
    { names: "ProcessStartInfo", argument: "any", atLeast: parameter },
  ],
  rust: [{ names: "new", path: /Command\.new$/, atLeast: parameter }],
};
