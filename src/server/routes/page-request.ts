import type { IncomingMessage } from "node:http";
import type { PageRequest } from "../../web/page.ts";
import type { Visit } from "../../web/visit.ts";
import { abortOf } from "../operations/request-caller.ts";
import type { Exchange } from "../pipeline/exchange.ts";

type PageExchange = Pick<Exchange, "req" | "res" | "path" | "query" | "address" | "requestId">;

/** A page's view of an exchange. What few pages ask for is made when they do. */
export class ExchangeRequest implements PageRequest {
  readonly #exchange: PageExchange;
  readonly parameters: Readonly<Record<string, string>>;
  form = new URLSearchParams();
  setCookie?: string;
  visit?: Visit;
  #query: URLSearchParams | undefined;
  #gone: AbortSignal | undefined;

  constructor(exchange: PageExchange, parameters: Readonly<Record<string, string>>) {
    this.#exchange = exchange;
    this.parameters = parameters;
  }

  get raw(): IncomingMessage {
    return this.#exchange.req;
  }

  get url(): string {
    const { path, query } = this.#exchange;
    return query === "" ? path : `${path}?${query}`;
  }

  get query(): URLSearchParams {
    this.#query ??= new URLSearchParams(this.#exchange.query);
    return this.#query;
  }

  get address(): string {
    return this.#exchange.address;
  }

  get requestId(): string {
    return this.#exchange.requestId;
  }

  get gone(): AbortSignal {
    this.#gone ??= abortOf(this.#exchange.res);
    return this.#gone;
  }
}
