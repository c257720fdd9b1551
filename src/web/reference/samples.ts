import { shellQuoted } from "../../system/processes/shell-word.ts";
import { exampleOf, type Listed } from "./operations.ts";

/** A program that calls an operation, to copy. It runs as is, with a key in `TOOL_TOKEN`. */
export interface Sample {
  language: string;
  code: string;
}

export function samplesOf(listed: Listed, baseUrl: string): Sample[] {
  const { method, parameters } = listed;
  const path = listed.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    name.replace(/([A-Z])/g, "_$1").toUpperCase(),
  );
  const asked = parameters.filter((each) => each.in === "query" && each.required);
  const query = asked.map(({ name }) => `${name}=${name.toUpperCase()}`).join("&");
  const url = `${baseUrl}${path}${query && `?${query}`}`;
  const isPublic = listed.operation["x-scope"] === undefined;
  const body = exampleOf(listed);
  return [
    { language: "curl", code: curl(method, url, isPublic, body) },
    { language: "JavaScript", code: javaScript(method, url, isPublic, body) },
    { language: "Python", code: python(method, url, isPublic, body) },
  ];
}

function curl(method: string, url: string, isPublic: boolean, body: unknown): string {
  const lines = [`curl ${method === "GET" ? "" : `-X ${method} `}'${url}'`];
  if (!isPublic) lines.push(`-H "Authorization: Bearer $TOOL_TOKEN"`);
  if (body !== undefined) {
    lines.push("-H 'Content-Type: application/json'");
    lines.push(`-d ${shellQuoted(JSON.stringify(body))}`);
  }
  return lines.join(" \\\n  ");
}

function javaScript(method: string, url: string, isPublic: boolean, body: unknown): string {
  const headers = [
    ...(isPublic ? [] : [`Authorization: "Bearer " + env.TOOL_TOKEN`]),
    ...(body === undefined ? [] : [`"Content-Type": "application/json"`]),
  ];
  const options = [
    ...(method === "GET" ? [] : [`  method: "${method}",`]),
    ...(headers.length === 0 ? [] : [`  headers: { ${headers.join(", ")} },`]),
    ...(body === undefined
      ? []
      : [`  body: JSON.stringify(${JSON.stringify(body, null, 2).replaceAll("\n", "\n  ")}),`]),
  ];
  const given = options.length === 0 ? "" : `, {\n${options.join("\n")}\n}`;
  const token = isPublic ? "" : `import { env } from "node:process";\n\n`;
  return `${token}const response = await fetch("${url}"${given});\nconsole.log(response.status, await response.text());`;
}

function python(method: string, url: string, isPublic: boolean, body: unknown): string {
  const headers = [
    ...(isPublic ? [] : [`"Authorization": f"Bearer {os.environ['TOOL_TOKEN']}"`]),
    ...(body === undefined ? [] : [`"Content-Type": "application/json"`]),
  ];
  const lines = [`    "${url}",`, `    method="${method}",`];
  if (headers.length > 0) lines.push(`    headers={${headers.join(", ")}},`);
  if (body !== undefined) lines.push(`    data=json.dumps(${pythonOf(body)}).encode(),`);
  const imports = [...(body === undefined ? [] : ["json"]), ...(isPublic ? [] : ["os"]), "urllib.request"];
  return `${imports.map((name) => `import ${name}`).join("\n")}

request = urllib.request.Request(
${lines.join("\n")}
)
with urllib.request.urlopen(request) as response:
    print(response.status, response.read().decode())`;
}

const WORDS = new Map<unknown, string>([
  [true, "True"],
  [false, "False"],
  [null, "None"],
]);

/** Returns a JSON value as a Python expression. */
function pythonOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(pythonOf).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).map(
      ([name, member]) => `${JSON.stringify(name)}: ${pythonOf(member)}`,
    );
    return `{${members.join(", ")}}`;
  }
  return WORDS.get(value) ?? JSON.stringify(value);
}
