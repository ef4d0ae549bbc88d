import { sentence, compose } from "../../../base/language.ts";
import { appendFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { type Result, succeed, fail, errorCode } from "../../../base/result.ts";
import { runProgram, type ProgramEnd } from "../../execute/run-program.ts";
import type { AgentPorts } from "../claude/claude.ts";
import { readCodexRun } from "./transcript.ts";
import type { AgentEnd, AgentResult, AgentTask, Driver, NotReady, RunFolders } from "../driver.ts";
import { environmentSign } from "../environment-signs.ts";
import { agentEnvironment } from "../run-environment.ts";
import { runWithin } from "../../processes.ts";

export interface CodexPorts extends AgentPorts {
  /** Content of the run's own `config.toml`, for example a model provider. The user's file is not read. */
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
  const before = await textOf(file);
  const parts = [body.trim(), ...(memory === null ? [] : [`# Memory\n\n${memory.trim()}`])];
  await appendFile(file, `${before === "" ? "" : "\n\n"}${parts.join("\n\n")}\n`);
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return "";
    throw error;
  }
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
