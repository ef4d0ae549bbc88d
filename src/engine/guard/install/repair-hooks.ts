import { isDeepStrictEqual } from "node:util";
import path from "node:path";
import { succeed, type Result } from "../../base/result.ts";
import { hookPrograms, type HookProgram } from "../hook-program.ts";
import { hookFormats, isObject } from "./hook-entry.ts";
import { hookFile, hookScopes, type HookFile, type HookScope } from "./hook-file.ts";
import { readHookTree, type OwnHandler } from "./hook-tree.ts";
import { readRecord } from "./install-record.ts";
import { chooseHooks, type InstallReason, type InstallWorld } from "./installer.ts";
import { decodeJson, parseJson } from "./json-document.ts";
import { makeChange, type ChangeReason } from "./make-change.ts";
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
}

/**
 * Mends hooks that this user installed on this machine and that lead nowhere any more: the shim is gone or is an older version's, or
 * they are posted to a port or with a token of before. Nothing else is touched: an event that a person took out stays out, and
 * what a newer purser would add is added when it is installed again. Answers what was wrong, nothing where all is well.
 */
export async function repairHooks(world: RepairWorld): Promise<Repair[]> {
  const repairs: Repair[] = [];
  for (const program of hookPrograms)
    for (const scope of hookScopes) {
      const file = hookFile(program, scope, world);
      if (!file.ok) continue;
      const first = await repair(file.value, world);
      // Another window may have been at it.
      const done = !first.ok && first.reason === "changed" ? await repair(file.value, world) : first;
      const about = { program, scope, file: file.value.file };
      if (!done.ok) repairs.push({ ...about, outcome: "failed", detail: done.detail });
      else if (done.value !== null) repairs.push({ ...about, ...done.value });
    }
  return repairs;
}

type Mended = Pick<Repair, "outcome" | "detail"> | null;

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
  const isMoved = isPostedElsewhere(own, choice.value.wanted);
  if (gone === undefined && !isMoved) return succeed(null);
  // Until it is known where hooks are answered, those that are posted may be right.
  if (choice.value.withoutHttp === "no_address" && own.some(({ value }) => isPosted(value)))
    return succeed(null);
  const detail =
    gone === undefined ? "they were posted to an address of before" : `${gone} is not in use any more`;
  if (scope === "project" && world.isInRepository(path.dirname(target)))
    return succeed({ outcome: "shared", detail });
  const events = new Set(own.map(({ event }) => event));
  const wanted = choice.value.wanted.filter(({ event }) => events.has(event));
  const plan = await planInstall({ ...choice.value, wanted }, world);
  if (!plan.ok) return plan;
  const made = await makeChange(plan.value, world);
  if (!made.ok) return made;
  const skill = gone === undefined ? made : await repairSkill({ program, scope }, world);
  return skill.ok ? succeed({ outcome: "repaired", detail }) : skill;
}

/** The skill names a program beside the shim. */
async function repairSkill(
  place: Pick<HookFile, "program" | "scope">,
  world: RepairWorld,
): Promise<Result<unknown, InstallReason | ChangeReason>> {
  const plan = await planSkill("install", place, world);
  if (!plan.ok || plan.value?.state !== "outdated") return plan;
  for (const change of plan.value.changes) {
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
  own: readonly OwnHandler[],
  wanted: readonly { readonly event: string; readonly handler: unknown }[],
): boolean {
  const addresses = wanted.flatMap(({ handler }) => (isPosted(handler) ? [addressOf(handler)] : []));
  const [now] = addresses;
  return own.some(({ value }) => isPosted(value) && !isDeepStrictEqual(addressOf(value), now));
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
