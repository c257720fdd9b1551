import { describe, expect, it } from "vitest";
import { approverFor, askForCode, HOUR, startServices, trailOf } from "../accounts/fixture.ts";

const DEVICE_AT = { address: "198.51.100.7", requestId: "req_device" };
const ELSEWHERE = { address: "203.0.113.9", requestId: "req_elsewhere" };

async function signedIn() {
  const services = await startServices();
  const { device_code, user_code } = await askForCode(services);
  await services.devices.decide(user_code, "approve", approverFor(services.owner));
  return { ...services, first: await services.token({ device_code }, DEVICE_AT) };
}

describe("the audit log", () => {
  it("records the address and request of a device that signs in", async () => {
    const services = await signedIn();
    expect((await trailOf(services)).at(-1)).toMatchObject({
      action: "device.signed_in",
      actor: { userId: services.owner.id, ...DEVICE_AT },
    });
  });

  it("records the address and request of a device that signs out", async () => {
    const services = await signedIn();
    await services.revoke({ token: services.first.refresh_token }, ELSEWHERE);
    expect((await trailOf(services)).at(-1)).toMatchObject({
      action: "device.signed_out",
      actor: { userId: services.owner.id, ...ELSEWHERE },
    });
  });

  it("records the address and request of a reused refresh token", async () => {
    const services = await signedIn();
    const { clock, first, token } = services;
    const refresh = (refresh_token: string, from: typeof ELSEWHERE) =>
      token({ grant_type: "refresh_token", client_id: "tool-cli", refresh_token }, from);
    const second = await refresh(first.refresh_token, DEVICE_AT);
    await refresh(second.refresh_token, DEVICE_AT);
    clock.advance(HOUR);
    await expect(refresh(first.refresh_token, ELSEWHERE)).rejects.toMatchObject({ error: "invalid_grant" });
    expect((await trailOf(services)).at(-1)).toMatchObject({
      action: "device.ended_by_reuse",
      actor: { userId: services.owner.id, ...ELSEWHERE },
    });
  });
});
