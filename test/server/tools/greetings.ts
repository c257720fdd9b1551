import { z } from "zod";
import { endpoint } from "../../../src/contract/endpoint.ts";
import type { AnyTool } from "../../../src/tools/define-tool.ts";

export const PATH = "/api/v1/tools/greetings";

/** The contract of a tool of one's own, with a single endpoint. */
export const contract = {
  greet: endpoint({
    name: "greetings.greet",
    method: "GET",
    path: PATH,
    summary: "Greet",
    scope: "read",
    errors: ["conflict"],
    input: z.object({}),
    output: z.object({ greeting: z.string() }),
  }),
};

/** The tool, as authors who write JavaScript may make it. */
export const greetings = (create: () => unknown) => ({ name: "greetings", contract, create }) as AnyTool;
