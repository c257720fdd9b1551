import { ruleCases } from "../cases.ts";

ruleCases("command-injection", {
  javascript: {
    must: [
      "import { exec } from 'node:child_process';\nfunction list(folder) {\n  exec(`ls ${folder}`);«here»\n}",
      "const cp = require('child_process');\nmodule.exports = (name) => cp.execSync('rm -rf ' + name);",
      "app.get('/', (req, res) => {\n  spawn('sh', ['-c', req.query.command]);«here»\n});",
      "function run(program) {\n  childProcess.spawn(program, ['--help']);\n}",
      "function run(file) {\n  spawn('convert', [file], { shell: true });\n}",
      "function clone(url) {\n  spawn('git', ['clone', url]);\n}",
      "function run(command) {\n  shell.exec(command);\n}",
      "spawn('ls', ['-l'], { shell: true });",
    ],
    mustNot: [
      "exec('ls -l')",
      "function run(file) {\n  spawn('convert', [file]);\n}",
      "function match(text) {\n  return pattern.exec(text);\n}",
      "function clone(url) {\n  spawn('git', ['clone', '--', url]);\n}",
      "spawn('ls', ['-l'], { shell: false });",
      "function run(folder) {\n  execFile('ls', [folder]);\n}",
      "db.exec(statement)",
    ],
  },
  python: {
    must: [
      'os.system("ls " + folder)',
      'subprocess.run(f"ls {folder}", shell=True)',
      'subprocess.call("ls %s" % folder, shell=True)',
      'os.popen("cat {}".format(path))',
      "def run(command):\n    subprocess.Popen(command)",
      'subprocess.run(["bash", "-c", command])',
      'ssh.exec_command("ls " + request.args["folder"])',
      "from os import system\nsystem(command)",
    ],
    mustNot: [
      'os.system("ls")',
      'subprocess.run(["ls", folder])',
      'subprocess.run("ls -l", shell=True)',
      'subprocess.run(["bash", "-c", "ls"])',
    ],
  },
  go: {
    must: [
      'exec.Command("sh", "-c", "ls " + folder)',
      "func run(name string) {\n\texec.Command(name)\n}",
      'exec.CommandContext(ctx, "bash", "-c", fmt.Sprintf("ls %s", folder))',
      'exec.Command(r.FormValue("program"))',
    ],
    mustNot: [
      'exec.Command("ls", folder)',
      'exec.Command("sh", "-c", "ls -l")',
      'exec.CommandContext(ctx, "ls", folder)',
    ],
  },
  java: {
    must: [
      'Runtime.getRuntime().exec("ls " + folder);',
      'Runtime.getRuntime().exec(request.getParameter("command"));',
      'new ProcessBuilder("sh", "-c", "ls " + folder).start();',
      "void run(String program) {\n  new ProcessBuilder(program).start();\n}",
    ],
    mustNot: [
      'Runtime.getRuntime().exec("ls -l");',
      'new ProcessBuilder("ls", folder).start();',
      'new ProcessBuilder("sh", "-c", "ls").start();',
    ],
  },
  ruby: {
    must: [
      'system("ls #{folder}")',
      "`ls #{params[:folder]}`",
      'exec "rm " + name',
      'IO.popen("cat #{path}")',
      'Open3.capture3("ls #{folder}")',
      'system "tar xf #{file}"',
    ],
    mustNot: ['system("ls", folder)', "`ls -l`", 'system "ls"', 'Open3.capture3("ls", folder)'],
  },
  php: {
    must: [
      "<?php\nexec('ls ' . $_GET['folder']);",
      "<?php\nsystem($command);",
      '<?php\n$out = shell_exec("ls $folder");',
      "<?php\n$out = `ls $folder`;",
      "<?php\npassthru($_POST['command']);",
    ],
    mustNot: [
      "<?php\nexec('ls -l');",
      "<?php\nsystem('ls ' . escapeshellarg($folder));",
      "<?php\n$statement->exec('DELETE');",
      "<?php\n$out = `ls -l`;",
    ],
  },
  c: {
    must: [
      "system(command);",
      'popen(argv[1], "r");',
      "int main(int argc, char **argv) {\n  system(argv[1]);\n}",
    ],
    mustNot: ['system("ls -l");', 'popen("ls", "r");'],
  },
  cpp: {
    must: ["std::system(command.c_str());", 'system(("ls " + folder).c_str());'],
    mustNot: ['std::system("ls -l");', "file_system(path);"],
  },
  csharp: {
    must: [
      "void Run(string program) {\n  Process.Start(program);\n}",
      'Process.Start("cmd.exe", "/c " + Request.QueryString["command"]);',
      'new ProcessStartInfo("powershell", "-Command " + script);',
    ],
    mustNot: ['Process.Start("notepad.exe");', 'Process.Start("git", "status");'],
  },
  rust: {
    must: [
      'Command::new("sh").arg("-c").arg(format!("ls {}", folder)).spawn()?;',
      "fn run(program: &str) {\n  Command::new(program).spawn();\n}",
    ],
    mustNot: [
      'Command::new("ls").arg(folder).spawn()?;',
      'Command::new("sh").arg("-c").arg("ls -l").spawn()?;',
    ],
  },
  shell: {
    must: [
      'bash -c "ls $1"',
      'sh -c "$command"',
      "find . | xargs -I{} sh -c 'rm {}'",
      "Invoke-Expression $command",
    ],
    mustNot: ["bash -c 'ls -l'", 'ls "$1"', '# sh -c "$command"', "bash script.sh $1"],
  },
  yaml: {
    must: [
      'steps:\n  - run: echo "${{ github.event.issue.title }}"«here»',
      "steps:\n  - run: |\n      echo start\n      git checkout ${{ github.head_ref }}«here»\n",
    ],
    mustNot: [
      "steps:\n  - run: echo ${{ github.sha }}",
      'env:\n  TITLE: ${{ github.event.issue.title }}\nsteps:\n  - run: echo "$TITLE"',
    ],
  },
});
