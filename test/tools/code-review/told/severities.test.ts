import { describe, expect, it } from "vitest";
import type { RuleId } from "../../../../src/tools/code-review/finding.ts";
import { findingsIn } from "../cases.ts";
import { partlyKnown } from "../whole-names/whole-names.ts";

/** Code around a value of unknown origin, a parameter, and a value from a client. */
type Holder = Record<"unseen" | "given" | "asked", (code: (value: string) => string) => string>;

const script: Holder = {
  unseen: (code) => code("unseen"),
  given: (code) => `function f(given) {\n${code("given")}\n}`,
  asked: (code) => `app.get('/', (req, res) => {\n${code("req.query.a")}\n});`,
};
const HOLDERS: Record<string, Holder> = {
  ts: script,
  jsx: script,
  py: {
    unseen: (code) => code("unseen"),
    given: (code) => `def f(given):\n    ${code("given")}`,
    asked: (code) => `@app.route('/')\ndef f():\n    ${code("request.args['a']")}`,
  },
  go: {
    unseen: (code) => `func f() {\n\t${code("unseen")}\n}`,
    given: (code) => `func f(given string) {\n\t${code("given")}\n}`,
    asked: (code) => `func f(w http.ResponseWriter, r *http.Request) {\n\t${code('r.FormValue("a")')}\n}`,
  },
  java: {
    unseen: (code) => `class A {\n  void f() {\n    ${code("unseen")}\n  }\n}`,
    given: (code) => `class A {\n  void f(String given) {\n    ${code("given")}\n  }\n}`,
    asked: (code) =>
      `class A {\n  void f(HttpServletRequest r) {\n    ${code('r.getParameter("a")')}\n  }\n}`,
  },
  cs: {
    unseen: (code) => `class A {\n  void F() {\n    ${code("unseen")}\n  }\n}`,
    given: (code) => `class A {\n  void F(string given) {\n    ${code("given")}\n  }\n}`,
    asked: (code) => `class A {\n  void F() {\n    ${code('Request.Query["a"]')}\n  }\n}`,
  },
  rb: {
    unseen: (code) => code("unseen"),
    given: (code) => `def f(given)\n  ${code("given")}\nend`,
    asked: (code) => code("params[:a]"),
  },
  php: {
    unseen: (code) => `<?php\n${code("$unseen")}`,
    given: (code) => `<?php\nfunction f($given) {\n  ${code("$given")}\n}`,
    asked: (code) => `<?php\n${code('$_GET["a"]')}`,
  },
  rs: {
    unseen: (code) => `fn f() {\n    ${code("unseen")}\n}`,
    given: (code) => `fn f(given: String) {\n    ${code("given")}\n}`,
    asked: (code) => `async fn f(Query(given): Query<String>) {\n    ${code("given")}\n}`,
  },
  c: {
    unseen: (code) => `void f() {\n  ${code("unseen")}\n}`,
    given: (code) => `void f(char *given) {\n  ${code("given")}\n}`,
    asked: (code) => `int main(void) {\n  ${code('getenv("QUERY_STRING")')}\n}`,
  },
};

/** Code by its severities for a value of unknown origin, a parameter and a client's value, then by path. */
type Graded = Record<string, Record<string, readonly string[]>>;
/** Calls that sanitise a value for the code's own sink, and for another one. */
type Cleaning = { own: string; other: string };

function graded(rule: RuleId, { own, other }: Cleaning, table: Graded): void {
  describe(`${rule}, cleaned by ${own}()`, () => {
    for (const [severities, files] of Object.entries(table)) {
      for (const [path, forms] of Object.entries(files)) {
        const holders = HOLDERS[path.split(".")[1] as string] as Holder;
        const said = (form: string, held: Holder["asked"], call = "") => {
          const code = held((value) => form.replaceAll("□", call ? `${call}(${value})` : value));
          const [first, ...others] = findingsIn(path, code, { rules: { only: [rule] } });
          expect(others).toEqual([]);
          return first?.severity ?? "nothing";
        };
        it.each(forms)(`says ${severities} in ${path}: %s`, (form) => {
          expect(
            Object.values(holders)
              .map((held) => said(form, held))
              .join(" "),
          ).toBe(severities);
        });
        it(`matches names only as a whole in ${path}, with ${severities}`, () => {
          const examples = forms.map((form) => {
            const code = holders.asked((value) => form.replaceAll("□", value));
            return { rule, path, code };
          });
          expect(partlyKnown(examples).partly).toEqual([]);
        });
        it.each(forms)(`says of a cleaned value in ${path}: %s`, (form) => {
          const { asked } = holders;
          const ofFixed = said(form, (code) => code("'a'"));
          expect(said(form, asked, own)).toBe(ofFixed);
          expect(said(form, asked, other)).toBe(said(form, asked));
        });
      }
    }
  });
}

