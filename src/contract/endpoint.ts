import * as z from "zod";
import type { Caller, Scope } from "./caller.ts";
import { named, refinementRules } from "./components.ts";
import type { Pace, Work } from "./compute.ts";
import type { ProblemCode } from "./problem.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

type PathParameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameters<Rest>
  : never;

/** Returns the names of a path's parameters, in order. */
export function namesInPath(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string);
}

/** An endpoint, declared once. The router, OpenAPI document, typed client, MCP tools and docs derive from it. */
export interface Endpoint<
  M extends Method = Method,
  P extends string = string,
  I extends z.ZodObject = z.ZodObject,
  O extends z.ZodType = z.ZodType,
> {
  /** Dotted and unique, such as `usage.track`. Names the endpoint in limits, MCP and docs. */
  name: string;
  method: M;
  /** `{name}` stands for a path parameter, which `input` must contain. */
  path: P;
  /** One line in the imperative, without a full stop. */
  summary: string;
  /** Further explanation, in Markdown. */
  description?: string;
  /** The scope a credential needs; `public` needs none. */
  scope: Scope | "public";
  /** A flat, strict object: the path parameters, then the query for GET and DELETE, the body otherwise. */
  input: I;
  output: O;
  /** The status of a plain success; 200 by default. 204 sends no body. */
  status?: 200 | 201 | 202 | 204;
  /** Other statuses that a success may have, each with when it is sent. 204 has no body. */
  otherwise?: { readonly [Status in 200 | 201 | 204]?: string };
  /** Media types other than JSON that the body may have. Only for a computed endpoint, whose job parses them. */
  bodyTypes?: readonly string[];
  /** Media types other than JSON that the answer may have, each with how to ask for it. */
  formats?: Readonly<Record<string, string>>;
  /** Whether the handler gives its `Reply` a header `ETag`; a conditional GET with a matching one then gets 304. */
  etag?: boolean;
  /** The problems it can answer with, in addition to those of its kind (`problemsOf`). */
  errors?: readonly ProblemCode[];
  /** Rules on the input that are checked outside its schema, as sentences. */
  rules?: readonly string[];
  /** A valid input, for documentation. */
  example?: z.input<I>;
  /**
   * Honours `Idempotency-Key`: a repeat within a day gets the first answer. `true`: the last transaction that writes
   * stores the answer, `store.transact(work, caller.answer)`, and any before it is a `caller.step`, so that nothing is
   * done twice after a crash. `"repeatable"`: repeating its effect changes nothing, so that everything is simply done
   * again after a crash.
   */
  idempotent?: true | "repeatable";
  /** The answer contains a secret, so the copy kept for a repeat is encrypted under the `Idempotency-Key`. */
  answersSecret?: true;
  /** Changes nothing although its method could (RFC 9110 §9.2.1): a POST that only computes. */
  safe?: boolean;
  /** Overwrites or ends what exists, although its method could also only add: a POST that may replace. */
  destructive?: boolean;
  /** Answers with server-sent events instead of JSON; `output` is then the data of one event. */
  eventStream?: boolean;
  /**
   * `control`: an endpoint that people need to get out of trouble. Its requests count per credential or browser
   * session, in a small window of their own and never in the account's.
   */
  lane?: "control";
  /** Only set on a `ComputedEndpoint`. */
  compute?: Pace;
  /** Longest body in bytes, where the default for authenticated requests (1 MiB) does not fit. */
  maxBodyBytes?: number;
}

/**
 * Declares an endpoint. Does not compile where `input` lacks a path parameter, or where a GET or an endpoint that
 * does not compute sets an option that would have no effect.
 */
export function endpoint<
  const M extends Method,
  const P extends string,
  I extends z.ZodObject,
  O extends z.ZodType,
>(
  declaration: Endpoint<M, P, I, O> & { compute?: never; bodyTypes?: never } & (M extends "GET"
      ? { idempotent?: never; maxBodyBytes?: never }
      : unknown) &
    (PathParameters<P> extends keyof I["shape"] ? unknown : { input: "lacks a path parameter" }),
): Endpoint<M, P, I, O> {
  return declaration;
}

/**
 * An endpoint whose body is parsed, checked and processed by a job in a worker process, because that can block the
 * server for too long. Its handler gets `Work` in place of the input.
 */
export interface ComputedEndpoint<
  M extends Method = Method,
  P extends string = string,
  I extends z.ZodObject = z.ZodObject,
  O extends z.ZodType = z.ZodType,
> extends Endpoint<M, P, I, O> {
  /** `long`: may take more than a second even for a small body. A large body is always long work. */
  compute: Pace;
}

/** Declares an endpoint that computes. Its input is the body alone. */
export function computedEndpoint<
  const M extends "POST" | "PUT" | "PATCH",
  const P extends string,
  I extends z.ZodObject,
  O extends z.ZodType,
>(
  declaration: ComputedEndpoint<M, P, I, O> &
    (PathParameters<P> extends never ? unknown : { path: "a body alone is its input" }),
): ComputedEndpoint<M, P, I, O> {
  return declaration;
}

/** The endpoints of one folder, keyed by the names of their handlers. */
export type Contract = Record<string, Endpoint>;

export type Input<E extends Endpoint> = z.output<E["input"]>;
/** What a handler returns: before defaults and transforms of the output schema. */
export type Output<E extends Endpoint> = z.input<E["output"]>;

export type Handler<E extends Endpoint = Endpoint> = (
  input: E extends ComputedEndpoint ? Work : Input<E>,
  caller: Caller,
) => Promise<Output<E> | Reply<Output<E>>>;

