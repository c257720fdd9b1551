import { describe, expect, it } from "vitest";
import { findingsIn } from "../cases.ts";

/** Returns the severity of a shell command that contains a function's parameter. */
function severityIn(path: string, text: string) {
  return findingsIn(path, text).find(({ rule }) => rule === "command-injection")?.severity;
}

describe("the event of a cloud function", () => {
  it.each([
    ["app.js", "exports.handler = async (event) => {\n  exec(`ls ${event.folder}`);\n};"],
    ["app.js", "async function lambdaHandler(event, context) {\n  exec(`ls ${event.folder}`);\n}"],
    ["app.js", "export const orderHandler = async (event) => {\n  exec(`ls ${event.folder}`);\n};"],
    ["app.js", "const handler = async (evt) => {\n  exec(`ls ${evt.folder}`);\n};"],
    ["app.py", "def lambda_handler(event, context):\n    os.system(f\"ls {event['folder']}\")"],
    ["app.py", 'def hello(event, context):\n    os.system("ls " + event.get("folder"))'],
    ["app.py", 'def main_handler(event, context):\n    os.system("ls " + event["folder"])'],
  ])("is client data: %s %s", (path, text) => {
    expect(severityIn(path, text)).toBe("error");
  });

  it.each([
    ["of another name", "app.js", "function show(event) {\n  exec(`ls ${event.folder}`);\n}"],
    ["of a longer name", "app.js", "function handlers(event) {\n  exec(`ls ${event.folder}`);\n}"],
    [
      "with another parameter",
      "app.js",
      "exports.handler = async (folder) => {\n  exec(`ls ${folder}`);\n};",
    ],
    [
      "not its first parameter",
      "app.js",
      "function lambdaHandler(x, event) {\n  exec(`ls ${event.folder}`);\n}",
    ],
    ["of another name", "app.py", 'def show(event):\n    os.system("ls " + event["folder"])'],
  ])("is an ordinary parameter (%s): %s", (_, path, text) => {
    expect(severityIn(path, text)).toBe("warning");
  });
});
