import { printDocument } from "./settings/json-edit.ts";
import path from "node:path";
import { succeed, type Result } from "../../base/result.ts";
import type { HookProgram } from "../program.ts";
import { insideOwnProject, type HookFile, type HookScope } from "./settings/agent-file.ts";
import {
  prepareInstall,
  prepareUninstall,
  type InstallReason,
  type InstallContext,
  type PlannedInstall,
} from "./installer.ts";
import { planLauncher } from "./remove.ts";
import type { HookChange } from "./plan-change.ts";
import { planSkill, type SkillPlan } from "./skill-change.ts";
import type { RecordPorts } from "./hooks-install-record.ts";
import { fileModes, planOwnedFile, type PlannedFile } from "./settings/owned-file.ts";
import type { SettingsReason } from "./settings/disk.ts";

/** Name of the mod and of its folder among the agent's skills, from which the agent loads it. */
const modName = "purser";

/**
 * Returns the files of a Claude Code mod, by their paths in its folder: a function of ours that the agent calls in its own process whenever
 * it has measured its context or its plan's limits. It forwards them to the running service, as the status line's program does, and changes
 * nothing. Claude Code before 2.1.287 has no mods and ignores the folder.
 *
 * @param path path of the file with the address and the token of the hook server; the mod reads it every time
 */
export function modFiles(path: string): readonly { readonly path: string; readonly text: string }[] {
  const about = {
    name: modName,
    description:
      "Hands Context Purser the figures that Claude Code measures. purser hooks uninstall removes it.",
    version: "1.0.0",
  };
  return [
    { path: ".claude-plugin/plugin.json", text: printDocument(about) },
    { path: "hooks/hooks.json", text: printDocument({ modules: ["./measure.js"] }) },
    { path: "hooks/measure.js", text: moduleText(path) },
  ];
}

function moduleText(path: string): string {
  return `// Written by Context Purser. \`purser hooks uninstall\` removes it, unless it was changed.
const place = ${JSON.stringify(path)};

export function register(on) {
  on("session.measure", async ($, event, next) => {
    const result = await next(event);
    try {
      // A subagent has its own context.
      if (event.agentId === undefined) await tell($, event);
    } catch {
      // Without a running service the session continues as usual.
    }
    return result;
  });
}

async function tell($, { context, rateLimits }) {
  const { port, token } = JSON.parse(await $.fs.read(place));
  const { tokens, window } = context ?? {};
  const body = {
    hook_event_name: "StatusLine",
    session_id: await $.session.id(),
    model: { id: await $.session.model() },
    context_window: {
      context_window_size: window,
      current_usage: tokens === undefined ? null : { input_tokens: tokens },
    },
    rate_limits: Object.fromEntries((rateLimits ?? []).map(limitOf)),
  };
  await $.http.fetch(\`http://127.0.0.1:\${port}/hook/claude-code\`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: \`Bearer \${token}\` },
    body: JSON.stringify(body),
  });
}

// Times are text, in milliseconds or in seconds, depending on the version.
function limitOf({ kind, percentUsed, resetsAt }) {
  const time = typeof resetsAt === "string" ? Date.parse(resetsAt) : Number(resetsAt);
  const seconds = time > 1e11 ? time / 1000 : time;
  return [kind, { used_percentage: percentUsed, ...(seconds > 0 ? { resets_at: seconds } : {}) }];
}
`;
}

interface HookTarget {
  readonly program: HookProgram;
  readonly scope: HookScope;
}

/** Everything an installation changes: the settings, and what accompanies the hooks. */
export interface WholeInstall extends PlannedInstall {
  readonly skill: SkillPlan | null;
  /**
   * Changes in the order to make them: the settings first, since a folder that they need is created for them.
   */
  readonly changes: readonly HookChange[];
}

/**
 * Plans a whole installation. Writes nothing.
 * @param more whether the agent's status line should report its figures to purser, or the mod without a
 * status line
 */
export async function planWholeInstall(
  target: HookTarget,
  context: InstallContext,
  { statusLine }: { readonly statusLine: boolean },
): Promise<Result<WholeInstall, InstallReason>> {
  const planned = await prepareInstall(target.program, target.scope, context, { statusLine });
  if (!planned.ok) return planned;
  const { hasSecret, file } = planned.value.choice;
  const skill = await planSkill("install", file, context);
  if (!skill.ok) return skill;
  // The mod posts its figures, so it is removed where hooks are not posted.
  const mod =
    statusLine || !hasSecret
      ? await planMod(hasSecret ? "install" : "uninstall", file, context)
      : succeed([]);
  if (!mod.ok) return mod;
  const launcher = await planLauncher("install", file, context);
  if (!launcher.ok) return launcher;
  const changes = [planned.value.change, ...(skill.value?.changes ?? []), ...mod.value, ...launcher.value];
  // The launcher is in purser's own home.
  for (const { settings } of [planned.value.change, ...(skill.value?.changes ?? [])]) {
    const inside = insideOwnProject(file.scope, settings.file, context);
    if (!inside.ok) return inside;
  }
  return succeed({ ...planned.value, skill: skill.value, changes });
}

export interface WholeUninstall {
  readonly file: HookFile;
  readonly change: HookChange;
  readonly skill: SkillPlan | null;
  /** Changes in the order to make them. */
  readonly changes: readonly HookChange[];
}

export async function planWholeUninstall(
  target: HookTarget,
  context: InstallContext,
): Promise<Result<WholeUninstall, InstallReason>> {
  const planned = await prepareUninstall(target.program, target.scope, context);
  if (!planned.ok) return planned;
  const { file } = planned.value;
  const skill = await planSkill("uninstall", file, context);
  if (!skill.ok) return skill;
  const mod = await planMod("uninstall", file, context);
  if (!mod.ok) return mod;
  const launcher = await planLauncher("uninstall", file, context);
  if (!launcher.ok) return launcher;
  const changes = [...mod.value, ...(skill.value?.changes ?? []), planned.value.change, ...launcher.value];
  const inProject = [planned.value.change, ...(skill.value?.changes ?? [])].filter(
    ({ isNeeded }) => isNeeded,
  );
  for (const { settings } of inProject) {
    const inside = insideOwnProject(file.scope, settings.file, context);
    if (!inside.ok) return inside;
  }
  return succeed({ ...planned.value, skill: skill.value, changes });
}

/**
 * Plans installing or removing the mod. No changes if an agent or scope has none, or if one of the files is
 * not ours. The mod runs in the agent's own process, so it goes only into the user's own folder. Writes
 * nothing.
 */
export async function planMod(
  act: HookChange["act"],
  { program, scope, file: settings }: Omit<HookFile, "choice">,
  context: RecordPorts,
): Promise<Result<readonly HookChange[], SettingsReason>> {
  if (program !== "claude-code" || scope !== "user") return succeed([]);
  const folder = path.join(path.dirname(settings), "skills", modName);
  // purser's home contains both the installation records and `hooks.json`, the file with the hook server's address.
  const address = path.join(path.dirname(context.records), "hooks.json");
  const planned: PlannedFile[] = [];
  for (const { path: relativePath, text } of modFiles(address)) {
    const file = await planOwnedFile(
      act,
      { file: path.join(folder, relativePath), mode: fileModes.own },
      text,
      context,
    );
    if (!file.ok) return file;
    planned.push(file.value);
  }
  const isOurs = planned.every(({ state }) => state !== "foreign");
  const changes = planned.map(({ change }) => change);
  if (act === "uninstall") return succeed(changes.filter(({ isNeeded }) => isNeeded).toReversed());
  return succeed(isOurs ? changes : []);
}
