import path from "node:path";
import * as z from "zod/mini";
import { isObject, readJson } from "../../base/parse.ts";
import { sentence, type Sentence } from "../../base/language.ts";
import { isDeepStrictEqual } from "node:util";
import { succeed, type Result } from "../../base/result.ts";
import { hookPrograms, type HookProgram } from "../program.ts";
import { hookFormats, shimPathIn } from "./settings/install-settings-entry.ts";
import { readHookTree, type OwnHandler } from "./settings/install-settings-tree.ts";
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
  type HookChoice,
  type InstallReason,
  type InstallContext,
  type WithoutHttp,
} from "./installer.ts";
import { decodeJson, parseJsonDocument } from "./settings/json-document.ts";
import { makeChange, type ChangeReason } from "./make-change.ts";
import { isLauncher, planLauncher, shimBehind } from "./remove.ts";
import { planMod } from "./whole-plan.ts";
import { planInstall, type HookChange } from "./plan-change.ts";
import { readSettings } from "./settings/disk.ts";
import { planSkill } from "./skill-change.ts";
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
  const gone = shims
    .map((shim) => shimBehind(shim, context) ?? shim)
    .find((shim) => isLauncher(shim, context) || !context.isUsable(shim));
  const [kept = context.shim.path] = gone === undefined ? shims : [];
  const choice = await chooseFor(found, { ...context, shim: { ...context.shim, path: kept } });
  if (!choice.ok) return choice;
  const wrong = whatIsWrong(own, gone, choice.value);
  if (wrong === null) return succeed(null);
  const beside = await planBeside(found, { isGone: gone !== undefined, ...wrong }, context);
  if (!beside.ok) return beside;
  // The command's text, which the agent trusts, stays as it is; only the program that it runs is replaced.
  const isKept = shims.length > 0 && shims.every((shim) => isLauncher(shim, context));
  if (!isKept && scope === "project" && context.isInRepository(path.dirname(target)))
    return succeed({ ...wrong, outcome: "shared", changes: [] });
  const plan = isKept
    ? null
    : await planInstall({ ...choice.value, ...wantedOf(own, choice.value) }, context);
  if (plan?.ok === false) return plan;
  const all = [...(plan === null ? [] : [plan.value]), ...beside.value];
  const changes = all.filter(({ isNeeded }) => isNeeded);
  for (const change of isDry ? [] : changes) {
    const made = await makeChange(change, context);
    if (!made.ok) return made;
  }
  return succeed({ ...wrong, outcome: "repaired", changes });
}

/** The hooks to write, only for events that already have one. Keeps posted hooks that may still be right. */
function wantedOf(own: readonly OwnHandler[], choice: HookChoice): Pick<HookChoice, "wanted" | "hasSecret"> {
  const kept = isUncertain(choice) ? own.filter(({ value }) => isPosted(value)) : [];
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
 * Plans repairs of the files that accompany the hooks: the skill, which refers to a program next to the shim;
 * the mod, which posts; and the launcher, which loads the shim.
 */
async function planBeside(
  settings: HookFile,
  { isGone, becameCommands }: { readonly isGone: boolean } & Wrong,
  context: RepairContext,
): Promise<Result<readonly HookChange[], InstallReason>> {
  const skill = isGone ? await planSkill("install", settings, context) : succeed(null);
  if (!skill.ok) return skill;
  const mod = becameCommands === null ? succeed([]) : await planMod("uninstall", settings, context);
  if (!mod.ok) return mod;
  const launcher = isGone ? await planLauncher("install", settings, context) : succeed([]);
  if (!launcher.ok) return launcher;
  const outdated = skill.value?.state === "outdated" ? skill.value.changes : [];
  return succeed([...outdated, ...mod.value, ...launcher.value]);
}

/** Returns our hooks in a file. None for an invalid file, which the installer reports. */
export function ownHooks(bytes: Buffer, program: HookProgram): readonly OwnHandler[] {
  const text = decodeJson(bytes);
  const document = text.ok ? parseJsonDocument(text.value) : text;
  const tree = document.ok ? readHookTree(document.value, hookFormats[program]) : document;
  return tree.ok ? (tree.value?.own ?? []) : [];
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
