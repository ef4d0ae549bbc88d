import * as z from "zod/mini";
import type { CallKey } from "./call-key.ts";
import { outcomeOf } from "./effect-outcome.ts";
import { step, type Fired, type Outcome, type Step, type Told } from "./step.ts";

/** Steps before the oldest open hit that are kept, for what had been repeated until then. */
const keptBefore = 16;
/** With more steps the oldest open hit is given up: what came of it is unknown. */
const mostSteps = 100;
const mostOpen = 12;

const openHit = z.object({
  /** Its entry's id. */
  hit: z.string().check(z.maxLength(4096)),
  /** Place of its step in the chain. */
  place: z.int().check(z.nonnegative()),
});
type OpenHit = z.infer<typeof openHit>;

/** The last steps of a session's own calls, or of a subagent's, and the hits whose outcome is open. */
export const chain = z.object({
  /** The subagent; empty for the session itself. */
  agent: z.string().check(z.maxLength(300)),
  steps: z.array(step).check(z.maxLength(mostSteps + keptBefore)),
  open: z.array(openHit).check(z.maxLength(mostOpen)),
});
export type Chain = z.infer<typeof chain>;

/** What came of a hit. */
interface Decided {
  readonly hit: string;
  readonly told: Told;
  readonly outcome: Outcome;
  readonly why: string;
}

export interface Moved {
  readonly chain: Chain;
  readonly decided: readonly Decided[];
}

/** Adds what happened, and decides what it shows. After the end of its session or subagent nothing is open. */
export function withStep(own: Chain, added: Step): Moved {
  const steps = [...own.steps, added];
  const decided: Decided[] = [];
  const open: OpenHit[] = [];
  for (const each of own.open) {
    const told = toldAt(steps, each);
    if (told === null) continue;
    const judged = outcomeOf(told, steps.slice(0, each.place), steps.slice(each.place + 1));
    if (judged === null) open.push(each);
    else decided.push({ hit: each.hit, told, ...judged });
  }
  return bounded({ ...own, steps, open }, decided);
}

/** Adds what was told, whose outcome is open. */
export function withTold(own: Chain, told: Told, hit: string): Moved {
  const open = [...own.open, { hit, place: own.steps.length }];
  return bounded({ ...own, steps: [...own.steps, told], open }, []);
}

/** Returns the call with an id, or the last one where there is none such. */
export function callWith({ steps }: Chain, use: string | null): CallKey | null {
  const calls = steps.filter((each) => each.type === "begun" || each.type === "ended");
  const named = use === null ? undefined : calls.findLast((each) => each.use === use);
  return (named ?? calls.at(-1))?.call ?? null;
}

export function isTold(fired: Fired): fired is Told {
  return fired.done === "advised" || fired.done === "asked" || fired.done === "denied";
}

function toldAt(steps: readonly Step[], { place }: OpenHit): Told | null {
  const found = steps[place];
  return found?.type === "fired" && isTold(found) ? found : null;
}

/** Drops steps on which nothing depends, and gives up what has been open for too long. */
function bounded({ agent, steps, open: all }: Chain, decided: readonly Decided[]): Moved {
  const given: Decided[] = [];
  let open = all;
  for (let [oldest] = open; oldest !== undefined; [oldest] = open) {
    if (open.length <= mostOpen && steps.length - oldest.place <= mostSteps) break;
    const told = toldAt(steps, oldest);
    if (told !== null)
      given.push({ hit: oldest.hit, told, outcome: "unknown", why: "too much happened since" });
    open = open.slice(1);
  }
  const dropped = Math.max(0, (open[0]?.place ?? steps.length) - keptBefore);
  return {
    chain: {
      agent,
      steps: steps.slice(dropped),
      open: open.map(({ hit, place }) => ({ hit, place: place - dropped })),
    },
    decided: [...decided, ...given],
  };
}
