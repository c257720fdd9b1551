import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createPool, send } from "../../../../src/store/postgres/connection/connections.ts";
import { createLog } from "../../../../src/system/log.ts";
import { createDatabase } from "../../../support/services/shared-postgres.ts";
import { temporaryDirectory } from "../../../support/store.ts";

describe("a pool of connections", () => {
  it("is unavailable while a file that the URL names is away, as a certificate that is exchanged", async () => {
    const authority = join(temporaryDirectory(), "ca.crt");
    writeFileSync(authority, "");
    const url = `${await createDatabase()}?sslrootcert=${authority}&sslmode=disable`;
    const pool = createPool(url, 1, createLog("silent"));
    onTestFinished(() => pool.end());
    const ask = () => send(pool, { text: "SELECT 1 AS one" });
    const held = await pool.connect();
    const queued = expect(ask()).rejects.toMatchObject({
      name: "StoreUnavailable",
      message: expect.stringContaining(`open '${authority}'`),
    });
    rmSync(authority);
    // As if it had been lost: the one that waits is given a new one.
    held.release(true);
    await queued;
    await expect(ask()).rejects.toMatchObject({ name: "StoreUnavailable" });
    writeFileSync(authority, "");
    expect(await ask()).toEqual([{ one: 1 }]);
  });
});
