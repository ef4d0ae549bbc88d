import type { Sentence } from "../../base/language.ts";
import { isNestedCall, type HookEvent, toolCallOf } from "../../hooks/event.ts";
import type { HookCaller } from "../../hooks/program.ts";
import { estimatedTokens } from "../../rules/rent.ts";
import type { GuardFamily } from "../../settings/guard.ts";
import type { PastEvent } from "../../transcripts/past.ts";
import { toolKind } from "../../transcripts/tool-kind.ts";
import type { Catalogue } from "../../usage/catalogue.ts";
import { priceUsage } from "../../usage/price.ts";
import { noUsage } from "../../usage/token-counts.ts";
import type { GuardReplay } from "../guard-answers.ts";
import type { GuardHitEntry } from "../hit-entry.ts";

/** Tokens that a smaller output would have kept out of a conversation. */
interface Saving {
  readonly rule: string;
  readonly tokens: number;
  /** The first response after it; null until there is one. */
  first: { readonly number: number; readonly model: string | null; readonly at: number | null } | null;
}

interface CarriedSum {
  outputs: number;
  written: number;
  read: number;
  usd: number | null;
  unpriced: number;
}

/**
 * Follows what shorter outputs would have saved in one conversation. The first response after an output writes it to the context;
 * every later one reads it again, until a compaction. An output without a response after it was not sent to a model.
 */
class Carried {
  readonly #onEnd: (rule: string, sum: CarriedSum) => void;
  readonly #catalogue: Catalogue;
  /** Whether the agent's provider has a separate price for cache writes. */
  readonly #writesCache: boolean;
  #responses = 0;
  #open: Saving[] = [];

  constructor(ports: {
    readonly catalogue: Catalogue;
    readonly writesCache: boolean;
    readonly onEnd: (rule: string, sum: CarriedSum) => void;
  }) {
    this.#catalogue = ports.catalogue;
    this.#writesCache = ports.writesCache;
    this.#onEnd = ports.onEnd;
  }

  save(rule: string, tokens: number): void {
    this.#open.push({ rule, tokens, first: null });
  }

  response(model: string | null, at: number | null): void {
    this.#responses += 1;
    for (const saving of this.#open) saving.first ??= { number: this.#responses, model, at };
  }

  /** Ends all savings, at a compaction or at the conversation's end. */
  end(): void {
    for (const { rule, tokens, first } of this.#open) {
      if (first === null) continue;
      const reads = this.#responses - first.number;
      const usd = this.#price(tokens, reads, first);
      this.#onEnd(rule, {
        outputs: 1,
        written: tokens,
        read: tokens * reads,
        usd,
        unpriced: usd === null ? 1 : 0,
      });
    }
    this.#open = [];
  }

  #price(tokens: number, reads: number, { model, at }: NonNullable<Saving["first"]>): number | null {
    if (model === null) return null;
    const written = this.#writesCache ? { cacheCreation5m: tokens } : { input: tokens };
    const once = priceUsage({ model, at, usage: { ...noUsage, ...written } }, this.#catalogue);
    const again = priceUsage({ model, at, usage: { ...noUsage, cacheRead: tokens } }, this.#catalogue);
    return once.usd === null || again.usd === null ? null : once.usd + reads * again.usd;
  }
}

const nothingCarried: Readonly<CarriedSum> = {
  outputs: 0,
  written: 0,
  read: 0,
  usd: null,
  unpriced: 0,
};

/** Adds two sums. A missing price counts as 0 unless both are missing. */
function addCarried(one: CarriedSum, other: CarriedSum): CarriedSum {
  const usd = one.usd === null ? other.usd : one.usd + (other.usd ?? 0);
  return {
    outputs: one.outputs + other.outputs,
    written: one.written + other.written,
    read: one.read + other.read,
    usd,
    unpriced: one.unpriced + other.unpriced,
  };
}

type RuleSum = GuardReplay["rules"][number];

interface ReplayPorts {
  /** Asks the guards, which only observe. */
  readonly ask: (event: HookEvent, program: HookCaller) => Promise<unknown>;
  /** Takes the hits that the guards recorded since the last call. */
  readonly takeHits: () => readonly GuardHitEntry[];
  /** Shortens a command's output; null if that saves too little. Null for other families. */
  readonly compress: ((output: string, command: string) => Smaller | null) | null;
  readonly catalogue: Catalogue;
  /** Ratios of the ledger's newest requests. */
  readonly charactersPerToken: readonly number[];
}

interface Smaller {
  readonly text: string;
  readonly compressor: string;
}

/** Families that judge the disk at the time, which is unknown. */
export const unknowable: readonly GuardFamily[] = ["facts"];
/** Maximum calls shown of each rule. */
const maxShown = 5;
/** Maximum calls without a result. */
const maxOpen = 1000;

interface Conversation {
  readonly carried: Carried;
  readonly calls: Map<string, PastCall>;
}

/**
 * Plays agents' pasts to the guards as if their hooks came now, and sums up what the guards would have done. A call in several
 * files, such as those of a resumed session, counts once.
 */
export class Replay {
  readonly #ports: ReplayPorts;
  readonly #rules = new Map<string, { readonly sum: RuleSum; readonly sessions: Set<string> }>();
  readonly #outputs = new Map<string, CarriedSum>();
  readonly #seen = new Set<string>();
  readonly #sessions = new Set<string>();
  #open = new Map<string, Conversation>();
  readonly #how: Sentence;
  #calls = 0;

  constructor(ports: ReplayPorts) {
    this.#ports = ports;
    this.#how = estimatedTokens("", ports.charactersPerToken).how;
  }

