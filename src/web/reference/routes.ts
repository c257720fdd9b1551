import type { IncomingMessage } from "node:http";
import { Problem } from "../../contract/problem.ts";
import { type PageAnswer, type PageRequest, page } from "../page.ts";
import { ALLOW_SCRIPT } from "../page-headers.ts";
import { ProblemsPage } from "../problems-page.tsx";
import type { ServePage } from "../serve-page.ts";
import type { Visit } from "../visit.ts";
import type { Visits } from "../visits.ts";
import type { ApiDocument } from "./document.ts";
import { canBeTried, type Listed, operationsOf } from "./operations.ts";
import { OperationPage, ReferencePage, type Tried } from "./pages.tsx";

/** Sends a request on behalf of the reader and returns its answer, which may be a problem. */
export type TryOut = (
  request: IncomingMessage,
  asked: {
    method: string;
    path: string;
    query: string;
    headers: Readonly<Record<string, string>>;
    body: string;
  },
) => Promise<NonNullable<Tried["answer"]>>;

export interface ReferenceParts {
  /** Returns the service's OpenAPI document. */
  document: () => ApiDocument;
  tryOut: TryOut;
}

/** Adds `/docs`, a page for each operation below it, and `/docs/problems`. */
export function referenceRoutes(parts: {
  reference: ReferenceParts;
  serve: ServePage;
  visits: Visits;
  baseUrl: () => string;
}): void {
  const { reference, serve, visits, baseUrl } = parts;
  let known: { document: ApiDocument; operations: Listed[] } | undefined;

  /** Caches the operations as long as the document is the same object. */
  function described() {
    const document = reference.document();
    if (known?.document !== document) known = { document, operations: operationsOf(document) };
    return known;
  }

  function listedIn({ parameters }: PageRequest): Listed {
    const listed = described().operations.find(({ id }) => id === parameters.operation);
    if (listed) return listed;
    throw new Problem("not_found", "There is no such operation. /docs lists them all.");
  }

  serve(
    "/docs",
    {
      get: visits.anyone((visit, request) => {
        const query = (request.query.get("query") ?? "").slice(0, 200);
        return page(200, ReferencePage({ ...described(), visit, query }), ALLOW_SCRIPT);
      }),
    },
    "GET",
  );
  serve("/docs/problems", { get: () => page(200, ProblemsPage()) }, "GET");
  serve(
    "/docs/:operation",
    {
      get: visits.anyone((visit, request) => operationPage(visit, listedIn(request))),
      post: visits.signedIn(
        async (visit, request) => {
          const listed = listedIn(request);
          if (!canBeTried(listed)) throw new Problem("not_found", "This cannot be tried from a page.");
          return operationPage(visit, listed, await send(request, listed));
        },
        ({ parameters }) => `/docs/${parameters.operation}`,
      ),
    },
    "GET",
  );

  function operationPage(visit: Visit, listed: Listed, tried?: Tried): PageAnswer {
    const props = { ...described(), visit, listed, baseUrl: baseUrl(), ...(tried && { tried }) };
    return page(200, OperationPage(props), ALLOW_SCRIPT);
  }

  async function send({ raw, form: given }: PageRequest, listed: Listed): Promise<Tried> {
    const value = (name: string) => given.get(`parameter-${name}`)?.trim() ?? "";
    const names = (place: string) => listed.parameters.filter((each) => each.in === place);
    const missing = names("path").find(({ name }) => value(name) === "");
    if (missing) return { given, fault: `Say which: ${missing.name} stands in the path.` };
    const path = listed.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(value(name)));
    const query = new URLSearchParams();
    for (const { name } of names("query")) if (value(name) !== "") query.set(name, value(name));
    const projectId = value("X-Project-Id");
    const answer = await reference.tryOut(raw, {
      method: listed.method,
      path,
      query: query.toString(),
      headers: {
        accept: "application/json",
        "content-type": "application/json",
        // Headers arrive as bytes decoded as Latin-1 (`callerOf`).
        ...(projectId !== "" && { "x-project-id": Buffer.from(projectId).toString("latin1") }),
      },
      body: listed.operation.requestBody ? (given.get("body") ?? "") : "",
    });
    return { given, answer };
  }
}
