import * as z from "zod/mini";
import type { SessionMemory } from "../../base/per-session.ts";
import type { EventNamed } from "../../hooks/event.ts";
import type { HookHandler } from "../../hooks/hooks-handler.ts";
import { guardFamilies } from "../../settings/guard.ts";
import { type GuardHitEntry, outcomeEntry, type GuardOutcomeEntry } from "../hit-entry.ts";
import { actionOf } from "../work/ended-action.ts";
import {
  callWith,
  chain,
  isDelivered,
  withStep,
  withDelivered,
  type Chain,
  type Moved,
} from "./call-chain.ts";
import { callKeyOf, type Fired, type Step } from "./step.ts";

const events = [
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "UserPromptSubmit",
  "Stop",
  "SubagentStop",
  "SessionEnd",
] as const;
type Watched = EventNamed<(typeof events)[number]>;

export interface EffectPorts {
  readonly memory: Pick<SessionMemory, "part">;
  /** Tests whether any family sends anything to the sessions of a folder. */
  readonly isOn: (folder: string | null) => boolean;
  /** Records outcomes of hits, in the background. */
  readonly record: (entries: readonly GuardOutcomeEntry[]) => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Maximum subagents at once. Beyond it, the hits of the least recent one get an unknown outcome. */
const maxChains = 12;
const [maxAgentLength, maxUseLength] = [300, 200];

const followed = z.object({ chains: z.array(chain).check(z.maxLength(maxChains)) });

/**
 * Follows agents' calls after a delivered hit, and records the outcome. The session and each subagent have a chain of their own. The
 * handler is registered before all guards, so that their findings about a call come after the call's step.
 */
export class EffectWatch {
  readonly #ports: EffectPorts;
  readonly #sessions;
  readonly handler: Omit<HookHandler<(typeof events)[number]>, "answer"> & {
    readonly answer: (event: Watched) => null;
  };

  constructor(ports: EffectPorts) {
    this.#ports = ports;
    this.#sessions = ports.memory.part("guard-effects", { schema: followed, empty: { chains: [] } });
    this.handler = {
      name: "effects",
      events,
      budget: 20,
      answer: (event: Watched) => {
        if (ports.isOn(event.cwd ?? null)) this.#take(event);
        return null;
      },
    };
  }

  /** Receives the guards' hits. Hits that were not delivered matter only after a delivered one. */
  note(entries: readonly GuardHitEntry[]): void {
    for (const entry of entries) this.#note(entry);
  }

  #take(event: Watched): void {
    const { session_id: session, agent_id: agent } = event;
    if (event.hook_event_name === "SessionEnd") {
      for (const each of this.#sessions.of(session).chains)
        this.#record(session, withStep(each, { type: "over" }));
      this.#sessions.set(session, { chains: [] });
      return;
    }
    const moved = withStep(this.#chainOf(session, agent), stepOf(event));
    this.#record(session, moved);
    if (event.hook_event_name !== "SubagentStop") this.#keep(session, moved.chain);
    else {
      this.#record(session, withStep(moved.chain, { type: "over" }));
      this.#sessions.set(session, { chains: this.#others(session, moved.chain) });
    }
  }

  #note(entry: GuardHitEntry): void {
    const { id: hit, sessionId: session, agentId, rule, done } = entry;
    const family = guardFamilies.find((each) => each === entry.family);
    if (family === undefined) return;
    const own = this.#chainOf(session, agentId ?? undefined);
    const use = useOf(entry);
    const call = (entry.tool ?? null) === null ? null : callWith(own, use);
    const fired: Fired = { type: "fired", use, call, rule: rule.slice(0, 200), family, done };
    if (!isDelivered(fired) && own.open.length === 0) return;
    const moved = isDelivered(fired) ? withDelivered(own, fired, hit) : withStep(own, fired);
    this.#record(session, moved);
    this.#keep(session, moved.chain);
  }

  #record(session: string, { decided }: Moved): void {
    if (decided.length === 0) return;
    const at = this.#ports.now();
    this.#ports.record(
      decided.map(({ hit, delivered: { rule, family, done }, outcome, why }) =>
        outcomeEntry({ sessionId: session, rule, family, done }, { hit, outcome, why, at }),
      ),
    );
  }

  #chainOf(session: string, agentId = ""): Chain {
    const agent = agentId.slice(0, maxAgentLength);
    const known = this.#sessions.of(session).chains.find((each) => each.agent === agent);
    return known ?? { agent, steps: [], open: [] };
  }

  #others(session: string, { agent }: Chain): Chain[] {
    return this.#sessions.of(session).chains.filter((each) => each.agent !== agent);
  }

  #keep(session: string, own: Chain): void {
    const chains = [...this.#others(session, own), own];
    for (const given of chains.splice(0, Math.max(0, chains.length - maxChains)))
      this.#record(session, withStep(given, { type: "over" }));
    this.#sessions.set(session, { chains });
  }
}

function stepOf(event: Exclude<Watched, { hook_event_name: "SessionEnd" }>): Step {
  switch (event.hook_event_name) {
    case "PreToolUse":
      return { type: "begun", use: useIn(event.tool_use_id), call: callKeyOf(event) };
    case "PostToolUse":
    case "PostToolUseFailure": {
      const result = actionOf(event).outcome;
      return { type: "ended", use: useIn(event.tool_use_id), call: callKeyOf(event), result };
    }
    case "UserPromptSubmit":
      return { type: "prompted" };
    case "Stop":
    case "SubagentStop":
      return { type: "stopped" };
  }
}

/** Returns the agent's id of the call that a hit is about; null for an agent that gives none. */
function useOf({ id, rule, sessionId }: GuardHitEntry): string | null {
  return id.startsWith(`${sessionId}@`) ? null : useIn(id.slice(0, -(rule.length + 1)));
}

function useIn(id: string | undefined): string | null {
  return id?.slice(0, maxUseLength) ?? null;
}