const SHELL = { own: "shellescape", other: "htmlspecialchars" };
const MARKUP = { own: "htmlspecialchars", other: "shellescape" };
const PATH = { own: "basename", other: "htmlspecialchars" };
const ADDRESS = { own: "url_for", other: "basename" };
const QUERY = { own: "esc_sql", other: "basename" };
const ANYTHING = { own: "sanitize", other: "basename" };

graded("command-injection", SHELL, {
  "warning warning error": {
    "a.ts": ["spawn('bash', ['-c', □]);", "execFile('ls', [□], { shell: true });"],
    "a.py": [
      "os.system(□)",
      "subprocess.run(□, shell=True)",
      "subprocess.run(['sh', '-c', □])",
      "os.spawnvp(os.P_WAIT, □, ['b'])",
    ],
    "a.go": ['exec.Command("sh", "-c", □)'],
    "A.java": ["Runtime.getRuntime().exec(□);", 'new ProcessBuilder("sh", "-c", □);'],
    "A.cs": ['Process.Start("cmd.exe", □);', 'info.Arguments = "/c " + □;'],
    "a.rb": ["system(□)", "`ls #{□}`", "system(□, 'b')", "Open3.capture2('sh', '-c', □)"],
    "a.php": ["shell_exec(□);"],
    "a.rs": ['Command::new("sh").arg("-c").arg(□);'],
    "a.c": ["system(□);", 'popen(□, "r");', 'execlp("ls", □);'],
  },
  "nothing warning error": {
    "a.ts": [
      "exec(□);",
      "exec('ls ' + □);",
      "spawn('node', ['-e', □]);",
      "spawn('git', ['clone', □]);",
      "spawn(□, ['-l']);",
      "Deno.run({ cmd: [□, 'b'] });",
    ],
    "a.go": ["exec.Command(□)", "exec.Cmd{Path: □}"],
    "A.cs": ["Process.Start(□);", "new ProcessStartInfo { FileName = □ };"],
    "a.rs": ["Command::new(□);"],
  },
  "info info info": {
    "a.ts": ["execFile('ls', ['-l'], { shell: true, env: □ });"],
  },
});

graded("unsafe-html", MARKUP, {
  "info warning error": {
    "a.ts": [
      "el.innerHTML = □;",
      "el.outerHTML += □;",
      "$('#a').html(□);",
      "const b = { __html: □ };",
      "const b = ['<b>', □, '</b>'].join('');",
    ],
    "a.jsx": ["const b = <iframe srcDoc={□} />;"],
    "a.py": ["Markup(□)", "mark_safe(□)", "HttpResponse(□)"],
    "a.go": ["template.HTML(□)", "var b template.HTML = □"],
    "A.cs": ["Html.Raw(□);"],
    "a.rb": ["raw(□)", "□.html_safe", "(□).html_safe", "content_tag(:b, raw(□))", "render text: □"],
  },
  "warning warning error": { "a.rb": ["render inline: □"] },
  "nothing warning error": { "a.ts": ["el.insertAdjacentHTML('beforeend', □);"] },
  "info info warning": { "a.ts": ["$window.location.href = □;"] },
  "info info error": { "a.ts": ["const b = '<script>' + □;"] },
  "nothing info error": { "a.ts": ["$('<b>' + □);"] },
  "nothing nothing warning": { "a.ts": ["window.location.href = □;", "$(□);"] },
  "nothing nothing error": {
    "a.ts": ["$el.append(□);", "const b = '<b>' + □;", "let b = '<b>';\nb += □;", "res.send(□);"],
    "a.py": ["return '<b>' + □"],
    "a.go": ["fmt.Fprintf(w, □)"],
    "A.java": ["response.getWriter().println(□);"],
    "a.rb": ["link_to 'b', □"],
    "a.php": ["echo □;", "echo '<b>' . □;", "print(□);"],
    "a.rs": ["Html(□);"],
  },
  "info info info": {
    "a.ts": ["□.replaceAll('<', '&lt;');", "□.replace('<', '');"],
  },
});

