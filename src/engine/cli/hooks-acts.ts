import path from "node:path";
import { cleanText } from "../base/text.ts";
import { succeed, type Result } from "../base/result.ts";
import type { HookProgram } from "../guard/hook-program.ts";
import type { HookScope } from "../guard/install/hook-file.ts";
import {
  chooseHooks,
  prepareInstall,
  prepareUninstall,
  statusOf,
  type HookChoice,
  type InstallReason,
  type InstallWorld,
} from "../guard/install/installer.ts";
import { makeChange, type ChangeReason } from "../guard/install/make-change.ts";
import type { HookChange } from "../guard/install/plan-change.ts";
import type { HookStatus } from "../guard/install/hook-status.ts";
import type { CliHost } from "./cli-host.ts";
import { canAsk, confirmed } from "./hooks-confirm.ts";
import { changeInLines } from "./hooks-diff.ts";
import type { HookFileJson } from "./hooks-schema.ts";
import { notesOn, policyInWords } from "./hooks-words.ts";
import { hookAddress, installWorld } from "./hooks-world.ts";

export interface HooksAsked {
  readonly program: HookProgram;
  readonly scope: HookScope;
  readonly cwd: string;
  readonly isDry: boolean;
  readonly isYes: boolean;
  readonly isJson: boolean;
}

export type HooksDone = Promise<
  Result<HookFileJson, InstallReason | ChangeReason | "not_asked" | "declined">
>;

export async function install(asked: HooksAsked, host: CliHost): HooksDone {
  const { program, scope, isDry } = asked;
  const isPosted = program === "claude-code" && scope === "user";
  const world = worldOf(asked, host, await hookAddress(host, isPosted && !isDry));
  const planned = await prepareInstall(program, scope, world);
  if (!planned.ok) return planned;
  const { choice, change, elsewhere, leniencies } = planned.value;
  const notes = notesOn(choice, leniencies, elsewhere);
  return await carryOut({ change, choice, notes, question: "Install these hooks?" }, asked, world, host);
}

export async function uninstall(asked: HooksAsked, host: CliHost): HooksDone {
  const { program, scope } = asked;
  const world = worldOf(asked, host, await hookAddress(host, false));
  const planned = await prepareUninstall(program, scope, world);
  if (!planned.ok) return planned;
  const choice = await chooseHooks(program, scope, world);
  if (!choice.ok) return choice;
  const { change, file } = planned.value;
  const notes = file.choice === null ? [] : [file.choice];
  if (change.isNeeded && !change.isRestored)
    notes.push("Somebody changed the file since: purser's hooks go, and everything else stays.");
  const question = "Take these hooks out?";
  return await carryOut(
    { change, choice: { ...choice.value, policies: [] }, notes, question },
    asked,
    world,
    host,
  );
}

export async function status(asked: HooksAsked, host: CliHost): HooksDone {
  const world = worldOf(asked, host, await hookAddress(host, false));
  const found = await statusOf(asked.program, asked.scope, world);
  if (!found.ok) return found;
  const notes = found.value.state === "absent" ? [] : notesOn(found.value, found.value.leniencies);
  return succeed(toJson(found.value, notes, null));
}

interface Planned {
  readonly change: HookChange;
  readonly choice: HookChoice;
  readonly notes: readonly string[];
  readonly question: string;
}

/** Shows a change, asks where it has to, and makes it. */
async function carryOut(
  { change, choice, notes, question }: Planned,
  asked: HooksAsked,
  world: InstallWorld,
  host: CliHost,
): HooksDone {
  const diff = change.isNeeded ? changeInLines(change, world.address?.token ?? null) : "";
  if (!asked.isJson) show(diff, choice, notes, host);
  const shown = { isNeeded: change.isNeeded, isMade: false, diff, backup: null };
  if (asked.isDry) return await afterwards(choice, notes, shown, asked, world);
  if (change.isNeeded && !asked.isYes) {
    if (asked.isJson || !canAsk(host))
      return {
        ok: false,
        reason: "not_asked",
        detail: "nobody is here to be asked: --yes does it, --dry-run only shows it",
      };
    if (!(await confirmed(question, host)))
      return { ok: false, reason: "declined", detail: "nothing was changed" };
  }
  const made = await makeChange(change, world);
  if (!made.ok) return made;
  return await afterwards(choice, notes, { ...shown, isMade: change.isNeeded, ...made.value }, asked, world);
}

function show(diff: string, { policies, file }: HookChoice, notes: readonly string[], host: CliHost): void {
  host.stdout.write(diff);
  for (const policy of policies)
    host.stderr.write(`Warning: ${cleanText(policyInWords(policy, file.program))}\n`);
  for (const note of notes) host.stdout.write(`${cleanText(note)}\n`);
}

async function afterwards(
  choice: HookChoice,
  notes: readonly string[],
  change: HookFileJson["change"],
  { program, scope }: HooksAsked,
  world: InstallWorld,
): HooksDone {
  const now = await statusOf(program, scope, world);
  return now.ok ? succeed(toJson({ ...now.value, policies: choice.policies }, notes, change)) : now;
}

function toJson(
  { file, hasSecret, policies, state, events }: HookChoice & HookStatus,
  notes: readonly string[],
  change: HookFileJson["change"],
): HookFileJson {
  return {
    agent: file.program === "claude-code" ? "claude" : file.program,
    scope: file.scope,
    file: file.file,
    state,
    events: [...events],
    isPosted: hasSecret,
    change,
    policies: policies.map(({ effect, file: from, setting, isManaged }) => ({
      effect,
      file: from,
      setting,
      isManaged,
    })),
    notes: [...notes],
  };
}

function worldOf(
  { cwd }: HooksAsked,
  host: CliHost,
  address: Parameters<typeof installWorld>[2],
): InstallWorld {
  return installWorld(host, path.resolve(host.cwd, cwd), address);
}
