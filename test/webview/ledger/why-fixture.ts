import { sentence } from "../../../src/engine/base/language.ts";
import type { Why } from "../../../src/engine/ledger/why-answers.ts";
import { firstState, type WhyMessage } from "../../../src/webview/ledger/ledger-protocol.ts";
import { makeOverview, now } from "./fixtures.ts";

const [first, second] = makeOverview(5).sessions;

function proofOf(
  session: typeof first,
  usd: number,
  numbers: readonly number[],
): Why["clauses"][number]["proofs"] {
  if (session === undefined) return [];
  const { id, program, title, cwd, branch, firstAt, lastAt } = session;
  const turns = numbers.map((number) => ({ messageId: `msg_${number - 1}`, number }));
  return [{ session: { id, program, title, cwd, branch, firstAt, lastAt }, usd, turns }];
}

/** An explanation with two clauses, whose texts the engine makes. */
export const why: Why = {
  since: "2026-10-23",
  until: "2026-11-21",
  project: null,
  program: null,
  session: null,
  usd: 26.4,
  calls: 812,
  unpriced: 3,
  usual: {
    usd: 11.2,
    of: "days",
    count: 38,
    days: 1,
    text: sentence("Usual for a day: {0}, the median of {1}", "$11.20", "38"),
  },
  clauses: [
    {
      cause: "read-after-compaction",
      usd: 18.74,
      percent: 71,
      text: sentence("{0} files read again after a compaction", "4"),
      proofs: proofOf(first, 18.74, [61, 58, 64]),
      sessions: 1,
    },
    {
      cause: "more-than-usual",
      usd: 4.75,
      percent: 18,
      text: sentence(
        "More of {0} than usual: over {1} times as much",
        sentence("{0} in the project {1}", "Codex", "harbor-map"),
        "2",
      ),
      proofs: proofOf(second, 3.2, []),
      sessions: 4,
    },
  ],
  rest: { usd: 2.91, percent: 11, text: sentence("The rest, as usual") },
  change: {
    kind: "handover",
    usd: 17.9,
    text: sentence("Hand over to a new session before the context is compacted"),
    basis: sentence("The price of those reads, and of carrying them"),
  },
};

export function whyOfDays(over: Partial<Why> = {}, question = firstState.question): WhyMessage {
  return { type: "why", question, sessionId: null, why: { ...why, ...over } };
}

export function whyOfSession(id: string): WhyMessage {
  const session = {
    id,
    program: "claude-code",
    title: "Tides",
    cwd: "/tides",
    branch: null,
    firstAt: now,
    lastAt: now,
  };
  const [clause] = why.clauses;
  const turns = [12, 9].map((number) => ({ messageId: `msg_${number - 1}`, number }));
  const clauses = clause === undefined ? [] : [{ ...clause, proofs: [{ session, usd: clause.usd, turns }] }];
  const rest = { ...why.rest, percent: 29 };
  return { type: "why", question: null, sessionId: id, why: { ...why, session, clauses, rest } };
}
