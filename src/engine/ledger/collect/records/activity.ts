import { scrubStart } from "../../../base/scrub.ts";
import type {
  AgentSession,
  AgentCall,
  AgentCompaction,
  AgentTurn,
} from "../../../transcripts/agent-session.ts";
import type { Attribution } from "../../../transcripts/records.ts";
import { addUsage, cacheCreation, noUsage } from "../../../usage/token-counts.ts";
import type { LedgerEntry } from "../../entries/entries-entry.ts";
import { branchOrNull, cappedCount, idOrNull, nameOrNull } from "../fitting.ts";
import { ownAgentOf, shortened, timeOf } from "./records-entries.ts";

type Facts = AgentSession["facts"];

/** The ledger entries for the activity in a session's file. Copies of another session's activity are left out. */
export function activityEntries(
  { facts, activity }: Pick<AgentSession, "facts" | "activity">,
  attribution: Attribution,
): LedgerEntry[] {
  const sessionId = idOrNull(facts.sessionId);
  if (sessionId === null) return [];
  const reporter = new ActivityMapper({ facts, sessionId, attribution });
  const ownTurns = activity.turns.map((turn, index) => reporter.isOwnTurn(turn, index));
  const ofTurns = new Map<number | null, AgentCall[]>();
  for (const call of activity.calls) {
    if (!reporter.isOwnCall(call)) continue;
    const calls = ofTurns.get(call.turn);
    if (calls === undefined) ofTurns.set(call.turn, [call]);
    else calls.push(call);
  }
  return [
    ...reporter.subagents(activity.parts),
    ...[...ofTurns.values()].flat().flatMap((call) => reporter.call(call)),
    ...activity.compactions
      .filter(
        ({ origin, turn }) => origin === "own" || (origin === "unsure" && ownTurns[turn ?? -1] === true),
      )
      .flatMap((compaction) => reporter.compaction(compaction)),
    ...activity.turns.flatMap((turn, index) =>
      turn.hasStopped && ownTurns[index] === true
        ? reporter.run(turn, { index, calls: ofTurns.get(index) ?? [], parts: activity.parts })
        : [],
    ),
  ];
}

class ActivityMapper {
  readonly #facts: Facts;
  readonly #sessionId: string;
  readonly #attribution: Attribution;

  constructor(of: { facts: Facts; sessionId: string; attribution: Attribution }) {
    this.#facts = of.facts;
    this.#sessionId = of.sessionId;
    this.#attribution = of.attribution;
  }

  /** A prompt without a response is not a run, unless the agent reports that it failed to get one. */
  isOwnTurn(turn: AgentTurn, index: number): boolean {
    if (turn.origin === "copied") return false;
    const isFailure = turn.origin === "own" && turn.isFailed && turn.records.length === 0;
    return isFailure || this.#attribution.responsesOf(turn, index).length > 0;
  }

