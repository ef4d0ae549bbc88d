import { errorCode } from "../../../base/error-code.ts";
import { rowsFromEnd } from "../../standing/rows-from-end.ts";
import type { StandingCalls } from "../../standing/calls-in-context.ts";
import { isObject } from "../row-fields.ts";
import { ChainSearch, idleTypes } from "./chain-search.ts";

/** What lies further back is not looked for: a hook waits. Bytes. */
const mostRead = 6 * 1024 * 1024;
const idleOpenings = idleTypes.map((type) => Buffer.from(`{"type":"${type}",`));

/** Looks for calls in a transcript of Claude Code, from its end. */
export const standingCalls: StandingCalls = async (transcript, calls) => {
  const search = new ChainSearch(calls);
  try {
    for await (const row of rowsFromEnd(transcript, { most: mostRead, isIdle }))
      if (!isObject(row) || !search.takes(row)) break;
  } catch (error) {
    errorCode(error);
    return new Set();
  }
  return search.standing;
};

/** Tests a line for a row that tells of no conversation: the agent writes their types first. */
function isIdle(line: Buffer): boolean {
  return idleOpenings.some(
    (opening) => line.length > opening.length && opening.equals(line.subarray(0, opening.length)),
  );
}
