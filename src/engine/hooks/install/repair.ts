import path from "node:path";
import * as z from "zod/mini";
import { isObject, readJson } from "../../base/parse.ts";
import { sentence, type Sentence } from "../../base/language.ts";
import { isDeepStrictEqual } from "node:util";
import { succeed, type Result } from "../../base/result.ts";
import { hookPrograms, isJudgedBefore, type HookProgram } from "../program.ts";
import { shimPathIn } from "./settings/install-settings-entry.ts";
import type { OwnHandler } from "./settings/install-settings-tree.ts";
import {
  hookFile,
  hookScopes,
  insideOwnProject,
  type HookFile,
  type HookScope,
} from "./settings/agent-file.ts";
import { listRecords, readRecord, settingsOf } from "./hooks-install-record.ts";
import {
  chooseFor,
  ownHooks,
  type HookChoice,
  type InstallReason,
  type InstallContext,
  type WithoutHttp,
} from "./installer.ts";
import { decodeJson } from "./settings/json-document.ts";
import { makeChange, type ChangeReason } from "./make-change.ts";
import {
  isLauncher,
  isScript,
  isScripted,
  planLauncher,
  scriptPath,
  scriptText,
  shimBehind,
} from "./remove.ts";
import { planMod } from "./whole-plan.ts";
import { planInstall, type HookChange } from "./plan-change.ts";
import { readSettings } from "./settings/disk.ts";
import { withStatusLine } from "./settings/set-status-line.ts";
import { planSkill, type SkillPlan } from "./skill-change.ts";
import { existsSync, readFileSync } from "node:fs";
import { isVersionBefore } from "../../base/process.ts";
import type { HookServerAddress } from "../server/address.ts";
import { installContext, type InstallInput } from "./hooks-install-context.ts";

export interface RepairContext extends InstallContext {
  /**
   * Whether a shim exists and is no older than ours. Its hooks then suffice, and its own installation
   * maintains them.
   */
  readonly isUsable: (shim: string) => boolean;
}

export interface Repair {
  readonly program: HookProgram;
  readonly scope: HookScope;
  readonly file: string;
  /** `shared`: the file is under version control, so a change would affect others: it is reported, and nothing is changed. */
  readonly outcome: "repaired" | "shared" | "failed";
  /** What was wrong, or why it could not be repaired. */
  readonly detail: Sentence;
  /** Why posted hooks became commands. Null if that was not the repair. */
  readonly becameCommands: WithoutHttp | null;
  /** Changes that were made, or would be. */
  readonly changes: readonly HookChange[];
}

/**
 * Repairs hooks that this user installed on this machine. Covers a shim that is missing or older than ours,
 * an outdated port or token, and posted hooks that are no longer allowed. Changes nothing else: an event that
 * a person removed stays removed, and additions of a newer purser come with its next install. Returns the
 * problems; empty if there are none.
 */
export async function repairHooks(
  context: RepairContext,
  scopes: readonly HookScope[] = hookScopes,
): Promise<Repair[]> {
  const files = hookPrograms.flatMap((program) =>
    scopes.flatMap((scope) => {
      const file = hookFile(program, scope, context);
      // A link's target in a repository was installed for another place, and is repaired there.
      return file.ok && insideOwnProject(scope, file.value.file, context).ok ? [file.value] : [];
    }),
  );
  return await repairFiles(files, context);
}

/**
 * Same as `repairHooks`, for every file into which this user installed hooks, in any project.
 * @param isDry only returns what would be done
 */
export async function repairInstalled(context: RepairContext, isDry = false): Promise<Repair[]> {
  const files = (await listRecords(context)).flatMap((record) => settingsOf(record, context) ?? []);
  return await repairFiles(files, context, isDry);
}

async function repairFiles(
  files: readonly HookFile[],
  context: RepairContext,
  isDry = false,
): Promise<Repair[]> {
  const repairs: Repair[] = [];
  for (const file of files) {
    const first = await repair(file, context, isDry);
    // Another window may have changed it in the meantime.
    const done = !first.ok && first.reason === "changed" ? await repair(file, context, isDry) : first;
    const about = { program: file.program, scope: file.scope, file: file.file };
    if (!done.ok)
      repairs.push({
        ...about,
        outcome: "failed",
        detail: done.detail,
        becameCommands: null,
        changes: [],
      });
    else if (done.value !== null) repairs.push({ ...about, ...done.value });
  }
  return repairs;
}

type Wrong = Pick<Repair, "detail" | "becameCommands">;
type Mended = (Wrong & Pick<Repair, "outcome" | "changes">) | null;