  async play(agent: HookCaller, event: PastEvent): Promise<void> {
    this.#sessions.add(`${agent} ${event.sessionId}`);
    const conversation = this.#conversation(agent, event);
    if (event.kind === "response") {
      conversation.carried.response(event.model, event.at);
      return;
    }
    if (event.kind === "compaction") conversation.carried.end();
    const call = event.kind === "result" ? (conversation.calls.get(event.id) ?? null) : null;
    if (event.kind === "result") conversation.calls.delete(event.id);
    if (event.kind === "call" && !this.#isNew(agent, event, conversation)) return;
    const hook = pastHook(event, call);
    if (hook === null) return;
    await this.#ask(hook, agent, event.at);
    if (event.kind === "result" && call !== null && event.isError !== true)
      this.#shrink(call, event.text, conversation.carried);
  }

  /** Ends the conversations of a file. */
  endFile(): void {
    for (const { carried } of this.#open.values()) carried.end();
    this.#open = new Map();
  }

  result(): Pick<GuardReplay, "sessions" | "calls" | "rules" | "outputs"> {
    this.endFile();
    const byRule = Array.from(this.#outputs, ([rule, sum]) => ({ rule, ...sum })).toSorted(
      (one, other) => other.written + other.read - (one.written + one.read),
    );
    const total = [...this.#outputs.values()].reduce<CarriedSum>(addCarried, nothingCarried);
    return {
      sessions: this.#sessions.size,
      calls: this.#calls,
      rules: Array.from(this.#rules.values(), ({ sum, sessions }) => ({
        ...sum,
        sessions: sessions.size,
      })).toSorted((one, other) => other.count - one.count),
      outputs: { total, byRule, how: this.#how },
    };
  }

  #conversation(agent: HookCaller, { sessionId, agentId }: PastEvent): Conversation {
    const key = `${sessionId} ${agentId ?? ""}`;
    const known = this.#open.get(key);
    if (known !== undefined) return known;
    const carried = new Carried({
      catalogue: this.#ports.catalogue,
      writesCache: agent === "claude-code",
      onEnd: (rule, sum) =>
        this.#outputs.set(rule, addCarried(this.#outputs.get(rule) ?? nothingCarried, sum)),
    });
    const conversation = { carried, calls: new Map<string, PastCall>() };
    this.#open.set(key, conversation);
    return conversation;
  }

  #isNew(agent: HookCaller, call: PastCall, { calls }: Conversation): boolean {
    const key = `${agent} ${call.id}`;
    if (this.#seen.has(key)) return false;
    this.#seen.add(key);
    this.#calls += 1;
    calls.set(call.id, call);
    const [oldest] = calls.keys();
    if (calls.size > maxOpen && oldest !== undefined) calls.delete(oldest);
    return true;
  }

  async #ask(hook: HookEvent, program: HookCaller, at: number | null): Promise<void> {
    await this.#ports.ask(hook, program);
    for (const hit of this.#ports.takeHits()) this.#count({ ...hit, at });
  }

  #count({ rule, family, action, sessionId, program, at, folder, excerpt }: GuardHitEntry): void {
    const known = this.#rules.get(rule) ?? {
      sum: { rule, family, action, count: 0, sessions: 0, newest: [] },
      sessions: new Set<string>(),
    };
    const hit = {
      at: at ?? null,
      agent: program ?? "",
      session: sessionId,
      folder: folder ?? null,
      excerpt: excerpt ?? "",
    };
    const newest = [...known.sum.newest, hit]
      .toSorted((one, other) => (other.at ?? 0) - (one.at ?? 0))
      .slice(0, maxShown);
    known.sessions.add(sessionId);
    this.#rules.set(rule, { ...known, sum: { ...known.sum, count: known.sum.count + 1, newest } });
  }

  #shrink(call: PastCall, text: string, carried: Carried): void {
    const { compress, charactersPerToken } = this.#ports;
    const used = toolCallOf({ tool_name: call.tool, tool_input: call.input });
    if (compress === null || used.kind !== "command" || used.command === null) return;
    if (isNestedCall({ tool_use_id: call.id })) return;
    const smaller = compress(text, used.command);
    if (smaller === null) return;
    const before = estimatedTokens(text, charactersPerToken).tokens;
    const after = estimatedTokens(smaller.text, charactersPerToken).tokens;
    if (after < before) carried.save(`smaller-output-${smaller.compressor}`, before - after);
  }
}

/** A past call before its result. */
type PastCall = Extract<PastEvent, { kind: "call" }>;

/** Returns the hook that an agent would have sent for a past event; null for none. @param call the call of a result */
export function pastHook(event: PastEvent, call: PastCall | null): HookEvent | null {
  const common = {
    session_id: event.sessionId.slice(0, 256),
    ...(event.agentId === null ? {} : { agent_id: event.agentId }),
    ...(event.folder === null ? {} : { cwd: event.folder }),
  };
  switch (event.kind) {
    case "prompt":
      return { ...common, hook_event_name: "UserPromptSubmit", prompt: event.text };
    case "compaction":
      return { ...common, hook_event_name: "PostCompact" };
    case "response":
    case "reply":
    case "summary":
    case "rewind":
      return null;
    case "call":
      return { ...common, hook_event_name: "PreToolUse", ...toolOf(event) };
    case "result": {
      if (call === null) return null;
      const tool = { ...common, ...toolOf(call) };
      if (event.isError === true)
        return { ...tool, hook_event_name: "PostToolUseFailure", error: event.text };
      const isCommand = toolKind(call.tool) === "command" && event.isError === false;
      const response = isCommand ? { stdout: event.text, stderr: "", interrupted: false } : event.text;
      return { ...tool, hook_event_name: "PostToolUse", tool_response: response };
    }
  }
}

function toolOf({ id, tool, input }: PastCall) {
  return { tool_name: tool, tool_input: input, tool_use_id: id };
}
