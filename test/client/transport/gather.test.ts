import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { UnexpectedAnswer } from "../../../src/client/errors.ts";
import { gather } from "../../../src/client/transport/gather.ts";

const at = new URL("https://control.example/api/v1/plans?q=1");
const answer = (headers: Record<string, string | undefined> = {}) => ({ status: 206, headers });

function refusal(attempt: () => void): UnexpectedAnswer {
  try {
    attempt();
  } catch (error) {
    if (error instanceof UnexpectedAnswer) return error;
  }
  throw new Error("It was taken.");
}

describe("gather()", () => {
  it("returns the bytes of all pieces in order", () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 9 }), { maxLength: 30 }),
        fc.nat(9),
        (pieces, spare) => {
          const whole = Buffer.concat(pieces);
          const gathered = gather(at, answer(), whole.length + spare);
          let length = 0;
          for (const piece of pieces) {
            gathered.add(Buffer.from(piece));
            length += piece.length;
            expect(gathered.length).toBe(length);
          }
          expect([...gathered.bytes()]).toEqual([...whole]);
        },
      ),
    );
  });

  it("accepts a body up to the limit and refuses the piece beyond it", () => {
    const gathered = gather(at, answer({ "x-request-id": "req_1" }), 4);
    gathered.add(Buffer.from("ab"));
    gathered.add(Buffer.from("cd"));
    const { status, message, requestId } = refusal(() => gathered.add(Buffer.from("e")));
    expect([status, requestId]).toEqual([206, "req_1"]);
    // The query may hold sensitive data.
    expect(message).toContain(
      "https://control.example/api/v1/plans answered HTTP 206 with more than 4 bytes",
    );
    expect(gathered.bytes().toString()).toBe("abcd");
  });

  it("refuses the first piece if Content-Length exceeds the limit", () => {
    const piece = Buffer.from("a");
    const said = (length: string, most: number) => () =>
      gather(at, answer({ "content-length": length }), most).add(piece);
    expect(said("4", 4)).not.toThrow();
    expect(said("nonsense", 4)).not.toThrow();
    expect(refusal(said("5", 4)).message).toContain("more than 4 bytes");
    expect(refusal(said(String((1 << 20) + 1), 1 << 20)).message).toContain("more than 1 MiB");
    expect(refusal(said(String(1 << 20), (1 << 20) - 1)).message).toContain("more than 1048575 bytes");
  });
});
