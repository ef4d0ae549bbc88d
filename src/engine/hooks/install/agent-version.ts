import { isVersionBefore } from "../../base/process.ts";
import type { HookProgram } from "../program.ts";

const programs: Readonly<Record<HookProgram, string>> = {
  "claude-code": "claude",
  codex: "codex",
  copilot: "copilot",
  gemini: "gemini",
};

export async function readAgentVersion(
  program: HookProgram,
  run: (program: string, args: readonly string[]) => Promise<string | null>,
): Promise<string | null> {
  const output = await run(programs[program], ["--version"]);
  return /\b\d+\.\d+\.\d+\b/u.exec(output ?? "")?.[0] ?? null;
}

/** First version of Claude Code that posts hooks over HTTP. Source: its changelog. */
const firstPosting = "2.1.63";
/** First version of Claude Code that loads the mod: older ones have no functions as hooks, and ignore it. Source: its changelog. */
const firstMods = "2.1.287";

/**
 * Claude Code versions that introduced these events, from its changelog. The changelog does not date
 * `PostToolBatch`, `PostToolUseFailure` and `PreSkillShellCommand`: they have the first version observed.
 * Every version ignores unknown events.
 */
const firstEvents: Readonly<Record<string, string>> = {
  SubagentStart: "2.0.43",
  PermissionRequest: "2.0.45",
  PostToolUseFailure: "2.0.60",
  Setup: "2.1.10",
  PostCompact: "2.1.76",
  StopFailure: "2.1.78",
  PermissionDenied: "2.1.88",
  PostToolBatch: "2.1.160",
  PreModelSwitch: "2.1.251",
  PostModelSwitch: "2.1.251",
  PreSkillShellCommand: "2.1.332",
};

/** The versions that purser's hooks were tested with, in `test/agents`. */
const tried: Readonly<Record<HookProgram, string>> = {
  "claude-code": "2.1.197",
  codex: "0.169.0",
  copilot: "1.0.102",
  gemini: "0.61.0",
};

/** Hook features that a version of an agent lacks, of those that would be installed. */
export interface NotHonoured {
  readonly version: string;
  /** It cannot post hooks. */
  readonly isPostingUnknown: boolean;
  readonly areModsUnknown: boolean;
  /** Events that it does not report. */
  readonly events: readonly string[];
  /** The version that purser's hooks were tested with, if the agent's is older; else null. */
  readonly tried: string | null;
}

export function notHonoured(program: HookProgram, version: string, events: readonly string[]): NotHonoured {
  const isClaude = program === "claude-code";
  return {
    version,
    isPostingUnknown: isClaude && isVersionBefore(version, firstPosting),
    areModsUnknown: isClaude && isVersionBefore(version, firstMods),
    events: isClaude ? events.filter((event) => isVersionBefore(version, firstEvents[event] ?? "0.0.0")) : [],
    tried: isVersionBefore(version, tried[program]) ? tried[program] : null,
  };
}

/** The Node that an agent would find to run the shim with. */
export type FoundNode =
  { readonly kind: "found" } | { readonly kind: "none" } | { readonly kind: "old"; readonly version: string };

/** Same as `engines` in package.json. */
export const oldestNode = "20.19.0";

/** Runs the runtime as an agent started from this environment would find it. */
export async function findNode(
  runtime: string,
  run: (program: string, args: readonly string[]) => Promise<string | null>,
): Promise<FoundNode> {
  const output = await run(runtime, ["--version"]);
  const version = /^v(\d+\.\d+\.\d+)/u.exec(output ?? "")?.[1];
  if (version === undefined) return { kind: "none" };
  return isVersionBefore(version, oldestNode) ? { kind: "old", version } : { kind: "found" };
}
