import path from "node:path";
import { findRollouts, countRollouts, readRollout, type CodexRecord } from "../../../transcripts/codex.ts";
import type { AgentSession } from "../../../transcripts/agent-session.ts";
import { addUsage, noUsage } from "../../../usage/token-counts.ts";
import type { TrajectoryTurn } from "../../state/stored-trajectory.ts";
import type { Trajectory } from "../driver.ts";
import { programName } from "../program-name.ts";

/** A run built from its rollouts: the session's own and its subagents'. */
export interface CodexRun {
  readonly trajectory: Trajectory;
  readonly turns: readonly TrajectoryTurn[];
}

/** @param home the run's own `CODEX_HOME` @param copy the folder the agent works in */
export function readCodexRun(home: string, copy: string, startedAt: number): CodexRun {
  const sessions = findRollouts([path.join(home, "sessions")]).files.flatMap((file) => {
    const read = readRollout(file.path);
    return read.ok ? [read.value] : [];
  });
  const counted = new Set(countRollouts(sessions));
  const turns = sessions
    .flatMap((session) => turnsOf(session, counted, copy, startedAt))
    .toSorted((one, other) => (one.at ?? 0) - (other.at ?? 0));
  const calls = sessions.flatMap(({ activity }) => activity.calls);
  const reads = calls.flatMap((call) => call.reads ?? []);
  const last = calls.at(-1);
  const main = sessions.find(({ facts }) => facts.kind === "main")?.facts;
  const trajectory = {
    ...programName(main?.agentVersion ?? null, main?.model ? [main.model] : []),
    sessionId: main?.sessionId ?? null,
    usage: turns.reduce((sum, { usage }) => addUsage(sum, usage), noUsage),
    turns: turns.filter(({ isSidechain }) => !isSidechain).length,
    toolCalls: calls.length,
    tool: last?.tool ?? null,
    filesReread: new Set(reads.filter((file, index) => reads.indexOf(file) !== index)).size,
  };
  return { trajectory, turns };
}

/**
 * Returns a session's turns. Codex records which files a call read, and no other part of its input.
 */
function turnsOf(
  { facts, records, activity }: AgentSession<CodexRecord>,
  counted: ReadonlySet<CodexRecord>,
  copy: string,
  startedAt: number,
): TrajectoryTurn[] {
  return records.flatMap((record, index) => {
    if (!counted.has(record)) return [];
    const calls = activity.calls
      .filter((call) => call.record === index)
      .map(({ tool, reads, isError }) => ({
        tool,
        target:
          reads === null || reads.length === 0
            ? null
            : reads.map((file) => path.relative(copy, file)).join(" "),
        isError: isError === true,
      }));
    const at = record.at === null ? null : Math.max(0, record.at - startedAt);
    return [{ at, usage: record.usage, calls, text: null, isSidechain: facts.kind === "subagent" }];
  });
}
