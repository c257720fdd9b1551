import { z } from "zod";
import type { Caller, Scope } from "./caller.ts";
import { inWords, named } from "./components.ts";
import type { Pace, Work } from "./compute.ts";
import type { ProblemCode } from "./problem.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

type PathParameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameters<Rest>
  : never;

/** An endpoint, declared once: router, OpenAPI, typed client, MCP tools and docs derive from it. */
export interface Endpoint<
  M extends Method = Method,
  P extends string = string,
  I extends z.ZodObject = z.ZodObject,
  O extends z.ZodType = z.ZodType,
> {
  /** Dotted, unique: `usage.track`. Names the endpoint in limits, MCP and docs. */
  name: string;
  method: M;
  /** `{name}` stands for a path parameter, which `input` must hold. */
  path: P;
  /** One line in the imperative, without a full stop. */
  summary: string;
  /** What more a reader must know: Markdown. */
  description?: string;
  /** The scope a credential needs; `public` needs none. */
  scope: Scope | "public";
  /** Flat: path parameters, then the query for GET and DELETE, the body otherwise. Strict. */
  input: I;
  output: O;
  /** The status of a plain success; 200 unless said. 204 sends no body. */
  status?: 200 | 201 | 202 | 204;
  /** What else a success may be than `status`, and when: 204 has no body. */
  otherwise?: { readonly [Status in 200 | 201 | 204]?: string };
  /** Media types that a body may have beside JSON: of a computed endpoint, whose job takes them. */
  bodyTypes?: readonly string[];
  /** Media types that the answer may have instead, and what asks for them. */
  formats?: Readonly<Record<string, string>>;
  /** The answer bears an `ETag`; a GET by whoever holds it already is 304. */
  etag?: boolean;
  /** The problems it can answer with beside those of its kind (`problemsOf`). */
  errors?: readonly ProblemCode[];
  /** Sentences on what must hold of the input and is checked outside its schema. */
  rules?: readonly string[];
  /** An input that works, for those who read about it. */
  example?: z.input<I>;
  /**
   * Honours `Idempotency-Key`: a repeat within a day gets the first answer. `true`: the last transaction that
   * writes gives the answer, `store.transact(work, "answer")`, and any before it is a `"step"`, so that after a
   * crash nothing is done twice. `"repeatable"`: its effect repeated changes nothing, so that after a crash all
   * is done again.
   */
  idempotent?: true | "repeatable";
  /** Its answer holds a secret: what is kept of it for a repeat only the `Idempotency-Key` opens. */
  answersSecret?: true;
  /** Changes nothing although its method could (RFC 9110 §9.2.1 says it of GET): a POST that only computes. */
  safe?: boolean;
  /** Overwrites or ends what was there, although its method could as well only add: a POST that may replace. */
  destructive?: boolean;
  /** Answers with server-sent events instead of JSON; `output` is then what one of them holds. */
  eventStream?: boolean;
  /**
   * `control`: what people need to get out of trouble. Counts by credential or browser session in a
   * small window of its own, never in the account's.
   */
  lane?: "control";
  /** Of a `ComputedEndpoint`. */
  compute?: Pace;
  /** Longest body in bytes where the default for authenticated requests (1 MiB) does not fit. */
  maxBodyBytes?: number;
}

/** Declares an endpoint. A path parameter that `input` lacks does not compile, nor what nobody would honour. */
export function endpoint<
  const M extends Method,
  const P extends string,
  I extends z.ZodObject,
  O extends z.ZodType,
>(
  declaration: Endpoint<M, P, I, O> & { compute?: never } & (M extends "GET"
      ? { idempotent?: never; maxBodyBytes?: never }
      : unknown) &
    (PathParameters<P> extends keyof I["shape"] ? unknown : { input: "lacks a path parameter" }),
): Endpoint<M, P, I, O> {
  return declaration;
}

/**
 * An endpoint whose body is parsed, checked and worked on by a job in a worker process, because that can
 * take longer than anybody else should wait. Its handler gets `Work` in place of the input.
 */
export interface ComputedEndpoint<
  M extends Method = Method,
  P extends string = string,
  I extends z.ZodObject = z.ZodObject,
  O extends z.ZodType = z.ZodType,
> extends Endpoint<M, P, I, O> {
  /** `long`: may take more than a second for a small body, too. A large body is long work anyway. */
  compute: Pace;
}

/** Declares an endpoint that computes. Its input is its body alone. */
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

/** The endpoints of one folder under the names that its handlers bear. */
export type Contract = Record<string, Endpoint>;

export type Input<E extends Endpoint> = z.output<E["input"]>;
/** What a handler gives: before defaults and transforms of the output schema. */
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
      status?: number;
      headers?: Record<string, string>;
      /** Sent as it is, with `headers["Content-Type"]`, instead of `body` as JSON. */
      raw?: string | Buffer | AsyncIterable<string | Buffer>;
      /** Sent as server-sent events instead of `body`, until they end or the signal tells them to. */
      events?: (signal: AbortSignal) => AsyncIterable<ServerEvent>;
    } = {},
  ) {}

  /** Text or bytes of the handler's own making, JSON unless the headers say otherwise. */
  static raw(raw: string | Buffer | AsyncIterable<string | Buffer>, headers: Record<string, string> = {}) {
    return new Reply<never>(undefined as never, { raw, headers });
  }

  /** The bytes of a JSON text that a job made; their memory is the answer's from now on. */
  static json(bytes: Uint8Array, headers: Record<string, string> = {}) {
    return Reply.raw(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), headers);
  }

  static events(events: (signal: AbortSignal) => AsyncIterable<ServerEvent>) {
    return new Reply<never>(undefined as never, { events });
  }
}

/** One of the events of a stream (HTML §9.2, server-sent events). */
export interface ServerEvent {
  /** What the client sends as `Last-Event-ID` when it comes again. */
  id: string;
  event: string;
  /** Sent as JSON. */
  data: unknown;
}

/** An id that users choose: 1 to 256 characters, no control characters, well-formed Unicode. */
export const UserId = z
  .string()
  .trim()
  .min(1, "must not be empty")
  .max(256, "must have at most 256 characters")
  .refine(isPrintable, "must not hold control characters or lone surrogates")
  .register(inWords, { rule: "Trimmed; without control characters and lone surrogates." });

/** A name for people to read: as an id, but never empty after trimming. */
export const Name = UserId;

/** ISO 8601 UTC with milliseconds. */
export const At = z.iso.datetime({ precision: 3 });

/** `limit` and `cursor` of every list. */
export const Page = {
  limit: z.coerce.number<number>().int().min(1).max(200).default(50),
  cursor: z
    .string()
    .max(512)
    .refine(isPrintable, "is no cursor of this list")
    .register(inWords, { rule: "The `nextCursor` of the page before." })
    .optional(),
};

named({ UserChosenId: UserId, Timestamp: At });

export function listOf<T extends z.ZodType>(item: T) {
  return z.object({ items: z.array(item), nextCursor: z.string().optional() });
}

/** True without C0 and C1 controls, DEL and lone surrogates (which no UTF-8 database holds). */
export function isPrintable(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
  return !/[\u0000-\u001f\u007f-\u009f]/.test(text) && text.isWellFormed();
}
