import * as z from "zod/mini";
import { outcomeOf } from "./effect-outcome.ts";
import { type CallKey, step, type Fired, type Outcome, type Step, type Delivered } from "./step.ts";

/** Steps kept before the oldest open hit: they show what the agent had repeated by then. */
const stepsBefore = 16;
/** Maximum steps. Beyond it, the oldest open hit gets an unknown outcome. */
const maxSteps = 100;
const maxOpen = 12;

const openHit = z.object({
  /** Id of its entry in the ledger. */
  hit: z.string().check(z.maxLength(4096)),
  /** Index of its step in the chain. */
  place: z.int().check(z.nonnegative()),
});
type OpenHit = z.infer<typeof openHit>;

/** The last steps of a session or subagent, and the hits without an outcome yet. */
export const chain = z.object({
  /** The subagent; empty for the session itself. */
  agent: z.string().check(z.maxLength(300)),
  steps: z.array(step).check(z.maxLength(maxSteps + stepsBefore)),
  open: z.array(openHit).check(z.maxLength(maxOpen)),
});
export type Chain = z.infer<typeof chain>;

/** The outcome of a hit. */
interface Decided {
  readonly hit: string;
  readonly delivered: Delivered;
  readonly outcome: Outcome;
  readonly why: string;
}

export interface Moved {
  readonly chain: Chain;
  readonly decided: readonly Decided[];
}

/** Adds a step, and decides the outcomes that it shows. The end of a session or subagent decides all. */
export function withStep(own: Chain, added: Step): Moved {
  const steps = [...own.steps, added];
  const decided: Decided[] = [];
  const open: OpenHit[] = [];
  for (const each of own.open) {
    const delivered = deliveredAt(steps, each);
    if (delivered === null) continue;
    const judged = outcomeOf(delivered, steps.slice(0, each.place), steps.slice(each.place + 1));
    if (judged === null) open.push(each);
    else decided.push({ hit: each.hit, delivered, ...judged });
  }
  return bounded({ ...own, steps, open }, decided);
}

/** Adds a delivered hit, with an open outcome. */
export function withDelivered(own: Chain, delivered: Delivered, hit: string): Moved {
  const open = [...own.open, { hit, place: own.steps.length }];
  return bounded({ ...own, steps: [...own.steps, delivered], open }, []);
}

/** Returns the call with an id, or else the last call. */
export function callWith({ steps }: Chain, use: string | null): CallKey | null {
  const calls = steps.filter((each) => each.type === "begun" || each.type === "ended");
  const named = use === null ? undefined : calls.findLast((each) => each.use === use);
  return (named ?? calls.at(-1))?.call ?? null;
}

export function isDelivered(fired: Fired): fired is Delivered {
  return fired.done === "advised" || fired.done === "asked" || fired.done === "denied";
}

function deliveredAt(steps: readonly Step[], { place }: OpenHit): Delivered | null {
  const found = steps[place];
  return found?.type === "fired" && isDelivered(found) ? found : null;
}

/** Drops steps that no open hit needs. Hits that stayed open for too long get an unknown outcome. */
function bounded({ agent, steps, open: all }: Chain, decided: readonly Decided[]): Moved {
  const given: Decided[] = [];
  let open = all;
  for (let [oldest] = open; oldest !== undefined; [oldest] = open) {
    if (open.length <= maxOpen && steps.length - oldest.place <= maxSteps) break;
    const delivered = deliveredAt(steps, oldest);
    if (delivered !== null)
      given.push({ hit: oldest.hit, delivered, outcome: "unknown", why: "too much happened since" });
    open = open.slice(1);
  }
  const dropped = Math.max(0, (open[0]?.place ?? steps.length) - stepsBefore);
  return {
    chain: {
      agent,
      steps: steps.slice(dropped),
      open: open.map(({ hit, place }) => ({ hit, place: place - dropped })),
    },
    decided: [...decided, ...given],
  };
}
