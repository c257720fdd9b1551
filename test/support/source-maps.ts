import { hash } from "node:crypto";
import { crc32, deflateRawSync } from "node:zlib";
import type { TestApp, TestResponse } from "./app.ts";

/** Returns a zip archive of files, deflated, written without a library. */
export function zipOf(
  files: Readonly<Record<string, string | Buffer>>,
  { before = "SYSB\x02\0\0\0" } = {},
): Buffer {
  const parts: Buffer[] = [Buffer.from(before, "latin1")];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, content] of Object.entries(files)) {
    const bytes = Buffer.from(content as Buffer);
    const packed = deflateRawSync(bytes);
    const path = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(path.length, 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), common, path, packed]);
    const more = Buffer.alloc(14);
    more.writeUInt32LE(at, 10);
    directory.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\0", "latin1"), common, more, path]));
    parts.push(local);
    at += local.length;
  }
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(directory.length, 8);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, ...directory, end]);
}

/** Returns source maps, given by debug id, in a bundle as sentry-cli makes it. */
export function bundleOf(maps: Readonly<Record<string, unknown>>): Buffer {
  const files = Object.keys(maps).map((debugId, index) => [
    `files/_/_/${index}.js.map`,
    { type: "source_map", url: `~/${index}.js.map`, headers: { "debug-id": debugId } },
  ]);
  const contents = Object.values(maps).map((map, index) => [
    `files/_/_/${index}.js.map`,
    typeof map === "string" ? map : JSON.stringify(map),
  ]);
  return zipOf({
    ...Object.fromEntries(contents),
    "manifest.json": JSON.stringify({ files: Object.fromEntries(files) }),
  });
}

/** Returns a map of which place 1:1 is line 3, column 5 of `file`, in a call of `name`. */
export function mapOf(file: string, name = "priceOf"): object {
  return {
    version: 3,
    sources: [file],
    sourcesContent: ["one\ntwo\nthree()\nfour"],
    names: [name],
    mappings: "AAEIA",
  };
}

export interface UploadOptions {
  key?: string | null | undefined;
  /** Id of an account; by default the owner's. */
  organization?: string;
  project?: string;
  release?: string;
  headers?: Record<string, string>;
}

/** Uploads a bundle in parts and has it assembled, as sentry-cli does. Returns the last answer. */
export async function upload(
  app: TestApp,
  bundle: Buffer,
  options: UploadOptions = {},
): Promise<TestResponse> {
  const { key, project = "default", release, headers = {} } = options;
  const asked = { ...(key !== undefined && { key }), headers };
  const organization =
    options.organization ?? (await app.request("GET", "/api/v1/account", asked)).body.account.id;
  const root = `/api/0/organizations/${organization}`;
  const parts: Buffer[] = [];
  for (let at = 0; at < bundle.length; at += 512 * 1024) parts.push(bundle.subarray(at, at + 512 * 1024));
  const body = {
    checksum: hash("sha1", bundle),
    chunks: parts.map((part) => hash("sha1", part)),
    projects: [project],
    ...(release !== undefined && { version: release }),
  };
  const assemble = () => app.request("POST", `${root}/artifactbundle/assemble/`, { ...asked, body });
  const first = await assemble();
  if (first.status !== 200 || first.body.state === "ok") return first;
  for (const part of parts) {
    if (!first.body.missingChunks.includes(hash("sha1", part))) continue;
    const sent = await app.request("POST", `${root}/chunk-upload/`, {
      ...asked,
      ...formOf([part]),
      headers: { ...headers, ...formOf([part]).headers },
    });
    if (sent.status !== 200) return sent;
  }
  return assemble();
}

/** Returns parts as a multipart form. */
export function formOf(parts: readonly Buffer[], nameOf = (part: Buffer) => hash("sha1", part)) {
  const lines = parts.flatMap((part) => [
    Buffer.from(`--x\r\nContent-Disposition: form-data; name="file"; filename="${nameOf(part)}"\r\n\r\n`),
    part,
    Buffer.from("\r\n"),
  ]);
  const headers = { "Content-Type": "multipart/form-data; boundary=x" };
  return { raw: Buffer.concat([...lines, Buffer.from("--x--\r\n")]), headers };
}
