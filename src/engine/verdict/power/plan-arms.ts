import { sentence, type Sentence } from "../../base/language.ts";
import { percent, shortNumber } from "../../base/format.ts";
import { armQuestion, sizeOfRound } from "../arms/arms-experiment.ts";
import { usualWorth, usualQuestion } from "../verdict.ts";
import { curveOf, equalTasks, planPower, type PowerPlan, type PowerRequest } from "./power.ts";

/** The chance with a stated price, and the chance below which measuring is not advised. */
const [wanted, poor] = [0.8, 0.5];

/**
 * Plans several changes that are compared with the same runs, and, as the first curve, each with unchanged runs of its
 * own: both with one error rate for all together.
 * @param request of one comparison
 */
export function planArms(request: PowerRequest, arms: number): PowerPlan {
  const plan = planPower(request);
  const { rounds, expected, weights } = request;
  const usual = usualQuestion("comparison", 0, null);
  const question = armQuestion(rounds === null ? usual : { ...usual, maxRounds: rounds }, arms);
  const tasks = equalTasks(weights);
  /** @param part an arm's share of a pair's tokens per round, and of its difference's variance */
  const outlookOf = (part: number, kind: "comparison" | "candidate") =>
    curveOf(
      1,
      { noise: plan.noise.value * Math.sqrt(part), passShare: plan.passShare, tasks },
      {
        barShare: 0,
        tokensOfRound: part * 2 * expected.perRun * weights.length,
        // Arms are given up like candidates: for lack of a saving.
        questionFor: () => ({ ...question, kind }),
      },
    );
  const apart = outlookOf(1, "comparison");
  // A difference from the mean of √k runs varies less than one between two runs. An arm uses its own run and its part
  // of the shared ones.
  const shared = outlookOf(sizeOfRound(arms) / (2 * arms), "candidate");
  return {
    ...plan,
    together: arms,
    isOfArms: true,
    curves: [apart.curve, { ...shared.curve, together: arms }],
    advice: [adviceOf(apart, shared)],
  };
}

type Planned = ReturnType<typeof curveOf>;

function adviceOf(apart: Planned, shared: Planned): Sentence {
  const worth = inPercent(usualWorth);
  const chance = Math.min(wanted, shared.outlook.chance);
  const price = shared.outlook.tokensFor(chance) ?? shared.curve.most.tokens;
  const own = apart.outlook.tokensFor(chance);
  const values = {
    worth,
    chance: inPercent(chance),
    tokens: shortNumber(price),
    other:
      own === null
        ? sentence(
            "of {0} for about {1}",
            inPercent(apart.outlook.chance),
            shortNumber(apart.curve.most.tokens),
          )
        : sentence("as good for about {0}", shortNumber(own)),
  };
  return shared.outlook.chance >= poor
    ? sentence(
        "Compare them at once: a true saving of {worth} is shown with a chance of {chance} for about {tokens} tokens a change; with as-is runs of its own it is {other}.",
        values,
      )
    : sentence(
        "Comparing them now says little: a true saving of {worth} is shown with a chance of {chance} at most for about {tokens} tokens a change; with as-is runs of its own it is {other}.",
        values,
      );
}

/** `10 %`. */
function inPercent(share: number): string {
  return percent(100 * share).replace("%", " %");
}