async function repair(
  found: HookFile,
  context: RepairContext,
  isDry: boolean,
): Promise<Result<Mended, InstallReason | ChangeReason>> {
  const { file, program, scope } = found;
  const settings = await readSettings(file, context.disk);
  if (!settings.ok) return settings;
  const { bytes, target } = settings.value;
  if (bytes === null || (await readRecord(target, context)) === null) return succeed(null);
  const own = ownHooks(bytes, program);
  const shims = own.flatMap(({ value }) => shimPathIn(value) ?? []);
  const behind = shims.map((shim) => shimBehind(shim, context) ?? shim);
  const gone = behind.find((shim) => isLauncher(shim, context) || !context.isUsable(shim));
  const [kept = context.shim.path] = gone === undefined ? behind : [];
  const keeping = { ...context, shim: { ...context.shim, path: kept } };
  const choice = await chooseFor(found, keeping);
  if (!choice.ok) return choice;
  const isFormer = startsNode(found, shims, context);
  const isGone = gone !== undefined;
  // Another installation maintains what leads to it.
  const isOurs = context.isSame(kept, context.shim.path);
  const skill = isOurs ? await planSkill("install", found, context) : succeed(null);
  if (!skill.ok) return skill;
  const isLineOld = isOurs && hasOldLine(bytes, choice.value);
  const outdated = whatIsOutdated({ isFormer, shims, skill: skill.value, isOurs, isLineOld }, context);
  const wrong = whatIsWrong(own, gone, choice.value) ?? outdated;
  if (wrong === null) return succeed(staysOpen(found, shims, context) ? left : null);
  const isLaunched = isGone || outdated !== null || wrong.becameCommands !== null;
  const launcher = isLaunched ? await planLauncher("install", found, keeping, shims) : succeed([]);
  if (!launcher.ok) return launcher;
  // The mod posts.
  const mod = wrong.becameCommands === null ? succeed([]) : await planMod("uninstall", found, context);
  if (!mod.ok) return mod;
  const isSkillWritten = skill.value?.state === "outdated";
  const beside = [...(isSkillWritten ? skill.value.changes : []), ...mod.value, ...launcher.value];
  // The command's text, which the agent trusts, stays as it is; only the program that it runs is replaced.
  const isKept =
    shims.length > 0 &&
    !isFormer &&
    program !== "claude-code" &&
    shims.every((shim) => isLauncher(shim, context)) &&
    !isLineOld &&
    !own.some(({ value }) => isPosted(value));
  if (!isKept && scope === "project" && context.isInRepository(path.dirname(target)))
    return succeed({ ...wrong, outcome: "shared", changes: [] });
  const plan = isKept
    ? null
    : await planInstall({ ...choice.value, ...wantedOf(own, choice.value) }, context);
  if (plan?.ok === false) return plan;
  const all = [...(plan === null ? [] : [plan.value]), ...beside];
  const changes = all.filter(({ isNeeded }) => isNeeded);
  for (const change of isDry ? [] : changes) {
    const made = await makeChange(change, context);
    if (!made.ok) return made;
  }
  return succeed({ ...wrong, outcome: "repaired", changes });
}

/** The hooks to write, only for events that already have one. Keeps posted hooks that may still be right. */
function wantedOf(own: readonly OwnHandler[], choice: HookChoice): Pick<HookChoice, "wanted" | "hasSecret"> {
  const isClosed = choice.wanted.some(({ handler }) => handler["onFailure"] !== undefined);
  const kept = isUncertain(choice)
    ? own.filter(({ event, value }) => isPosted(value) && !(isClosed && isJudgedBefore(event)))
    : [];
  const events = new Set(
    own.map(({ event }) => event).filter((event) => !kept.some((each) => each.event === event)),
  );
  const posted = kept.flatMap(({ event, value }) =>
    isObject(value) ? [{ event, matcher: null, handler: value }] : [],
  );
  return {
    wanted: [...choice.wanted.filter(({ event }) => events.has(event)), ...posted],
    hasSecret: choice.hasSecret || posted.length > 0,
  };
}

function isUncertain({ withoutHttp }: HookChoice): boolean {
  return (
    withoutHttp?.kind === "no_address" ||
    (withoutHttp?.kind === "not_alone" && withoutHttp.people.kind === "unknown")
  );
}

/** Returns null when all is well. */
function whatIsWrong(own: readonly OwnHandler[], gone: string | undefined, choice: HookChoice): Wrong | null {
  const { wanted, withoutHttp, hasSecret } = choice;
  const posted = own.filter(({ value }) => isPosted(value));
  const well = { becameCommands: null };
  const isGone =
    gone === undefined ? null : { ...well, detail: sentence("{0} is not in use any more", gone) };
  const isOther = own.some(({ event, value }) => {
    const now = wanted.find((entry) => entry.event === event)?.handler;
    return now !== undefined && isObject(value) && value["onFailure"] !== now["onFailure"];
  });
  if (isGone === null && isOther)
    return {
      ...well,
      detail: sentence("they did not do what your settings say about a call that was not judged"),
    };
  if (posted.length > 0 && isUncertain(choice)) return isGone;
  if (posted.length > 0 && !hasSecret && withoutHttp !== null)
    return {
      detail: sentence("they were posted, which is not right here ({0})", withoutHttp.kind),
      becameCommands: withoutHttp,
    };
  if (isGone !== null) return isGone;
  if (isPostedElsewhere(posted, wanted))
    return { ...well, detail: sentence("they were posted to an address of before") };
  const commands = wanted.filter(({ handler }) => !isPosted(handler)).map(({ event }) => event);
  const late = posted.find(({ event }) => commands.includes(event));
  return late === undefined
    ? null
    : { ...well, detail: sentence("{0} was posted, and is a command now", late.event) };
}

