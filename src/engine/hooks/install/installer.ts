import path from "node:path";
import { isObject } from "../../base/parse.ts";
import { maxSocketPath, purserPaths } from "../../base/paths.ts";
import { succeed, type Result, fail } from "../../base/result.ts";
import type { GuardSettings } from "../../settings/guard.ts";
import type { HookProgram } from "../program.ts";
import {
  type NotHonoured,
  readAgentVersion,
  notHonoured,
  findNode,
  type FoundNode,
} from "./agent-version.ts";
import { readCodexTrust, skippedHooks, type SkippedHooks } from "./codex-trust.ts";
import { isScripted, scriptPath, shimFor } from "./remove.ts";
import { type HookEntry, hookFormats, type OnFailure, type Shim } from "./settings/install-settings-entry.ts";
import { readHookTree, type OwnHandler } from "./settings/install-settings-tree.ts";
import {
  hookFile,
  hookScopes,
  type HookFile,
  type HookFileInput,
  type HookScope,
} from "./settings/agent-file.ts";
import type { RecordPorts } from "./hooks-install-record.ts";
import {
  decodeJson,
  leniencies,
  noLeniencies,
  parseJsonDocument,
  body,
  type Leniencies,
} from "./settings/json-document.ts";
import { findOtherPeople, type OtherPeople, type PeopleInput } from "./other-people.ts";
import { planInstall, planUninstall, type HookChange, type PlanReason } from "./plan-change.ts";
import { findPolicies, type Policy } from "./policies.ts";
import {
  hasStatusLine,
  type LineMaker,
  statusLineCommand,
  withStatusLine,
} from "./settings/set-status-line.ts";
import { readSettings, type SettingsDisk } from "./settings/disk.ts";
import { claudeAddress, wantedHooks, type HookAddress } from "./settings/wanted-hooks.ts";
import { sentence, type Sentence, compose } from "../../base/language.ts";
import { isDeepStrictEqual } from "node:util";
import { isFormer } from "./settings/set-hooks.ts";

/** `kept`: what the installed hooks do. */
export type FailureWish = OnFailure | "kept";

export interface InstallContext extends HookFileInput, RecordPorts, Omit<PeopleInput, "env"> {
  /** Null while no service has answered hooks here yet. */
  readonly address: HookAddress | null;
  readonly posting: GuardSettings["hookPosting"];
  readonly shim: Shim;
  /** `closed` once the user requires that no call passes without having been judged. `open` by default. */
  readonly onFailure?: FailureWish;
  readonly isInRepository: (folder: string) => boolean;
}

export interface HookChoice {
  readonly file: HookFile;
  readonly wanted: readonly HookEntry[];
  /** Whether some hooks are posted, so that the file contains the token. */
  readonly hasSecret: boolean;
  readonly way: HookWay;
  /** They are posted because the user insists on it, regardless of other accounts. */
  readonly isInsistedOn: boolean;
  /** Why all hooks are commands although they could be posted. Null if they cannot be, or are. */
  readonly withoutHttp: WithoutHttp | null;
  readonly policies: readonly Policy[];
  /** The parts that the agent's version does not support. Null if the version is unknown. */
  readonly lacks: NotHonoured | null;
  /** Undefined if the agent's status line neither is nor becomes purser's. */
  readonly statusLine?: LineMaker;
}

/**
 * How most hooks reach the service, by what this machine has: the agent posts them itself (`http`), or a command passes them on with `curl` or the
 * hook program (`node`). A command whose way fails uses the next one.
 */
export const hookWays = ["http", "curl", "node"] as const;
type HookWay = (typeof hookWays)[number];

/**
 * - `in_repository`: others who read the file would get the token;
 * - `not_wanted`: the user opted out;
 * - `not_alone`: another person could take the service's port while it is not running, and receive everything that is
 * posted;
 * - `too_old`: the agent cannot post hooks;
 * - `no_address`: no service has answered hooks here yet;
 * - `forbidden`: a policy keeps the agent from posting them.
 */
export type WithoutHttp =
  | { readonly kind: "in_repository" | "not_wanted" | "too_old" | "no_address" | "forbidden" }
  | { readonly kind: "not_alone"; readonly people: OtherPeople };

export type InstallReason = PlanReason | "no_such_scope" | "outside_project";

export async function chooseHooks(
  program: HookProgram,
  scope: HookScope,
  context: InstallContext,
  more: { readonly statusLine?: boolean } = {},
): Promise<Result<HookChoice, InstallReason>> {
  const found = hookFile(program, scope, context);
  return found.ok ? await chooseFor(found.value, context, more) : found;
}

