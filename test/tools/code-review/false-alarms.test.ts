import { describe, expect, it } from "vitest";
import { findingsIn } from "./cases.ts";

/** Correct code in the idioms of each language. */
const RIGHT: Record<string, readonly string[]> = {
  "app.py": [
    'from jinja2 import Environment, FileSystemLoader\ntext = Environment(loader=FileSystemLoader("a")).get_template("ci.yml.j2").render()',
    'HEADERS = {FORMAT.SINGLE_HEADER_KEY: "bdb5b63237ed38aea578af665aa5aa60-00000000000000000c32d953d73ad225"}',
    "ctx = ssl.SSLContext(ssl.PROTOCOL_SSLv23)",
    'import shlex, subprocess\nsubprocess.run("ls " + shlex.quote(request.args["x"]), shell=True)',
    'open(os.path.join("/srv", os.path.basename(request.args["f"])))',
    'cursor.execute("SELECT a FROM b WHERE c = %s", (request.args["c"],))',
    'HttpResponse("hi " + request.GET["x"], content_type="text/plain")',
    'redirect(url_for("orders", id=request.args["id"]))',
    'redirect("/orders/" + request.args["id"])',
    'from flask import request\n@app.route("/")\ndef show():\n    return render_template("a.html", name=request.args["n"])',
    'from flask import request\n@app.route("/")\ndef show():\n    return escape(request.args["n"])',
    'name = request.args["n"].replace("\'", "")\ncursor.execute("SELECT a FROM b WHERE c = \'" + name + "\'")',
    'import pathlib\nfolder = pathlib.Path("/srv")\nfile = (folder / request.args["f"]).resolve()\nif not str(file).startswith(str(folder)):\n    raise ValueError()',
  ],
  "app.ts": [
    "globalThis.CSS.escape = (value: string) => value;",
    'RegExp.escape = function (text) { return text.replace(/[.*]/g, "x"); };',
    `const token = "${["eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9", "eyJzdWIiOiIxMjM0NTY3ODkwIn0", "dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"].join(".")}";`,
    'app.get("/", (req, res) => { res.type("text/plain"); res.send("hi " + req.query.x); });',
    'app.get("/", (req, res) => { res.redirect("/orders/" + req.query.x); });',
    "app.get('/', (req, res) => { fs.readFile(path.join(dir, path.basename(req.query.f)), done); });",
    "const rows = sql`SELECT * FROM a WHERE b = ${req.query.b}`;",
    "fetch(`https://api.example.com/orders/${req.query.id}`);",
    'fetch(url, { method: "POST", body: JSON.stringify({ kind: "idea" }) });',
    'Object.assign(row, { kind: "seed" });',
    'const signed = signUp({ source: "cast" });',
  ],
  "app.go": [
    'func f(db *sql.DB, ids []int) { db.Query("SELECT a FROM b WHERE c IN ("+placeholders(len(ids))+")", args(ids)...) }',
    'func f(w http.ResponseWriter, r *http.Request) {\n  w.Header().Set("Content-Type", "application/json")\n  fmt.Fprintf(w, "{%s}", r.FormValue("a"))\n}',
    'os.Open(filepath.Join("/srv", filepath.Base(r.FormValue("f"))))',
    'db.Query("SELECT a FROM b WHERE c = $1", r.FormValue("c"))',
  ],
  "App.java": [
    'void f(HttpServletResponse response) {\n  response.setContentType("application/json");\n  response.getWriter().write(request.getParameter("x"));\n}',
    'PreparedStatement s = c.prepareStatement("SELECT a FROM b WHERE c = ?"); s.setString(1, request.getParameter("c")); s.executeQuery();',
    'URI back = URI.create(request.getParameter("redirect_uri"));\nif (!"app".equals(back.getScheme())) throw new Refused();',
    'new File("/srv", Paths.get(request.getParameter("f")).getFileName().toString());',
  ],
  "page.erb": ["<script>\nvar agents = <%= Utils.jsonify(agents) %>;\n</script>"],
  "client.py": ['headers = {"Authorization": "Basic dXNlcm5hbWU6cGFzc3dvcmQ="}'],
  "app.rb": [
    'system("ls #{params[:name].shellescape}")',
    "`ls #{Shellwords.escape(params[:name])}`",
    'key = OpenSSL::PKey::EC.new("prime256v1")',
    'User.where("name = :name", name: params[:name])',
    "File.read(File.basename(params[:f]))",
    'seed = ENV.fetch("SEED", Random.new_seed)',
    'kind = options.fetch("md5")',
  ],
  "app.php": [
    'system("ls " . escapeshellarg($_GET["x"]));',
    'readfile("/srv/" . basename($_GET["f"]));',
    'header("Content-Type: text/plain"); echo $_GET["x"];',
    'header("Location: /orders/" . $_GET["id"]);',
    'header("X-Order: " . $_GET["id"]);',
  ],
  "App.cs": [
    'File.ReadAllText(Path.Combine("/srv", Path.GetFileName(Request.Query["f"])));',
    'users.FromSqlInterpolated($"SELECT * FROM a WHERE b = {Request.Query["b"]}");',
    'return Content("hi " + Request.Query["x"], "text/plain");',
  ],
  "App.scala": ['val rows = sql"SELECT * FROM a WHERE b = $name"'],
};

describe.each(Object.entries(RIGHT))("correct code in %s", (file, all) => {
  it.each(all)("raises no security finding: %s", (code) => {
    const found = findingsIn(file, code).filter(({ category }) => category === "security");
    expect(found.map(({ line, message }) => `${line}: ${message}`)).toEqual([]);
  });
});

describe("a hard-coded password hash", () => {
  it("is reported with severity info", () => {
    const hash = `$2b$12$${"R9h.cIPz0gi1URNNX3kh2OPST9xPgBkqquziaSs7KIUgO2t0jWMUW".slice(0, 53)}`;
    const found = findingsIn("app.ts", `const stored = "${hash}";`);
    expect(found.map(({ rule, severity }) => [rule, severity])).toEqual([["hardcoded-secret", "info"]]);
  });
});
