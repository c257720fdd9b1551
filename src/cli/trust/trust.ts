import { type Clock, iso } from "../../system/clock.ts";
import type { Credentials } from "../credentials/credentials.ts";
import type { ProjectServer, Settings } from "../settings/settings.ts";
import type { Io } from "../terminal/io.ts";
import type { Progress } from "../ui/progress.ts";
import { createTrustedPairs } from "./pairs.ts";

/**
 * The user's trust in a server that a cloned repository names. No credential of any origin is sent there before the
 * user has trusted that server in that directory.
 */
export interface Trust {
  /** Returns why nothing may be sent; undefined if the user has named or trusted the server. */
  refusal(): UntrustedServer | undefined;
  /** Whether the user can be asked at a terminal. */
  readonly canAsk: boolean;
  /** Asks the user if necessary and possible. Throws `UntrustedServer` unless the server is trusted. */
  ensure(): Promise<void>;
}

/** Thrown before anything is sent to a server that only a project's file names. */
export class UntrustedServer extends Error {
  constructor(readonly projectServer: ProjectServer) {
    const { file, server } = projectServer;
    super(`${file} names the server ${server}, and no credential goes there before you have said so.`);
    this.name = "UntrustedServer";
  }
}

export interface TrustOptions {
  settings: () => Settings;
  io: Io;
  clock: Pick<Clock, "now">;
  progress: Progress;
  /** Whether the user can be asked. Opens stdin, so it is called last. */
  canAsk: () => boolean;
}

export function createTrust({ settings, io, clock, progress, canAsk }: TrustOptions): Trust {
  let asked: Promise<void> | undefined;

  function refusal(): UntrustedServer | undefined {
    const { projectServer, directories } = settings();
    if (!projectServer || createTrustedPairs(directories.config).has(projectServer)) return undefined;
    return new UntrustedServer(projectServer);
  }

  async function ask({ projectServer }: UntrustedServer): Promise<void> {
    const { askForTrust } = await import("./question.ts");
    const answer = canAsk() && (await progress.pausedDuring(askForTrust(projectServer, io)));
    if (!answer) throw new UntrustedServer(projectServer);
    const { directory, server } = projectServer;
    createTrustedPairs(settings().directories.config).add({ directory, server, since: iso(clock.now()) });
  }

  return {
    refusal,
    get canAsk() {
      return canAsk();
    },
    async ensure() {
      const refused = refusal();
      if (refused) asked ??= ask(refused);
      await asked;
    },
  };
}

/** Returns credentials that are only read if the server is trusted. */
export function onceTrusted(credentials: Credentials, trust: Trust): Credentials {
  return {
    ...credentials,
    async read() {
      await trust.ensure();
      return credentials.read();
    },
  };
}
