import { textIfThere } from "../../../base/files.ts";
import { isSentence, plainSentence, sentence, type Sentence } from "../../../base/language.ts";
import { randomUUID } from "node:crypto";
import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Result, succeed, fail, errorCode } from "../../../base/result.ts";
import { purserPaths, type PurserPaths } from "../../../base/paths.ts";
import { parseJson } from "../../../base/parse.ts";
import { withHooks, hookFormats, wantedHooks } from "../../../hooks/install.ts";
import {
  type HookServerAddress,
  readHookServerAddress,
  postHook,
  readHookEndpoint,
  type HookEndpoint,
} from "../../../hooks/server.ts";
import { guardFamilies } from "../../../settings/guard.ts";
import type { PartialSettings } from "../../../settings/shape.ts";
import { entryHeader } from "../../../hooks/program.ts";
import type { RunFolders, AgentTask, GuardHost } from "../driver.ts";
import { agentEnvironment } from "../run-environment.ts";

/** Times in milliseconds. */
const startTime = 30_000;
const lookAgain = 25;
const endTime = 5000;
/** Time for code that the service loads with the first long output. */
const loadTime = 5000;
/** The session of the call by which guards are tried before the agent starts. */
const trySession = "purser-try";

/** Only guards are measured: purser's other hook functions are off. */
const settings = {
  guardMode: "on",
  guardFamilies: Object.fromEntries(guardFamilies.map((family) => [family, "on"])),
  warnAgent: false,
  stopGate: "off",
  tellCostlyTurns: false,
  budgets: "off",
  messages: "off",
  continuityCompaction: "off",
  continuityStart: "off",
  hookPosting: "always",
} satisfies PartialSettings;

/** Purser's hooks of one run, answered by the run's own service. */
export interface RunGuards {
  /** A settings file for `--settings`. */
  readonly settings: string;
  readonly env: Readonly<Record<string, string>>;
  /**
   * Ends the service. Fails if the agent's hooks were not answered: such a run says nothing about guards.
   * @param run.calls the tool calls the agent made
   */
  readonly stop: (run: {
    readonly sessionId: string;
    readonly calls: number;
  }) => Promise<Result<null, "not_answered">>;
}

/**
 * Starts purser's service for one run, and writes the hooks that use it. Its state is in the run's folder:
 * the user's rules, exceptions, ledger and settings are neither read nor written. The service carries the
 * run's mark, so that it ends with the run.
 */
export async function startRunGuards(
  { folders, mark, limits, signal }: Pick<AgentTask, "folders" | "mark" | "limits" | "signal">,
  host: GuardHost,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Result<RunGuards, "not_started">> {
  const folder = path.join(folders.root, "purser");
  const home = purserPaths({ env: { PURSER_HOME: folder }, home: folders.home });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(home.settings, JSON.stringify(settings), { mode: 0o600 });
  // A service that is left over from a killed bench ends by itself.
  const idle = String(Math.ceil(limits.time / 60_000) + 1);
  const own = { PURSER_HOME: folder, PURSER_IDLE_MINUTES: idle, CLAUDE_CONFIG_DIR: folders.config };
  const log = openSync(home.log, "a", 0o600);
  const child = spawn(host.file, [...host.args], {
    cwd: folder,
    env: { ...agentEnvironment(env, folders, mark, () => false), ...host.env, ...own },
    stdio: ["ignore", log, log],
    windowsHide: true,
  });
  closeSync(log);
  const ended = endOf(child);
  const address = await guardsOf(home, { folders, ended, signal });
  if (!address.ok) {
    await end(child, ended);
    return fail("not_started", sentence("purser's service for the guards: {why}", { why: address.detail }));
  }
  const file = path.join(folder, "claude-settings.json");
  const text = settingsWith(address.value, host.shim);
  if (!text.ok) return fail("not_started", text.detail);
  await writeFile(file, text.value, { mode: 0o600 });
  return succeed({
    settings: file,
    env: { PURSER_HOME: folder },
    stop: async (run) => {
      await end(child, ended);
      return await answered(home, run);
    },
  });
}

/** Hooks are on, whatever the project's settings are. */
function settingsWith(address: HookServerAddress, shim: string) {
  const wanted = wantedHooks({
    program: "claude-code",
    shim: { path: shim, runtime: "node" },
    address,
    isShared: false,
    platform: process.platform,
  });
  return withHooks('{ "disableAllHooks": false }', wanted, hookFormats["claude-code"]);
}

function endOf(child: ChildProcess): Promise<Sentence> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve(sentence("it could not be started ({0})", errorCode(error))));
    child.once("exit", (code, by) => resolve(sentence("it ended with {0}", code ?? by ?? "no code")));
  });
}