  isOwnCall(call: AgentCall): boolean {
    return call.origin === "own" || (call.origin === "unsure" && this.#attribution.messageOf(call) !== null);
  }

  call(call: AgentCall): LedgerEntry[] {
    const { at, tool, server, skill, inputChars, resultChars, durationMs, isError, reads } = call;
    const id = shortened(`${this.#facts.agent} ${this.#sessionId} ${call.id}`);
    const messageId = this.#attribution.messageOf(call);
    const of = { sessionId: this.#sessionId, agentId: this.#agentOf(call), at: timeOf(at) };
    const entry: LedgerEntry = {
      kind: "tool-call",
      id,
      ...of,
      tool,
      durationMs,
      isError,
      messageId: messageId === null ? null : shortened(messageId),
      server: nameOrNull(server),
      skill: nameOrNull(skill),
      inputChars: inputChars === null ? null : cappedCount(inputChars),
      resultChars: resultChars === null ? null : cappedCount(resultChars),
    };
    const paths = (reads ?? []).flatMap((path) => nameOrNull(path) ?? []);
    return [
      entry,
      ...paths.map((path, index): LedgerEntry => {
        // With several paths, it is unknown which part of the result belongs to which.
        const chars = paths.length === 1 ? (entry.resultChars ?? null) : null;
        return { kind: "file-read", id: index === 0 ? id : `${id} ${index}`, ...of, path, chars };
      }),
    ];
  }

  compaction({ id: own, at, trigger, model, preTokens, postTokens, ...of }: AgentCompaction): LedgerEntry[] {
    const agentId = this.#agentOf(of);
    const id = this.#idOf(agentId, `compaction ${own}`);
    if (id === null) return [];
    const common = {
      id,
      sessionId: this.#sessionId,
      agentId,
      at: timeOf(at),
      trigger,
      model: nameOrNull(model),
    };
    return [{ kind: "compaction", ...common, isSidechain: false, longContext: false, preTokens, postTokens }];
  }

  run(
    turn: AgentTurn,
    { index, calls, parts }: { index: number; calls: readonly AgentCall[]; parts: Parts },
  ): LedgerEntry[] {
    const agentId = this.#agentOf(turn);
    const id = this.#idOf(agentId, turn.id);
    if (id === null) return [];
    const responses = this.#attribution.responsesOf(turn, index);
    const last = responses.at(-1);
    const used = responses.reduce((sum, { usage }) => addUsage(sum, usage), noUsage);
    const [startedAt, endedAt] = [timeOf(turn.startedAt), timeOf(turn.endedAt)];
    const hasTimes = startedAt !== null && endedAt !== null && endedAt >= startedAt;
    // The first turn of a conversation without inherited history starts a session, or a subagent's own.
    const isFresh = turn.isFirst && this.#facts.kind !== "fork";
    return [
      {
        kind: "run",
        id,
        sessionId: this.#sessionId,
        startedAt,
        endedAt,
        promptChars: turn.promptChars,
        agent: this.#typeOf(agentId, parts),
        project: nameOrNull(last?.cwd ?? this.#facts.cwd),
        branch: branchOrNull(this.#facts.branch),
        model: nameOrNull(last?.model ?? null),
        durationMs: turn.durationMs ?? (hasTimes ? endedAt - startedAt : null),
        input: cappedCount(used.input),
        output: cappedCount(used.output),
        cacheCreation: cappedCount(cacheCreation(used)),
        cacheRead: cappedCount(used.cacheRead),
        toolCalls: calls.length,
        filesReread: rereadIn(calls),
        completed: turn.isCompleted,
        freshSession: isFresh,
        sessionReused: !isFresh,
      },
    ];
  }

  subagents(parts: Parts): LedgerEntry[] {
    const sessionId = this.#sessionId;
    const own = ownAgentOf(this.#facts);
    const itself: LedgerEntry[] =
      own === null ? [] : [{ kind: "subagent", sessionId, agentId: own, type: this.#typeOf(own, parts) }];
    const inside = parts.flatMap(({ agentId, type, description }): LedgerEntry[] => {
      const id = idOrNull(agentId);
      if (id === null) return [];
      const subagent = { kind: "subagent", sessionId, agentId: id, type: nameOrNull(type) } as const;
      return [
        {
          ...subagent,
          description:
            description === null
              ? null
              : scrubStart(description, 10 * maxDescriptionLength).slice(0, maxDescriptionLength),
        },
      ];
    });
    return [...itself, ...inside];
  }

  #agentOf({ agentId }: { agentId: string | null }): string | null {
    return agentId === null ? ownAgentOf(this.#facts) : idOrNull(agentId);
  }

  #typeOf(agentId: string | null, parts: Parts): string {
    if (agentId === null) return "main";
    const type =
      agentId === ownAgentOf(this.#facts)
        ? this.#facts.agentType
        : (parts.find((part) => part.agentId === agentId)?.type ?? null);
    return (type === "" ? null : type)?.slice(0, maxTypeLength) ?? "subagent";
  }

  #idOf(agentId: string | null, own: string): string | null {
    return idOrNull(`${this.#sessionId}${agentId === null ? "" : `#${agentId}`}:${own}`);
  }
}

type Parts = AgentSession["activity"]["parts"];

/** Characters. */
const [maxTypeLength, maxDescriptionLength] = [200, 200];

/** Number of files read at least twice; null if some call does not name its files. */
function rereadIn(calls: readonly AgentCall[]): number | null {
  const times = new Map<string, number>();
  for (const { reads } of calls) {
    if (reads === null) return null;
    for (const path of reads) times.set(path, (times.get(path) ?? 0) + 1);
  }
  return [...times.values()].filter((count) => count > 1).length;
}
