import { joinSentences, type Sentence } from "../../base/language.ts";
import path from "node:path";
import type { Clock } from "../../base/timing.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import { driverNames, measuresModel, type DriverName } from "../run-facts.ts";
import { ClaudeDriver } from "./claude/claude.ts";
import { CodexDriver } from "./codex.ts";
import type { Driver, GuardHost } from "./driver.ts";
import { ReplayDriver } from "./replay.ts";
import { loadRecordings } from "../state/recording.ts";
import type { Suite } from "../suite/suite.ts";

export interface DriverPorts {
  /** The user's environment: agents are found by its PATH, or named by PURSER_CLAUDE and PURSER_CODEX. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user's home folder. */
  readonly userHome: string;
  readonly clock: Clock;
  /** The system's temporary folder. */
  readonly scratch: string;
  /** Replay speed as a factor: 0 without waiting, 1 as recorded. */
  readonly pace: number;
  /** Starts purser's guards in runs that use them. Absent if none are possible. */
  readonly guards?: GuardHost;
}

export function recordingsFolder({ folder }: Pick<Suite, "folder">): string {
  return path.join(folder, "recordings");
}

/** Creates the driver of that name, without checking that it is ready. */
export async function makeDriver(
  name: DriverName,
  suite: Pick<Suite, "folder">,
  ports: DriverPorts,
): Promise<Result<Driver, "damaged">> {
  const { env } = ports;
  switch (name) {
    case "claude":
      return succeed(new ClaudeDriver({ ...ports, program: named(env["PURSER_CLAUDE"]) ?? "claude" }));
    case "codex":
      return succeed(
        new CodexDriver({ ...ports, program: named(env["PURSER_CODEX"]) ?? "codex", config: "" }),
      );
    case "replay": {
      const recordings = await loadRecordings(recordingsFolder(suite));
      return recordings.ok
        ? succeed(new ReplayDriver({ recordings: recordings.value, pace: ports.pace }))
        : recordings;
    }
  }
}

/**
 * Returns the first agent that is installed and logged in; the replay driver is only used when it is requested by name. Fails with why
 * no agent is ready.
 */
export async function firstReadyDriver(
  suite: Pick<Suite, "folder">,
  ports: DriverPorts,
): Promise<Result<Driver, "none_ready">> {
  const problems: Sentence[] = [];
  for (const name of driverNames.filter(measuresModel)) {
    const made = await makeDriver(name, suite, ports);
    const ready = made.ok ? await made.value.ready() : made;
    if (made.ok && ready.ok) return made;
    if (!ready.ok) problems.push(ready.detail);
  }
  return fail("none_ready", joinSentences(problems, ". "));
}

function named(program: string | undefined): string | null {
  return program === undefined || program === "" ? null : program;
}
