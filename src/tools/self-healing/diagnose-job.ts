import { jobOf } from "../../contract/compute.ts";
import { selfHealingContract } from "./contract.ts";
import { diagnose } from "./diagnosing/diagnose.ts";

/** The diagnosis, and what of the build is kept with it: the log itself stays behind. */
export const diagnoseJob = jobOf(selfHealingContract.diagnose, async (input) => ({
  diagnosis: await diagnose(input),
  build: { command: input.command, exitCode: input.exitCode },
}));
