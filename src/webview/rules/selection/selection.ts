import {
  isUnderWay,
  type RuleProgress,
  type SelectAsk,
  type InterimVerdict,
} from "../../../engine/jobs/compare-answers.ts";
import type { JobSummary } from "../../../engine/jobs/bench-answers.ts";
import type { RuleView } from "../../../engine/rules/rules-answers.ts";
import type { Model, SelectionForm } from "../page-model.ts";
import { estimatedNumber, wholeNumber } from "../../../engine/base/local-format.ts";
import { plural, t } from "../../../engine/base/language.ts";

/** Number of parallel replays: they use nothing but this machine's time. */
const parallelReplays = 4;

/** The rules of an agent that can be measured. */
export function measurable({ view }: Pick<Model, "view">, agent: string) {
  const own = view?.rules.filter((rule) => rule.agent === agent) ?? [];
  const of = (status: RuleView["status"]) => own.filter((rule) => rule.status === status);
  return { approved: of("approved"), active: of("active"), passed: of("measured") };
}

/** Number of active rules that the form includes for measuring again. */
export function auditsOf({ hasAudits }: SelectionForm, active: number): number {
  return hasAudits ? Math.min(1, active) : 0;
}

/** Agents with rules that can be measured, or were. */
export function selectionAgents({ view, jobs }: Pick<Model, "view" | "jobs">): readonly string[] {
  const can = (view?.rules ?? []).filter(({ status }) => status === "approved" || status === "active");
  const measured = jobs.flatMap(({ ask }) => (ask.kind === "select" ? [ask.agent] : []));
  return [...new Set([...can.map(({ agent }) => agent), ...measured])].sort();
}

/** The form's request. Null without rules to measure, or without a way to measure them. */
export function askOf(model: Model): SelectAsk | null {
  const { form, offer } = model;
  if (form === null || offer?.agent !== form.agent || offer.suite === null) return null;
  const { approved, active, passed } = measurable(model, form.agent);
  const isConfirming = model.confirming === form.agent;
  const audits = isConfirming ? 0 : auditsOf(form, active.length);
  // A replay confirms nothing, and neither does a single rule.
  const isEmpty = isConfirming
    ? passed.length < 2 || form.driver === "replay"
    : approved.length + audits === 0;
  if (isEmpty) return null;
  return {
    kind: "select",
    suite: offer.suite,
    agent: form.agent,
    driver: form.driver,
    ruleIds: null,
    audits,
    ...(isConfirming ? { isConfirming } : {}),
    ...(form.grade === "proved" && !isConfirming ? { grade: form.grade } : {}),
    model: null,
    effort: null,
    tokenCap: form.tokenCap,
    parallel: form.driver === "replay" ? parallelReplays : 1,
  };
}

/** The plan of the form's current request. */
export function planOf(model: Model): Model["plan"] {
  const ask = askOf(model);
  const planned = model.plan?.ask;
  return ask !== null && planned !== undefined && keyOf(planned) === keyOf(ask) ? model.plan : null;
}

function keyOf({ agent, suite, driver, ruleIds, audits, tokenCap, isConfirming = false }: SelectAsk): string {
  const folder = suite.origin === "workspace" ? suite.folder : null;
  return JSON.stringify([agent, folder, driver, ruleIds, audits, tokenCap, isConfirming]);
}

/** An agent's running selection, or its last one. */
export function jobOf({ jobs }: Pick<Model, "jobs">, agent: string): JobSummary | null {
  const own = jobs.filter(({ ask }) => ask.kind === "select" && ask.agent === agent);
  return own.find(({ state }) => isUnderWay(state)) ?? own[0] ?? null;
}

/** The progress of a rule being measured; null if it is not. */
export function measuringOf({ jobs }: Pick<Model, "jobs">, { id }: RuleView): RuleProgress | null {
  const running = jobs.filter(({ state }) => isUnderWay(state));
  const all = running.flatMap(({ selection }) => selection?.rules ?? []);
  return all.find(({ ruleId, state }) => ruleId === id && state === "measuring") ?? null;
}

/** The state of a rule after a round, in a sentence. */
export function describeInterim({ round, decision, saving, moreRuns, stop }: InterimVerdict): string {
  const isUnknown = saving === null && moreRuns === null && stop === null;
  const found = figureOf(saving);
  return isUnknown
    ? t("Round {0}: {1}.", wholeNumber(round), found)
    : t("Round {0}: {1}; {2}.", wholeNumber(round), found, nextOf({ decision, moreRuns, stop }));
}

/** A cost has the cost's interval. */
function figureOf(saving: InterimVerdict["saving"]): string {
  if (saving === null) return t("nothing can be compared yet");
  const { value, low, high } = saving;
  return value < 0
    ? t(
        "it costs ~{0} tokens a run ({1} to {2})",
        estimatedNumber(-value),
        estimatedNumber(-high),
        estimatedNumber(-low),
      )
    : t(
        "it saves ~{0} tokens a run ({1} to {2})",
        estimatedNumber(value),
        estimatedNumber(low),
        estimatedNumber(high),
      );
}

function nextOf({
  decision,
  moreRuns,
  stop,
}: Pick<InterimVerdict, "decision" | "moreRuns" | "stop">): string {
  if (stop !== null) return t("no further round is needed");
  if (decision !== "undecided") return t("that as many runs pass is still to be shown");
  return moreRuns === null
    ? t("how many runs would decide it cannot be said yet")
    : plural(
        moreRuns,
        t("1 more run would decide it"),
        t("{0} more runs would decide it", wholeNumber(moreRuns)),
      );
}
