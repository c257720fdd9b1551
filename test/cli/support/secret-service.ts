/** A test process that signs in, reads and signs out with the machine's secret store. */

import { createCredentials } from "../../../src/cli/credentials/credentials.ts";
import { runKeyringProcess } from "../../../src/cli/credentials/keyring-process.ts";

const [role, directory = ""] = process.argv.slice(2);
if (role === "keyring") await runKeyringProcess();
else {
  const make = () =>
    createCredentials({
      baseUrl: "https://control.example",
      directory,
      environment: process.env,
      keyringCommand: [process.execPath, process.argv[1] as string, "keyring"],
    });
  const written = await make().write({ accessToken: "tat_☃", refreshToken: "trt_1" });
  const read = await make().read();
  const probed = await make().probe();
  await make().forgetAll();
  console.log(JSON.stringify({ written, read, probed, after: await make().read() }));
}
