import { mkdirSync, chmodSync } from "node:fs";
import path from "node:path";
import { ensurePrivateFolder, writePrivateFile } from "../../base/private-files.ts";
import { startOf, launcherFile } from "../../base/process.ts";
import type { Clock } from "../../base/timing.ts";
import { type Trajectory, markName } from "../../bench/drivers.ts";
import { runWithin, runProgram } from "../../bench/processes.ts";
import { findAgentProgram } from "../../continuity/handover.ts";
import { agents } from "../../transcripts/agents.ts";
import { addUsage, cacheCreation, noUsage } from "../../usage/token-counts.ts";
import { claudeSettings } from "../programs/claude.ts";
import { agentPrograms } from "../programs/programs.ts";
import type { ProgramResult, ProgramStart } from "./recurring-wake-ports.ts";
import { openSessionUsage } from "./session-usage.ts";
import { sentence } from "../../base/language.ts";

export interface ProgramHost {
  /** Of the user. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly clock: Clock;
  /** Command that runs `purser`: a runtime and its arguments. */
  readonly self: readonly string[];
  readonly isElectron: boolean;
  readonly bin: string;
  /** Responses of the main chain, and processing tokens. */
  readonly onProgress: (used: { readonly turns: number; readonly tokens: number }) => void;
}

/** Milliseconds. */
const interval = 2000;

/** Within the agent's limits, and with `purser` in its path. */
export async function startProgram(start: ProgramStart, host: ProgramHost): Promise<ProgramResult> {
  const { invocation, folder, variables, mark, signal, since, onSession } = start;
  const { agent } = invocation;
  const program = agentPrograms[agent.program];
  const places = { env: host.env, platform: process.platform };
  const found = await findAgentProgram(agent.program, places);
  if (found.file === null)
    return {
      ended: {
        how: "not-started",
        exitCode: null,
        output: sentence("no program {0} in the PATH", found.name).text,
        durationMs: 0,
      },
      limit: null,
    };
  if (agent.program === "claude") writeSettings(start);
  putPurser(host);
  const usage = await openSessionUsage(agent.program, since, { env: host.env, home: host.home });
  let sessionId = invocation.resume ?? invocation.sessionId;
  let output = "";
  let readAt = -Infinity;
  let last = trajectoryOf(null, sessionId);
  const readProgress = () => {
    const now = performance.now();
    if (now - readAt >= interval) {
      readAt = now;
      const next = trajectoryOf(usage.read(sessionId), sessionId);
      const isNew = next.turns !== last.turns;
      last = next;
      const { input, output } = next.usage;
      if (isNew) host.onProgress({ turns: next.turns, tokens: input + output + cacheCreation(next.usage) });
    }
    return last;
  };
  const limits = {
    tokens: agent.budget.wake,
    turns: agent.budget.turns,
    time: agent.budget.minutes * 60_000,
  };
  const run = startOf(found.file, program.arguments(invocation), process.platform);
  const { ended, limit } = await runWithin(
    { limits, signal, mark, onTrajectory: () => undefined },
    readProgress,
    (within) =>
      runProgram({
        file: run.file,
        args: run.args,
        cwd: folder,
        clock: host.clock,
        ...within,
        env: {
          ...agentEnvironment(host),
          ...program.environment(invocation),
          ...variables,
          [markName]: mark,
        },
        onOutput: (text) => {
          if (invocation.resume !== null || output.length > 64_000) return;
          output += text;
          const [, id] = /"thread_id":"([\w-]{1,100})"/u.exec(output) ?? [];
          if (id === undefined || id === sessionId) return;
          sessionId = id;
          onSession(id);
        },
      }),
  );
  return { ended, limit: limit?.kind === "limit" ? limit.detail : null };
}

function trajectoryOf(
  spent: ReturnType<Awaited<ReturnType<typeof openSessionUsage>>["read"]> | null,
  sessionId: string,
): Trajectory {
  return {
    sessionId,
    usage: (spent?.responses ?? []).reduce((sum, each) => addUsage(sum, each.usage), noUsage),
    turns: spent?.turns ?? 0,
    toolCalls: 0,
    tool: null,
    filesReread: 0,
  };
}

/** Without the variables that name an agent's session: a wake is not a tool of another agent. */
function agentEnvironment({ env, bin }: ProgramHost): Record<string, string> {
  const marks = new Set([
    "CLAUDECODE",
    "CLAUDE_CODE_ENTRYPOINT",
    // Agents read purser in English.
    "PURSER_LANG",
    ...agents.map((agent) => agent.sessionVariable),
  ]);
  const passed = Object.entries(env).flatMap(([name, value]) =>
    value === undefined || marks.has(name) ? [] : [[name, value] as const],
  );
  const all = Object.fromEntries(passed);
  const name = Object.keys(all).find((each) => each.toUpperCase() === "PATH") ?? "PATH";
  return { ...all, [name]: [bin, all[name] ?? ""].filter((each) => each !== "").join(path.delimiter) };
}

function writeSettings({ invocation, allowed }: ProgramStart): void {
  const place = ensurePrivateFolder(path.dirname(invocation.settings));
  if (!place.ok) throw new Error(place.detail.text);
  writePrivateFile(invocation.settings, JSON.stringify(claudeSettings(invocation.agent, allowed.ownSkills)));
}

/** Agents call `purser` by its name, which need not be in the user's path: VS Code brings it. */
function putPurser({ self, isElectron, bin }: ProgramHost): void {
  mkdirSync(bin, { recursive: true, mode: 0o700 });
  const { name, text } = launcherFile("purser", { self, isElectron }, process.platform);
  const file = path.join(bin, name);
  writePrivateFile(file, text);
  chmodSync(file, 0o700);
}
