import type { Timer } from "../../../../src/engine/base/timing.ts";
import { HookPipeline } from "../../../../src/engine/hooks/pipeline.ts";

/** A timer on which no time passes, so that no limit ends however busy the machine is. */
const stoppedTimer: Timer = { elapsed: () => 0, after: () => ({ dispose: () => undefined }) };

/** A pipeline for tests of handlers: each has all the time it needs. */
export function timelessPipeline(addProblem: (kind: string, message: string) => void): HookPipeline {
  return new HookPipeline({ add: addProblem }, stoppedTimer);
}
