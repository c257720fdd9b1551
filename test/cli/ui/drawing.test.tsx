import { Writable } from "node:stream";
import { expect, it } from "vitest";
import type { Output } from "../../../src/cli/terminal/io.ts";
import { draw, Text } from "../../../src/cli/ui/ink.tsx";

/** A terminal that records its output. */
class Screen extends Writable {
  readonly isTTY = true;
  columns = 80;
  rows = 24;
  written = "";
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.written += chunk;
    done();
  }
}

it("takes a frame away that had still to be drawn", () => {
  const screen = new Screen();
  const drawing = draw(<Text>first</Text>, { stream: screen } as unknown as Output);
  drawing.rerender(<Text>second</Text>);
  expect(screen.written).toContain("first");
  expect(screen.written).not.toContain("second");
  const before = screen.written.length;
  drawing.erase();
  expect(screen.written.slice(before)).not.toContain("second");
  expect(screen.written.slice(before)).toContain("\u001b[2K\u001b[1A");
});

it("clears nothing on a terminal that does not tell its size", () => {
  const screen = Object.assign(new Screen(), { columns: 0, rows: 0 });
  const drawing = draw(<Text>first</Text>, { stream: screen, columns: 80, rows: 24 } as unknown as Output);
  drawing.rerender(<Text>second</Text>);
  drawing.unmount();
  expect(screen.written).toContain("second");
  // The whole screen, and what has scrolled off it.
  for (const all of ["\u001b[2J", "\u001b[3J"]) expect(screen.written).not.toContain(all);
});
