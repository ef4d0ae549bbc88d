import { randomUUID } from "node:crypto";
import path from "node:path";
import { nodeFiles } from "../../base/files.ts";
import type { PurserPaths } from "../../base/paths.ts";
import { thisMachine } from "../../base/process.ts";
import type { Result } from "../../base/result.ts";
import type { Clock } from "../../base/timing.ts";
import { killMarked } from "../../bench/processes.ts";
import { type UnattendedWork, handoverWords, type HandoverWord } from "../../continuity/handover.ts";
import type { WakeRow } from "../../ledger/woken.ts";
import type { Catalogue } from "../../usage/catalogue.ts";
import { agentOf } from "../../transcripts/agents.ts";
import { readAllowed } from "../programs/allowed.ts";
import { runTaskCheck } from "../tasks/own-check.ts";
import { openTaskSource } from "../consent/task-source.ts";
import { hasAgreedToCheck, readAgreement } from "../consent/agreement.ts";
import { agentsOf, type AgentPlace } from "./agent-folder.ts";
import type { WakePorts } from "./recurring-wake-ports.ts";
import { hasSession, isSessionOpen, openSessionUsage } from "./session-usage.ts";
import { startProgram } from "./start-program.ts";

export interface WakeHost {
  readonly paths: Pick<PurserPaths, "wakes">;
  /** The agent's own folder. */
  readonly place: AgentPlace;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly clock: Clock;
  readonly pid: number;
  readonly signal: AbortSignal;
  readonly self: readonly string[];
  readonly isElectron: boolean;
  readonly catalogue: Catalogue;
  /** By the session's id. */
  readonly handOver: (sessionId: string, work: UnattendedWork) => Promise<Result<string>>;
  readonly record: (wakes: readonly WakeRow[]) => Promise<boolean>;
  readonly learnedRotation: WakePorts["learnedRotation"];
  /** Responses of the main chain, and processing tokens. */
  readonly onProgress?: (used: { readonly turns: number; readonly tokens: number }) => void;
}

/** Interval in milliseconds, and maximum reads, until session files show the last response. */
const [settleTime, settleTries] = [100, 20];

export function createWakePorts(host: WakeHost): WakePorts {
  const { env, home, clock, pid, signal, catalogue, place } = host;
  const places = { env, home };
  return {
    files: nodeFiles,
    clock,
    unique: randomUUID,
    pid,
    machine: thisMachine(),
    catalogue,
    sourceOf: (agent, project) => openTaskSource(agent, place, { project, env, clock, signal }),
    allowedOf: (agent, folder) => {
      const [config = path.join(home, ".claude")] = agentOf("claude-code").roots(places);
      return readAllowed(agent, { folder, config, home });
    },
    hasSession: async ({ program, id }) => {
      const word = wordOf(program);
      return word !== undefined && (await hasSession(word, id, places));
    },
    isOpen: async ({ program, id }) => {
      const word = wordOf(program);
      return word !== undefined && (await isSessionOpen(word, id, places, clock.now()));
    },
    run: (start) =>
      startProgram(start, {
        env,
        home,
        clock,
        self: host.self,
        isElectron: host.isElectron,
        bin: path.join(host.paths.wakes, "bin"),
        onProgress: host.onProgress ?? (() => undefined),
      }),
    spentBy: async ({ program }, sessionId, since) => {
      const usage = await openSessionUsage(program, since, places);
      let spent = usage.read(sessionId);
      // A program may write its last lines a moment after its end.
      for (let tries = 0; spent.responses.length === 0 && tries < settleTries; tries += 1) {
        await new Promise((resolve) => setTimeout(resolve, settleTime));
        spent = usage.read(sessionId);
      }
      return spent;
    },
    endLeft: async (mark) => void (await killMarked(mark)),
    agentsOf: (project) => agentsOf(host.paths.wakes, project),
    carryForward: (session, work) => host.handOver(session.id, work),
    check: (command, folder) => runTaskCheck(command, { cwd: folder, env, signal, clock }),
    isAgreedCheck: (command) => hasAgreedToCheck(readAgreement(place), command),
    record: host.record,
    learnedRotation: host.learnedRotation,
  };
}

function wordOf(program: string): HandoverWord | undefined {
  return handoverWords.find((word) => word === program);
}
