import path from "node:path";
import { fail, succeed, type Result } from "../../base/result.ts";
import { isHonoured } from "../../hooks/event/write-answer.ts";
import type { HookProgram } from "../../hooks/program.ts";
import type { TrialPlan } from "../answers/trial-view.ts";
import { findRule } from "../book/stored.ts";
import { ruleText, type Rule } from "../rule.ts";
import { mayBeTried, mostRules, overlap, type SessionFolders, type Trial } from "./trial.ts";

export interface AskedTrial {
  readonly agent: string;
  /** Null for sessions in all folders. */
  readonly project: string | null;
  /** Ids, or beginnings of them; null for all that are approved. */
  readonly ruleIds: readonly string[] | null;
  readonly planned: number;
}

export interface TrialPlace {
  readonly rules: readonly Rule[];
  readonly running: readonly Trial[];
  /** Programs whose hooks reach purser in the folder. */
  readonly programs: readonly HookProgram[];
  /** Follows links, so that a folder has one name. */
  readonly foldersOf: (cwd: string) => SessionFolders;
}

/** Returns what a trial would do, or why it cannot begin and what to do about it. */
export function planTrial(
  asked: AskedTrial,
  { rules, running, programs, foldersOf }: TrialPlace,
): Result<TrialPlan> {
  const { agent, project, planned } = asked;
  if (project !== null && !path.isAbsolute(project))
    return fail("bad_project", `${project} is no absolute path of a folder`);
  const chosen = chooseRules(asked, rules);
  if (!chosen.ok) return chosen;
  const other = running.find((trial) => overlap(trial, { agent, project }, foldersOf));
  if (other !== undefined)
    return fail(
      "running",
      `trial ${other.id} is on in the same sessions already; purser trial stop ${other.id} ends it`,
    );
  const missing = missingIn(agent, programs);
  if (missing !== null) return fail("no_hooks", missing);
  const texts = chosen.value.map((rule) => ({ id: rule.id, text: ruleText(rule) }));
  return succeed({ agent, project, rules: texts, programs: takingPart(agent, programs), planned });
}

/** Says what keeps new sessions of an agent from taking part, and what to do about it; null where nothing does. */
export function missingIn(agent: string, programs: readonly HookProgram[]): string | null {
  if (takingPart(agent, programs).length > 0) return null;
  return agent === "main"
    ? "no agent's hooks reach purser here, and rules on trial are given by them; install them by purser hooks install, or by “Install Hooks…” in VS Code"
    : `only Claude Code tells when a session is started as ${agent}, and its hooks do not reach purser here; install them by purser hooks install claude-code, or by “Install Hooks…” in VS Code`;
}

/** Programs whose new sessions take rules from a hook. Only Claude Code tells what a session is started as. */
function takingPart(agent: string, programs: readonly HookProgram[]): HookProgram[] {
  return programs.filter(
    (program) =>
      isHonoured("context", "SessionStart", program) && (agent === "main" || program === "claude-code"),
  );
}

function chooseRules({ agent, ruleIds }: AskedTrial, rules: readonly Rule[]): Result<Rule[]> {
  const own = rules.filter((rule) => rule.agent === agent);
  const chosen: Rule[] = [];
  if (ruleIds === null)
    chosen.push(...own.filter(({ status }) => status === "approved" || status === "measured"));
  for (const id of new Set(ruleIds)) {
    const found = findRule(own, id);
    if (!found.ok) return fail(found.reason, `${found.detail} of ${agent}; purser rules list tells them`);
    const rule = found.value;
    if (!mayBeTried(rule)) return fail("not_possible", whyNot(rule));
    if (!chosen.includes(rule)) chosen.push(rule);
  }
  if (chosen.length === 0)
    return fail("no_rule", `${agent} has no approved rule; purser rules approve ID approves one`);
  if (chosen.length > mostRules)
    return fail(
      "too_many",
      `${chosen.length} rules are too many for one trial; --rules names at most ${mostRules}`,
    );
  return succeed(chosen);
}

function whyNot({ id, status }: Rule): string {
  if (status === "active") return `rule ${id} is in its agent's memory already`;
  if (status === "evicted")
    return `rule ${id} was evicted; purser rules approve ${id} gives it another chance`;
  return `rule ${id} is not approved; purser rules approve ${id} approves it`;
}
