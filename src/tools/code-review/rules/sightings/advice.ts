import type { RuleId } from "../../finding.ts";
import type { Language } from "../../language/language.ts";

/** Suggestions for a language, where they help more than those of the rule. */
const ADVICE: Partial<Record<RuleId, Partial<Record<Language, string>>>> = {
  "sql-injection": {
    javascript:
      "Use placeholders (db.query(text, [value])) or a tagged template that binds its holes (sql`…`).",
    python: 'Hand the values over beside the statement: cursor.execute("… WHERE name = %s", (name,)).',
    go: 'Hand the values over beside the statement: db.Query("… WHERE name = $1", name).',
    java: "Use a PreparedStatement with ? and setString, or named parameters of JPA.",
    ruby: 'Bind the values: where("name = ?", name), or where(name: name).',
    php: "Use PDO::prepare with placeholders and execute([$value]), or mysqli_prepare with bind_param.",
    csharp: 'Add parameters: command.Parameters.AddWithValue("@name", name), or FromSqlInterpolated.',
    rust: "Bind the values: sqlx::query(…).bind(value), or the query! macro.",
  },
  "command-injection": {
    javascript:
      "Start the program with execFile or spawn, its name fixed, arguments as a list, without shell: true.",
    python:
      "Call subprocess.run with a list whose program is fixed, without shell=True; quote with shlex.quote for a shell.",
    go: "Call exec.Command with a fixed name and each argument by itself, not a shell with -c.",
    java: "Start ProcessBuilder with a fixed program and each argument a list member of its own.",
    ruby: 'Give system or Open3 the program and its arguments apart (system("ls", name)), or use Shellwords.escape.',
    php: "Quote each argument with escapeshellarg, or use Symfony's Process with a list.",
    csharp: "Set a fixed ProcessStartInfo.FileName and add arguments to ArgumentList, without a shell.",
    rust: "Call Command::new with a fixed program and .arg for each argument, not sh -c.",
  },
  "code-evaluation": {
    python:
      "Read data with json.loads or ast.literal_eval, and look functions up in a dict of those allowed.",
    go: "Parse the text as data (encoding/json), or choose from a map of functions.",
    java: "Use a fixed expression with variables bound to it, or SimpleEvaluationContext of Spring.",
    ruby: "Parse the text as data (JSON.parse), and call methods from a fixed list with public_send.",
    php: "Parse the text as data (json_decode), and include files from a fixed list.",
    csharp: "Parse the text as data (System.Text.Json), or choose from a dictionary of delegates.",
  },
  "unsafe-html": {
    python: "Render a template with autoescaping, or escape with markupsafe.escape; format_html for parts.",
    go: "Leave the escaping to html/template; do not turn values into template.HTML.",
    java: "Escape with Encode.forHtml (OWASP Java Encoder), or leave it to the template.",
    ruby: "Leave out raw and html_safe; use sanitize if markup is meant.",
    php: "Escape with htmlspecialchars($value, ENT_QUOTES), or leave it to the template.",
    csharp: "Leave the encoding to Razor, or use HtmlEncoder.Default.Encode.",
    rust: "Leave the escaping to the template (askama, maud), or use html_escape::encode_text.",
  },
  "path-traversal": {
    javascript:
      "Resolve it with path.resolve, then make sure that it starts with the folder and a separator.",
    python: "Resolve it (Path.resolve) and check is_relative_to(folder), or take only os.path.basename.",
    go: "Open it through os.Root (os.OpenInRoot), or check filepath.IsLocal first.",
    java: "Normalise it (toRealPath) and check startsWith(folder), or take only getFileName().",
    ruby: "Take only File.basename, or check that File.expand_path starts with the folder.",
    php: "Take only basename($name), or check that realpath starts with the folder.",
    csharp: "Take only Path.GetFileName, or check that Path.GetFullPath starts with the folder.",
    rust: "Canonicalize it and check starts_with(folder), or take only file_name().",
  },
  "insecure-randomness": {
    javascript:
      "For anything that must not be guessed, take crypto.randomBytes, crypto.randomUUID or getRandomValues.",
    python: "For anything that must not be guessed, take the module secrets (secrets.token_urlsafe).",
    go: "For anything that must not be guessed, take crypto/rand.",
    java: "For anything that must not be guessed, take java.security.SecureRandom.",
    ruby: "For anything that must not be guessed, take SecureRandom (SecureRandom.hex).",
    php: "For anything that must not be guessed, take random_bytes or random_int.",
    csharp: "For anything that must not be guessed, take RandomNumberGenerator (GetBytes, GetInt32).",
    rust: "For anything that must not be guessed, take OsRng or getrandom.",
  },
  "unsafe-deserialization": {
    python: "Read only data: json.loads, yaml.safe_load, torch.load(weights_only=True).",
    java: "Read JSON into a fixed class, or set an ObjectInputFilter (JEP 290) that lists the classes allowed.",
    ruby: "Read only data: JSON.parse, YAML.safe_load with permitted_classes.",
    php: "Read JSON (json_decode), or unserialize with allowed_classes false.",
    csharp: "Read only data with System.Text.Json into a fixed type; BinaryFormatter cannot be made safe.",
  },
};

/** Returns the suggestion for a language, or undefined if that of the rule is as good. */
export function adviceFor(rule: RuleId, language: Language): string | undefined {
  return ADVICE[rule]?.[language];
}
