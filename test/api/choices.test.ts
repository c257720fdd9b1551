import { Command } from "commander";
import { expect, it } from "vitest";
import { z } from "zod";
import { endpoints } from "../../src/api.ts";
import { COMMANDS } from "../../src/cli/command-table.ts";

/** Choices that only the command line has. */
const OWN = [
  "review --format <format>",
  "review --context <what>",
  "observability config --format <format>",
  "mcp config --client <name>",
  "mcp install --client <name>",
  "mcp uninstall --client <name>",
  "mcp verify-header --language <name>",
  "serve --log-level <level>",
  "projects set --learning <state>",
  "config get <name>",
  "config set <name>",
  "config unset <name>",
  "completion <shell>",
];

/** Returns every enumeration in the endpoints' inputs, each as one text. */
function enumerations(): Set<string> {
  const found = new Set<string>();
  const walk = (schema: unknown): void => {
    if (typeof schema !== "object" || schema === null) return;
    if ("enum" in schema && Array.isArray(schema.enum)) found.add(asText(schema.enum));
    for (const member of Object.values(schema)) walk(member);
  };
  for (const { input } of endpoints) walk(z.toJSONSchema(input, { io: "input", unrepresentable: "any" }));
  return found;
}

function asText(choices: readonly string[]): string {
  return [...choices].sort().join(" ");
}

/** Returns each option and argument that has choices, and the choices. */
async function placesWithChoices(): Promise<[place: string, choices: string][]> {
  const found: [string, string][] = [];
  const walk = (command: Command, path: string): void => {
    for (const { flags, argChoices } of command.options) {
      if (argChoices) found.push([`${path} ${flags}`, asText(argChoices)]);
    }
    for (const argument of command.registeredArguments) {
      if (argument.argChoices) found.push([`${path} <${argument.name()}>`, asText(argument.argChoices)]);
    }
    for (const child of command.commands) walk(child, `${path} ${child.name()}`.trim());
  };
  for (const { name, load } of COMMANDS) {
    const root = new Command(name);
    (await load()).define(root, () => async () => {});
    walk(root, name);
  }
  return found;
}

/* The command line names them itself, since loading every schema would take longer than most commands. */
it("the command line offers exactly the choices that the endpoints accept", async () => {
  const known = enumerations();
  const others = (await placesWithChoices()).filter(([, choices]) => !known.has(choices));
  expect(others.map(([place]) => place)).toEqual(OWN);
});
