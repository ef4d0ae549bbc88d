import { sentence } from "../base/text/sentence.ts";
import { fail, succeed } from "../base/result.ts";
import type { JobExecutor } from "./executor.ts";

const refused = () =>
  Promise.resolve(fail("failed", sentence("this is the sample: nothing runs in it, and nothing is spent")));

/** Refuses every job, and offers nothing to measure. A sample's service has no other: its jobs were made when it was packed. */
export const refusingExecutor: JobExecutor = {
  choices: () => Promise.resolve(succeed({ suites: [], drafts: [], drivers: [], driver: "claude" })),
  plan: refused,
  planWake: refused,
  run: refused,
  close: () => Promise.resolve(),
};
