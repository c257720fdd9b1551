import { expect, it } from "vitest";
import { warnOfWhatIsInFront } from "../../../src/server/starting/warnings.ts";
import { createLog } from "../../../src/system/log.ts";

function warned(
  url: string,
  { allowRemote = false, trustProxy }: { allowRemote?: boolean; trustProxy?: string } = {},
) {
  const lines: string[] = [];
  const log = createLog("warn", { write: (line) => void lines.push(line) });
  warnOfWhatIsInFront({ url, allowRemote, trustProxy }, log);
  return lines.map((line) => JSON.parse(line).msg as string);
}

it.each(["http://127.0.0.1:4242", "http://localhost:4242", "http://[::1]:4242"])(
  "%s needs no TLS in front while it is reached from this machine alone",
  (url) => {
    expect(warned(url)).toEqual([]);
    expect(warned(url, { allowRemote: true })).toEqual([expect.stringContaining("unencrypted")]);
  },
);

it("an http address of another machine says that nothing encrypts what is sent there", () => {
  expect(warned("http://control.example.com")).toEqual([expect.stringContaining("unencrypted")]);
});

it("an https address says that a proxy is in front, unless one is trusted", () => {
  expect(warned("https://control.example.com")).toEqual([expect.stringContaining("--trust-proxy 1")]);
  expect(warned("https://control.example.com", { allowRemote: true, trustProxy: "1" })).toEqual([]);
});
