import * as z from "zod/mini";
import type { PerSession, SessionMemory } from "../../base/per-session.ts";
import { isHonoured, type EventNamed, type HookAnswer, toolCallOf } from "../../hooks/event.ts";
import { defaultHookContext, type HookContext, type HookHandler } from "../../hooks/hooks-handler.ts";
import type { GuardMode } from "../../settings/guard.ts";
import type { FindingDelivery } from "../delivery.ts";
import { actionOf } from "../work/ended-action.ts";
import { noFacts, shellOf, type CommandFacts, type ReadCommand } from "../work/command-facts.ts";
import { findLoop, type Loop, type LoopThresholds } from "./detect.ts";
import { loopRules } from "./loops-rules.ts";
import { step, stepOf } from "./step.ts";

const events = ["UserPromptSubmit", "PostToolUse", "PostToolUseFailure", "SubagentStop"] as const;
type Name = (typeof events)[number];
type Ended = EventNamed<"PostToolUse" | "PostToolUseFailure">;

export interface LoopPorts {
  readonly delivery: Pick<FindingDelivery, "deliver" | "isWatching">;
  readonly memory: Pick<SessionMemory, "part">;
  readonly read: ReadCommand;
  readonly modeOf: (folder: string | null, session: string) => GuardMode;
  readonly thresholds: (session: string) => LoopThresholds;
}

/** Maximum actions of a chain that are compared. */
const maxSteps = 24;
/** Maximum chains per session. Above it, the least recently active one is dropped. */
const maxChains = 8;
/** Maximum loops per chain. Above it, the oldest may be reported again. */
const maxKnown = 12;
/** Maximum length of an agent's id. Others are not followed. Characters. */
const maxIdLength = 256;

const chain = z.object({
  /** Empty for the session itself. */
  agent: z.string().check(z.maxLength(maxIdLength)),
  steps: z.array(step).check(z.maxLength(maxSteps)),
  /** Detected loops, reported or not. */
  known: z
    .array(
      z.object({
        rule: z.enum(["sameFailure", "polling", "alternation", "nearEqual", "repeatedLooks"]),
        keys: z.array(z.string().check(z.maxLength(40))).check(z.maxLength(8)),
        /** Its key in the delivery, which recognises repeats by it. */
        about: z.string().check(z.maxLength(200)),
        wasTold: z.boolean(),
        /** Number of actions since the report that continued it. */
        since: z.int().check(z.nonnegative()),
        wasUserTold: z.boolean(),
      }),
    )
    .check(z.maxLength(maxKnown)),
  /** The rule of the loop with the last action. */
  loop: z.nullable(z.string().check(z.maxLength(40))),
});
type Chain = Readonly<z.infer<typeof chain>>;
type Known = Chain["known"][number];
const chains = z.array(chain).check(z.maxLength(maxChains));

/**
 * Follows the actions of a session and, separately, of each subagent. An agent receives one report about a loop, with a way out.
 * If the loop continues, the user receives one. A prompt of the user begins a new chain.
 */
export class Loops {
  readonly #ports: LoopPorts;
  readonly #sessions: PerSession<readonly Chain[]>;
  readonly handler: HookHandler<Name>;

  constructor(ports: LoopPorts) {
    this.#ports = ports;
    this.#sessions = ports.memory.part<readonly Chain[]>("loops", { schema: chains, empty: [] });
    this.handler = {
      name: "loops",
      events,
      budget: 150,
      answer: (event, about = defaultHookContext) => this.#answer(event, about),
    };
  }

  /** Returns the rule of the loop that a session itself is in; null for none. */
  of(session: string): string | null {
    return this.#sessions.of(session).find(({ agent }) => agent === "")?.loop ?? null;
  }

