import { describe, expect, it } from "vitest";
import bundled from "../../../src/metering/catalogue.json" with { type: "json" };
import { parseCatalogue } from "../../../src/metering/plans.ts";
import { withUpstreams } from "../../../src/server/gateway/named-upstreams.ts";

const named = (text: string) => withUpstreams(parseCatalogue(bundled, "bundled"), [text]).upstreams;

describe("--mcp", () => {
  it("takes a URL, or a program with its arguments", () => {
    expect(named("files=http://127.0.0.1:8000/mcp")).toEqual([
      { name: "files", url: "http://127.0.0.1:8000/mcp" },
    ]);
    expect(named('files=python server.py "--root=a b" http://x.example')).toEqual([
      { name: "files", command: ["python", "server.py", "--root=a b", "http://x.example"] },
    ]);
    expect(named("files=C:\\\\tools\\\\files.exe")).toHaveLength(1);
  });

  it.each(["127.0.0.1:8000/mcp", "localhost:8000", "ftp://files.example/mcp", "htps://files.example/mcp"])(
    "refuses %s instead of starting it as a program",
    (target) => {
      expect(() => named(`files=${target}`)).toThrow(
        `--mcp files: "${target}" is neither an http or https URL nor a program.`,
      );
    },
  );
});