/**
 * Whether commands still run the shim, as a purser before the script wrote them. Codex's stay: it would skip changed ones until its user reviews
 * them.
 */
function startsNode(file: HookFile, shims: readonly string[], context: RepairContext): boolean {
  if (!isScripted(file, context) || file.program === "codex") return false;
  return shims.some((shim) => !isScript(shim, context));
}

/** Codex's hooks of before the script cannot deny a call, and are not replaced without their user. */
function staysOpen(file: HookFile, shims: readonly string[], context: RepairContext): boolean {
  if (context.onFailure !== "closed" || file.program !== "codex" || !isScripted(file, context)) return false;
  return shims.some((shim) => !isScript(shim, context));
}

const left: Mended = {
  outcome: "failed",
  detail: sentence(
    "they were written by an earlier version of purser, and let a call pass that was not judged; install them again, and review them in Codex",
  ),
  becameCommands: null,
  changes: [],
};

interface Parts {
  readonly isFormer: boolean;
  readonly shims: readonly string[];
  /** Refers to a program next to the shim. */
  readonly skill: SkillPlan | null;
  readonly isOurs: boolean;
  readonly isLineOld: boolean;
}

/** Whether the status line runs another program than the hooks' own. */
function hasOldLine(bytes: Buffer, { statusLine }: HookChoice): boolean {
  const text = decodeJson(bytes);
  if (statusLine === undefined || !text.ok) return false;
  const lined = withStatusLine(text.value, statusLine);
  return lined.ok && lined.value !== text.value;
}

function whatIsOutdated(
  { isFormer, shims, skill, isOurs, isLineOld }: Parts,
  context: RepairContext,
): Wrong | null {
  const wrong = (detail: Sentence) => ({ detail, becameCommands: null });
  if (isFormer) return wrong(sentence("each of them started Node, which is slow"));
  if (isLineOld) return wrong(sentence("the status line was written by another version of purser"));
  const script = scriptPath(context);
  const isScriptOld =
    isOurs &&
    shims.some((shim) => isScript(shim, context)) &&
    context.readText(script) !== scriptText(context);
  if (isScriptOld) return wrong(sentence("{0} was written by another version of purser", script));
  return skill?.state === "outdated"
    ? wrong(sentence("{0} was written by another version of purser", skill.file))
    : null;
}

/** Compares only the addresses with what would be installed now; timeouts differ between versions. */
function isPostedElsewhere(
  posted: readonly OwnHandler[],
  wanted: readonly { readonly event: string; readonly handler: unknown }[],
): boolean {
  const addresses = wanted.flatMap(({ handler }) => (isPosted(handler) ? [addressOf(handler)] : []));
  const [now] = addresses;
  return posted.some(({ value }) => !isDeepStrictEqual(addressOf(value), now));
}

function isPosted(handler: unknown): boolean {
  return isObject(handler) && typeof handler["url"] === "string";
}

function addressOf(handler: unknown): unknown {
  if (!isObject(handler)) return null;
  const { url, headers } = handler;
  return { url, token: isObject(headers) ? headers["Authorization"] : null };
}

interface RepairInput extends InstallInput {
  readonly version: string;
}

/**
 * Returns what repairing hooks needs of the machine.
 * @param address the hook server's address; null while no service has answered hooks here
 */
export function repairContext(
  { version, ...paths }: RepairInput,
  address: HookServerAddress | null,
): RepairContext {
  return { ...installContext(paths, address), isUsable: (shim) => isAsNew(shim, version) };
}

const manifestSchema = z.object({ version: z.string() });

/**
 * Whether a shim belongs to an extension or package no older than this version. Its manifest is in the folder above the shim's.
 */
function isAsNew(shim: string, version: string): boolean {
  if (!existsSync(shim)) return false;
  // A shim run from source, in the repository, is always new enough.
  const root = path.join(path.dirname(shim), shim.endsWith(".ts") ? "../../.." : "..");
  try {
    const manifest = readJson(manifestSchema, readFileSync(path.join(root, "package.json"), "utf8"));
    return manifest !== null && !isVersionBefore(manifest.version, version);
  } catch {
    // A shim without a package has no owner, and may stay outdated for ever.
    return false;
  }
}
