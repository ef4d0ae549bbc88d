import path from "node:path";
import * as z from "zod/mini";
import { readJson } from "../../base/parse.ts";
import { normaliseModelName } from "../../usage/catalogue.ts";
import { type AgentSettings, type AgentSettingsInput, unsetAgentSettings } from "../live-reader.ts";
import { readSmallText } from "../../base/files.ts";

/** `auto` cancels the value set by a file of wider scope. */
const compactWindow = z.catch(
  z.optional(z.union([z.int().check(z.positive()), z.literal("auto")])),
  undefined,
);

const settingsFile = z.looseObject({
  env: z.catch(z.record(z.string(), z.unknown()), {}),
  model: z.catch(z.optional(z.string()), undefined),
  autoCompactEnabled: z.catch(z.optional(z.boolean()), undefined),
  autoCompactWindow: compactWindow,
  modelSettings: z.catch(
    z.record(z.string(), z.catch(z.looseObject({ autoCompactWindow: compactWindow }), {})),
    {},
  ),
});

type SettingsFile = z.infer<typeof settingsFile>;

/** Larger files are not read as settings. Bytes. */
const maxFileSize = 4 * 1024 * 1024;

/**
 * Reads the agent's settings; later files override earlier ones: user, project, local. Ignores a file that is
 * missing or does not parse, as the agent itself does.
 */
export function readSettings({ env, root, cwd, model }: AgentSettingsInput): AgentSettings {
  const files = settingsPaths(root, cwd).flatMap(
    (filePath) => readJson(settingsFile, readSmallText(filePath, maxFileSize)) ?? [],
  );
  const merged = files.reduce<Record<string, unknown>>((sum, file) => ({ ...sum, ...file.env }), { ...env });
  const enabled = files.map((file) => file.autoCompactEnabled).findLast((value) => value !== undefined);
  const fromEnv = tokensWithUnit(merged["CLAUDE_CODE_AUTO_COMPACT_WINDOW"]);
  const longContextOff = isOn(merged["CLAUDE_CODE_DISABLE_1M_CONTEXT"]);
  return {
    ...unsetAgentSettings,
    autoCompact:
      enabled !== false && !isOn(merged["DISABLE_AUTO_COMPACT"]) && !isOn(merged["DISABLE_COMPACT"]),
    autoCompactWindow: fromEnv === null ? configuredWindow(files, model) : clampWindow(fromEnv),
    compactPercent: percentage(merged["CLAUDE_AUTOCOMPACT_PCT_OVERRIDE"]),
    longContextOff,
    assumedWindow: longContextOff ? 200_000 : 1_000_000,
    model: configuredModel(files, merged["ANTHROPIC_MODEL"]),
    maxContextTokens: wholeNumber(merged["CLAUDE_CODE_MAX_CONTEXT_TOKENS"]),
    maxOutputTokens: wholeNumber(merged["CLAUDE_CODE_MAX_OUTPUT_TOKENS"]),
  };
}

/** Ignores a relative `cwd`: it comes from a transcript and would be resolved against our own working folder. */
function settingsPaths(root: string | null, cwd: string | null): string[] {
  const user = root === null ? [] : [path.join(root, "settings.json")];
  if (cwd === null || !path.isAbsolute(cwd)) return user;
  const project = path.join(cwd, ".claude");
  return [...user, path.join(project, "settings.json"), path.join(project, "settings.local.json")];
}

/** Within a file, the model's own setting overrides the general one. */
function configuredWindow(files: readonly SettingsFile[], model: string | null): number | null {
  const windows = files.flatMap(({ autoCompactWindow, modelSettings }) => {
    const own = Object.entries(modelSettings).find(
      ([name]) => model !== null && normaliseModelName(name) === normaliseModelName(model),
    );
    return [autoCompactWindow, own?.[1].autoCompactWindow];
  });
  const last = windows.findLast((value) => value !== undefined);
  return typeof last === "number" ? last : null;
}

/** The environment variable overrides the files. */
function configuredModel(files: readonly SettingsFile[], variable: unknown): string | null {
  if (typeof variable === "string" && variable !== "") return variable;
  return files.map((file) => file.model).findLast((model) => model !== undefined) ?? null;
}

/** Claude Code clamps the configured window to these bounds. */
function clampWindow(tokens: number): number {
  return Math.min(1_000_000, Math.max(100_000, tokens));
}

/** Claude Code reads a plain integer and stops at the first other character, as `parseInt` does. */
function wholeNumber(value: unknown): number | null {
  const number = typeof value === "number" ? value : typeof value === "string" ? parseInt(value, 10) : NaN;
  return Number.isInteger(number) && number > 0 ? number : null;
}

/** Claude Code reads a unit in this one variable: `200k` is 200,000. */
function tokensWithUnit(value: unknown): number | null {
  const found = typeof value === "string" ? /^\s*(\d+(?:\.\d+)?)\s*([km])/iu.exec(value) : null;
  if (found === null) return wholeNumber(value);
  const tokens = Math.round(Number(found[1]) * (found[2]?.toLowerCase() === "k" ? 1000 : 1_000_000));
  return Number.isSafeInteger(tokens) && tokens > 0 ? tokens : null;
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
