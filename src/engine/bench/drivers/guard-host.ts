import { sentence, type Sentence } from "../../base/text/sentence.ts";
import { measuresModel, type DriverName } from "../run-facts.ts";
import type { Configuration } from "../configuration.ts";

/** Starts purser's service for one run, and delivers its hooks. */
export interface GuardHost {
  /** The runtime, and its arguments: the service's program is the last. */
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The program of hooks that must be commands. */
  readonly shim: string;
}

/** Returns why runs of a driver cannot be made with guards, in words. Null if they can be, or need none. */
export function guardRefusal(
  driver: DriverName,
  configurations: readonly Pick<Configuration, "guard">[],
): Sentence | null {
  if (configurations.every(({ guard }) => guard === undefined)) return null;
  if (!measuresModel(driver))
    return sentence(
      "recordings cannot show what guards do: their calls were made without guards and no answer changes them. Name an agent, such as --driver claude",
    );
  if (driver === "codex")
    return sentence(
      "guards are measured with Claude Code only: Codex runs hooks only after its user has trusted them in its own settings, which a run's own folder does not have. Name --driver claude",
    );
  return null;
}
