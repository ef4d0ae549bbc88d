import { parseJson } from "../../base/parse-json.ts";
import type { LedgerEntry } from "../../ledger/entries/entries-entry.ts";
import type { FiguresAnswer } from "../../ledger/questions/continuity/session-figures.ts";
import { scorecard, type Scorecard } from "../answers.ts";
import { scorecardOf } from "./scorecard.ts";
import { resumePacket, type ResumePacket } from "../packet/packet.ts";

/** Lines of finished and of open work that are kept, and characters of one: a card stays small beside what its session was. */
const [mostLines, longestLine] = [12, 300];

/** Makes the ledger's entry of what a session came to. @param at milliseconds since the epoch */
export function scorecardEntryOf(card: Scorecard, at: number): LedgerEntry {
  const short = (lines: readonly string[]) =>
    lines.slice(-mostLines).map((line) => line.slice(0, longestLine));
  const kept = { ...card, done: short(card.done), open: short(card.open) };
  return { kind: "scorecard", sessionId: card.sessionId, at, card: JSON.stringify(kept) };
}

/**
 * Returns what a session came to: as it was when the session ended, with the median of that time, unless the session went on since or nothing
 * was kept.
 *
 * @param packet its newest packet, and @param kept its scorecard, as the ledger stores them
 */
export function shownScorecard(
  figures: FiguresAnswer,
  { packet, kept }: { readonly packet: string | null; readonly kept: string | null },
): Scorecard {
  const now = scorecardOf(figures, readPacket(packet));
  const then = scorecard
    .nullable()
    .catch(null)
    .parse(parseJson(kept ?? ""));
  return then !== null && tellsAll(then, now) ? then : now;
}

/** Whether nothing was added to the session since its card was made. */
function tellsAll(then: Scorecard, now: Scorecard): boolean {
  const tokensOf = ({ measures }: Scorecard) => measures.find(({ name }) => name === "tokens")?.value;
  return then.prompts === now.prompts && then.completed === now.completed && tokensOf(then) === tokensOf(now);
}

/** Reads a packet as the ledger stores it; null for none, and for one of another version. */
export function readPacket(text: string | null): ResumePacket | null {
  return resumePacket
    .nullable()
    .catch(null)
    .parse(parseJson(text ?? ""));
}