  #answer(event: EventNamed<Name>, about: HookContext): HookAnswer | null | Promise<HookAnswer | null> {
    const agent = event.agent_id ?? "";
    if (agent.length > maxIdLength || !this.#ports.delivery.isWatching("loops", event.cwd ?? null))
      return null;
    switch (event.hook_event_name) {
      case "UserPromptSubmit":
        this.#put(event.session_id, { ...this.#chainOf(event.session_id, agent), steps: [], loop: null });
        return null;
      case "SubagentStop":
        this.#forget(event.session_id, agent);
        return null;
      case "PostToolUse":
      case "PostToolUseFailure": {
        // An interrupted call shows nothing about the agent.
        if (event.hook_event_name === "PostToolUseFailure" && event.is_interrupt === true) return null;
        const facts = this.#factsOf(event);
        return facts instanceof Promise
          ? facts.then((read) => this.#ended(event, read, about))
          : this.#ended(event, facts, about);
      }
    }
  }

  #ended(event: Ended, facts: CommandFacts, about: HookContext): HookAnswer | null {
    const next = stepOf(event, facts);
    if (next === null) return null;
    const { session_id: id, agent_id: agent = "" } = event;
    const held = this.#chainOf(id, agent);
    const steps = [...held.steps, next].slice(-maxSteps);
    const loop = findLoop(steps, this.#ports.thresholds(id));
    if (loop === null) {
      this.#put(id, { ...held, steps, loop: null });
      return null;
    }
    const before = held.known.find(({ keys }) => keys.some((key) => loop.keys.includes(key)));
    const name = before?.about ?? `${agent} ${loop.keys[0] ?? ""}`.slice(-200);
    const answer = this.#report(event, loop, { rule: before?.rule ?? loop.rule, name }, about);
    const isUserDue = before !== undefined && this.#isUserDue(event, loop, before, about);
    const wasTold = before?.wasTold === true;
    const isReported = wasTold || answer?.context !== undefined;
    const now: Known = {
      rule: before?.rule ?? loop.rule,
      // A loop may take in another action.
      keys: [...new Set([...loop.keys, ...(before?.keys ?? [])])].slice(0, 8),
      about: name,
      wasTold: isReported,
      since: before === undefined || isReported !== wasTold ? 0 : Math.min(before.since + 1, 1000),
      wasUserTold: before?.wasUserTold === true || isUserDue,
    };
    const known = [...held.known.filter((each) => each !== before), now].slice(-maxKnown);
    this.#put(id, { ...held, steps, known, loop: loopRules[loop.rule].id });
    if (!isUserDue) return answer;
    return {
      ...answer,
      notice: describeForUser(loop, factOf(loop)),
      rule: answer?.rule ?? loopRules[now.rule].id,
    };
  }

  /** A continuing loop is recorded under the name of its first report. */
  #report(
    event: Ended,
    loop: Loop,
    as: { readonly rule: Loop["rule"]; readonly name: string },
    about: HookContext,
  ): HookAnswer | null {
    const { id: rule, family } = loopRules[as.rule];
    const { tool, kind, subject } = actionOf(event);
    const isShown = kind === "command" || kind === "edit" || kind === "read";
    const finding = {
      rule,
      family,
      text: describeLoop(loop),
      excerpt: isShown ? (subject ?? tool) : tool,
      about: as.name,
    };
    return this.#ports.delivery.deliver(event, [finding], about);
  }

  /** Tests whether the agent repeated a whole round since the report, and the user sees messages of hooks. */
  #isUserDue(event: Ended, loop: Loop, before: Known, { isAttended, program }: HookContext): boolean {
    return (
      before.wasTold &&
      !before.wasUserTold &&
      before.since + 1 >= Math.max(2, loop.period) &&
      isAttended &&
      this.#ports.modeOf(event.cwd ?? null, event.session_id) === "on" &&
      isHonoured("notice", event.hook_event_name, program)
    );
  }

  #factsOf(event: Ended): CommandFacts | Promise<CommandFacts> {
    const call = toolCallOf(event);
    if (call.kind !== "command" || call.command === null) return noFacts;
    return this.#ports.read(call.command, event.cwd ?? null, shellOf(call.tool));
  }

  #chainOf(session: string, agent: string): Chain {
    const held = this.#sessions.of(session).find((each) => each.agent === agent);
    return held ?? { agent, steps: [], known: [], loop: null };
  }

  #put(session: string, next: Chain): void {
    const others = this.#sessions.of(session).filter(({ agent }) => agent !== next.agent);
    const isEmpty = next.steps.length + next.known.length === 0;
    this.#sessions.set(session, isEmpty ? others : [...others, next].slice(-maxChains));
  }

  #forget(session: string, agent: string): void {
    if (agent === "") return;
    this.#sessions.set(
      session,
      this.#sessions.of(session).filter((each) => each.agent !== agent),
    );
  }
}

function describeLoop(loop: Loop): string {
  return `${factOf(loop)} ${loopRules[loop.rule].remedy}`;
}

function describeForUser(loop: Loop, sentence: string): string {
  return `Context Purser: The agent continues a loop that was reported to it (${loopRules[loop.rule].id}). ${sentence} You may want to stop it and tell it how to continue.`;
}

function factOf({ rule, steps, period }: Loop): string {
  const names = [...new Set(steps.map(({ name }) => `\`${name.replaceAll("`", "'")}\``))];
  const [name = ""] = names.slice(-1);
  switch (rule) {
    case "sameFailure":
      return `${name} has failed the same way ${steps.length} times.`;
    case "polling":
      return `The same state was asked for ${steps.length} times with nothing done in between (${name}).`;
    case "alternation":
      return `The same ${period} actions took turns twice with the same results: ${names.join(", ")}.`;
    case "nearEqual":
      return `Nearly the same command (${name}) ran ${steps.length} times with the same outcome, and nothing was changed in between.`;
    case "repeatedLooks":
      return `The last ${steps.length} actions only looked at the same ${period === 1 ? "thing" : `${period} things`} (${names.slice(0, 4).join(", ")}), and nothing was changed.`;
  }
}
