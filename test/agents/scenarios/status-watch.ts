import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { statusJson, type StatusJson } from "../../../src/engine/cli/sessions/sessions-outcome.ts";
import { childEnv } from "../../engine/support/child-env.ts";

/** `purser status --watch --json` of the built CLI, while an agent works. */
export interface StatusWatch {
  readonly latest: () => StatusJson | null;
  /** Returns the next printed status like this, or the latest one if it is. Rejects when none comes in time. */
  readonly until: (isWanted: (status: StatusJson) => boolean, what: string) => Promise<StatusJson>;
  readonly close: () => Promise<void>;
}

/** Far more than it takes: the race is lost at once, or never. Milliseconds. */
const maxTime = 20_000;

export function watchStatus(cli: string, env: Readonly<Record<string, string>>): StatusWatch {
  const child = spawn(process.execPath, [cli, "status", "--watch", "--all", "--json"], {
    env: { ...childEnv, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const printed = new EventTarget();
  let latest: StatusJson | null = null;
  createInterface({ input: child.stdout }).on("line", (line) => {
    latest = statusJson.parse(JSON.parse(line));
    printed.dispatchEvent(new Event("status"));
  });
  return {
    latest: () => latest,
    until: async (isWanted, what) => {
      const signal = AbortSignal.timeout(maxTime);
      while (latest === null || !isWanted(latest)) {
        try {
          await once(printed, "status", { signal });
        } catch {
          throw new Error(`purser status --watch never showed ${what}: ${JSON.stringify(latest?.sessions)}`);
        }
      }
      return latest;
    },
    close: async () => {
      child.kill();
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    },
  };
}
