import path from "node:path";
import * as z from "zod/mini";
import { sentence, type Sentence, compose, plainSentence } from "../../../base/language.ts";
import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import type { Clock } from "../../../base/timing.ts";
import { fail, succeed, type Result } from "../../../base/result.ts";
import { runProgram, type ProgramEnd } from "../../execute/run-program.ts";
import { claudeArguments, bringsSettings, lastJson, printedIn, messageOf } from "./arguments.ts";
import { claudeEnvironment } from "./claude-environment.ts";
import { removeProjectHooks, startRunGuards, type RunGuards } from "./run-guards.ts";
import { ClaudeTranscript } from "./transcript.ts";
import type { RunFolders, NotReady, Driver, AgentTask, AgentResult, AgentEnd, GuardHost } from "../driver.ts";
import { environmentSign } from "../environment-signs.ts";
import { findTranscripts } from "../../../transcripts/claude.ts";
import { runWithin } from "../../processes.ts";
import { FileTail } from "../../../transcripts/file-tail.ts";

export interface AgentPorts {
  readonly program: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user's home folder, which holds the login. */
  readonly userHome: string;
  readonly clock: Clock;
  /** The system's temporary folder. */
  readonly scratch: string;
  /** Starts purser's guards in runs that use them. Absent if none are possible. */
  readonly guards?: GuardHost;
}

const loginStatus = z.looseObject({ loggedIn: z.boolean() });

/** Time limit for reading the login status, in milliseconds. */
const askTime = 30_000;

/** Runs the real Claude Code, headless, as the agent under test. */
export class ClaudeDriver implements Driver {
  readonly name = "claude";
  readonly #ports: AgentPorts;

  constructor(ports: AgentPorts) {
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
      const folders = foldersIn(root);
      await mkdir(folders.temporary, { recursive: true });
      const { how, exitCode, output } = await this.#run(["auth", "status", "--json"], folders, "ask", {
        timeout: askTime,
        signal: AbortSignal.timeout(askTime),
      });
      const { program } = this.#ports;
      if (how === "not-started" || exitCode === 127)
        return fail("not_installed", sentence("Claude Code not found: no program {0} on the PATH", program));
      const status = loginStatus.safeParse(lastJson(output));
      // A version without this command is not known to be logged out: the first run will show it.
      if (!status.success || status.data.loggedIn) return succeed(null);
      return fail(
        "not_logged_in",
        sentence(
          "Claude Code is not logged in: log in with claude, or set ANTHROPIC_API_KEY or CLAUDE_CODE_OAUTH_TOKEN (an apiKeyHelper in your settings is not used)",
        ),
      );
    } finally {
      await rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    }
  }

  async run(task: AgentTask): Promise<AgentResult> {
    const { folders, limits } = task;
    const sessionId = randomUUID();
    const transcript = new ClaudeTranscript(folders.copy, this.#ports.clock.now());
    let hasStarted = false;
    const poll = followFiles(
      () => findTranscripts([folders.config]).files,
      (line, file) => {
        hasStarted = true;
        return transcript.line(line, { sessionId, agentId: file.agentId });
      },
    );
    const readProgress = () => {
      poll();
      return transcript.trajectory(hasStarted ? sessionId : null);
    };
    const { clock } = this.#ports;
    const from = clock.now();
    const guards = await this.#guardsOf(task);
    const trajectory = () => ({ trajectory: readProgress(), recordedBy: null, turns: transcript.turns });
    if (!guards.ok) return { end: endUnguarded(task, guards.detail), ...trajectory() };
    const own = guards.value;
    const settings = own?.settings ?? null;
    const args = claudeArguments(task.task, task.configuration, {
      maxTurns: limits.turns,
      sessionId,
      settings,
    });
    let [until, since] = [clock.now(), clock.now()];
    const unanswered: Sentence[] = [];
    const { ended, limit } = await runWithin(task, readProgress, async (within) => {
      until = clock.now();
      const done = await this.#run(args, folders, task.mark, within, own?.env);
      since = clock.now();
      const stopped = await own?.stop({ sessionId, calls: readProgress().toolCalls });
      if (stopped?.ok === false) unanswered.push(stopped.detail);
      return done;
    });
    const aroundMs = until - from + (clock.now() - since);
    const [lost] = unanswered;
    if (lost !== undefined) return { end: endUnguarded(task, lost), ...trajectory(), aroundMs };
    const end = limit ?? endOf(ended, this.#ports.program);
    return { end: task.signal.aborted ? { kind: "cancelled" } : end, ...trajectory(), aroundMs };
  }

  /** Returns the guards of a run that is made with them; null for a run without. */
  async #guardsOf({ configuration, ...task }: AgentTask): Promise<Result<RunGuards | null, "not_started">> {
    if (configuration.guard === undefined) return succeed(null);
    const { guards, env } = this.#ports;
    if (guards === undefined)
      return fail("not_started", sentence("there is no service of purser's here for the guards"));
    if (!bringsSettings(configuration)) await removeProjectHooks(task.folders);
    return await startRunGuards(task, guards, env);
  }

  #run(
    args: readonly string[],
    folders: RunFolders,
    mark: string,
    { timeout, signal }: { readonly timeout: number; readonly signal: AbortSignal },
    more: Readonly<Record<string, string>> = {},
  ): Promise<ProgramEnd> {
    const { program, env, userHome, clock } = this.#ports;
    return runProgram({
      file: program,
      args,
      cwd: folders.copy,
      clock,
      timeout,
      signal,
      env: { ...claudeEnvironment({ env, userHome, folders, mark, platform: process.platform }), ...more },
    });
  }
}