interface Starting {
  readonly folders: RunFolders;
  /** How the service ended, once it has. */
  readonly ended: Promise<Sentence>;
  readonly signal: AbortSignal;
}

/**
 * Waits until the service denies calls and shortens outputs as its rules require. Earlier hooks, while rules
 * and code are loading, would pass without guards.
 */
async function guardsOf(
  home: PurserPaths,
  { folders, ended, signal }: Starting,
): Promise<Result<HookServerAddress, "not_started">> {
  const over = AbortSignal.any([signal, AbortSignal.timeout(startTime)]);
  const gone = new AbortController();
  void ended.then((how) => gone.abort(how));
  for (;;) {
    const address = readHookServerAddress(home);
    const endpoint = readHookEndpoint(home.record);
    if (address.ok && address.value !== null && endpoint !== null && (await denies(endpoint, folders))) {
      await loadOutputs(endpoint, home, AbortSignal.any([over, gone.signal]));
      return succeed(address.value);
    }
    const how: unknown = gone.signal.reason;
    if (gone.signal.aborted) return fail("not_started", isSentence(how) ? how : plainSentence(String(how)));
    if (signal.aborted) return fail("not_started", sentence("it was cancelled"));
    if (over.aborted)
      return fail("not_started", sentence("it guarded no call within {0} s", startTime / 1000));
    await pause(lookAgain);
  }
}

async function denies(endpoint: HookEndpoint, { copy }: RunFolders): Promise<boolean> {
  const call = { hook_event_name: "PreToolUse", cwd: copy, tool_input: { command: "rm -rf ~" } };
  return (await ask(endpoint, call))?.includes('"deny"') === true;
}

/**
 * Sends the service a long output of an invented call until it is answered in time. If an administrator's
 * hooks may replace outputs, they stay unchanged; there is then no such answer, and nothing to wait for.
 */
async function loadOutputs(
  endpoint: HookEndpoint,
  { folder }: PurserPaths,
  over: AbortSignal,
): Promise<void> {
  const stdout = "The same line again\n".repeat(400);
  const call = {
    hook_event_name: "PostToolUse",
    // The project's settings do not apply here.
    cwd: folder,
    tool_input: { command: "make" },
    tool_response: { stdout, stderr: "", interrupted: false, isImage: false },
  };
  const deadline = performance.now() + loadTime;
  while (!over.aborted && performance.now() < deadline) {
    if ((await ask(endpoint, call))?.includes('"updatedToolOutput"') === true) return;
    await pause(lookAgain);
  }
}

async function ask(endpoint: HookEndpoint, event: Readonly<Record<string, unknown>>): Promise<string | null> {
  const own = { session_id: trySession, tool_name: "Bash", tool_use_id: "try" };
  return await postHook(endpoint, {
    program: "claude-code",
    id: randomUUID(),
    body: Buffer.from(JSON.stringify({ ...event, ...own })),
    isCut: false,
    headers: [`${entryHeader}: sdk-cli`],
  });
}

async function end(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  child.kill("SIGTERM");
  const late = new AbortController();
  const killed = pause(endTime, undefined, { signal: late.signal, ref: false }).then(
    () => child.kill("SIGKILL"),
    () => false,
  );
  await Promise.race([ended, killed]);
  late.abort();
  await ended;
}

/** The service remembers each session with answered calls, and spools none of them. */
async function answered(
  home: PurserPaths,
  { sessionId, calls }: { readonly sessionId: string; readonly calls: number },
): Promise<Result<null, "not_answered">> {
  const lost = await namesIn(home.spool);
  if (lost.length > 0)
    return fail(
      "not_answered",
      sentence("{0} of the agent's hooks found no service of purser's", lost.length),
    );
  const files = (await namesIn(home.sessions)).map((name) => path.join(home.sessions, name));
  const known = await Promise.all(files.map(async (file) => (await textIfThere(file)) ?? ""));
  if (calls > 0 && !known.some((text) => text.includes(JSON.stringify(sessionId))))
    return fail("not_answered", sentence("the agent called tools, and none of its hooks reached purser"));
  return succeed(null);
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}

/**
 * Removes the hooks of the project's own settings from the copy. No hooks run on the side without guards, so
 * that guards alone make the difference.
 */
export async function removeProjectHooks({ copy }: Pick<RunFolders, "copy">): Promise<void> {
  const file = path.join(copy, ".claude", "settings.json");
  const value = parseJson((await textIfThere(file)) ?? "");
  if (typeof value !== "object" || value === null || !("hooks" in value)) return;
  await writeFile(file, JSON.stringify({ ...value, hooks: undefined }, null, 2));
}
