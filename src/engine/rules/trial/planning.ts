import path from "node:path";
import { fail, succeed, type Result } from "../../base/result.ts";
import { isHonoured } from "../../hooks/event.ts";
import type { HookProgram } from "../../hooks/program.ts";
import type { TrialPlan, TrialView } from "../trial-answers.ts";
import { findRule } from "../book/rules-book-rows.ts";
import { ruleText, type Rule } from "../rule.ts";
import { mayBeTried, maxRules, overlap, type SessionFolders, type Trial } from "./trial.ts";
import { usualHoldOut } from "./pace.ts";
import { sentence, type Sentence, plainSentence } from "../../base/language.ts";

export interface AskedTrial {
  readonly agent: string;
  /** Null for sessions in all folders. */
  readonly project: string | null;
  /** Ids, or beginnings of them; null for all that are approved. */
  readonly ruleIds: readonly string[] | null;
  readonly planned: number;
  readonly holdOut?: number | undefined;
  readonly switchesOff?: boolean | undefined;
}

export interface TrialPlace {
  readonly rules: readonly Rule[];
  readonly running: readonly Trial[];
  /** Programs with purser's hooks in the folder. */
  readonly programs: readonly HookProgram[];
  readonly foldersOf: (cwd: string) => SessionFolders;
}

/** Returns what a trial would do, or why it cannot start, with a remedy. */
export function planTrial(
  asked: AskedTrial,
  { rules, running, programs, foldersOf }: TrialPlace,
): Result<TrialPlan> {
  const { agent, project, planned, holdOut = usualHoldOut, switchesOff = false } = asked;
  if (project !== null && !path.isAbsolute(project))
    return fail("bad_project", sentence("{0} is no absolute path of a folder", project));
  const chosen = chooseRules(asked, rules);
  if (!chosen.ok) return chosen;
  const other = running.find((trial) => overlap(trial, { agent, project, ruleIds: [] }, foldersOf));
  if (other !== undefined)
    return fail(
      "running",
      sentence("trial {0} is on in the same sessions already; purser trial stop {0} ends it", other.id),
    );
  const missing = missingIn(agent, programs);
  if (missing !== null) return fail("no_hooks", missing);
  const texts = chosen.value.map((rule) => ({ id: rule.id, text: ruleText(rule) }));
  return succeed({
    agent,
    project,
    rules: texts,
    programs: takingPart(agent, programs),
    planned,
    holdOut,
    switchesOff,
  });
}

/** Returns what keeps new sessions of an agent from taking part, with a remedy. Null if nothing does. */
export function missingIn(agent: string, programs: readonly HookProgram[]): Sentence | null {
  if (takingPart(agent, programs).length > 0) return null;
  return agent === "main"
    ? sentence(
        "no agent's hooks reach purser here, and rules on trial are given by them; install them by purser hooks install, or by “Install Hooks…” in VS Code",
      )
    : sentence(
        "only Claude Code tells when a session is started as {0}, and its hooks do not reach purser here; install them by purser hooks install, or by “Install Hooks…” in VS Code",
        agent,
      );
}

/**
 * Programs with new sessions that accept rules from a hook. Only Claude Code reports how a session is
 * started.
 */
export function takingPart(agent: string, programs: readonly HookProgram[]): HookProgram[] {
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
    if (!found.ok)
      return fail(
        found.reason,
        sentence("{detail} of {0}; purser rules list tells them", { detail: found.detail, 0: agent }),
      );
    const rule = found.value;
    if (!mayBeTried(rule)) return fail("not_possible", whyNot(rule));
    if (!chosen.includes(rule)) chosen.push(rule);
  }
  if (chosen.length === 0)
    return fail("no_rule", sentence("{0} has no approved rule; purser rules approve ID approves one", agent));
  if (chosen.length > maxRules)
    return fail(
      "too_many",
      sentence("{0} rules are too many for one trial; --rules names at most {1}", chosen.length, maxRules),
    );
  return succeed(chosen);
}

function whyNot({ id, status }: Rule): Sentence {
  if (status === "active") return sentence("rule {0} is in its agent's memory already", id);
  if (status === "evicted")
    return sentence("rule {0} was evicted; purser rules approve {0} gives it another chance", id);
  return sentence("rule {0} is not approved; purser rules approve {0} approves it", id);
}

/** Returns the evidence that admits a rule by a trial, for its history, or what is missing. */
export function proofIn(
  { id, rules }: TrialView,
  ruleId: string,
): { readonly why: Sentence | null; readonly missing: Sentence } {
  const rule = rules.find((each) => each.id === ruleId);
  const saving = rule?.basis === "both" ? rule.together : rule?.saving;
  if (rule?.basis === undefined || rule.basis === null || saving === undefined || saving === null)
    return { why: null, missing: rule?.missing ?? sentence("it was not on that trial") };
  const [value, low, high] = [saving.value, saving.low, saving.high].map((share) => Math.round(100 * share));
  const figures = {
    value: value ?? 0,
    low: low ?? 0,
    high: high ?? 0,
    id,
    sessions: rule.withIt + rule.withoutIt,
  };
  const why =
    rule.basis === "both"
      ? sentence(
          "it saves {value}% ({low} to {high}) by real work and the benchmark together, trial {id}, {sessions} sessions and receipt {receipt}",
          { ...figures, receipt: rule.benchmark?.receiptId ?? "" },
        )
      : sentence(
          "it saves {value}% ({low} to {high}) by real work, trial {id}, {sessions} sessions",
          figures,
        );
  return { why, missing: plainSentence("") };
}
