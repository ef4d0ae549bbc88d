import { current } from "./self-check.ts";
import { isoTime } from "../terminal-text.ts";
import { sentence } from "../../base/language.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import { printedJson } from "../../base/text.ts";
import { shownScorecard } from "../../continuity/learning.ts";
import type { Scorecard } from "../../continuity/continuity-answers.ts";
import type { CompactionDiff, SessionState } from "../../ledger/ledger-answers.ts";
import { ownSession } from "../../transcripts/agents.ts";
import { jsonOf, quoted } from "../args.ts";
import { command } from "../command.ts";
import { readLedger } from "../ledger/ledger-access.ts";
import type { CliHost } from "../cli-ports.ts";
import { styleFor } from "../style.ts";
import { scorecardText } from "./scorecard-text.ts";
import { showText, type SessionShowJson } from "./show-text.ts";

/** An agent's name for its own session where it does not know the id. */
export const sessionCommand = command({
  name: "session",
  title: "how a session's work is going",
  terms: {
    ID: 'session ID; its start is enough, and "current" is the session that runs this command (default: the most recent session)',
  },
  options: { json: jsonOf("session-show") },
  subcommands: {
    show: {
      words: "[ID] [--json]",
      does: "phase, trust, focus, files, errors, compactions, and what it took compared with your other sessions",
      argument: { offers: "sessions" },
      takes: ["json"],
      run: async ({ options, first }, host) => {
        const found = await readState(first, host);
        if (!found.ok) return found;
        const json = showJson(found.value);

        if (options.has("json")) host.stdout.write(`${printedJson(json, 2)}\n`);
        else {
          const style = styleFor(host);
          const { scorecard } = found.value;
          const compared = scorecard === null ? "" : scorecardText(scorecard, style);
          host.stdout.write(showText(json, { style, now: host.now() }));
          if (compared !== "") host.stdout.write(`\n${compared}`);
        }
        return 0;
      },
    },
  },
  notes: `
What the session took is compared with the median of your other sessions in the same project, else of the same agent; at least 5 are needed. For a
session that has ended, the comparison is the one made at its end. What a packet or a handover saved is the context at the last call before
it, minus its own tokens.

Trust is 100 minus 4 per failure in the last 20 calls (at most 40), 4 per edited file without a passed check since (at most 24), 8 per dead
end (at most 16), and 20 in a loop. Focus is 100 minus deductions for working in more than two parts of the project, switching between them,
and reading without editing. A phase is Late when less than 25% of the context is left. The lower an agent's trust, the more guards tell it;
their thresholds follow the phase. All this needs hooks (purser hooks install) and guards that are not off; compactions and the comparison
do not.
`,
});

interface Found {
  readonly session: Pick<SessionState, "sessionId" | "program" | "folder">;
  /** Null if guards recorded none. */
  readonly state: SessionState | null;
  /** Whether an earlier version counted it, and its transcript was not read since. */
  readonly isCountedBefore: boolean;
  readonly compactions: readonly CompactionDiff[];
  readonly scorecard: Scorecard | null;
}

async function readState(wanted: string, host: CliHost): Promise<Result<Found>> {
  const id = wanted === current ? ownSession(host.env)?.id : wanted;
  if (id === undefined)
    return fail("no_such_session", sentence("no agent says which session runs this command"));
  const states = await askLedger(id === "" ? null : id, host);
  if (!states.ok) return states;
  const [found, another] = states.value;
  if (found !== undefined && another === undefined) return succeed(found);
  const shown = quoted(id.slice(0, 60));
  if (another !== undefined)
    return fail("no_such_session", sentence("several sessions begin with {0}: give more of it", shown));
  return fail(
    "no_such_session",
    id === ""
      ? sentence("no session is known; check with purser hooks status whether agents report to purser")
      : sentence("there is no session with the ID {0}", shown),
  );
}

async function askLedger(id: string | null, host: CliHost): Promise<Result<Found[]>> {
  const read = await readLedger(host, async (ledger) => {
    const found: Found[] = [];
    const states = await ledger.ask("sessionStates", { id });
    const named = states.length > 0 ? [] : await ledger.ask("sessionsNamed", id);
    const sessions: readonly Pick<Found, "session" | "state">[] = [
      ...states.map((state) => ({ session: state, state })),
      ...named.map(({ id: sessionId, program, cwd }) => ({
        session: { sessionId, program, folder: cwd },
        state: null,
      })),
    ];
    for (const { session, state } of sessions) {
      const { sessionId } = session;
      const [facts] = await ledger.ask("sessionsNamed", sessionId);
      const isCountedBefore = facts?.id === sessionId && facts.isCountedBefore;
      const compactions = await ledger.ask("compactionDiffs", sessionId);
      const figures = await ledger.ask("sessionFigures", sessionId);
      const packet = await ledger.ask("packetOf", sessionId);
      const stored = await ledger.ask("storedScorecard", sessionId);
      const scorecard = figures === null ? null : shownScorecard(figures, { packet, kept: stored });
      found.push({ session, state, isCountedBefore, compactions, scorecard });
    }
    return found;
  });
  return read.ok ? succeed(read.value ?? []) : read;
}

function showJson({ session, state, isCountedBefore, compactions, scorecard }: Found): SessionShowJson {
  const { sessionId, program, folder } = session;
  const details = state?.details ?? null;
  return {
    schema: 1,
    session: sessionId,
    cli: program,
    folder,
    countedBefore: isCountedBefore,
    turn: state?.turn ?? null,
    asOf: isoTime(state?.at ?? null),
    phase: state?.phase ?? null,
    trust: state?.trust ?? null,
    focus: state?.focus ?? null,
    calls: state?.calls ?? null,
    errors: state?.errors ?? null,
    switches: state?.switches ?? null,
    deadEnds: state?.deadEnds ?? null,
    edited: state?.edited ?? null,
    verified: state?.verified ?? null,
    unverified: details?.unverified ?? [],
    loop: details?.loop ?? null,
    percentLeft: details?.left ?? null,
    thresholds:
      details === null
        ? null
        : {
            repeats: details.repeatsBeforeTelling,
            edits: details.editsBeforeTelling,
            reads: details.readsBeforeTelling,
          },
    budget: details === null ? null : { pieces: details.pieces, characters: details.characters },
    compactions: compactions.map((diff) => ({
      id: diff.id,
      at: isoTime(diff.at),
      trigger: diff.trigger,
      kept: diff.kept.map(({ kind, text, turn: seen }) => ({ kind, text, turn: seen })),
      lost: diff.lost.map(({ kind, text, turn: seen, back }) => ({ kind, text, turn: seen, back })),
    })),
    scorecard,
  };
}
