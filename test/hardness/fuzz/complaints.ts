const FOUR = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset", "x-ratelimit-policy"];

/** Matches frames of a stack trace, and places in this program's own files. */
const STACK = /\n\s+at [\w.<>]+ |\(?node:internal\/|node_modules\/|\/(src|dist)\/[\w/-]+\.[cm]?[jt]sx?:\d+/;

/** What an error's description may consist of (RFC 6749 §5.2). */
const DESCRIPTION = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

export interface Seen {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** Returns the faults of an answer that no request may cause. */
export function complaintsAbout({ status, headers, body }: Seen): string[] {
  const complaints: string[] = [];
  if (status >= 500 && status !== 503) complaints.push(`answered ${status}`);
  for (const name of FOUR) {
    if (!/^\d+(;w=\d+)?$/.test(String(headers[name]))) complaints.push(`has ${name}: ${headers[name]}`);
  }
  if (!/^req_[0-9a-z]{26}$/.test(String(headers["x-request-id"]))) complaints.push("has no request id");
  if (STACK.test(body)) complaints.push("shows a stack trace");
  const type = String(headers["content-type"] ?? "");
  if (/json/.test(type) && body !== "") {
    const parsed = parse(body);
    if (parsed === undefined) complaints.push("is no JSON");
    else if (status >= 400) complaints.push(...complaintsAboutError(type, parsed, status));
  }
  return complaints;
}

function complaintsAboutError(type: string, body: unknown, status: number): string[] {
  if (typeof body !== "object" || body === null || !("error" in body)) return ["is an error without a name"];
  if ("jsonrpc" in body) return complaintsAboutRpc(body.error);
  if (typeof body.error !== "string") return ["has an error that is no name"];
  if (!type.startsWith("application/problem+json")) {
    const described = "error_description" in body && String(body.error_description);
    if (described === false) return ["describes nothing"];
    return DESCRIPTION.test(described)
      ? []
      : ["is described with other characters than RFC 6749 §5.2 allows"];
  }
  return "status" in body && body.status === status && "detail" in body ? [] : ["is no problem (RFC 9457)"];
}

/** Checks an error object (JSON-RPC 2.0 §5.1). */
function complaintsAboutRpc(error: unknown): string[] {
  const isWhole = typeof error === "object" && error !== null && "code" in error && "message" in error;
  return isWhole && Number.isInteger(error.code) ? [] : ["is no error of JSON-RPC"];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
