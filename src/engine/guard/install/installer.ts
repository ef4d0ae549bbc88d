import path from "node:path";
import { succeed, type Result } from "../../base/result.ts";
import type { HookProgram } from "../hook-program.ts";
import type { HookEntry } from "./hook-entry.ts";
import { hookFile, hookScopes, type HookFile, type HookFileInput, type HookScope } from "./hook-file.ts";
import { hookStatus, type HookStatus } from "./hook-status.ts";
import type { RecordPorts } from "./install-record.ts";
import { decodeJson, leniencies, parseJson } from "./json-document.ts";
import { planInstall, planUninstall, type HookChange, type PlanReason } from "./plan-change.ts";
import { findPolicies, type Policy, type PolicyInput } from "./policies.ts";
import { hasStatusLine, type LineMaker } from "./set-status-line.ts";
import { readSettings } from "./settings-disk.ts";
import type { Shim } from "./shim-command.ts";
import { statusLineCommand } from "./status-line-command.ts";
import { claudeAddress, wantedHooks, type HookAddress } from "./wanted-hooks.ts";

/** What of the machine is asked to install hooks; handed in at the top. */
export interface InstallWorld
  extends HookFileInput, RecordPorts, Pick<PolicyInput, "platform" | "readText" | "list"> {
  /** Null while no service has answered hooks here yet. */
  readonly address: HookAddress | null;
  readonly shim: Shim;
  /** Whether a folder is below one that is under version control. */
  readonly isInRepository: (folder: string) => boolean;
}

/** How a scope's hooks would be, and what to know of it. */
export interface HookChoice {
  readonly file: HookFile;
  readonly wanted: readonly HookEntry[];
  /** Whether they hold the token. */
  readonly hasSecret: boolean;
  /** Why they are all commands where they could have been posted; null where they could not, or are. */
  readonly withoutHttp: "in_repository" | "forbidden" | "no_address" | null;
  readonly policies: readonly Policy[];
  /** Undefined where the agent's status line is not purser's, and is not to be. */
  readonly statusLine?: LineMaker;
}

export type InstallReason = PlanReason | "no_such_scope";

/** Decides what an agent's hooks in a scope are to be. */
export async function chooseHooks(
  program: HookProgram,
  scope: HookScope,
  world: InstallWorld,
  { statusLine = false }: { readonly statusLine?: boolean } = {},
): Promise<Result<HookChoice, InstallReason>> {
  const found = hookFile(program, scope, world);
  if (!found.ok) return found;
  const isLined =
    program === "claude-code" && (statusLine || (await isLinedAlready(found.value.file, world)));
  const { address, shim } = world;
  const isPosted = program === "claude-code" && scope === "user";
  const url = isPosted && address !== null ? claudeAddress(address) : null;
  const policies = findPolicies(program, { ...world, url });
  let withoutHttp: HookChoice["withoutHttp"] = null;
  if (isPosted) {
    const settings = await readSettings(found.value.file, world.disk);
    if (!settings.ok) return settings;
    if (world.isInRepository(path.dirname(settings.value.target))) withoutHttp = "in_repository";
    else if (address === null) withoutHttp = "no_address";
    else if (policies.some(({ effect }) => effect === "no_http")) withoutHttp = "forbidden";
  }
  const hasSecret = isPosted && withoutHttp === null;
  const wanted = wantedHooks({
    program,
    shim,
    address: hasSecret ? address : null,
    isShared: scope !== "user",
  });
  const line: LineMaker = (chained) => statusLineCommand(shim, chained, world.platform);
  return succeed({
    ...{ file: found.value, wanted, hasSecret, withoutHttp, policies },
    ...(isLined ? { statusLine: line } : {}),
  });
}

async function isLinedAlready(file: string, { disk }: InstallWorld): Promise<boolean> {
  const settings = await readSettings(file, disk);
  const text = settings.ok && settings.value.bytes !== null ? decodeJson(settings.value.bytes) : null;
  return text?.ok === true && hasStatusLine(text.value);
}

export interface PlannedInstall {
  readonly choice: HookChoice;
  readonly change: HookChange;
  /** Other files in which hooks of ours for the same agent are: events would be told twice. */
  readonly elsewhere: readonly HookFile[];
  /** What is in the file that its agent does not take for JSON. */
  readonly leniencies: HookStatus["leniencies"];
}

/** What installing would change. `makeChange` makes it. @param more whether the agent's status line is to be purser's too */
export async function prepareInstall(
  program: HookProgram,
  scope: HookScope,
  world: InstallWorld,
  more: { readonly statusLine?: boolean } = {},
): Promise<Result<PlannedInstall, InstallReason>> {
  const choice = await chooseHooks(program, scope, world, more);
  if (!choice.ok) return choice;
  const change = await planInstall(choice.value, world);
  if (!change.ok) return change;
  const others = hookScopes.filter((other) => other !== scope);
  const elsewhere: HookFile[] = [];
  for (const other of others) {
    const there = await statusOf(program, other, world);
    if (there.ok && there.value.state !== "absent" && there.value.file.file !== choice.value.file.file)
      elsewhere.push(there.value.file);
  }
  const after = parseJson(change.value.after?.toString("utf8") ?? "");
  const lenient = after.ok ? leniencies(after.value) : { comments: false, trailingCommas: false };
  return succeed({ choice: choice.value, change: change.value, elsewhere, leniencies: lenient });
}

/** What uninstalling would change. `makeChange` makes it. */
export async function prepareUninstall(
  program: HookProgram,
  scope: HookScope,
  world: InstallWorld,
): Promise<Result<{ file: HookFile; change: HookChange }, InstallReason>> {
  const file = hookFile(program, scope, world);
  if (!file.ok) return file;
  const change = await planUninstall(file.value, world);
  return change.ok ? succeed({ file: file.value, change: change.value }) : change;
}

/** How an agent's hooks stand in a scope. */
export async function statusOf(
  program: HookProgram,
  scope: HookScope,
  world: InstallWorld,
): Promise<Result<HookChoice & HookStatus, InstallReason>> {
  const choice = await chooseHooks(program, scope, world);
  if (!choice.ok) return choice;
  const status = await hookStatus(choice.value.file, choice.value, world.disk);
  return status.ok ? succeed({ ...choice.value, ...status.value }) : status;
}
