import path from "node:path";
import { succeed, type Result } from "../../base/result.ts";
import type { GuardSettings } from "../../settings/guard.ts";
import type { HookProgram } from "../program.ts";
import { notHonoured, readAgentVersion, type NotHonoured } from "./agent-version.ts";
import { findNode, type FoundNode } from "./found-node.ts";
import type { HookEntry } from "./settings/entry.ts";
import {
  hookFile,
  hookScopes,
  type HookFile,
  type HookFileInput,
  type HookScope,
} from "./settings/agent-file.ts";
import { hookStatus, type HookStatus } from "./settings/status.ts";
import type { RecordPorts } from "./record.ts";
import { decodeJson, leniencies, parseJson } from "./settings/json-document.ts";
import { findOtherPeople, type OtherPeople, type PeopleInput } from "./other-people.ts";
import { planInstall, planUninstall, type HookChange, type PlanReason } from "./plan-change.ts";
import { findPolicies, type Policy } from "./policies.ts";
import { hasStatusLine, type LineMaker } from "./settings/set-status-line.ts";
import { readSettings } from "./settings/disk.ts";
import type { Shim } from "./settings/shim-command.ts";
import { statusLineCommand } from "./settings/status-line-command.ts";
import { claudeAddress, wantedHooks, type HookAddress } from "./settings/wanted-hooks.ts";

/** What of the machine is asked to install hooks; handed in at the top. */
export interface InstallWorld extends HookFileInput, RecordPorts, Omit<PeopleInput, "env"> {
  /** Null while no service has answered hooks here yet. */
  readonly address: HookAddress | null;
  /** What the user wants of posted hooks. */
  readonly posting: GuardSettings["hookPosting"];
  readonly shim: Shim;
  /** Whether a folder is below one that is under version control. */
  readonly isInRepository: (folder: string) => boolean;
}

/** How a scope's hooks would be, and what to know of it. */
export interface HookChoice {
  readonly file: HookFile;
  readonly wanted: readonly HookEntry[];
  /** Whether they are posted, and so hold the token. */
  readonly hasSecret: boolean;
  /** They are so because the user wants it, whoever else can log in. */
  readonly isInsistedOn: boolean;
  /** Why they are all commands where they could have been posted; null where they could not, or are. */
  readonly withoutHttp: WithoutHttp | null;
  readonly policies: readonly Policy[];
  /** What the agent's version does not do with them; null where that is not known. */
  readonly lacks: NotHonoured | null;
  /** Undefined where the agent's status line is not purser's, and is not to be. */
  readonly statusLine?: LineMaker;
}

/**
 * - `in_repository`: others would read the token with the file;
 * - `not_wanted`: the user does not want it;
 * - `not_alone`: somebody else could take the service's port while it does not run, and be told all that is posted;
 * - `too_old`: the agent posts no hooks;
 * - `no_address`: no service has answered hooks here yet;
 * - `forbidden`: the agent may not post them.
 */
export type WithoutHttp =
  | { readonly kind: "in_repository" | "not_wanted" | "too_old" | "no_address" | "forbidden" }
  | { readonly kind: "not_alone"; readonly people: OtherPeople };

export type InstallReason = PlanReason | "no_such_scope";

/** Decides what an agent's hooks in a scope are to be. */
export async function chooseHooks(
  program: HookProgram,
  scope: HookScope,
  world: InstallWorld,
  more: { readonly statusLine?: boolean } = {},
): Promise<Result<HookChoice, InstallReason>> {
  const found = hookFile(program, scope, world);
  return found.ok ? await chooseFor(found.value, world, more) : found;
}

/** The same for a file that is known. */
export async function chooseFor(
  found: HookFile,
  world: InstallWorld,
  { statusLine = false }: { readonly statusLine?: boolean } = {},
): Promise<Result<HookChoice, InstallReason>> {
  const { program, scope, file } = found;
  const isLined = program === "claude-code" && (statusLine || (await isLinedAlready(file, world)));
  const { address, shim } = world;
  const isPosted = program === "claude-code" && scope === "user";
  const url = isPosted && address !== null ? claudeAddress(address) : null;
  const policies = findPolicies(program, { ...world, url });
  const version = await readAgentVersion(program, world.run);
  let withoutHttp: WithoutHttp | null = null;
  if (isPosted) {
    const settings = await readSettings(file, world.disk);
    if (!settings.ok) return settings;
    const isRead = world.isInRepository(path.dirname(settings.value.target));
    const isForbidden = policies.some(({ effect }) => effect === "no_http");
    withoutHttp = isRead ? { kind: "in_repository" } : await whyNotPosted({ isForbidden, version }, world);
  }
  const hasSecret = isPosted && withoutHttp === null;
  const { platform } = world;
  const isShared = scope === "project";
  const wanted = wantedHooks({ program, shim, address: hasSecret ? address : null, isShared, platform });
  const events = wanted.map(({ event }) => event);
  const lacks = version === null ? null : notHonoured(program, version, events);
  const line: LineMaker = (chained) => statusLineCommand(shim, chained, platform);
  return succeed({
    file: found,
    wanted,
    hasSecret,
    withoutHttp,
    policies,
    lacks,
    isInsistedOn: hasSecret && world.posting === "always",
    ...(isLined ? { statusLine: line } : {}),
  });
}

/** Null where nothing speaks against it. What lasts comes before what the next time may be otherwise. */
async function whyNotPosted(
  { isForbidden, version }: { readonly isForbidden: boolean; readonly version: string | null },
  world: InstallWorld,
): Promise<WithoutHttp | null> {
  if (world.posting === "never") return { kind: "not_wanted" };
  if (version !== null && notHonoured("claude-code", version, []).isPostingUnknown)
    return { kind: "too_old" };
  if (isForbidden) return { kind: "forbidden" };
  if (world.posting === "auto") {
    const people = await findOtherPeople(world);
    if (people.kind !== "nobody") return { kind: "not_alone", people };
  }
  return world.address === null ? { kind: "no_address" } : null;
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
  /** What would run the hooks that are commands. */
  readonly node: FoundNode;
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
  const node = await findNode(world.shim.runtime, world.run);
  return succeed({ choice: choice.value, change: change.value, elsewhere, leniencies: lenient, node });
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
