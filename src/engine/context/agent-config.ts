import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import { parseJson } from "../base/parse-json.ts";
import { normaliseModelName } from "../usage/model-name.ts";
import { errorCode } from "../base/error-code.ts";

/** What Claude Code's own environment and settings files say about windows and compaction. Tokens. */
export interface AgentConfig {
  /** False when automatic compaction is off. */
  readonly autoCompact: boolean;
  /** The window compaction is measured against, where it is smaller than the model's. */
  readonly autoCompactWindow: number | null;
  /** Percent of the window at which to compact; it can only lower the trigger. */
  readonly compactPercent: number | null;
  readonly longContextOff: boolean;
  /** The model it starts sessions with, by id or alias, any `[1m]` suffix included. */
  readonly model: string | null;
  /** The window the agent assumes for models it does not know. */
  readonly maxContextTokens: number | null;
  readonly maxOutputTokens: number | null;
}

/** `auto` takes back what a file of wider scope set. */
const compactWindow = z
  .union([z.int().positive(), z.literal("auto")])
  .optional()
  .catch(undefined);

const settingsFile = z.looseObject({
  env: z.record(z.string(), z.unknown()).catch({}),
  model: z.string().optional().catch(undefined),
  autoCompactEnabled: z.boolean().optional().catch(undefined),
  autoCompactWindow: compactWindow,
  modelSettings: z
    .record(z.string(), z.looseObject({ autoCompactWindow: compactWindow }).catch({}))
    .catch({}),
});

type SettingsFile = z.infer<typeof settingsFile>;

/** Larger is no settings file. Bytes. */
const largestFile = 4 * 1024 * 1024;

export interface AgentConfigInput {
  /** The environment the agent was probably started from: the host's own. Its settings files override it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The configuration folder of the agent that runs the session. */
  readonly root: string | null;
  /** Where the session works: project and local settings are found there. */
  readonly cwd: string | null;
  readonly model: string | null;
}

/**
 * Later files override earlier ones: user, project, local. A file that is missing or does not parse says nothing; the
 * agent itself ignores it too.
 */
export function readAgentConfig({ env, root, cwd, model }: AgentConfigInput): AgentConfig {
  const files = settingsPlaces(root, cwd).flatMap((place) => readSettings(place) ?? []);
  const merged = files.reduce<Record<string, unknown>>((sum, file) => ({ ...sum, ...file.env }), { ...env });
  const enabled = files.map((file) => file.autoCompactEnabled).findLast((value) => value !== undefined);
  const fromEnv = wholeNumber(merged["CLAUDE_CODE_AUTO_COMPACT_WINDOW"]);
  return {
    autoCompact:
      enabled !== false && !isOn(merged["DISABLE_AUTO_COMPACT"]) && !isOn(merged["DISABLE_COMPACT"]),
    autoCompactWindow: fromEnv === null ? configuredWindow(files, model) : clampWindow(fromEnv),
    compactPercent: percentage(merged["CLAUDE_AUTOCOMPACT_PCT_OVERRIDE"]),
    longContextOff: isOn(merged["CLAUDE_CODE_DISABLE_1M_CONTEXT"]),
    model: configuredModel(files, merged["ANTHROPIC_MODEL"]),
    maxContextTokens: wholeNumber(merged["CLAUDE_CODE_MAX_CONTEXT_TOKENS"]),
    maxOutputTokens: wholeNumber(merged["CLAUDE_CODE_MAX_OUTPUT_TOKENS"]),
  };
}

/** A folder's name comes from a transcript: one that is not absolute would be looked for beside our own program. */
function settingsPlaces(root: string | null, cwd: string | null): string[] {
  const user = root === null ? [] : [path.join(root, "settings.json")];
  if (cwd === null || !path.isAbsolute(cwd)) return user;
  const project = path.join(cwd, ".claude");
  return [...user, path.join(project, "settings.json"), path.join(project, "settings.local.json")];
}

/** Within a file what it says of the model outweighs what it says of all. */
function configuredWindow(files: readonly SettingsFile[], model: string | null): number | null {
  const told = files.flatMap(({ autoCompactWindow, modelSettings }) => {
    const own = Object.entries(modelSettings).find(
      ([name]) => model !== null && normaliseModelName(name) === normaliseModelName(model),
    );
    return [autoCompactWindow, own?.[1].autoCompactWindow];
  });
  const last = told.findLast((value) => value !== undefined);
  return typeof last === "number" ? last : null;
}

/** The variable outweighs the files. */
function configuredModel(files: readonly SettingsFile[], variable: unknown): string | null {
  if (typeof variable === "string" && variable !== "") return variable;
  return files.map((file) => file.model).findLast((model) => model !== undefined) ?? null;
}

/** Claude Code holds the window it is told between these bounds. */
function clampWindow(tokens: number): number {
  return Math.min(1_000_000, Math.max(100_000, tokens));
}

function readSettings(place: string): SettingsFile | undefined {
  let text: string;
  try {
    const stats = statSync(place);
    // Opening a FIFO would wait for its writer.
    if (!stats.isFile() || stats.size > largestFile) return undefined;
    text = readFileSync(place, "utf8");
  } catch (error) {
    errorCode(error);
    return undefined;
  }
  return settingsFile.safeParse(parseJson(text)).data;
}

/** Claude Code reads a plain integer and stops at the first other character, as `parseInt` does. */
function wholeNumber(value: unknown): number | null {
  const number = typeof value === "number" ? value : typeof value === "string" ? parseInt(value, 10) : NaN;
  return Number.isInteger(number) && number > 0 ? number : null;
}

function percentage(value: unknown): number | null {
  const number = wholeNumber(value);
  return number !== null && number <= 100 ? number : null;
}

function isOn(value: unknown): boolean {
  return (
    value === true || value === 1 || (typeof value === "string" && /^(?:1|true|yes|on)$/iu.test(value.trim()))
  );
}
