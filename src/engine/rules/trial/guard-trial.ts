import path from "node:path";
import { sentence, type Sentence } from "../../base/language.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import type { HookProgram } from "../../hooks/program.ts";
import {
  canBeRequired,
  isTriedFamily,
  modeOf,
  triedFamilies,
  type GuardModes,
  type GuardSettings,
  type TriedFamily,
} from "../../settings/guard.ts";
import type { ContinuitySettings } from "../../settings/shape.ts";
import type { TrialPlan } from "../trial-answers.ts";
import { takingPart, type AskedTrial, type TrialPlace } from "./planning.ts";
import { everyAgent, guardId, overlap } from "./trial.ts";

export type ActingSettings = GuardModes &
  Pick<GuardSettings, "warnAgent" | "stopGate"> &
  Pick<ContinuitySettings, "continuityCompaction" | "continuityStart">;

/** Whether a family acts by its settings. Only then is there something to draw. */
export function acts(family: TriedFamily, settings: ActingSettings): boolean {
  if (family === "continuity")
    return settings.continuityCompaction === "on" || settings.continuityStart !== "off";
  if (family === "advice") return settings.warnAgent || settings.stopGate !== "off";
  return modeOf(family, settings) === "on";
}

interface GuardPlace extends Pick<TrialPlace, "running" | "programs" | "foldersOf"> {
  readonly settings: ActingSettings;
}

/** Returns what a trial of guards would do, or why it cannot start, with a remedy. */
export function planGuards(
  { project, planned }: Pick<AskedTrial, "project" | "planned">,
  guards: readonly string[],
  { running, programs, foldersOf, settings }: GuardPlace,
): Result<TrialPlan> {
  if (project !== null && !path.isAbsolute(project))
    return fail("bad_project", sentence("{0} is no absolute path of a folder", project));
  const families: TriedFamily[] = [];
  for (const name of new Set(guards)) {
    if (!isTriedFamily(name)) return refused(name);
    if (!acts(name, settings)) return fail("not_acting", notActing(name));
    families.push(name);
  }
  if (families.length === 0)
    return fail("no_guards", sentence("no guards are named; a trial takes {0}", triedFamilies.join(", ")));
  const ids = families.map(guardId);
  const asked = { agent: everyAgent, project, ruleIds: ids };
  const other = running.find((trial) => overlap(trial, asked, foldersOf));
  if (other !== undefined)
    return fail(
      "running",
      sentence("trial {0} draws the same guards already; purser trial stop {0} ends it", other.id),
    );
  const missing = missingForGuards(programs);
  if (missing !== null) return fail("no_hooks", missing);
  const rules = families.map((family) => ({ id: guardId(family), text: family }));
  return succeed({
    agent: everyAgent,
    project,
    rules,
    programs: takingPart("main", programs),
    planned,
    holdOut: null,
    switchesOff: false,
  });
}

/** Returns what keeps new sessions from taking part, with a remedy. Null if nothing does. */
export function missingForGuards(programs: readonly HookProgram[]): Sentence | null {
  if (takingPart("main", programs).length > 0) return null;
  return sentence(
    "no agent's hooks reach purser here, and guards act by them; install them by purser hooks install, or by “Install Hooks…” in VS Code",
  );
}

function refused(name: string): Result<never> {
  if (canBeRequired(name) || name === "budgets")
    return fail(
      "protecting",
      sentence(
        "{0} acts in every session: what it prevents cannot be made good again; a trial takes {1}",
        name,
        triedFamilies.join(", "),
      ),
    );
  return fail(
    "unknown_guards",
    sentence("a trial cannot take guards named {0}; it takes {1}", name, triedFamilies.join(", ")),
  );
}

function notActing(family: TriedFamily): Sentence {
  if (family === "continuity")
    return sentence(
      "continuity does not act, so there is nothing to draw; turn on the setting continuityCompaction or continuityStart first",
    );
  if (family === "advice")
    return sentence(
      "advice is off, so there is nothing to draw; turn on the setting warnAgent or stopGate first",
    );
  return sentence(
    "guards on {0} do not act here, so there is nothing to draw; purser guard on --family {0} turns them on",
    family,
  );
}
