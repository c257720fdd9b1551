import fc from "fast-check";
import { expect, it } from "vitest";
import { type Frame, FrameReader, framed } from "../../../src/system/processes/frames.ts";

const frames = fc.array(
  fc.record({ value: fc.jsonValue(), bytes: fc.option(fc.uint8Array(), { nil: undefined }) }),
);

it("FrameReader returns the frames that were sent, in chunks of any size", () => {
  fc.assert(
    fc.property(frames, fc.infiniteStream(fc.integer({ min: 1, max: 40 })), (sent, lengths) => {
      const all = Buffer.concat(sent.flatMap(({ value, bytes }) => framed(value, bytes)));
      const heard: Frame[] = [];
      const reader = new FrameReader((frame) => heard.push(frame));
      for (let at = 0; at < all.length; ) {
        const length = lengths.next().value as number;
        reader.push(all.subarray(at, at + length));
        at += length;
      }
      expect(heard.map(({ value }) => value)).toEqual(sent.map(({ value }) => value));
      expect(heard.map(({ bytes }) => [...(bytes ?? [])])).toEqual(
        sent.map(({ bytes }) => [...(bytes ?? [])]),
      );
    }),
  );
});
