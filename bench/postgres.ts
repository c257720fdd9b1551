import { measureHttp } from "./postgres/http.ts";
import { measureStore } from "./postgres/store.ts";

/** What a PostgreSQL store does a second, and what of it is left over HTTP; `-- postgres http` is that part alone. */
export async function run(): Promise<void> {
  if (process.argv[3] !== "http") await measureStore();
  await measureHttp();
}
