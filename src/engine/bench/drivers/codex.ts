import { textIfThere } from "../../base/files.ts";
import path from "node:path";
import { sentence, compose } from "../../base/language.ts";
import { appendFile, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { type Result, succeed, fail, errorCode } from "../../base/result.ts";
import { runProgram, type ProgramEnd } from "../execute/run-program.ts";
import type { AgentPorts } from "./claude/claude.ts";
import type { AgentEnd, AgentResult, AgentTask, Driver, NotReady, RunFolders, Trajectory } from "./driver.ts";
import { agentEnvironment } from "./run-environment.ts";
import { environmentSign } from "./environment-signs.ts";
import { runWithin } from "../processes.ts";
import { findRollouts, countRollouts, readRollout, type CodexRecord } from "../../transcripts/codex.ts";
import type { AgentSession } from "../../transcripts/agent-session.ts";
import { addUsage, noUsage } from "../../usage/token-counts.ts";
import type { TrajectoryTurn } from "../state/stored-trajectory.ts";
import { programName } from "./turn-list.ts";

interface CodexPorts extends AgentPorts {
  readonly config: string;
}

/** Variables that identify the user to Codex and locate its API. */
const codexNames = /^(?:OPENAI_\w+|CODEX_API_KEY|CODEX_ACCESS_TOKEN|AZURE_OPENAI_\w+)$/u;
const askTime = 30_000; // ms

/**
 * Runs the real Codex, headless. Codex has no agents of Claude Code's kind: the agent's instructions and memory become the project's
 * `AGENTS.md`. Its home belongs to the run, so that the user's settings, memories and sessions are neither read nor written; the login
 * there is a link to the user's, which Codex itself renews in place. (Seen with 0.169.0.)
 */
export class CodexDriver implements Driver {
  readonly name = "codex";
  readonly #ports: CodexPorts;

  constructor(ports: CodexPorts) {
    this.#ports = ports;
  }

  recordedBy(): readonly string[] {
    return [];
  }

  expected(): null {
    return null;
  }

  async ready(): Promise<Result<null, NotReady>> {
    const root = await mkdtemp(path.join(this.#ports.scratch, "purser-ask-"));
    try {
      const folders = {
        root,
        copy: root,
        home: root,
        temporary: path.join(root, "tmp"),
        config: path.join(root, "config"),
      };
      await mkdir(folders.temporary);
      await mkdir(folders.config);
      const isLinked = await this.#prepareHome(folders);
      const { program, env, config } = this.#ports;
      const within = { timeout: askTime, signal: AbortSignal.timeout(askTime) };
      const { how, exitCode } = await this.#run(["login", "status"], folders, "ask", within);
      if (how === "not-started" || exitCode === 127)
        return fail("not_installed", sentence("Codex not found: no program {0} on the PATH", program));
      const hasKey = (env["CODEX_API_KEY"] ?? "") !== "" || config !== "";
      if (exitCode === 0 || hasKey) return succeed(null);
      return fail(
        "not_logged_in",
        isLinked
          ? sentence("Codex is not logged in: run codex login, or set CODEX_API_KEY")
          : sentence(
              "Codex is not logged in; its login could not be linked: run codex login, or set CODEX_API_KEY",
            ),
      );
    } finally {
      await rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    }
  }

  async run(task: AgentTask): Promise<AgentResult> {
    const { folders, configuration } = task;
    await this.#prepareHome(folders);
    await writeInstructions(folders.copy, task.definition, configuration.memory);
    const startedAt = this.#ports.clock.now();
    const readProgress = () => readCodexRun(folders.config, folders.copy, startedAt).trajectory;
    const { prompt } = task.task;
    const args = [
      "exec",
      "--skip-git-repo-check",
      "--sandbox",
      "workspace-write",
      "--color",
      "never",
      "-m",
      configuration.model,
      ...(configuration.effort === null
        ? []
        : ["-c", `model_reasoning_effort=${JSON.stringify(configuration.effort)}`]),
      prompt.startsWith("-") ? ` ${prompt}` : prompt,
    ];
    const { ended, limit } = await runWithin(task, readProgress, (within) =>
      this.#run(args, folders, task.mark, within),
    );
    const { trajectory, turns } = readCodexRun(folders.config, folders.copy, startedAt);
    const end = task.signal.aborted
      ? { kind: "cancelled" as const }
      : (limit ?? endOf(ended, this.#ports.program));
    return { end, trajectory, turns, recordedBy: null };
  }

  /** Writes the run's configuration and links the user's login. Returns whether the link was made. */
  async #prepareHome({ config: home }: RunFolders): Promise<boolean> {
    const { config, env, userHome } = this.#ports;
    await writeFile(path.join(home, "config.toml"), config);
    const configured = env["CODEX_HOME"] ?? "";
    const login = path.join(configured === "" ? path.join(userHome, ".codex") : configured, "auth.json");
    try {
      await symlink(login, path.join(home, "auth.json"), "file");
      return true;
    } catch (error) {
      // On Windows not every user may create links.
      if (["EPERM", "EEXIST"].includes(errorCode(error))) return false;
      throw error;
    }
  }

  #run(
    args: readonly string[],
    folders: RunFolders,
    mark: string,
    within: { timeout: number; signal: AbortSignal },
  ): Promise<ProgramEnd> {
    const { program, env, clock } = this.#ports;
    return runProgram({
      file: program,
      args,
      cwd: folders.copy,
      clock,
      ...within,
      env: {
        ...agentEnvironment(env, folders, mark, (name) => codexNames.test(name)),
        CODEX_HOME: folders.config,
      },
    });
  }
}

/** Appends the agent's instructions and memory to the configuration's own `AGENTS.md`. */
async function writeInstructions(copy: string, definition: string, memory: string | null): Promise<void> {
  const body = definition.replace(/^\uFEFF?---[ \t]*\r?\n[\s\S]*?\r?\n---[ \t]*(?:\r?\n|$)/u, "");
  const file = path.join(copy, "AGENTS.md");
  const before = (await textIfThere(file)) ?? "";
  const parts = [body.trim(), ...(memory === null ? [] : [`# Memory\n\n${memory.trim()}`])];
  await appendFile(file, `${before === "" ? "" : "\n\n"}${parts.join("\n\n")}\n`);
}

function endOf({ how, exitCode, output }: ProgramEnd, program: string): AgentEnd {
  if (how === "not-started")
    return { kind: "environment", detail: sentence("{0} could not be started", program) };
  if (exitCode === 0) return { kind: "ended" };
  const last = output.trim().slice(-500);
  const sign = environmentSign(last);
  return sign === null
    ? {
        kind: "failed",
        detail: compose`${sentence("it ended with exit code {0}", exitCode ?? "none")}: ${last}`,
      }
    : { kind: "environment", detail: compose`${sign}: ${last}` };
}

interface CodexRun {
  readonly trajectory: Trajectory;
  readonly turns: readonly TrajectoryTurn[];
}

/** @param home the run's own `CODEX_HOME` @param copy the folder the agent works in */
function readCodexRun(home: string, copy: string, startedAt: number): CodexRun {
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
