import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { sharedApp } from "../../../support/app.ts";
import { ownerOf } from "../../support/owner.ts";

// A review leaves nothing on the server that another one sees.
const app = sharedApp();

/** Creates a repository with files that are not committed yet. */
export function withFiles(files: Record<string, string>) {
  const { home, env, tool } = ownerOf(app());
  const git = (...words: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.example", ...words], { cwd: home, env });
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  };
  const commit = () => {
    git("add", ".");
    git("commit", "--quiet", "--message", "a");
  };
  git("init", "--quiet", "--initial-branch=main");
  for (const [path, text] of Object.entries({ ".gitignore": ".cache\n.local\n.config\n", ...files }))
    write(path, text);
  /** Returns what is found: where, and what the message adds to what it says of the line itself. */
  const found = async (...words: string[]): Promise<string[]> => {
    const { findings } = (await tool("review", "--json", ...words)).json;
    return findings.map(
      ({ severity, file, line, message }: Record<string, string>) =>
        `${severity} ${file}:${line}${message?.includes("client") ? (/:.*$/.exec(message)?.[0] ?? ": itself") : ""}`,
    );
  };
  return { git, write, commit, found, remove: (path: string) => rmSync(join(home, path)) };
}

/** A route that calls a function. */
export const ROUTE = (importing: string, call: string) => `${importing}
app.get("/user", (req, res) => {
  res.json(${call});
});
`;
