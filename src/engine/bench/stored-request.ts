import { sentence } from "../base/text/sentence.ts";
import { fail, succeed, type Result } from "../base/result.ts";
import { requestHash } from "./id.ts";
import type { BenchFault, BenchRequest } from "./bench-request.ts";
import type { StoredRequest } from "./state/state.ts";
import type { Suite } from "./suite/suite.ts";

/** Restores a stored request with the suite as it is now. Fails if the suite has changed since the bench started. */
export function requestAgain(stored: StoredRequest, suite: Suite): Result<BenchRequest, BenchFault> {
  const { id, configurations, runs, driver, seed, parallel, tokenCap, shard, design } = stored;
  const taskIds = stored.tasks.map((task) => task.id);
  const about = { id, suite, configurations, taskIds, runs, driver, seed, parallel, tokenCap, shard };
  const request = { ...about, ...(design === undefined ? {} : { design }) };
  const missing = taskIds.find((task) => !suite.tasks.some((each) => each.id === task));
  if (missing !== undefined)
    return fail("suite_changed", sentence("the suite has no task {0} any more", missing));
  return requestHash(request) === stored.hash
    ? succeed(request)
    : fail(
        "suite_changed",
        sentence(
          "the suite in {0} has changed since the benchmark {1} started; start a new one",
          suite.folder,
          id,
        ),
      );
}