/** Same as `chooseHooks`, for a file that is already known. */
export async function chooseFor(
  found: HookFile,
  context: InstallContext,
  { statusLine = false }: { readonly statusLine?: boolean } = {},
): Promise<Result<HookChoice, InstallReason>> {
  const { program, scope, file } = found;
  const isLined = program === "claude-code" && (statusLine || (await isLinedAlready(file, context)));
  const { address } = context;
  const shim = shimFor(program, context);
  const isPosted = program === "claude-code" && scope === "user";
  const url = isPosted && address !== null ? claudeAddress(address) : null;
  const policies = findPolicies(program, { ...context, url });
  const version = await readAgentVersion(program, context.run);
  let withoutHttp: WithoutHttp | null = null;
  if (isPosted) {
    const settings = await readSettings(file, context.disk);
    if (!settings.ok) return settings;
    const isRead = context.isInRepository(path.dirname(settings.value.target));
    const isForbidden = policies.some(({ effect }) => effect === "no_http");
    withoutHttp = isRead ? { kind: "in_repository" } : await whyNotPosted({ isForbidden, version }, context);
  }
  const hasSecret = isPosted && withoutHttp === null;
  const { platform } = context;
  const isShared = scope === "project";
  const script = isScripted(found, context) ? scriptPath(context) : null;
  const onFailure = await failureIn(found, context);
  const way = hasSecret ? "http" : script !== null && (await hasCurl(context)) ? "curl" : "node";
  const token = hasSecret ? address : null;
  const wanted = wantedHooks({ program, shim, script, onFailure, address: token, isShared, platform });
  const events = wanted.map(({ event }) => event);
  const lacks = version === null ? null : notHonoured(program, version, events);
  const line: LineMaker = (chained) => statusLineCommand(shim, chained, platform);
  return succeed({
    file: found,
    wanted,
    hasSecret,
    way,
    withoutHttp,
    policies,
    lacks,
    isInsistedOn: hasSecret && context.posting === "always",
    ...(isLined ? { statusLine: line } : {}),
  });
}

/** Returns null if nothing prevents posting. Lasting reasons come before those that may differ next time. */
async function whyNotPosted(
  { isForbidden, version }: { readonly isForbidden: boolean; readonly version: string | null },
  context: InstallContext,
): Promise<WithoutHttp | null> {
  if (context.posting === "never") return { kind: "not_wanted" };
  if (version !== null && notHonoured("claude-code", version, []).isPostingUnknown)
    return { kind: "too_old" };
  if (isForbidden) return { kind: "forbidden" };
  if (context.posting === "auto") {
    const people = await findOtherPeople(context);
    if (people.kind !== "nobody") return { kind: "not_alone", people };
  }
  return context.address === null ? { kind: "no_address" } : null;
}

/** Whether curl can reach the service's socket. */
async function hasCurl({ run, records }: InstallContext): Promise<boolean> {
  const { hookSocket } = purserPaths({ env: { PURSER_HOME: path.dirname(records) }, home: "" });
  if (Buffer.byteLength(hookSocket) > maxSocketPath) return false;
  return (await run("curl", ["--version"]))?.includes("UnixSockets") === true;
}

async function failureIn(
  { file, program }: HookFile,
  { disk, onFailure = "open" }: InstallContext,
): Promise<OnFailure> {
  if (onFailure !== "kept") return onFailure;
  const settings = await readSettings(file, disk);
  const bytes = settings.ok ? settings.value.bytes : null;
  const own = bytes === null ? [] : ownHooks(bytes, program);
  return own.some(({ value }) => isObject(value) && value["onFailure"] !== undefined) ? "closed" : "open";
}

/** Returns our hooks in a file. None for an invalid file, which the installer reports. */
export function ownHooks(bytes: Buffer, program: HookProgram): readonly OwnHandler[] {
  const text = decodeJson(bytes);
  const document = text.ok ? parseJsonDocument(text.value) : text;
  const tree = document.ok ? readHookTree(document.value, hookFormats[program]) : document;
  return tree.ok ? (tree.value?.own ?? []) : [];
}

async function isLinedAlready(file: string, { disk }: InstallContext): Promise<boolean> {
  const settings = await readSettings(file, disk);
  const text = settings.ok && settings.value.bytes !== null ? decodeJson(settings.value.bytes) : null;
  return text?.ok === true && hasStatusLine(text.value);
}

export interface PlannedInstall {
  readonly choice: HookChoice;
  readonly change: HookChange;
  readonly elsewhere: readonly HookFile[];
  /** Syntax in the file that its agent does not accept as JSON. */
  readonly leniencies: HookStatus["leniencies"];
  readonly node: FoundNode;
}

/**
 * Plans an installation, which `makeChange` carries out.
 * @param more whether to install purser's status line too
 */
export async function prepareInstall(
  program: HookProgram,
  scope: HookScope,
  context: InstallContext,
  more: { readonly statusLine?: boolean } = {},
): Promise<Result<PlannedInstall, InstallReason>> {
  const choice = await chooseHooks(program, scope, context, more);
  if (!choice.ok) return choice;
  const change = await planInstall(choice.value, context);
  if (!change.ok) return change;
  const others = hookScopes.filter((other) => other !== scope);
  const elsewhere: HookFile[] = [];
  for (const other of others) {
    const there = await statusOf(program, other, context);
    if (there.ok && there.value.state !== "absent" && there.value.file.file !== choice.value.file.file)
      elsewhere.push(there.value.file);
  }
  const after = parseJsonDocument(change.value.after?.toString("utf8") ?? "");
  const lenient = after.ok ? leniencies(after.value, hookFormats[program]) : noLeniencies;
  const node = await findNode(context.shim.runtime, context.run);
  return succeed({ choice: choice.value, change: change.value, elsewhere, leniencies: lenient, node });
}

