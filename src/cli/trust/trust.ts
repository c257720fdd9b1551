import { type Clock, iso } from "../../system/clock.ts";
import type { Credentials } from "../credentials/credentials.ts";
import type { ProjectServer, Settings } from "../settings/settings.ts";
import type { Io } from "../terminal/io.ts";
import type { Progress } from "../ui/progress.ts";
import { createTrustedPairs } from "./pairs.ts";

/**
 * A repository that somebody cloned may name a server. No credential goes there, from wherever it comes,
 * before the person has said yes to that server in that directory.
 */
export interface Trust {
  /** Why nothing may be sent; undefined where the person named the server, or has said yes. */
  refusal(): UntrustedServer | undefined;
  /** Whether somebody sits before a terminal who can be asked. */
  readonly canAsk: boolean;
  /** Asks where somebody sits before a terminal; throws `UntrustedServer` unless the answer is yes. */
  ensure(): Promise<void>;
}

/** Nothing was sent, since only a project's file names the server. */
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
  /** False: nobody is asked, whoever sits there. */
  mayAsk: boolean;
}

export function createTrust({ settings, io, clock, progress, mayAsk }: TrustOptions): Trust {
  const canAsk = () => mayAsk && io.input.terminal && io.err.live;
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

/** Credentials that are read only where they may be sent. */
export function onceTrusted(credentials: Credentials, trust: Trust): Credentials {
  return {
    ...credentials,
    async read() {
      await trust.ensure();
      return credentials.read();
    },
  };
}
