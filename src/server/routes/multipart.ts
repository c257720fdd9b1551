import { Problem } from "../../contract/problem.ts";

/** A file of a form (RFC 7578). */
export interface FormFile {
  /** The name of the form's field. */
  field: string;
  name: string;
  bytes: Buffer;
}

const MAX_HEADERS = 1024;
const BREAK = "\r\n";

/**
 * Returns the files of a form. Their bytes are views of `body`. Throws a `Problem` if the form is malformed or has more
 * than `maxFiles` parts.
 */
export function filesIn(body: Buffer, contentType: string | undefined, maxFiles: number): FormFile[] {
  const boundary = /^multipart\/form-data\s*;(?:.*;)?\s*boundary="?([^";\s]{1,70})/i.exec(
    contentType ?? "",
  )?.[1];
  if (boundary === undefined) {
    throw new Problem("unsupported_media_type", "Send the parts as files of a form: multipart/form-data.");
  }
  const delimiter = Buffer.from(`${BREAK}--${boundary}`);
  const files: FormFile[] = [];
  // The first delimiter may be at the very beginning, without a line break before it.
  let at = body.indexOf(delimiter.subarray(BREAK.length));
  if (at < 0) throw malformed();
  at += delimiter.length - BREAK.length;
  while (body.toString("latin1", at, at + 2) !== "--") {
    if (files.length === maxFiles)
      throw new Problem("payload_too_large", `A form holds at most ${maxFiles} parts.`);
    const end = body.indexOf(delimiter, at);
    const head = body.subarray(at, at + MAX_HEADERS).indexOf(BREAK + BREAK);
    if (end < 0 || head < 0 || at + head > end) throw malformed();
    const headers = body.toString("utf8", at, at + head);
    const disposition = /^content-disposition:\s*form-data\s*;(.*)$/im.exec(headers)?.[1] ?? "";
    const field = /(?:^|;)\s*name="([^"]*)"/.exec(disposition)?.[1];
    const name = /(?:^|;)\s*filename="([^"]*)"/.exec(disposition)?.[1];
    if (field === undefined || name === undefined) throw malformed();
    files.push({ field, name, bytes: body.subarray(at + head + 2 * BREAK.length, end) });
    at = end + delimiter.length;
  }
  return files;
}

function malformed(): Problem {
  return new Problem("invalid_request", "The body is no form of files (RFC 7578).");
}
