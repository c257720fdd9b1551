import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { exportsOf } from "../../../src/cli/tools/observability/config.ts";
import { startReporting, thrown } from "../../tools/observability/reporting.ts";
import { ownerOf } from "../support/owner.ts";

describe("tool observability", () => {
  it("shows where telemetry and errors go, as text, JSON and shell variables", async () => {
    const app = await startReporting({ otlpEndpoint: "http://127.0.0.1:4318" });
    const { dsn } = await app.placeOf();
    const { tool } = ownerOf(app);
    const text = await tool("observability", "config");
    expect(text.code, text.stderr).toBe(0);
    expect(text.stdout).toContain("http://127.0.0.1:4318 (http/protobuf)");
    expect(text.stdout).toContain(dsn);
    const env = await tool("observability", "config", "--format", "env");
    expect(env.stdout.split("\n").slice(0, 2)).toEqual([
      "export OTEL_EXPORTER_OTLP_ENDPOINT='http://127.0.0.1:4318'",
      "export OTEL_EXPORTER_OTLP_PROTOCOL='http/protobuf'",
    ]);
    expect(env.stdout).toContain(`export SENTRY_DSN='${dsn}'\n`);
    const json = await tool("observability", "config", "--format", "json");
    expect(json.json.errorTracking.dsn).toBe(dsn);
    expect((await tool("observability", "config", "--json", "--format", "env")).json).toEqual(json.json);
  });

  it("names the missing option when the operator set no endpoint", async () => {
    const app = await startReporting();
    const { tool } = ownerOf(app);
    expect((await tool("observability", "config")).stdout).toContain("tool serve --otlp-endpoint");
    expect((await tool("observability", "config", "--format", "env")).stdout).toMatch(/^export SENTRY_DSN='/);
  });

  it("lists errors by page and since a time", async () => {
    const app = await startReporting();
    const place = await app.placeOf();
    const { tool } = ownerOf(app);
    expect((await tool("observability", "errors")).stdout).toContain("No errors.");
    for (const value of ["one", "one", "two"]) await app.report(place, thrown("TypeError", value));
    const listed = await tool("observability", "errors", "--limit", "1");
    expect(listed.stdout).toMatch(/^Seen .* Error +Id\n.* 1 .* open +TypeError: two +err_[0-9a-f]{24}\n/);
    const cursor = /--cursor (\S+)/.exec(listed.stdout)?.[1] ?? "";
    const rest = await tool("observability", "errors", "--cursor", cursor);
    expect(rest.stdout).toMatch(/ 2 .*TypeError: one +err_[0-9a-f]{24}\n$/);
    expect((await tool("observability", "errors", "--since", "1h", "--json")).json.items).toHaveLength(2);
    expect((await tool("observability", "errors", "--since", "2100-01-01", "--json")).json.items).toEqual([]);
    const wrong = await tool("observability", "errors", "--since", "yesterday");
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain("--since takes a time");
  });

  it("quotes every value of an exported variable, and leaves out unsafe names and values", () => {
    const values = {
      OTEL_SERVICE_NAME: `'; touch pwned; ' "$(id)" \`id\` \\`,
      OTEL_LINES: "one\ntwo",
      "A=1; id": "no name",
      lower: "no name of ours",
      ZERO: "a\0b",
    };
    const script = `${exportsOf(values)}printf '%s|%s' "$OTEL_SERVICE_NAME" "$OTEL_LINES"`;
    expect(exportsOf(values)).not.toMatch(/A=1|lower|ZERO/);
    for (const shell of ["sh", "bash"]) {
      expect(execFileSync(shell, ["-euc", script], { encoding: "utf8" })).toBe(
        `${values.OTEL_SERVICE_NAME}|${values.OTEL_LINES}`,
      );
    }
  });
});