function foldersIn(root: string): RunFolders {
  const within = (name: string) => path.join(root, name);
  return { root, copy: root, home: root, temporary: within("tmp"), config: within("config") };
}

/** Such a run says nothing about guards. */
function endUnguarded({ signal }: Pick<AgentTask, "signal">, detail: Sentence): AgentEnd {
  return signal.aborted ? { kind: "cancelled" } : { kind: "environment", detail };
}

/** Determines how a run ended from Claude Code's output. */
function endOf({ how, exitCode, output }: ProgramEnd, program: string): AgentEnd {
  if (how === "not-started")
    return { kind: "environment", detail: sentence("{0} could not be started", program) };
  const printed = printedIn(output);
  if (printed === undefined) {
    const [what, last] = [
      sentence("it ended with exit code {0}", exitCode ?? "none"),
      output.trim().slice(-300),
    ];
    const sign = environmentSign(last);
    return sign === null
      ? { kind: "failed", detail: compose`${what}: ${last}` }
      : { kind: "environment", detail: compose`${sign}: ${last}` };
  }
  if (printed.subtype === "error_max_turns") return { kind: "limit", detail: sentence("turns") };
  if (!printed.is_error) return { kind: "ended" };
  const message = messageOf(printed);
  const sign = environmentSign(message);
  return sign === null
    ? { kind: "failed", detail: plainSentence(message) }
    : { kind: "environment", detail: compose`${sign}: ${message}` };
}

/** Returns a function that reads the new lines of all files. Each call looks up the files again. */
function followFiles<File extends { readonly path: string }>(
  find: () => readonly File[],
  onLine: (line: Buffer, file: File) => boolean,
): () => void {
  const tails = new Map<string, FileTail>();
  return () => {
    for (const file of find()) {
      let tail = tails.get(file.path);
      if (tail === undefined) {
        tail = new FileTail(file.path, {
          // Lines that are read again do no harm: a response counts once, however often it is seen.
          onRestart: () => undefined,
          onLine: (line) => onLine(line, file),
          onOversized: () => undefined,
        });
        tails.set(file.path, tail);
      }
      tail.poll(Infinity);
    }
  };
}
