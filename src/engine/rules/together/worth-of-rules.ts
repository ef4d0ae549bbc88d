import { measuresModel } from "../../bench/run-facts.ts";
import { numberRounds, type Evidence } from "../../verdict/evidence.ts";
import type { Verdict } from "../../verdict/verdict.ts";
import type { Expectation } from "../../verdict/verdict-answers.ts";
import { expectationOf, Worth } from "../../verdict/worth.ts";
import type { Rule } from "../rule.ts";
import type { SelectPorts, SelectRequest } from "../rules-selection.ts";
import { setPrefix } from "./set.ts";

/** Most rules that the prior is learned from: the newest ones. */
const maxOthers = 60;

/** What is believed of the rules of a batch, and whether to measure them further. */
export function worthOf(
  request: SelectRequest,
  batch: readonly Rule[],
  { rent }: Pick<SelectPorts, "rent">,
): Worth {
  const { use = null, grade = "proved", evidence, agent } = request;
  const own = new Set(batch.map(({ id }) => id));
  const byRule = new Map<string, Evidence[]>();
  for (const one of evidence.toSorted((first, second) => second.at - first.at)) {
    if (own.has(one.ruleId) || one.ruleId.startsWith(setPrefix(agent)) || !measuresModel(one.driver))
      continue;
    const known = byRule.get(one.ruleId);
    if (known !== undefined) known.push(one);
    else if (byRule.size < maxOthers) byRule.set(one.ruleId, [one]);
  }
  return new Worth({
    use: grade === "worth" ? use : null,
    rents: new Map(batch.map((rule) => [rule.id, rent(rule)])),
    others: [...byRule.values()].map((all) => {
      let before = 0;
      return all.flatMap(({ samples }) => {
        const numbered = numberRounds(samples, before);
        before += new Set(samples.map(({ round }) => round)).size;
        return numbered;
      });
    }),
  });
}

interface Settled {
  readonly request: SelectRequest;
  readonly rule: Rule;
  readonly verdict: Verdict;
  /** Its part of what was spent. */
  readonly tokens: number;
  readonly ms: number;
}

/** Null without runs of a model, which say nothing of what the rule does. */
export function expectationAfter(
  worth: Worth,
  { request, rule, verdict, tokens, ms }: Settled,
  { rent }: Pick<SelectPorts, "rent">,
): Expectation | null {
  const belief = measuresModel(request.driver) ? worth.beliefOf(rule.id) : null;
  if (belief === null) return null;
  const share = verdict.savingShare?.value ?? 0;
  const ofRun = verdict.saving === null || share === 0 ? request.tokensPerRun : verdict.saving.value / share;
  return expectationOf(belief, {
    verdict,
    rent: rent(rule),
    use: request.use ?? null,
    tokensPerSession: ofRun ?? verdict.tokensSpent / Math.max(1, verdict.rounds),
    spent: tokens,
    ms,
  });
}
