import { readFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import { errorCode } from "../transcripts/claude/files.ts";

/** What Claude Code's own environment and settings files say about windows and compaction. Tokens. */
export interface AgentConfig {
  /** False when automatic compaction is off. */
  readonly autoCompact: boolean;
  /** The window compaction is measured against, where it is smaller than the model's. */
  readonly autoCompactWindow: number | null;
  /** Percent of the window at which to compact; it can only lower the trigger. */
  readonly compactPercent: number | null;
  readonly longContextOff: boolean;
  /** The window the agent assumes for models it does not know. */
  readonly maxContextTokens: number | null;
  readonly maxOutputTokens: number | null;
}

const settingsFile = z.looseObject({
  env: z.record(z.string(), z.unknown()).catch({}),
  autoCompactEnabled: z.boolean().optional().catch(undefined),
  autoCompactWindow: z.number().int().positive().optional().catch(undefined),
  modelSettings: z
    .record(z.string(), z.looseObject({ autoCompactWindow: z.number().int().positive().optional() }))
    .catch({}),
});

export interface AgentConfigInput {
  /** The environment the agent was probably started from: the host's own. Its settings files override it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The agent's configuration folders. */
  readonly roots: readonly string[];
  /** Where the session works: project and local settings are found there. */
  readonly cwd: string | null;
  readonly model: string | null;
}

/**
 * Later files override earlier ones: user, project, local. A file that is missing or does not parse says nothing; the
 * agent itself ignores it too.
 */
export function readAgentConfig({ env, roots, cwd, model }: AgentConfigInput): AgentConfig {
  const places = roots.map((root) => path.join(root, "settings.json"));
  if (cwd !== null)
    places.push(path.join(cwd, ".claude", "settings.json"), path.join(cwd, ".claude", "settings.local.json"));
  const files = places.flatMap((place) => readSettings(place) ?? []);
  const merged = files.reduce<Record<string, unknown>>((sum, file) => ({ ...sum, ...file.env }), { ...env });
  const enabled = files.map((file) => file.autoCompactEnabled).findLast((value) => value !== undefined);
  const configured = files
    .flatMap((file) => [
      file.autoCompactWindow,
      model === null ? undefined : file.modelSettings[model]?.autoCompactWindow,
    ])
    .findLast((value) => value !== undefined);
  const fromEnv = wholeNumber(merged["CLAUDE_CODE_AUTO_COMPACT_WINDOW"]);
  return {
    autoCompact:
      enabled !== false && !isOn(merged["DISABLE_AUTO_COMPACT"]) && !isOn(merged["DISABLE_COMPACT"]),
    autoCompactWindow: fromEnv === null ? (configured ?? null) : clampWindow(fromEnv),
    compactPercent: percentage(merged["CLAUDE_AUTOCOMPACT_PCT_OVERRIDE"]),
    longContextOff: isOn(merged["CLAUDE_CODE_DISABLE_1M_CONTEXT"]),
    maxContextTokens: wholeNumber(merged["CLAUDE_CODE_MAX_CONTEXT_TOKENS"]),
    maxOutputTokens: wholeNumber(merged["CLAUDE_CODE_MAX_OUTPUT_TOKENS"]),
  };
}

/** Claude Code holds the window it is told between these bounds. */
function clampWindow(tokens: number): number {
  return Math.min(1_000_000, Math.max(100_000, tokens));
}

function readSettings(place: string): z.infer<typeof settingsFile> | undefined {
  let text: string;
  try {
    text = readFileSync(place, "utf8");
  } catch (error) {
    errorCode(error);
    return undefined;
  }
  try {
    const parsed = settingsFile.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
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
