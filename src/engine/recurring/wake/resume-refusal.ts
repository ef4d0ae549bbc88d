import type { WakeRow } from "../../ledger/woken.ts";
import { mapSentence, sentence, type Sentence, plainSentence } from "../../base/language.ts";
import type { AgentProgram } from "../programs/program.ts";
import type { ProgramResult } from "./recurring-wake-ports.ts";

/** Null if the session did continue. */
export function refusalOf(
  program: Pick<AgentProgram, "isGone">,
  { ended }: Pick<ProgramResult, "ended">,
  row: WakeRow,
): { readonly isGone: boolean; readonly detail: Sentence } | null {
  if (program.isGone(ended)) return { isGone: true, detail: sentence("it is gone") };
  // An error before any response: nothing was spent, and the session would fail again next time.
  return row.outcome === "failed" && isSilent(row)
    ? { isGone: false, detail: mapSentence(row.detail ?? plainSentence(""), (text) => text.slice(0, 300)) }
    : null;
}

/** No response came until the wake's time was over. */
export function isStuck(row: WakeRow): boolean {
  return row.outcome === "limit" && isSilent(row);
}

/** Neither the session's files nor its program know of a response. */
function isSilent({ turns, rawInput }: WakeRow): boolean {
  return turns === 0 && (rawInput ?? 0) === 0;
}
