import { expect, it } from "vitest";
import { COLLECTIONS, DEVICE, servicesOn, VISITOR } from "../accounts/fixture.ts";
import { fakeClock } from "../support/clock.ts";
import { openTestStore } from "../support/store.ts";
import { begin } from "./redirect.ts";

/** Starts the services on a store that has used so many percent of its share of the heap; on one without if undefined. */
async function servicesAt(percent: number | undefined) {
  const clock = fakeClock();
  const store = await openTestStore({ clock, collections: COLLECTIONS });
  const memory =
    percent === undefined
      ? undefined
      : ({ bound: "server memory", usedBytes: percent, limitBytes: 100 } as const);
  const services = await servicesOn(
    { ...store, headroom: { canGrow: () => false, describe: () => memory } },
    clock,
  );
  return {
    signIn: () => begin(services),
    device: () => services.devices.begin({ client_id: "tool-cli" }, DEVICE),
    registration: () => services.registrations?.register({ redirect_uris: ["http://127.0.0.1/"] }, VISITOR),
  };
}

const NO_ROOM = { error: "temporarily_unavailable", status: 507 };

it("strangers cannot fill a store in memory: nothing of theirs is begun beyond its share of the heap", async () => {
  const { signIn, device, registration } = await servicesAt(101);
  await expect(device()).rejects.toMatchObject(NO_ROOM);
  await expect(registration()).rejects.toMatchObject(NO_ROOM);
  await expect(signIn()).resolves.toMatchObject({
    redirect: expect.stringContaining("error=temporarily_unavailable"),
  });
});

it("clients that register themselves leave a fifth of a store in memory to everybody else", async () => {
  const { signIn, device, registration } = await servicesAt(81);
  await expect(registration()).rejects.toMatchObject(NO_ROOM);
  await expect(device()).resolves.toHaveProperty("device_code");
  await expect(signIn()).resolves.toHaveProperty("requestUri");
  const { registration: earlier } = await servicesAt(80);
  await expect(earlier()).resolves.toHaveProperty("client_id");
});

it("a store without a bound of its own, such as PostgreSQL, refuses no stranger", async () => {
  const { signIn, device, registration } = await servicesAt(undefined);
  await expect(registration()).resolves.toHaveProperty("client_id");
  await expect(device()).resolves.toHaveProperty("device_code");
  await expect(signIn()).resolves.toHaveProperty("requestUri");
});