graded("path-traversal", PATH, {
  "nothing nothing warning": {
    "a.ts": ["fs.readFile(□, b);", "path.join(root, □);"],
    "a.py": ["open(□)", "Path('/b') / □"],
    "a.go": ["os.Open(□)"],
    "A.java": ["new File(□);"],
    "A.cs": ["File.ReadAllText(□);"],
    "a.rb": ["File.read(□)", "render file: □", "Dir[□]"],
    "a.php": ["readfile(□);"],
    "a.rs": ["fs::read(□);"],
  },
});

graded("path-traversal", ADDRESS, {
  "nothing nothing warning": {
    "a.ts": ["res.redirect(□);", "fetch(□);"],
    "a.py": ["redirect(□)", "requests.get(□)"],
    "a.go": ["http.Redirect(w, r, □, 302)", "http.Get(□)"],
    "A.java": ["response.sendRedirect(□);", 'return "redirect:" + □;'],
    "A.cs": ["Redirect(□);"],
    "a.rb": ["redirect_to □"],
    "a.php": ["header('Location: ' . □);"],
  },
});

graded("sql-injection", QUERY, {
  "warning warning error": {
    "a.ts": ["db.query('SELECT * FROM a WHERE b = ' + □);", "const s = `SELECT * FROM a WHERE b = ${□}`;"],
    "a.py": [
      "cursor.execute('SELECT * FROM a WHERE b = %s' % □)",
      "cursor.execute('SELECT * FROM a WHERE b = {}'.format(□))",
    ],
    "a.go": [
      'db.Query("SELECT * FROM a WHERE b = " + □)',
      'db.Query(fmt.Sprintf("SELECT * FROM a WHERE b = %s", □))',
    ],
    "A.java": ['statement.executeQuery("SELECT * FROM a WHERE b = " + □);'],
    "A.cs": ['new SqlCommand("SELECT * FROM a WHERE b = " + □);'],
    "a.rb": ['User.where("b = #{□}")', 'connection.execute("SELECT * FROM a WHERE b = #{□}")'],
    "a.php": ['mysqli_query($c, "SELECT * FROM a WHERE b = " . □);'],
    "a.rs": ['sqlx::query(&format!("SELECT * FROM a WHERE b = {}", □));'],
    "a.c": ['sprintf(s, "SELECT * FROM a WHERE b = %s", □);'],
  },
  "nothing warning error": { "A.java": ['xpath.evaluate("//a[@b=\'" + □ + "\']", doc);'] },
  "nothing nothing error": {
    "a.ts": ["User.find(□);", "User.find({ $where: □ });", "User.findOne({ name: □ });"],
    "a.py": ["con.search_s('dc=a', 2, '(uid=' + □ + ')')"],
    "a.rb": ["User.order(□)"],
  },
});

graded("code-evaluation", ANYTHING, {
  "warning warning error": {
    "a.ts": ["eval(□);", "new Function(□);", "setTimeout('a(' + □ + ')', 1);"],
    "a.py": ["eval(□)", "exec(□)", "render_template_string(□)"],
    "A.java": ["engine.eval(□);"],
    "a.rb": ["eval(□)", "instance_eval(□)"],
    "a.php": ["eval(□);"],
    "A.cs": ["CSharpScript.EvaluateAsync(□);"],
  },
  "nothing warning error": {
    "a.ts": ["require(□);", "vm.runInNewContext(□);", "window[□]();"],
    "A.java": ["parser.parseExpression(□);"],
    "a.php": ["include □;"],
  },
  "nothing nothing error": {
    "a.py": ["importlib.import_module(□)", "Template(□)", "getattr(b, □)()"],
    "A.java": ["Class.forName(□);"],
    "a.rb": ["b.send(□)", "□.constantize"],
    "a.php": ["call_user_func(□);"],
    "a.go": ['template.New("b").Parse(□)'],
  },
});

graded("unsafe-deserialization", ANYTHING, {
  "warning warning error": {
    "a.ts": ["serialize.unserialize(□);"],
    "a.py": ["pickle.loads(□)", "yaml.load(□)"],
    "A.java": ["new ObjectInputStream(□);"],
    "a.rb": ["Marshal.load(□)"],
    "a.php": ["unserialize(□);"],
    "A.cs": ["new BinaryFormatter().Deserialize(□);"],
  },
});
