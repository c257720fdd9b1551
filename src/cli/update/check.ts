import { execFile } from "node:child_process";
import { createTransport } from "../../client/transport/http-transport.ts";
import type { Transport } from "../../client/transport/transport.ts";
import { makeDirectory } from "../../system/files/make-directory.ts";
import type { Define } from "../command.ts";
import type { Context } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { isRelease, readNewest, writeNewest } from "./newest.ts";

const PACKAGE = "toolplane";
const TIMEOUT_MS = 20_000;
/** The abbreviated list of versions that npm itself requests. */
const ACCEPT = "application/vnd.npm.install-v1+json";
const MAX_BYTES = 8 << 20;

/** The background process that `tellOfUpdate` starts. Errors are ignored: it runs again the next day. */
export const define: Define = (command, run) => {
  command.action(
    run(async (context) => {
      await findNewest(context, createTransport()).catch(() => {});
      return EXIT.done;
    }),
  );
};

async function findNewest({ settings, clock }: Context, transport: Transport): Promise<void> {
  const { cache } = settings.directories;
  makeDirectory(cache, 0o700);
  const registry = new URL(await registryOf(cache));
  if (!/^https?:$/.test(registry.protocol)) return;
  const url = new URL(`${registry.origin}${registry.pathname.replace(/\/*$/, "/")}${PACKAGE}`);
  const { status, body } = await transport.send({
    method: "GET",
    url,
    headers: { accept: ACCEPT },
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
  });
  if (status !== 200) return;
  const { "dist-tags": tags } = JSON.parse(body.toString("utf8")) as { "dist-tags"?: { latest?: unknown } };
  if (isRelease(tags?.latest)) {
    writeNewest(cache, { ...(readNewest(cache) ?? { askedAt: clock.now() }), version: tags.latest });
  }
}

/** Returns the registry of the user's npm. Runs outside any project, whose .npmrc may be untrusted. */
function registryOf(directory: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { cwd: directory, timeout: TIMEOUT_MS, shell: process.platform === "win32" };
    execFile("npm", ["config", "get", "registry"], options, (error, stdout) => {
      if (error) reject(error);
      else resolve(stdout.trim());
    });
  });
}
