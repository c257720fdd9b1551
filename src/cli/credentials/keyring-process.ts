/** The process that touches the secret store, since a dead D-Bus makes the native modules hang. */

import { text } from "node:stream/consumers";

/** One request, as JSON on stdin: secrets pass through no argument and no environment variable. */
export type KeyringRequest =
  | { action: "set"; account: string; secret: string; module?: KeyringModule }
  | { action: "get" | "delete"; account: string; module: KeyringModule };

/** One answer, as JSON on stdout. */
export type KeyringAnswer = { module: KeyringModule; secret?: string } | { reason: string };

/** They cannot read each other's entries, so each record says which one wrote it. */
export type KeyringModule = "keytar" | "@napi-rs/keyring";

const MODULES: readonly KeyringModule[] = ["keytar", "@napi-rs/keyring"];
const SERVICE = "toolplane";

/** What both modules can do with one entry. */
interface Entry {
  set(secret: string): Promise<unknown>;
  get(): Promise<string | null | undefined>;
  delete(): Promise<unknown>;
}

/** The child's whole life. */
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
      // One of the two is enough, and neither has to be there.
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
  // Its default falls back to the kernel's keyring, which forgets at reboot.
  const entry = new AsyncEntry(SERVICE, account, { linux: { store: "secret-service" } });
  return {
    set: (secret) => entry.setPassword(secret),
    get: () => entry.getPassword(),
    delete: () => entry.deletePassword(),
  };
}