/** A handler whose endpoint is only known at run time. */
export type AnyHandler = Handler | Handler<ComputedEndpoint>;

/** One handler for each endpoint of a contract; a missing one does not compile. */
export type Handlers<C extends Contract> = { [Name in keyof C]: Handler<C[Name]> };

/** An answer that differs from the endpoint's plain one in status, headers or media type. */
export class Reply<T = unknown> {
  constructor(
    readonly body: T,
    readonly extras: {
      status?: number | undefined;
      headers?: Record<string, string> | undefined;
      /** Sent unchanged instead of `body`, with `headers["Content-Type"]`. */
      raw?: string | Buffer | AsyncIterable<string | Buffer>;
      /** Characters that stay in memory until the client has read all of a streamed `raw`. */
      holds?: number;
      /** Sent as server-sent events instead of `body`, until they end or the signal aborts. */
      events?: (signal: AbortSignal) => AsyncIterable<ServerEvent>;
    } = {},
  ) {}

  /** Sends text or bytes made by the handler, as JSON unless the headers say otherwise. */
  static raw(raw: string | Buffer | AsyncIterable<string | Buffer>, headers: Record<string, string> = {}) {
    return new Reply<never>(undefined as never, { raw, headers });
  }

  /** Sends the bytes of a JSON text. The answer takes over their memory. */
  static json(bytes: Uint8Array, headers: Record<string, string> = {}) {
    return Reply.raw(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), headers);
  }

  static events(events: (signal: AbortSignal) => AsyncIterable<ServerEvent>) {
    return new Reply<never>(undefined as never, { events });
  }
}

/** One event of a stream (HTML §9.2, server-sent events). */
export interface ServerEvent {
  /** Sent back by the client as `Last-Event-ID` when it reconnects. */
  id: string;
  event: string;
  /** Sent as JSON. */
  data: unknown;
}

/** An id that users choose: 1 to 256 characters after trimming, no control characters, well-formed Unicode. */
export const UserId = z
  .string()
  .trim()
  .min(1, "must not be empty")
  .max(256, "must have at most 256 characters")
  .refine(isPrintable, "must not hold control characters or lone surrogates")
  .register(refinementRules, { rule: "Trimmed; without control characters and lone surrogates." });

/** A display name, with the same rules as an id. */
export const Name = UserId;

/** The name of what people find in lists and sentences by its name alone. */
export const ShownName = Name.refine(
  isShown,
  "must show at least one character, in one line, and turn no text around",
).register(refinementRules, {
  rule: "Trimmed; shows at least one character, in one line, and turns no text around.",
});

/** The search term of a list: a part of a name or the like; case is ignored. */
export const SearchTerm = z
  .string()
  .trim()
  .min(1, "must not be empty")
  .max(254, "must have at most 254 characters")
  .refine(isPrintable, "must not hold control characters")
  .register(refinementRules, { rule: "Trimmed; without control characters." });

/** ISO 8601 UTC with milliseconds. */
export const At = z.iso.datetime({ precision: 3 });

const [FIRST, LAST] = [Date.parse("0000-01-01T00:00:00Z"), Date.parse("9999-12-31T23:59:59.999Z")];

/** A time that is kept and told. By its offset it could lie in a year that `At`, in UTC, has no digits for. */
export const Instant = z.iso
  .datetime({ offset: true })
  .refine((text) => !(Date.parse(text) < FIRST || Date.parse(text) > LAST), "must lie in the years 0 to 9999")
  .register(refinementRules, { rule: "In the years 0 to 9999, in UTC." });

/**
 * The `limit` and `cursor` parameters of a list whose cursors have a form of their own: text that is none, or a cursor of
 * another list, is refused instead of giving some page. The empty one is that of the first page, as many clients send it.
 */
export function pageBehind(form: RegExp) {
  return {
    limit: z.coerce.number<number>().int().min(1).max(200).default(50),
    cursor: z
      .string()
      // Two ids that clients choose, as bytes in base64, are longer than a thousand characters.
      .max(4096)
      .refine((text) => text === "" || (isPrintable(text) && form.test(text)), "is no cursor of this list")
      .register(refinementRules, { rule: "The `nextCursor` of the page before." })
      .transform((text) => text || undefined)
      .optional(),
  };
}

/** `pageBehind` anything: the cursor is a name that clients choose, or the handler parses it. */
export const Page = pageBehind(/./);

named({ UserChosenId: UserId, Timestamp: At });

export function listOf<T extends z.ZodType>(item: T) {
  return z.object({ items: z.array(item), nextCursor: z.string().optional() });
}

/** Returns the first `limit` of what was found, with the cursor of the last of them if there is more. */
export function pageOf<T>(
  found: readonly T[],
  limit: number,
  cursorOf: (item: T) => string,
): { items: T[]; nextCursor?: string } {
  const items = found.slice(0, limit);
  return found.length > limit ? { items, nextCursor: cursorOf(items.at(-1) as T) } : { items };
}

/** Whether text shows at least one character, and neither breaks the line nor reorders the text around it (UAX #9). */
export function isShown(text: string): boolean {
  return (
    /[^\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}]/u.test(text) &&
    !/[\p{Bidi_Control}\p{Zl}\p{Zp}]/u.test(text)
  );
}

/** Whether text is free of C0 and C1 controls, DEL and lone surrogates (which UTF-8 databases cannot store). */
export function isPrintable(text: string): boolean {
  return !/\p{Cc}/u.test(text) && text.isWellFormed();
}
