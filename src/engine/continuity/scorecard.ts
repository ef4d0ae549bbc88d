import { median } from "../base/numbers.ts";
import {
  measureNames,
  type Measure,
  type MeasureName,
  type Scorecard,
  scorecard,
} from "./continuity-answers.ts";
import { characterScale, tokensOfCharacters } from "../base/format.ts";
import type { FiguresAnswer, SessionFigures } from "../ledger/continuity-questions.ts";
import { type ResumePacket, resumePacket } from "./packet/packet.ts";
import { readJson } from "../base/parse.ts";
import type { LedgerEntry } from "../ledger/entries.ts";

/** Minimum sessions for a median. */
const minSessions = 5;

/**
 * Compares a session with the user's other sessions: of the same project if there are enough, otherwise of
 * the same agent.
 * @param packet what is known about its work; null if nothing is
 */
export function scorecardOf(
  { own, others, charactersPerToken }: FiguresAnswer,
  packet: Pick<ResumePacket, "done" | "open"> | null,
): Scorecard {
  const inProject = others.filter(({ project }) => project !== null && project === own.project);
  const of = inProject.length >= minSessions ? "project" : "agent";
  const compared = of === "project" ? inProject : others;
  const { savedBytes, edited, verified } = own;
  return {
    sessionId: own.id,
    prompts: own.prompts,
    completed: own.completed,
    basis: compared.length < minSessions ? null : { of, sessions: compared.length },
    measures: measureNames.map((name) => compare(name, own, compared)),
    edits: edited === null || verified === null ? null : { edited, verified },
    savedByGuards:
      savedBytes === 0 ? null : tokensOfCharacters(savedBytes, characterScale(charactersPerToken)),
    savedByHandover: saved(own.handedTokens),
    savedByPacket: saved(own.packetTokens),
    done: (packet?.done ?? []).map(({ text }) => text),
    open: (packet?.open ?? []).map(({ text }) => text),
  };
}

/** A text that cost more tokens than it stands for has saved nothing. */
function saved(tokens: number | null): number | null {
  return tokens !== null && tokens > 0 ? tokens : null;
}

function compare(name: MeasureName, own: SessionFigures, others: readonly SessionFigures[]): Measure {
  const values = others.flatMap((each) => measured[name](each) ?? []).toSorted((one, other) => one - other);
  const [minimum, maximum] = [values[0], values.at(-1)];
  const hasMedian = values.length >= minSessions && minimum !== undefined && maximum !== undefined;
  return {
    name,
    value: measured[name](own),
    usual: hasMedian ? median(values) : null,
    range: hasMedian ? [minimum, maximum] : null,
  };
}

/** Null if the session lacks the measure: unknown is not 0. */
const measured: Readonly<Record<MeasureName, (session: SessionFigures) => number | null>> = {
  tokens: ({ processing, completed }) => share(processing, completed),
  // A sum without the responses of unknown price would look cheap.
  usd: ({ usd, unpriced, completed }) => (usd === null || unpriced > 0 ? null : share(usd, completed)),
  cache: ({ cacheRead, sent }) => share(cacheRead, sent),
  rereads: ({ rereads, reads }) => share(rereads, reads),
  failures: ({ failedCalls, judgedCalls }) => share(failedCalls, judgedCalls),
  loops: ({ loops }) => loops,
  compactions: ({ compactions }) => compactions,
  unverified: ({ edited, verified }) =>
    edited === null || verified === null ? null : share(edited - verified, edited),
};

function share(part: number, whole: number): number | null {
  return whole > 0 ? part / whole : null;
}

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
 * Returns a session's scorecard as of its end, with the medians of that time. Computes it if none is stored, or if
 * the session continued after the stored one.
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
