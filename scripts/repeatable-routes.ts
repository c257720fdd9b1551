import type { Endpoint } from "../src/contract/endpoint.ts";

/** Returns `src/client/repeatable-routes.ts`. It saves the client loading the declarations, which takes long. */
export function repeatableRoutes(endpoints: readonly Endpoint[]): string {
  const list = (routes: readonly Endpoint[]) =>
    routes
      .map(({ method, path }) => `  "${method} ${path}",\n`)
      .sort()
      .join("");
  return `/* Routes that may be retried when an answer is lost, from the endpoints' declarations. Made by \`npm run docs\`. */

/** Routes that honour \`Idempotency-Key\`. */
export const IDEMPOTENT_ROUTES: readonly string[] = [
${list(endpoints.filter(({ idempotent }) => idempotent))}];

/** Routes that only compute an answer and change nothing. */
export const SAFE_ROUTES: readonly string[] = [
${list(endpoints.filter(({ safe, idempotent }) => safe && !idempotent))}];
`;
}
