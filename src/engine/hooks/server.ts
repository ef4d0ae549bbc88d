import path from "node:path";
import { readFileSync, rmSync, readdirSync } from "node:fs";
import * as z from "zod/mini";
import { readSmallText, namesIfReadable } from "../base/files.ts";
import type { HomeInput } from "../base/paths.ts";
import { copilotFile, copilotFolder } from "./install/settings/agent-file.ts";
import { markFor } from "./install/settings/install-settings-entry.ts";
import { isProbe, type HookCaller, type HookProgram, hookCallers } from "./program.ts";
import { agentInput } from "./event/agent-input.ts";
import { writeSpoolFile, isSpoolFile } from "./spool-file.ts";
import { readJson } from "../base/parse.ts";
import { errorCode } from "../base/result.ts";

export { readHookServerAddress, type HookServerAddress } from "./server/address.ts";
export { BodyGatherer, parseBody, type HookBody } from "./server/body.ts";
export { postHook, readHookEndpoint, type HookEndpoint, type HookPost } from "./server/post.ts";

/** Larger settings files are not read. Bytes. */
const maxFileSize = 1024 * 1024;

/**
 * Whether another of purser's hooks reports the same event. Copilot CLI and VS Code's own chat run a
 * project's hook for Claude Code, in addition to purser's own hook for Copilot CLI. Only the latter then
 * counts, and is answered.
 * @param program the agent whose settings contain the hook
 * @param caller the program that runs it
 */
export function isReportedElsewhere(
  { program, caller, hook }: { program: HookProgram; caller: HookCaller; hook: unknown },
  input: HomeInput,
): boolean {
  if (caller === program || program !== "claude-code") return false;
  const folder: unknown = typeof hook === "object" && hook !== null ? Reflect.get(hook, "cwd") : undefined;
  const project = input.env["COPILOT_PROJECT_DIR"] ?? (typeof folder === "string" ? folder : null);
  const folders = [copilotFolder(input), ...(project === null ? [] : [copilotFolder(project)])];
  return folders.some((each) => {
    const text = readSmallText(copilotFile(each), maxFileSize);
    return text?.includes(markFor("copilot", "")) === true;
  });
}

export interface SpooledHook {
  readonly caller: HookCaller;
  readonly hook: unknown;
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Answer given without a service. Undefined for none. */
  readonly judged?:
    { readonly outcome: string; readonly rule: string | null; readonly hits: readonly object[] } | undefined;
}

/** Maximum length of a stored id or name; the ledger's own limits are no smaller. Characters. */
const maxLength = 200;

/**
 * Spools a hook as its later ledger entry: that it happened, and when, but not what agent or user wrote.
 * Writes nothing for a simulated call, or for anything but hook input.
 * @throws if the file cannot be written
 */
export function spoolHook(folder: string, { caller, hook: told, id, at, judged }: SpooledHook): void {
  const hook = agentInput(told, caller);
  const [sessionId, event] = [textOf(hook, "session_id"), textOf(hook, "hook_event_name")];
  if (sessionId === null || event === null || isProbe(sessionId)) return;
  const entry = {
    kind: "hook-event",
    id: `hook:${id}`,
    sessionId,
    at,
    event,
    agentId: textOf(hook, "agent_id"),
    tool: textOf(hook, "tool_name"),
    ...(event === "PreToolUse" ? { call: textOf(hook, "tool_use_id") } : {}),
    ...(judged === undefined ? {} : { outcome: judged.outcome, rule: judged.rule?.slice(0, maxLength) }),
  };
  const entries = [entry, ...(judged?.hits ?? [])];
  writeSpoolFile(
    folder,
    `${at}-${id}`,
    entries.map((each) => JSON.stringify(each)),
  );
}

function textOf(hook: unknown, name: string): string | null {
  const value: unknown = typeof hook === "object" && hook !== null ? Reflect.get(hook, name) : null;
  return typeof value === "string" && value !== "" ? value.slice(0, maxLength) : null;
}

export interface LatePrompt {
  readonly caller: HookCaller;
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Headers that its hook would have been posted with, as lines. */
  readonly headers: readonly string[];
  readonly body: string;
}

/**
 * How long a prompt waits for a service. It contains the user's text, so it is not stored longer than useful.
 * Milliseconds.
 */
export const maxLateMs = 10 * 60_000;

/**
 * Leaves a prompt for the service that is just starting. Removes those that no service has taken.
 * @throws when the file cannot be written
 */
export function writeLatePrompt(folder: string, prompt: LatePrompt): void {
  writeSpoolFile(folder, `${prompt.at}-${prompt.id}`, [JSON.stringify(prompt)]);
  for (const name of readdirSync(folder).filter(isSpoolFile)) {
    const age = prompt.at - Number(name.split("-")[0]);
    if (!(Math.abs(age) < maxLateMs)) rmSync(path.join(folder, name), { force: true });
  }
}

const latePrompt = z.object({
  caller: z.enum(hookCallers),
  id: z.string().check(z.minLength(1), z.maxLength(200)),
  at: z.number(),
  headers: z.array(z.string()),
  body: z.string(),
});

/**
 * Takes the prompts that passed before this service could answer them, oldest first. Their files are removed
 * before they are used, so that none is taken twice.
 */
export async function takeLatePrompts(
  folder: string,
  { now, onProblem }: { readonly now: number; readonly onProblem: (message: string) => void },
): Promise<LatePrompt[]> {
  const names = (await namesIfReadable(folder)).filter(isSpoolFile).sort();
  return names.flatMap((name) => {
    const file = path.join(folder, name);
    try {
      const text = readFileSync(file, "utf8");
      rmSync(file);
      const prompt = readJson(latePrompt, text);
      if (prompt === null) onProblem(`${file} is not what purser writes, and was removed`);
      return prompt !== null && Math.abs(now - prompt.at) < maxLateMs ? [prompt] : [];
    } catch (error) {
      onProblem(`${file}: ${errorCode(error)}`);
      return [];
    }
  });
}
