import { didYouMean } from "../../contract/near-names.ts";
import { defined } from "../../system/defined.ts";
import { isObject } from "../../system/is-object.ts";
import type { ServerOptions } from "../control-plane.ts";
import type { Address } from "./listening.ts";

type Form = readonly [words: string, isOf: (value: unknown) => boolean];

const TEXT: Form = ["a text", isText];
const YES_OR_NO: Form = ["true or false", (value) => typeof value === "boolean"];
const LEVELS = ["debug", "info", "warn", "error", "silent"];

/** What the types say of the options, for authors who write JavaScript. `any` is checked where it is used. */
const FORMS: Record<keyof ServerOptions, Form | "any"> = {
  store: "any",
  catalogue: ["a catalogue, or the path of its JSON file", (value) => isText(value) || isObject(value)],
  tools: "any",
  plan: TEXT,
  baseUrl: TEXT,
  verificationUrl: TEXT,
  signUp: TEXT,
  otlpEndpoint: TEXT,
  telemetryEndpoint: TEXT,
  modelsFile: TEXT,
  // A number of hops is understood, too.
  trustProxy: "any",
  clientRegistration: YES_OR_NO,
  privateClients: YES_OR_NO,
  privateWebhooks: YES_OR_NO,
  checkOutputs: YES_OR_NO,
  owner: [
    "{ email, password, apiKey }, each a text, of which email is needed",
    (value) => hasTexts(value, ["email"], ["password", "apiKey"]),
  ],
  upstreams: ['a list of texts: ["files=http://127.0.0.1:8000/mcp"]', (value) => isList(value, isText)],
  mail: ["{ smtpUrl, from }", (value) => hasTexts(value, ["smtpUrl"], ["from"])],
  providers: [
    "a list of { name, issuer, clientId, clientSecret }, or with github in place of issuer",
    (value) => isList(value, isProvider),
  ],
  log: [
    `${LEVELS.join(", ")}, or a logger of pino's form with the methods debug, info, warn and error`,
    (value) => LEVELS.includes(value as string) || hasMethods(value, ["debug", "info", "warn", "error"]),
  ],
  clock: [
    "a clock with the methods now, monotonic, sleep and every",
    (value) => hasMethods(value, ["now", "monotonic", "sleep", "every"]),
  ],
};

/** The same of an address. A port may be a text, as variables of the environment are. */
const FORMS_OF_ADDRESS: Record<keyof Address, Form> = {
  host: TEXT,
  port: [
    "a whole number from 0 to 65535",
    (value) => /^\d{1,5}$/.test(String(value)) && Number(value) <= 65_535,
  ],
  allowRemote: YES_OR_NO,
};

export function checkOptions(options: unknown): asserts options is ServerOptions {
  check(options, FORMS, "createServer()", 'createServer({ store: "./data" })');
}

/** Returns what an object of options says of the address. It may say more, such as a configuration that is passed on. */
export function addressIn(given: unknown): Partial<Address> {
  const address = isObject(given)
    ? { host: given.host, port: given.port, allowRemote: given.allowRemote }
    : given;
  check(address, FORMS_OF_ADDRESS, "listen()", "listen({ port: 4242 })");
  return defined(address as Partial<Address>);
}

/** Throws an `Error` that names the option and its form if one is unknown, or of another form. */
function check(given: unknown, forms: Record<string, Form | "any">, of: string, example: string): void {
  if (!isObject(given)) throw new Error(`${of} takes an object of options: ${example}.`);
  for (const [name, value] of Object.entries(given)) {
    const form = Object.hasOwn(forms, name) ? forms[name] : undefined;
    if (form === undefined) {
      const hint = didYouMean(name, Object.keys(forms));
      throw new Error(`${of} has no option "${name}". ${hint}`.trimEnd());
    }
    if (value === undefined || form === "any" || form[1](value)) continue;
    throw new Error(`The option ${name} of ${of} must be ${form[0]}.`);
  }
}

function isProvider(value: unknown): boolean {
  if (!hasTexts(value, ["name", "clientId", "clientSecret"], ["issuer", "github"])) return false;
  return isText(value.issuer) !== isText(value.github);
}

/** Whether an object has texts alone: those that it needs, and none of an unknown name. */
function hasTexts(
  value: unknown,
  needed: readonly string[],
  more: readonly string[],
): value is Record<string, unknown> {
  if (!isObject(value) || !needed.every((name) => isText(value[name]))) return false;
  return Object.entries(value).every(
    ([name, each]) => each === undefined || (isText(each) && [...needed, ...more].includes(name)),
  );
}

function hasMethods(value: unknown, names: readonly string[]): boolean {
  const methods = value as Record<string, unknown> | null;
  return isHolder(methods) && names.every((name) => typeof methods[name] === "function");
}

/** A logger or a clock may be a function with members. */
function isHolder(value: unknown): value is Record<string, unknown> {
  return isObject(value) || typeof value === "function";
}

function isList(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
