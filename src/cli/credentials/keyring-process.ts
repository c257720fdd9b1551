/** The child process that accesses the secret store. The native modules hang if D-Bus does not answer. */

import { text } from "node:stream/consumers";

/** A request, as JSON on stdin, so that no secret is in an argument or environment variable. */
export type KeyringRequest =
  | { action: "set"; account: string; secret: string; module?: KeyringModule }
  | { action: "get" | "delete"; account: string; module: KeyringModule };

/** An answer, as JSON on stdout. */
export type KeyringAnswer = { module: KeyringModule; secret?: string } | { reason: string };

/** The module that wrote an entry. They cannot read each other's entries, so each record names its module. */
export type KeyringModule = "keytar" | "@napi-rs/keyring";

const MODULES: readonly KeyringModule[] = ["keytar", "@napi-rs/keyring"];
const SERVICE = "toolplane";

/** The operations on an entry that both modules have. */
interface Entry {
  set(secret: string): Promise<unknown>;
  get(): Promise<string | null | undefined>;
  delete(): Promise<unknown>;
}

/** Reads one request, answers it and returns. */
export async function runKeyringProcess(): Promise<void> {
  const request: KeyringRequest = JSON.parse(await text(process.stdin));
  const answer = await perform(request);
  await new Promise((resolve) => process.stdout.write(JSON.stringify(answer), resolve));
}

async function perform(request: KeyringRequest): Promise<KeyringAnswer> {
  const reasons: string[] = [];
  for (const module of request.module ? [request.module] : MODULES) {
    try {
      const entry = await open(module, request.account);
      if (request.action === "delete") await entry.delete();
      if (request.action === "get") return { module, secret: (await entry.get()) ?? undefined };
      if (request.action === "set") {
        await entry.set(request.secret);
        if ((await entry.get()) !== request.secret) throw new Error("it does not give back what was stored");
      }
      return { module };
    } catch (error) {
      // Both modules are optional, and one is enough.
      if (/^Cannot find (?:package|module)/.test((error as Error).message)) continue;
      reasons.push(`${module}: ${(error as Error).message.split("\n")[0]}`);
    }
  }
  return { reason: reasons.join("; ") || "neither keytar nor @napi-rs/keyring is installed" };
}

async function open(module: KeyringModule, account: string): Promise<Entry> {
  if (module === "keytar") {
    const { default: keytar } = await import("keytar");
    return {
      set: (secret) => keytar.setPassword(SERVICE, account, secret),
      get: () => keytar.getPassword(SERVICE, account),
      delete: () => keytar.deletePassword(SERVICE, account),
    };
  }
  const { AsyncEntry } = await import("@napi-rs/keyring");
  // The default falls back to the kernel's keyring, which is lost at reboot.
  const entry = new AsyncEntry(SERVICE, account, { linux: { store: "secret-service" } });
  return {
    set: (secret) => entry.setPassword(secret),
    get: () => entry.getPassword(),
    delete: () => entry.deletePassword(),
  };
}
