import { isVersionBefore } from "../../base/text/version-order.ts";
import type { HookProgram } from "../program.ts";

/** What an agent's program is called, and what it is asked. */
const programs: Readonly<Record<HookProgram, string>> = {
  "claude-code": "claude",
  codex: "codex",
  copilot: "copilot",
};

/** The version of an agent that is in the `PATH`; null where none is, or it does not say. */
export async function readAgentVersion(
  program: HookProgram,
  run: (program: string, args: readonly string[]) => Promise<string | null>,
): Promise<string | null> {
  const said = await run(programs[program], ["--version"]);
  return /\b\d+\.\d+\.\d+\b/u.exec(said ?? "")?.[0] ?? null;
}

/** Posted hooks came with this version of Claude Code. By its changelog. */
const firstPosting = "2.1.63";
/** The mod is passed over by older ones: they know no functions as hooks. By its changelog. */
const firstMods = "2.1.287";

/**
 * The versions of Claude Code that first told of these events, by its changelog; of `PostToolBatch`, whose beginning it does not tell, the
 * first in which it was seen. Every version passes over events that it does not know.
 */
const firstEvents: Readonly<Record<string, string>> = {
  SubagentStart: "2.0.43",
  PermissionRequest: "2.0.45",
  Setup: "2.1.10",
  PostCompact: "2.1.76",
  StopFailure: "2.1.78",
  PermissionDenied: "2.1.88",
  PostToolBatch: "2.1.160",
  PreModelSwitch: "2.1.251",
  PostModelSwitch: "2.1.251",
};

/** The versions that purser's hooks were tried with, in `test/agents`. */
const tried: Readonly<Record<HookProgram, string>> = {
  "claude-code": "2.1.197",
  codex: "0.169.0",
  copilot: "1.0.102",
};

/** What a version of an agent does not do with hooks as they would be installed. */
export interface NotHonoured {
  readonly version: string;
  /** It posts no hooks. */
  readonly isPostingUnknown: boolean;
  readonly areModsUnknown: boolean;
  /** Events that it does not tell of. */
  readonly events: readonly string[];
  /** It is older than the one that purser's hooks were tried with, which is this; else null. */
  readonly tried: string | null;
}

/** @param events those that would have a hook */
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
