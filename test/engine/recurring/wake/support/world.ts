import { plainSentence } from "../../../../../src/engine/base/language.ts";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Machine } from "../../../../../src/engine/base/process/machine.ts";
import { fail, succeed } from "../../../../../src/engine/base/result.ts";
import type { RecurringAgent } from "../../../../../src/engine/recurring/agents/definition.ts";
import type { TaskSource } from "../../../../../src/engine/recurring/tasks/tasks-source.ts";
import {
  task as taskSchema,
  type Task,
  type TaskComment,
} from "../../../../../src/engine/recurring/tasks/task.ts";
import type { AgentPlace } from "../../../../../src/engine/recurring/wake/agent-folder.ts";
import type {
  ProgramStart,
  WakePorts,
} from "../../../../../src/engine/recurring/wake/recurring-wake-ports.ts";
import type { WakeRow } from "../../../../../src/engine/ledger/woken.ts";
import { builtInCatalogue } from "../../../../../src/engine/usage/catalogue/catalogue.ts";
import { MemoryDisk } from "./memory-files.ts";

/** A process of purser that is killed at one of its steps. */
export interface PlayedProcess {
  readonly pid: number;
  isDead: boolean;
  /** Steps until it is killed. */
  stepsLeft: number;
}

/**
 * `refused` and `full`: a session exists but does not continue; `mute`: no session ever starts to work; `hung`: one
 * that continues gives no response; `other`: the program begins another session; `hooked`: a hook refuses the prompt;
 * `gone_and_quota`: the session is gone, and a new one cannot begin.
 */
type Ending =
  | "fine"
  | "gone"
  | "refused"
  | "full"
  | "mute"
  | "quota"
  | "broken"
  | "hung"
  | "other"
  | "hooked"
  | "gone_and_quota";

/** A machine with simulated agent programs. Concurrent or killed processes exist only in its memory. */
export class World {
  now = Date.parse("2026-11-27T08:00:00Z");
  readonly disk = new MemoryDisk(() => this.now);
  readonly ledger = new Map<string, WakeRow>();
  isLedgerUp = true;
  /** Agents' programs that run, by session and by agent. */
  readonly running = new Map<string, ProgramStart>();
  readonly overlaps: string[] = [];
  /** Every start of a program: its wake and agent. */
  readonly started: {
    readonly wake: string;
    readonly agent: string;
    readonly slot: number | null;
    /** Whether its program got a session. */
    readonly hasSession: boolean;
    readonly prompt: string;
    readonly resumed: string | null;
  }[] = [];
  readonly sessions = new Set<string>();
  readonly #workedAt = new Map<string, number>();
  /** Comments of every task. */
  readonly comments: TaskComment[] = [];
  readonly tasks: Task[];
  readonly #processes = new Map<number, PlayedProcess>();
  #serial = 0;
  #desks = path.join(tmpdir(), `purser-played-${process.pid}`);

  constructor(agents: readonly string[]) {
    this.tasks = agents.map((assignee, index) => ({
      ...taskSchema.parse({ id: `T${index}`, title: `Task ${index}`, state: "todo" }),
      assignee,
    }));
  }

