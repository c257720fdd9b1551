import { measureHttp } from "./postgres/http.ts";
import { measureStore } from "./postgres/store.ts";

/** Measures the throughput of a PostgreSQL store, directly and over HTTP. `-- postgres http` measures HTTP alone. */
export async function run(): Promise<void> {
  if (process.argv[3] !== "http") await measureStore();
  await measureHttp();
}
