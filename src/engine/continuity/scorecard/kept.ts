import { readJson } from "../../base/parse.ts";
import type { LedgerEntry } from "../../ledger/entries.ts";
import type { FiguresAnswer } from "../../ledger/continuity-questions.ts";
import { scorecard, type Scorecard } from "../answers.ts";
import { scorecardOf } from "./scorecard.ts";
import { resumePacket, type ResumePacket } from "../packet/packet.ts";

/**
 * Maximum stored lines of finished and of open work, and characters per line: a card stays small next to its
 * session.
 */
const [maxLines, maxLineLength] = [12, 300];

/**
 * Makes the ledger's entry of a session's scorecard.
 * @param at milliseconds since the epoch
 */
export function scorecardEntryOf(card: Scorecard, at: number): LedgerEntry {
  const short = (lines: readonly string[]) =>
    lines.slice(-maxLines).map((line) => line.slice(0, maxLineLength));
  const kept = { ...card, done: short(card.done), open: short(card.open) };
  return { kind: "scorecard", sessionId: card.sessionId, at, card: JSON.stringify(kept) };
}

/**
 * Returns a session's scorecard as of its end, with the medians of that time. Computes it again if the
 * session went on since, or if none is stored.
 * @param packet its newest packet, and @param kept its scorecard, as the ledger stores them
 */
export function shownScorecard(
  figures: FiguresAnswer,
  { packet, kept }: { readonly packet: string | null; readonly kept: string | null },
): Scorecard {
  const now = scorecardOf(figures, readPacket(packet));
  const then = readJson(scorecard, kept);
  return then !== null && tellsAll(then, now) ? then : now;
}

/** Whether the session is unchanged since its card was made. */
function tellsAll(then: Scorecard, now: Scorecard): boolean {
  const tokensOf = ({ measures }: Scorecard) => measures.find(({ name }) => name === "tokens")?.value;
  return then.prompts === now.prompts && then.completed === now.completed && tokensOf(then) === tokensOf(now);
}

/** Reads a packet as the ledger stores it. Null if there is none, or if it has another version. */
export function readPacket(text: string | null): ResumePacket | null {
  return readJson(resumePacket, text);
}
