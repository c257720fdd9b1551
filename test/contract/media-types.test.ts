import { describe, expect, it } from "vitest";
import { mediaTypeOf, preferredType } from "../../src/contract/media-types.ts";

describe("mediaTypeOf()", () => {
  it.each([
    [undefined, ""],
    ["text/csv", "text/csv"],
    [" Text/CSV ;charset=utf-8", "text/csv"],
    [["text/event-stream", "text/html"], "text/event-stream,text/html"],
  ])("of %j is %j", (contentType, type) => {
    expect(mediaTypeOf(contentType)).toBe(type);
  });
});

describe("preferredType()", () => {
  it.each([
    [undefined, "application/json"],
    ["", "application/json"],
    ["*/*", "application/json"],
    ["text/html", "application/json"],
    ["text/csv", "text/csv"],
    ["Text/CSV; charset=utf-8", "text/csv"],
    ["text/*", "text/csv"],
    ["application/jsonl", "application/jsonl"],
    ["text/csv, */*", "text/csv"],
    ["*/*, text/csv", "text/csv"],
    ["text/csv, application/json", "application/json"],
    ["application/json;q=0.1, text/csv", "text/csv"],
    ["text/csv;q=0.5, application/json;q=0.8", "application/json"],
    ["text/csv;q=0", "application/json"],
    ["text/csv;q=0, */*;q=0.1", "application/json"],
    ["application/json;q=0, */*", "text/csv"],
    ["text/csv;q=much", "text/csv"],
    ["text/csv;Q=0.2, application/jsonl;q=0.3", "application/jsonl"],
  ])("chooses for the Accept header %j the type %s", (accept, type) => {
    expect(preferredType(accept, ["application/json", "text/csv", "application/jsonl"])).toBe(type);
  });
});
