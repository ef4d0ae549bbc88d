import { succeed, type Result } from "../../base/result.ts";
import { measuresModel } from "../../bench/run-facts.ts";
import type { ExpectedTokens } from "../../bench/plan.ts";
import { mostRoundsOfSet } from "../../rules/selection.ts";
import { rentFactor } from "../../rules/rent.ts";
import type { Rule } from "../../rules/rule.ts";
import { type PowerPlan, planPower, type RecentSessions } from "../../verdict/power.ts";
import type { Requester } from "../all-requests.ts";
import type { KnownRules, RuleMeasurement } from "./measure-rules.ts";
import { maxWorkSessions, workNoise } from "../../rules/trial.ts";

/** Period for estimating sessions per day. */
const recentDays = 28;
const dayMs = 86_400_000;

/** No transcript records how a session was started, and a subagent is not a separate session, so only those of `main` are known. */
export async function recentSessions(
  agent: string,
  { service, now }: { readonly service: Requester<"useCounts" | "recentWork">; readonly now: number },
): Promise<Result<RecentSessions>> {
  if (agent !== "main") return succeed({ count: 0, days: recentDays, noise: null });
  const counted = await service.ask("useCounts", { asked: now - recentDays * dayMs });
  if (!counted.ok) return counted;
  const own = counted.value.answer.sessions.filter(({ name }) => name === "claude-code");
  const work = await service.ask("recentWork", { asked: maxWorkSessions });
  if (!work.ok) return work;
  return succeed({
    count: own.reduce((sum, { count }) => sum + count, 0),
    days: recentDays,
    noise: workNoise(work.value.answer),
  });
}

export async function planRulesPower(
  { agent, suite, driver }: Pick<RuleMeasurement, "agent" | "suite" | "driver">,
  { wanted, known, expected }: { wanted: readonly Rule[]; known: KnownRules; expected: ExpectedTokens },
  { service, now }: { readonly service: Requester<"useCounts" | "recentWork">; readonly now: number },
): Promise<Result<PowerPlan>> {
  const sessions = await recentSessions(agent, { service, now });
  if (!sessions.ok) return sessions;
  const rents = new Map(known.views.map(({ id, rent }) => [id, rent.total]));
  const candidates = wanted.filter(({ status }) => status !== "active");
  const asked = candidates.length > 0 ? candidates : wanted;
  const rent = asked.reduce((sum, rule) => sum + (rents.get(rule.id) ?? rule.rent), 0) / asked.length;
  return succeed(
    planPower({
      kind: candidates.length > 0 ? "candidate" : "re-audit",
      rules: wanted.length,
      canShare: measuresModel(driver),
      expected,
      weights: suite.tasks.flatMap((task) => (task.agent === agent ? [task.weight] : [])),
      bar: rentFactor * rent,
      rounds: null,
      roundsOfSet: mostRoundsOfSet(wanted, { driver }),
      // An active rule is in every session's memory already.
      sessions: candidates.length > 0 ? sessions.value : null,
    }),
  );
}
