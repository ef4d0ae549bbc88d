import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, watch, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { text } from "node:stream/consumers";
import { parseJson } from "../../../../src/engine/base/parse.ts";
import { purserPaths, type PurserPaths } from "../../../../src/engine/base/paths.ts";
import { hookScript } from "../../../../src/engine/hooks/install/settings/hook-script.ts";
import { scriptLine } from "../../../../src/engine/hooks/install/settings/install-settings-entry.ts";
import { hookPrograms, type HookProgram } from "../../../../src/engine/hooks/program.ts";
import { childEnv } from "../../support/child-env.ts";
import { hook } from "./hooks.ts";

/** A user's home with purser's hooks as they are installed, in which agents' calls are judged. No call is ever run. */
export interface GuardedHome {
  readonly folder: string;
  readonly home: PurserPaths;
  readonly env: Record<string, string>;
  readonly script: string;
}

/** @param hookProgram path of the hook program; the service's is beside it */
export function guardedHome(hookProgram: string, settings: object, parent = tmpdir()): GuardedHome {
  const folder = mkdtempSync(path.join(parent, "purser-calls-"));
  const env = {
    ...childEnv,
    HOME: folder,
    PURSER_HOME: path.join(folder, ".purser"),
    PURSER_IDLE_MINUTES: "2",
  };
  const home = purserPaths({ env, home: folder });
  mkdirSync(home.spool, { recursive: true, mode: 0o700 });
  writeFileSync(home.settings, JSON.stringify(settings));
  const script = path.join(home.folder, "hook.sh");
  writeFileSync(script, hookScript({ path: hookProgram, runtime: process.execPath }, home));
  return { folder, home, env, script };
}

/** Kills the service of a home, and removes the home. */
export async function removeHome({ folder, home }: GuardedHome): Promise<void> {
  killService(home);
  // A service that was just starting may still write.
  for (let tries = 0; tries < 50 && existsSync(folder); tries += 1) {
    await pause(tries * 20);
    killService(home);
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Returns whether one ran. */
export function killService({ record }: Pick<PurserPaths, "record">): boolean {
  const found: unknown = existsSync(record) ? parseJson(readFileSync(record, "utf8")) : null;
  const pid: unknown = typeof found === "object" && found !== null ? Reflect.get(found, "pid") : null;
  if (typeof pid !== "number") return false;
  try {
    return process.kill(pid, "SIGKILL");
  } catch {
    // It has ended already.
    return false;
  }
}

/**
 * The outcome of a call. `stopped`: a rule asked about it or denied it. `untimely`: it was asked about or denied only because nothing had judged it.
 * `passed`: it would have run.
 */
type Fate = "stopped" | "untimely" | "passed";

export interface Judged {
  readonly fate: Fate;
  /** Whether the hook program recorded it, as no service answered. */
  readonly isAlone: boolean;
  /** Milliseconds. */
  readonly took: number;
  readonly output: string;
}

const forms: Readonly<Record<HookProgram, { readonly event: string; readonly tool: string }>> = {
  "claude-code": { event: "PreToolUse", tool: "Bash" },
  codex: { event: "PreToolUse", tool: "Bash" },
  copilot: { event: "PreToolUse", tool: "bash" },
  gemini: { event: "BeforeTool", tool: "run_shell_command" },
};

export function agentFor(turn: number): HookProgram {
  return hookPrograms[turn % hookPrograms.length] ?? "claude-code";
}

/** Names of files that the service itself spools while its ledger is being opened. */
const ofService = /^\.?\d+-\d+-[\da-f]{8}-/u;

/** Runs the hook of a call as its agent does, without running the call. */
export async function judgeCall(place: GuardedHome, program: HookProgram, command: string): Promise<Judged> {
  const { event, tool } = forms[program];
  const input = { tool_name: tool, tool_input: { command }, cwd: place.folder, tool_use_id: "t-1" };
  let isAlone = false;
  const watched = watch(place.home.spool, (_change, name) => (isAlone ||= !ofService.test(name ?? "")));
  const began = performance.now();
  const { code, out, err } = await runHook(place, program, event, hook(event, input));
  const took = performance.now() - began;
  watched.close();
  const isStopped = code === 2 || /"(?:permissionDecision|decision)": ?"(?:ask|deny|block)"/u.test(out);
  const isUntimely = code === 2 || out.includes("(not-judged)");
  return {
    fate: isStopped ? (isUntimely ? "untimely" : "stopped") : "passed",
    isAlone,
    took,
    output: `${code} ${out} ${err}`,
  };
}

async function runHook({ script, env }: GuardedHome, program: HookProgram, event: string, input: string) {
  const child = spawn("/bin/sh", ["-c", scriptLine(script, program, event)], { env, timeout: 60_000 });
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const [code, out, err] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { code, out, err };
}

/** Keeps processors busy until it is stopped. */
export function busyLoops(count: number): () => void {
  const loops = Array.from({ length: count }, () =>
    spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" }),
  );
  return () => {
    for (const loop of loops) loop.kill("SIGKILL");
  };
}

/** What happened in the session before its first call. */
export const beginnings = ["nothing", "start", "start and prompt", "start, prompt and two seconds"] as const;
export type Beginning = (typeof beginnings)[number];

/** Plays a session's beginning and its first call, where no service runs. */
export async function firstCall(
  hookProgram: string,
  { turn, command, settings }: { readonly turn: number; readonly command: string; readonly settings: object },
): Promise<Judged & { readonly beginning: Beginning }> {
  const place = guardedHome(hookProgram, settings);
  const program = agentFor(turn);
  const beginning = beginnings[Math.floor(turn / hookPrograms.length) % beginnings.length] ?? "nothing";
  try {
    if (beginning !== "nothing")
      await runHook(
        place,
        program,
        "SessionStart",
        hook("SessionStart", { cwd: place.folder, source: "startup" }),
      );
    const prompt = program === "gemini" ? "BeforeAgent" : "UserPromptSubmit";
    if (beginning.includes("prompt"))
      await runHook(place, program, prompt, hook(prompt, { prompt: "Clean up", cwd: place.folder }));
    if (beginning.includes("seconds")) await pause(2000);
    return { ...(await judgeCall(place, program, command)), beginning };
  } finally {
    await removeHome(place);
  }
}

/** Judges calls one after the other while the service is killed at random. */
export async function callsDuringKills(
  hookProgram: string,
  {
    calls,
    commandOf,
    settings,
  }: { readonly calls: number; readonly commandOf: (turn: number) => string; readonly settings: object },
): Promise<{ readonly judged: readonly Judged[]; readonly kills: number }> {
  const place = guardedHome(hookProgram, settings);
  const judged: Judged[] = [];
  let kills = 0;
  const over = new AbortController();
  const killing = (async () => {
    while (!over.signal.aborted) {
      await pause(Math.random() * 4000);
      if (killService(place.home)) kills += 1;
    }
  })();
  try {
    for (let turn = 0; turn < calls; turn += 1)
      judged.push(await judgeCall(place, agentFor(turn), commandOf(turn)));
  } finally {
    over.abort();
    await killing;
    await removeHome(place);
  }
  return { judged, kills };
}
