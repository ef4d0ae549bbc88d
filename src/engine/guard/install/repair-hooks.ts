import { isDeepStrictEqual } from "node:util";
import path from "node:path";
import { succeed, type Result } from "../../base/result.ts";
import { hookPrograms, type HookProgram } from "../hook-program.ts";
import { hookFormats, isObject } from "./hook-entry.ts";
import { hookFile, hookScopes, type HookFile, type HookScope } from "./hook-file.ts";
import { readHookTree, type OwnHandler } from "./hook-tree.ts";
import { readRecord } from "./install-record.ts";
import {
  chooseHooks,
  type HookChoice,
  type InstallReason,
  type InstallWorld,
  type WithoutHttp,
} from "./installer.ts";
import { decodeJson, parseJson } from "./json-document.ts";
import { makeChange, type ChangeReason } from "./make-change.ts";
import { planMod } from "./mod-change.ts";
import { planInstall } from "./plan-change.ts";
import { readSettings } from "./settings-disk.ts";
import { planSkill } from "./skill-change.ts";
import { shimPathIn } from "./shim-path.ts";

export interface RepairWorld extends InstallWorld {
  /** Whether a shim is there and no older than ours: then its hooks are as good as ours, and its installer's business. */
  readonly isUsable: (shim: string) => boolean;
}

/** What became of one file's hooks. */
export interface Repair {
  readonly program: HookProgram;
  readonly scope: HookScope;
  readonly file: string;
  /** `shared`: it is under version control, and what would be changed is others' too: they are told, and nothing is done. */
  readonly outcome: "repaired" | "shared" | "failed";
  /** What was wrong, or why it could not be mended. */
  readonly detail: string;
  /** Why hooks that were posted are commands now; null where that is not what was mended. */
  readonly becameCommands: WithoutHttp | null;
}

/**
 * Mends hooks that this user installed on this machine and that lead nowhere any more, or where they should not: the shim is gone or is an
 * older version's, they are posted to a port or with a token of before, or they are posted where that is not right any more. Nothing else
 * is touched: an event that a person took out stays out, and what a newer purser would add is added when it is installed again. Answers
 * what was wrong, nothing where all is well.
 */
export async function repairHooks(
  world: RepairWorld,
  scopes: readonly HookScope[] = hookScopes,
): Promise<Repair[]> {
  const repairs: Repair[] = [];
  for (const program of hookPrograms)
    for (const scope of scopes) {
      const file = hookFile(program, scope, world);
      if (!file.ok) continue;
      const first = await repair(file.value, world);
      // Another window may have been at it.
      const done = !first.ok && first.reason === "changed" ? await repair(file.value, world) : first;
      const about = { program, scope, file: file.value.file };
      if (!done.ok) repairs.push({ ...about, outcome: "failed", detail: done.detail, becameCommands: null });
      else if (done.value !== null) repairs.push({ ...about, ...done.value });
    }
  return repairs;
}

type Mended = Pick<Repair, "outcome" | "detail" | "becameCommands"> | null;

async function repair(
  { file, program, scope }: HookFile,
  world: RepairWorld,
): Promise<Result<Mended, InstallReason | ChangeReason>> {
  const settings = await readSettings(file, world.disk);
  if (!settings.ok) return settings;
  const { bytes, target } = settings.value;
  if (bytes === null || (await readRecord(target, world)) === null) return succeed(null);
  const own = ownHooks(bytes, program);
  const shims = own.flatMap(({ value }) => shimPathIn(value) ?? []);
  const gone = shims.find((shim) => !world.isUsable(shim));
  const [kept = world.shim.path] = gone === undefined ? shims : [];
  const choice = await chooseHooks(program, scope, { ...world, shim: { ...world.shim, path: kept } });
  if (!choice.ok) return choice;
  const wrong = whatIsWrong(own, gone, choice.value);
  if (wrong === null) return succeed(null);
  if (scope === "project" && world.isInRepository(path.dirname(target)))
    return succeed({ ...wrong, outcome: "shared" });
  const events = new Set(own.map(({ event }) => event));
  const wanted = choice.value.wanted.filter(({ event }) => events.has(event));
  const plan = await planInstall({ ...choice.value, wanted }, world);
  if (!plan.ok) return plan;
  const made = await makeChange(plan.value, world);
  if (!made.ok) return made;
  const beside = await repairBeside({ program, scope }, { isGone: gone !== undefined, ...wrong }, world);
  return beside.ok ? succeed({ ...wrong, outcome: "repaired" }) : beside;
}

/** Null where all is well. */
function whatIsWrong(
  own: readonly OwnHandler[],
  gone: string | undefined,
  { wanted, withoutHttp, hasSecret }: HookChoice,
): Pick<Repair, "detail" | "becameCommands"> | null {
  const posted = own.filter(({ value }) => isPosted(value));
  // Until it is known where hooks are answered, or who else is here, those that are posted may be right.
  const isUncertain =
    withoutHttp?.kind === "no_address" ||
    (withoutHttp?.kind === "not_alone" && withoutHttp.people.kind === "unknown");
  if (isUncertain && posted.length > 0) return null;
  if (posted.length > 0 && !hasSecret && withoutHttp !== null)
    return {
      detail: `they were posted, which is not right here (${withoutHttp.kind})`,
      becameCommands: withoutHttp,
    };
  const well = { becameCommands: null };
  if (gone !== undefined) return { ...well, detail: `${gone} is not in use any more` };
  if (isPostedElsewhere(posted, wanted))
    return { ...well, detail: "they were posted to an address of before" };
  const commands = wanted.filter(({ handler }) => !isPosted(handler)).map(({ event }) => event);
  const late = posted.find(({ event }) => commands.includes(event));
  return late === undefined ? null : { ...well, detail: `${late.event} was posted, and is a command now` };
}

/** What came with hooks: the skill, which names a program beside the shim, and the mod, which posts. */
async function repairBeside(
  place: Pick<HookFile, "program" | "scope">,
  { isGone, becameCommands }: { readonly isGone: boolean; readonly becameCommands: WithoutHttp | null },
  world: RepairWorld,
): Promise<Result<unknown, InstallReason | ChangeReason>> {
  const skill = isGone ? await planSkill("install", place, world) : succeed(null);
  if (!skill.ok) return skill;
  const mod = becameCommands === null ? succeed([]) : await planMod("uninstall", place, world);
  if (!mod.ok) return mod;
  const changes = [...(skill.value?.state === "outdated" ? skill.value.changes : []), ...mod.value];
  for (const change of changes) {
    const made = await makeChange(change, world);
    if (!made.ok) return made;
  }
  return succeed(null);
}

/** None where the file is not one: that is told to whoever installs. */
function ownHooks(bytes: Buffer, program: HookProgram): readonly OwnHandler[] {
  const text = decodeJson(bytes);
  const document = text.ok ? parseJson(text.value) : text;
  const tree = document.ok ? readHookTree(document.value, hookFormats[program]) : document;
  return tree.ok ? (tree.value?.own ?? []) : [];
}

/** Of what would be installed now only where it is posted to counts; times differ between versions. */
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

/** Where it is posted, and with which token. What else it tells differs from event to event. */
function addressOf(handler: unknown): unknown {
  if (!isObject(handler)) return null;
  const { url, headers } = handler;
  return { url, token: isObject(headers) ? headers["Authorization"] : null };
}
