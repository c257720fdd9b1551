import { edges } from "../edges.ts";

const f = (body: string) => `function f(a) {\n  ${body}\n}`;

edges("command-injection", "a.ts", [
  ...[
    "sh",
    "bash",
    "zsh",
    "ksh",
    "dash",
    "csh",
    "fish",
    "ash",
    "bash.exe",
    "/bin/sh",
    "/usr/bin/bash",
    "cmd",
    "cmd.exe",
    "CMD.EXE",
    "powershell",
    "powershell.exe",
    "pwsh",
  ].map((shell) => [f(`spawn('${shell}', ['-c', a]);`), "2"] as const),
  ...["shs", "xsh", "bashful", "mycmd", "cmdline", "mypowershell", "powershells", "pwshell", "ssh-add"].map(
    (program) => [f(`spawn('${program}', ['-c', a]);`)] as const,
  ),
  ...[
    "python -c",
    "python3 -c",
    "python3.12 -c",
    "perl -e",
    "ruby -e",
    "node -e",
    "php -r",
    "lua -e",
    "osascript -e",
    "/usr/bin/perl -e",
    "/bin/perl -e",
  ].map((given) => {
    const [program, flag] = given.split(" ");
    return [f(`spawn('${program}', ['${flag}', a]);`), "2"] as const;
  }),
  ...[
    "python3 -m",
    "python3 --c",
    "python3 -cx",
    "pythons -c",
    "xperl -e",
    "perls -e",
    "python-3.123.456 -c",
  ].map((given) => {
    const [program, flag] = given.split(" ");
    return [f(`spawn('${program}', ['${flag}', a]);`)] as const;
  }),
  [f("spawn('node', [a, '-e']);")],
  [f("spawn('node', ['-e', 'x', a]);")],
  [f("spawn('node', ['-e']);")],
  [f("spawn('node', ['-e', unseen]);")],
  ...["clone", "fetch", "pull", "ls-remote"].map(
    (verb) => [f(`spawn('git', ['${verb}', a]);`), "2"] as const,
  ),
  ...["cloned", "re-clone", "prefetch", "push", "fetch-pack"].map(
    (verb) => [f(`spawn('git', ['${verb}', a]);`)] as const,
  ),
  [f("spawn('git', ['clone', '--', a]);")],
  [f("spawn('git', ['clone', unseen]);")],
  [f("spawn('git', [a]);")],
  [f("spawn('git');")],
  [f("spawn('gits', ['clone', a]);")],
  [f("spawn('bash', ['-c', 'ls']);")],
  [f("spawn('bash', ['-c', 'ls'], { env: a });")],
  [f("spawn('bash', ['-c', unseen]);"), "2"],
  [f("spawn(a, ['-c']);"), "2"],
  [f("respawn('bash', ['-c', a]);")],
  [f("spawned('bash', ['-c', a]);")],
  [f("Deno.run({ cmd: ['sh', '-c', a] });"), "2"],
  [f("Deno.run({ cmd: [a, 'b'] });"), "2"],
  [f("Deno.run({ cmd: ['ls', a] });")],
  [f("job.run({ cmd: [a, 'b'] });")],
  [f("execFile('ls', [a], { shell: true });"), "2"],
  [f("execFile('ls', [a], { shell: '/bin/sh' });"), "2"],
  [f("execFile('ls', [a], { shell: false });")],
  [f("execFile('ls', [a], { shells: true });")],
  [f("execFile('ls', ['-l'], { shell: true });"), "2"],
  [f("execFile('ls', ['-l'], { shell: true, env: a });"), "2"],
]);

edges("command-injection", "a.py", [
  ["def f(a):\n    subprocess.run(['bash', '-c', a])", "2"],
  ["def f(a):\n    subprocess.run(['python3', '-c', a])", "2"],
  ["def f(a):\n    subprocess.run(['python3', a])"],
  ["def f(a):\n    subprocess.run(args=['sh', '-c', a])", "2"],
  ["def f(a):\n    subprocess.run(['ls', '-l'], shell=True)"],
  ["def f(a):\n    subprocess.run(['ls', a], shell=True)", "2"],
  ["def f(a):\n    subprocess.run(['ls'], shell=True, env=a)"],
  ["def f(a):\n    os.spawnvp(os.P_WAIT, a, ['b'])", "2"],
  ["def f(a):\n    os.spawnvp(os.P_WAIT, 'sh', ['sh', '-c', a])", "2"],
  ["def f(a):\n    os.spawnvp(os.P_WAIT, 'ls', ['ls', a])"],
  ["async def f(a):\n    await asyncio.create_subprocess_exec('sh', '-c', a)", "2"],
  ["async def f(a):\n    await asyncio.create_subprocess_exec('ls', a)"],
]);

edges("command-injection", "a.rs", [
  ['fn f(a: String) {\n    Command::new("sh").arg("-c").arg(a);\n}', "2"],
  ['fn f(a: String) {\n    Command::new("/bin/bash").args(["-c", &a]);\n}', "2"],
  ['fn f(a: String) {\n    Command::new("ls").arg(a);\n}'],
  ['fn f(a: String) {\n    Command::new("sh").arg("-c").arg("ls");\n}'],
  ['fn f(a: String) {\n    Parser::new("sh").arg(a);\n}'],
]);

