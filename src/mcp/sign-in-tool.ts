import * as z from "zod";
import { inputSchema, outputSchema } from "./json-schema.ts";
import type { Tool } from "./tool.ts";

const input = z.strictObject({});

const output = z.object({
  status: z.enum(["pending", "signed_in"]),
  userCode: z.string().optional().describe("For the user to compare with the page's"),
  verificationUri: z.string().optional(),
  verificationUriComplete: z.string().optional().describe("The same with the code filled in"),
  expiresAt: z.string().optional(),
  next: z.string(),
});

/** The additional tool of a session without a credential. */
export const signInTool: Tool = {
  name: "sign_in",
  area: "sign_in",
  input,
  definition: {
    name: "sign_in",
    title: "Sign in to the server",
    description:
      "Sign in to the server. Gives a link and a code: show both to the user, who approves in a browser. Call it again to learn whether that is done.",
    inputSchema: inputSchema(input),
    outputSchema: outputSchema(output),
    annotations: {
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  },
};