export async function prepareUninstall(
  program: HookProgram,
  scope: HookScope,
  context: InstallContext,
): Promise<Result<{ file: HookFile; change: HookChange }, InstallReason>> {
  const file = hookFile(program, scope, context);
  if (!file.ok) return file;
  const change = await planUninstall(file.value, context);
  return change.ok ? succeed({ file: file.value, change: change.value }) : change;
}

export async function statusOf(
  program: HookProgram,
  scope: HookScope,
  context: InstallContext,
): Promise<Result<HookChoice & RunStatus, InstallReason>> {
  const choice = await chooseHooks(program, scope, context);
  if (!choice.ok) return choice;
  const { file } = choice.value;
  const status = await hookStatus(file, choice.value, context.disk);
  if (!status.ok) return status;
  const isTrustNeeded = program === "codex" && status.value.state !== "absent";
  const skipped = isTrustNeeded ? skippedHooks(readCodexTrust(file, context)) : null;
  return succeed({ ...choice.value, ...status.value, skipped });
}

export interface RunStatus extends HookStatus {
  /** Null if it runs all of them, as far as its files show. */
  readonly skipped: SkippedHooks | null;
}

interface HookStatus {
  /** `outdated`: hooks of ours exist, but differ from what would be installed now. */
  readonly state: "absent" | "installed" | "outdated";
  readonly events: readonly string[];
  readonly hasStatusLine: boolean;
  readonly leniencies: Leniencies;
}

/** Inspects one file, compared with what would be installed now. */
export async function hookStatus(
  { file, program }: HookFile,
  { wanted, statusLine }: { readonly wanted: readonly HookEntry[]; readonly statusLine?: LineMaker },
  disk: SettingsDisk,
): Promise<Result<HookStatus, PlanReason>> {
  const settings = await readSettings(file, disk);
  if (!settings.ok) return settings;
  const text = decodeJson(settings.value.bytes ?? Buffer.alloc(0));
  const document = text.ok ? parseJsonDocument(text.value) : text;
  if (!document.ok) return fail(document.reason, compose`${file}: ${document.detail}`);
  const tree = readHookTree(document.value, hookFormats[program]);
  if (!tree.ok) return fail(tree.reason, compose`${file}: ${tree.detail}`);
  const own = tree.value?.own ?? [];
  const isCurrent =
    own.length === wanted.length &&
    wanted.every((entry) =>
      own.some(
        ({ event, value, matcher }) =>
          event === entry.event && isDeepStrictEqual(value, entry.handler) && !isFormer(matcher, entry),
      ),
    );
  const line = body(document.value);
  const lined = statusLine === undefined ? null : withStatusLine(line, statusLine);
  const isLineCurrent = lined === null || (lined.ok && lined.value === line);
  const state = own.length === 0 ? "absent" : isCurrent && isLineCurrent ? "installed" : "outdated";
  return succeed({
    state,
    events: own.map(({ event }) => event),
    hasStatusLine: hasStatusLine(line),
    leniencies: leniencies(document.value, hookFormats[program]),
  });
}

/** Explains why every hook is a command although it could be posted. */
export function describeWithoutHttp(why: WithoutHttp): Sentence {
  const cost = sentence("every hook starts a process instead of being posted");
  switch (why.kind) {
    case "in_repository":
      return sentence("The file is under version control, so the token stays out of it: {0}.", cost);
    case "not_wanted":
      return sentence('hookPosting is "never" in the settings: {0}.', cost);
    case "too_old":
      return sentence("Claude Code posts no hooks before 2.1.63: {0}.", cost);
    case "no_address":
      return sentence(
        "No service has answered hooks here yet: every hook starts a process until this is run again.",
      );
    case "forbidden":
      return sentence("Claude Code may not post hooks: {0}.", cost);
    case "not_alone":
      return sentence(
        '{0}, and could be told what is posted while purser\'s service does not run: {1}. Where you trust them, "hookPosting": "always" in ~/.purser/settings.json posts all the same.',
        describePeople(why.people),
        cost,
      );
  }
}

function describePeople(people: OtherPeople): Sentence {
  switch (people.kind) {
    case "nobody":
      return sentence("Nobody else can log in to this machine");
    case "account":
      return sentence("The account {0} can log in to this machine", people.name);
    case "directory":
      return sentence("Others whom {0} knows can log in to this machine", people.name);
    case "host":
      return sentence("Others can log in to the machine that this one shares its ports with");
    case "unknown":
      return sentence("It cannot be told whether others can log in to this machine");
  }
}
