import { isObject } from "../../../base/parse.ts";
import { stat } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { rethrowUnlessSystemError } from "../../../base/result.ts";
import { rowsFromEnd } from "../../in-context/rows-from-end.ts";
import type { AskedCalls, FindCallsInContext } from "../../past.ts";

import { ChainSearch, idleTypes } from "./chain-search.ts";

/** Maximum bytes read, from the end: a hook waits for the answer. */
const maxRead = 6 * 1024 * 1024;
const idleOpenings = idleTypes.map((type) => Buffer.from(`{"type":"${type}",`));

/** The agent writes a row some time after its calls begin to run. Milliseconds. */
const [maxWait, lookAgain] = [250, 10];

/** Searches a Claude Code transcript for calls, from its end, as soon as the present call is written. */
export const findCallsInContext: FindCallsInContext = async (transcript, calls) => {
  const deadline = performance.now() + maxWait;
  try {
    for (;;) {
      const { size } = await stat(transcript);
      const search = await searched(transcript, calls);
      if (!search.mayComeYet) return search.standing;
      while ((await stat(transcript)).size === size) {
        if (performance.now() > deadline) return new Set();
        await pause(lookAgain);
      }
    }
  } catch (error) {
    rethrowUnlessSystemError(error);
    return new Set();
  }
};

async function searched(transcript: string, calls: AskedCalls): Promise<ChainSearch> {
  const search = new ChainSearch(calls);
  for await (const row of rowsFromEnd(transcript, { most: maxRead, isIdle }))
    if (!isObject(row) || !search.takes(row)) break;
  return search;
}

/** Tests a line for a row that does not belong to a conversation. The agent writes the row's type first. */
function isIdle(line: Buffer): boolean {
  return idleOpenings.some(
    (opening) => line.length > opening.length && opening.equals(line.subarray(0, opening.length)),
  );
}
