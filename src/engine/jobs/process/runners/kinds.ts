import { benchRunner } from "./bench.ts";
import type { JobOrder } from "../../answers/bench.ts";
import { compareRunner } from "./compare.ts";
import type { JobRunner, JobWork } from "./runner.ts";
import { selectRunner } from "./select-runners.ts";

/** Creates the runner for a kind of job. To add a kind, add it to `jobAsk` and here. */
export function runnerOf({ ask, ...about }: JobWork<JobOrder>): JobRunner {
  switch (ask.kind) {
    case "bench":
      return benchRunner({ ...about, ask });
    case "select":
      return selectRunner({ ...about, ask });
    case "compare":
      return compareRunner({ ...about, ask });
  }
}
