import { median } from "../../base/numbers.ts";
import { measureNames, type Measure, type MeasureName, type Scorecard } from "../answers.ts";
import { characterScale, tokensOfCharacters } from "../../base/text/character-scale.ts";
import type { FiguresAnswer, SessionFigures } from "../../ledger/questions/continuity/session-figures.ts";
import type { ResumePacket } from "../packet/packet.ts";

/** Fewer sessions say nothing of what is usual. */
const fewest = 5;

/**
 * Compares a session with the user's other sessions: of the same project where there are enough, else of the same agent.
 *
 * @param packet what is known of its work; null where nothing is
 */
export function scorecardOf(
  { own, others, charactersPerToken }: FiguresAnswer,
  packet: Pick<ResumePacket, "done" | "open"> | null,
): Scorecard {
  const inProject = others.filter(({ project }) => project !== null && project === own.project);
  const of = inProject.length >= fewest ? "project" : "agent";
  const compared = of === "project" ? inProject : others;
  const { savedBytes, edited, verified } = own;
  return {
    sessionId: own.id,
    prompts: own.prompts,
    completed: own.completed,
    basis: compared.length < fewest ? null : { of, sessions: compared.length },
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
  const [least, most] = [values[0], values.at(-1)];
  const isTold = values.length >= fewest && least !== undefined && most !== undefined;
  return {
    name,
    value: measured[name](own),
    usual: isTold ? median(values) : null,
    range: isTold ? [least, most] : null,
  };
}

/** Null where the session does not tell: what is not known is not 0. */
const measured: Readonly<Record<MeasureName, (session: SessionFigures) => number | null>> = {
  tokens: ({ processing, completed }) => share(processing, completed),
  // A sum without the responses whose price is not known would look cheap.
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
