import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** A working secret store in a file, which logs its requests, arguments and token. */
const WORKING = `
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { text } from "node:stream/consumers";
const [store] = process.argv.slice(2);
const request = JSON.parse(await text(process.stdin));
appendFileSync(store + ".log", JSON.stringify({ request, words: process.argv.slice(2), token: process.env.TOOL_TOKEN }) + "\\n");
const entries = existsSync(store) ? JSON.parse(readFileSync(store, "utf8")) : {};
const key = (request.module ?? "@napi-rs/keyring") + " " + request.account;
if (request.action === "set") entries[key] = request.secret;
if (request.action === "delete") delete entries[key];
writeFileSync(store, JSON.stringify(entries));
console.log(JSON.stringify({ module: request.module ?? "@napi-rs/keyring", secret: request.action === "get" ? entries[key] : undefined }));
`;

/** A locked secret store, which asks for its password until a file is there. */
const ASKING = `
import { existsSync } from "node:fs";
const [unlocked] = process.argv.slice(2);
process.stdin.resume();
setInterval(() => {
  if (!existsSync(unlocked)) return;
  process.stdout.write(JSON.stringify({ module: "keytar", secret: "s" }), () => process.exit());
}, 10);
`;

const BROKEN = {
  /** A D-Bus that never answers. */
  hanging: "process.stdin.resume(); setInterval(() => {}, 1000);",
  dying: "process.exit(3);",
  babbling: "console.log('no JSON');",
  refusing: "console.log(JSON.stringify({ reason: 'keytar: not built; @napi-rs/keyring: no D-Bus' }));",
};

/** Returns commands that replace the keyring process. */
export function keyringCommands(directory: string) {
  const command = (name: string, source: string, ...words: string[]) => {
    const program = join(directory, `${name}.mjs`);
    writeFileSync(program, source);
    return [process.execPath, program, ...words];
  };
  const store = join(directory, "secret-store.json");
  return {
    store,
    log: `${store}.log`,
    working: command("working", WORKING, store),
    unlocked: join(directory, "unlocked"),
    asking: command("asking", ASKING, join(directory, "unlocked")),
    hanging: command("hanging", BROKEN.hanging),
    dying: command("dying", BROKEN.dying),
    babbling: command("babbling", BROKEN.babbling),
    refusing: command("refusing", BROKEN.refusing),
    missing: [join(directory, "no-such-program")],
  };
}