edges("command-injection", "A.cs", [
  ['void F(string a) { Process.Start("cmd.exe", a); }', "1"],
  ['void F(string a) { var i = new ProcessStartInfo("sh", "-c " + a); }', "1"],
  ['void F(string a) { var i = new ProcessStartInfo("ls", "-c " + a); }'],
  ['void F(string a) { Process.Start("cmd.exe"); }'],
  ['void F(string a) { Process.Start("cmd.exe", "/c dir"); }'],
  ["void F(string a) { var i = new ProcessStartInfo(); i.FileName = a; }", "1"],
  ["void F(string a) { var i = new ProcessStartInfo { FileName = a }; }", "1"],
  ["void F(string a) { var i = new Upload { FileName = a }; }"],
  ["void F(string a) { var i = new Upload(); i.FileName = a; }"],
  ['void F(string a) { var i = new ProcessStartInfo(); i.FileName = "ls"; }'],
  ['void F(string a) { i.Arguments = "-c " + a; }', "1"],
  ['void F(string a) { i.Arguments = "  /C " + a; }', "1"],
  ['void F(string a) { i.Arguments = "-cx " + a; }'],
  ['void F(string a) { i.Arguments = "x -c" + a; }'],
  ['void F(string a) { i.Arguments = "/c dir"; }'],
  ['void F(string a) { i.Arguments == "/c " + a; }'],
  ['void F(string a) { i.MyArguments = "/c " + a; }'],
  ['void F(string a) {\n  i.Arguments = "/c " + a;\n  Process.Start(i);\n}', "3"],
]);

edges("command-injection", "a.rb", [
  ["def f(a)\n  %x(ls #{a})\nend", "2"],
  ["def f(a)\n  %w(ls #{a})\nend"],
  ["def f(a)\n  `ls #{a.to_i}`\nend"],
  ["def f(a)\n  spawn('sh', '-c', a)\nend", "2"],
  ["def f(a)\n  Open3.capture2('sh', '-c', a)\nend", "2"],
  ["def f(a)\n  Open3.capture2('ls', a)\nend"],
]);
edges("command-injection", "a.php", [
  ["<?php\nfunction f($a) {\n  return `ls $a`;\n}", "3"],
  ['<?php\nfunction f($a) {\n  return "ls $a";\n}'],
  ["<?php\n$b = `ls`;"],
]);
edges("command-injection", "a.go", [
  ['func f(a string) {\n\texec.Command("sh", "-c", a)\n}', "2"],
  ['func f(ctx context.Context, a string) {\n\texec.CommandContext(ctx, "bash", "-c", a)\n}', "2"],
  ["func f(ctx context.Context, a string) {\n\texec.CommandContext(ctx, a)\n}", "2"],
  ['func f(ctx context.Context, a string) {\n\texec.CommandContext(ctx, "ls", a)\n}'],
  ['func f(a string) {\n\texec.Command("ls", a)\n}'],
]);

edges("command-injection", "b.c", [
  ['void f(char *a) { execlp(a, "b", NULL); }', "1"],
  ['void f(char *a) { execl("/bin/ls", "ls", a, NULL); }', "1"],
  ['void f(char *a) { popen(a, "r"); }', "1"],
  ['void f(char *a) { popen("ls", a); }'],
  ['void f(char *a) { _popen("ls", a); }'],
  ['void f() { system("ls"); }'],
  ["void f() { system(); }"],
]);

edges("command-injection", "b.py", [
  ["def f(a):\n    os.spawnl(os.P_WAIT, a, 'b')", "2"],
  ["def f(a):\n    os.spawnl(os.P_WAIT, 'ls', a)"],
  ["def f(a):\n    os.spawnl(os.P_WAIT)"],
  ["def f(a):\n    os.spawnvpe(os.P_WAIT, 'sh', ['-c', a], b)", "2"],
  ["def f(a):\n    os.execl(a, 'b')", "2"],
  ["def f(a):\n    os.execl('/bin/ls', a)"],
  ["async def f(a):\n    await loop.subprocess_exec(p, a)", "2"],
  ["async def f(a):\n    await loop.subprocess_exec(p, 'ls', a)"],
  ["async def f(a):\n    await loop.subprocess_exec(p)"],
]);

edges("command-injection", "B.java", [
  ['void f(String a) { Runtime.getRuntime().exec(new String[] { a, "b" }); }', "1"],
  ['void f(String a) { Runtime.getRuntime().exec(new String[] { "sh", "-c", a }); }', "1"],
  ['void f(String a) { Runtime.getRuntime().exec(new String[] { "ls", a }); }'],
  ['void f(String a) { Runtime.getRuntime().exec("ls", a); }'],
  ['void f(String a) { new ProcessBuilder(a, "b"); }', "1"],
  ['void f(String a) { new ProcessBuilder("ls", a); }'],
]);

edges("command-injection", "b.go", [
  ["func f(a string) {\n\tsyscall.Exec(a, b, c)\n}", "2"],
  ['func f(a string) {\n\tos.StartProcess("/bin/ls", []string{a}, c)\n}', "2"],
  ["func f(a string) {\n\texec.CommandContext(a)\n}"],
]);

edges("command-injection", "b.ts", [
  [f("spawn('ls', a, { shell: true });"), "2"],
  [f("Deno.run({ cmd: [\n  a, 'b'] });"), "3"],
  [f("spawn('sh', [\n  '-c',\n  a]);"), "2"],
  [f("execa('sh', ['-c', a]);"), "2"],
  [f("execa('ls', [a]);")],
  [f("spawn('sh', { env: a });")],
  [f("command.args('sh', a);")],
]);

edges("command-injection", "B.cs", [
  ["void F(string a) { x.StartInfo.FileName = a; }", "1"],
  ["void F(string a) { x.StartInfos.FileName = a; }"],
  ['void F(string a) {\n  i.Arguments = "/c " + a;\n}\nvoid G() {\n  Process.Start(i);\n}', "2"],
  ['void F(string a) {\n  i.Arguments = "/c " + a;\n  Started(i);\n  (Start)(i);\n}', "2"],
  ['void F(string a) { i.Arguments = a; b = "/c x"; }'],
]);
