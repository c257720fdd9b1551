import type { Endpoint } from "../src/contract/endpoint.ts";

/** Returns `src/client/repeatable-routes.ts`. It saves the client loading the declarations, which takes long. */
export function repeatableRoutes(endpoints: readonly Endpoint[]): string {
  const list = (routes: readonly Endpoint[]) =>
    routes
      .map(({ method, path }) => `  "${method} ${path}",\n`)
      .sort()
      .join("");
  return `/* What may be sent again where its answer was lost, as the endpoints declare it: made by \`npm run docs\`. */

/** They honour \`Idempotency-Key\`. */
export const IDEMPOTENT_ROUTES: readonly string[] = [
${list(endpoints.filter(({ idempotent }) => idempotent))}];

/** They only compute. */
export const SAFE_ROUTES: readonly string[] = [
${list(endpoints.filter(({ safe, idempotent }) => safe && !idempotent))}];
`;
}