  placeOf(name: string): AgentPlace {
    const folder = `/wakes/${name}`;
    return {
      folder,
      state: `${folder}/state.json`,
      agreement: `${folder}/agreement.json`,
      settings: `${folder}/settings.json`,
      desk: path.join(this.#desks, name),
    };
  }

  begin(stepsLeft: number): PlayedProcess {
    const pid = 1000 + (this.#serial += 1);
    const played = { pid, isDead: false, stepsLeft };
    this.#processes.set(pid, played);
    return played;
  }

  kill(played: PlayedProcess): void {
    played.isDead = true;
    // A created but unwritten file belongs to another process for a second.
    this.now += 5000;
  }

  portsFor(
    played: PlayedProcess,
    ending: Ending,
    slot: number | null,
    whileRunning: () => Promise<void>,
  ): WakePorts {
    const step = () => {
      if (!played.isDead && (played.stepsLeft -= 1) <= 0) this.kill(played);
      if (played.isDead) throw Object.assign(new Error("killed"), { code: "ENOENT" });
    };
    const files = this.disk.portOf(() => {
      if (!played.isDead && (played.stepsLeft -= 1) <= 0) this.kill(played);
      return played.isDead;
    });
    const machine: Machine = {
      id: { host: "h", boot: "b", processes: "p" },
      isAlive: (pid) => this.#processes.get(pid)?.isDead === false,
      startOf: (pid) => (this.#processes.get(pid)?.isDead === false ? String(pid) : null),
    };
    return {
      files,
      clock: { now: () => this.now },
      unique: () => `u${(this.#serial += 1)}`,
      pid: played.pid,
      machine,
      catalogue: builtInCatalogue,
      sourceOf: () => succeed(this.#source()),
      allowedOf: () =>
        succeed({
          ownSkills: [],
          skills: [],
          skillBytes: 0,
          skillsHash: "h",
          mcpConfig: null,
          hasInstructions: false,
        }),
      hasSession: ({ id }) => Promise.resolve(this.sessions.has(id)),
      isOpen: () => Promise.resolve(false),
      run: async (start) => {
        step();
        return await this.#run(start, { ending, slot, played, whileRunning, step });
      },
      spentBy: (agent, sessionId, since) => {
        step();
        return Promise.resolve(
          this.sessions.has(sessionId) && (this.#workedAt.get(sessionId) ?? 0) >= since
            ? { responses: [responseOf(agent, sessionId, since)], turns: 1 }
            : null,
        );
      },
      endLeft: (mark) => {
        step();
        for (const [name, start] of this.running) if (start.mark === mark) this.running.delete(name);
        return Promise.resolve();
      },
      agentsOf: () => Promise.resolve([]),
      carryForward: () => Promise.resolve(fail("no_document", plainSentence("played"))),
      check: () => Promise.resolve(succeed(null)),
      isAgreedCheck: () => true,
      learnedRotation: () => Promise.resolve(null),
      record: (wakes) => {
        step();
        if (this.isLedgerUp) for (const wake of wakes) this.ledger.set(wake.id, wake);
        // The answer may be lost with the process.
        step();
        return Promise.resolve(this.isLedgerUp);
      },
    };
  }

  async #run(
    start: ProgramStart,
    {
      ending,
      slot,
      played,
      whileRunning,
      step,
    }: {
      readonly ending: Ending;
      readonly slot: number | null;
      readonly played: PlayedProcess;
      readonly whileRunning: () => Promise<void>;
      readonly step: () => void;
    },
  ) {
    const { invocation, variables, mark } = start;
    const { name } = invocation.agent;
    if (this.running.has(name)) this.overlaps.push(`${name}: ${mark}`);
    this.running.set(name, start);
    const id = invocation.resume ?? invocation.sessionId;
    const { prompt, resume: resumed } = invocation;
    const isGone = resumed !== null && (ending === "gone" || ending === "gone_and_quota");
    const isRefused = ending === "mute" || (resumed !== null && isOnlyOfContinued(ending));
    const hasSession = !isGone && !isRefused && !["quota", "hooked", "gone_and_quota"].includes(ending);
    const wake = variables["PURSER_WAKE"] ?? "";
    this.started.push({ wake, agent: name, slot, hasSession, prompt, resumed });
    const used = resumed !== null && ending === "other" ? `${id}-other` : id;
    if (isGone) this.sessions.delete(id);
    else if (hasSession) {
      this.sessions.add(used);
      this.#workedAt.set(used, this.now);
    }
    await whileRunning();
    step();
    this.now += 1000;
    this.running.delete(name);
    const now = resumed === null && isOnlyOfContinued(ending) ? "fine" : ending;
    const isHung = resumed !== null && ending === "hung";
    return {
      ended: endOf(resumed === null && ending === "gone_and_quota" ? "quota" : now, used, played),
      limit: isHung ? plainSentence("time: 60 s") : null,
    };
  }

  #source(): TaskSource {
    return {
      list: () => Promise.resolve(succeed({ tasks: this.tasks, problems: [] })),
      read: (id) => {
        const task = this.tasks.find((each) => each.id === id);
        return Promise.resolve(
          task === undefined
            ? fail("no_such_task", plainSentence(id))
            : succeed({ task, comments: this.comments }),
        );
      },
      comment: () => Promise.resolve(succeed("c")),
      setState: () => Promise.resolve(succeed(null)),
    };
  }
}

/** Whether only a session that continues ends so; a new one ends well. */
function isOnlyOfContinued(ending: Ending): boolean {
  return ending === "gone" || ending === "refused" || ending === "full" || ending === "hung";
}

function endOf(ending: Ending, sessionId: string, { isDead }: PlayedProcess) {
  const exit = { how: "exit" as const, durationMs: 1000 };
  if (isDead) return { ...exit, exitCode: null, output: "" };
  const printed = (fields: object) => JSON.stringify({ type: "result", session_id: sessionId, ...fields });
  switch (ending) {
    case "refused":
    case "mute":
      return {
        ...exit,
        exitCode: 1,
        output: printed({ is_error: true, result: "API Error: 400 no tool_result" }),
      };
    case "full":
      return { ...exit, exitCode: 1, output: printed({ is_error: true, result: "Context limit reached" }) };
    case "hung":
      return { ...exit, how: "timeout" as const, exitCode: null, output: "" };
    case "hooked":
      return {
        ...exit,
        exitCode: 0,
        output: printed({
          is_error: false,
          result: "Operation blocked by hook: the budget is used\n\nOriginal prompt: Go on",
          usage: { input_tokens: 0, output_tokens: 0 },
        }),
      };
    case "other":
    case "fine":
      return { ...exit, exitCode: 0, output: printed({ is_error: false }) };
    case "gone":
    case "gone_and_quota":
      return { ...exit, exitCode: 1, output: `No conversation found with session ID: ${sessionId}` };
    case "quota":
      return { ...exit, exitCode: 1, output: printed({ is_error: true, result: "429 rate_limit" }) };
    case "broken":
      return { ...exit, exitCode: 1, output: printed({ is_error: true, result: "it broke" }) };
  }
}

function responseOf({ model }: RecurringAgent, sessionId: string, at: number) {
  const usage = { input: 10, output: 20, cacheCreation5m: 400, cacheCreation1h: 0, cacheRead: 8000 };
  return {
    messageId: `${sessionId}@${at}`,
    requestId: null,
    model,
    at,
    usage,
    sessionId,
    cwd: null,
    isSidechain: false,
  };
}
