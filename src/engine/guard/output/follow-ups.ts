import * as z from "zod/mini";
import { sha256Base64Url } from "../../base/hash.ts";
import type { PerSession, SessionMemory } from "../../base/per-session.ts";
import {
  type EventNamed,
  isNestedCall,
  replaceableOutput,
  replaceableToolOutput,
  toolCallOf,
} from "../../hooks/event.ts";
import { defaultHookContext, type HookHandler } from "../../hooks/hooks-handler.ts";
import type { HookCaller } from "../../hooks/program.ts";
import type { LedgerEntry } from "../../ledger/entries.ts";
import { callKeyOf } from "../effect/step.ts";
import { mayNameStored } from "./compress-from.ts";

export type FollowUpEntry = Extract<LedgerEntry, { kind: "guard-follow-up" }>;
type Ended = EventNamed<"PostToolUse" | "PostToolUseFailure">;

export interface FollowUpPorts {
  readonly memory: Pick<SessionMemory, "part">;
  /** Whether the family is on or observes in a folder. */
  readonly isOn: (folder: string | null) => boolean;
  /** Returns the ids of the stored outputs that a command prints. */
  readonly storedOutputsIn: (command: string) => Promise<readonly string[]>;
  /** Returns the id of the hit that shortened a stored output; null if unknown. */
  readonly hitOf: (id: string) => Promise<string | null>;
  /** Records entries in the background. */
  readonly record: (entries: readonly FollowUpEntry[]) => void;
  readonly onProblem: (message: string) => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Calls after a shortened output among which its command counts as made again. */
const followedFor = 5;
/** Maximum outputs followed at once in a conversation, and conversations in a session. */
const [maxOpen, maxChains] = [8, 12];
/** Maximum parts compared of a call. */
const maxParts = 24;
/** Maximum length compared of an output. Characters. */
const maxCompared = 300_000;

const hash = z.string().check(z.maxLength(10));

const ranCall = z.object({
  whole: hash,
  /** Programs with their subcommands, or the tool. */
  programs: z.array(hash).check(z.maxLength(maxParts)),
  /** Operands, or the members of a tool's input. */
  things: z.array(hash).check(z.maxLength(maxParts)),
});
type RanCall = z.infer<typeof ranCall>;

const openOutput = z.object({
  hit: z.string().check(z.maxLength(4096)),
  use: z.nullable(z.string().check(z.maxLength(200))),
  call: ranCall,
  /** Hash of the output without digits. */
  gave: hash,
  hasFailed: z.boolean(),
  hasEdited: z.boolean(),
  /** Calls since. */
  calls: z.int().check(z.nonnegative()),
});
type OpenOutput = z.infer<typeof openOutput>;

const followed = z.object({
  chains: z
    .array(
      z.object({
        /** The subagent; empty for the session itself. */
        agent: z.string().check(z.maxLength(300)),
        open: z.array(openOutput).check(z.maxLength(maxOpen)),
      }),
    )
    .check(z.maxLength(maxChains)),
});

/** A shortened output. */
export interface MadeSmaller {
  readonly hit: string;
  /** The whole output. */
  readonly text: string;
  readonly isSuccess: boolean;
}

/**
 * Records the calls that a shortened output may have led to: its original fetched, the same command or a narrower one
 * made again, and the same failure once more. Whatever an agent would have done anyway counts too, so that savings are
 * never overstated; a command whose output has changed, or that follows an edit, had another reason.
 */
export class FollowUps {
  readonly #ports: FollowUpPorts;
  readonly #sessions: PerSession<z.infer<typeof followed>>;
  readonly handler: HookHandler<"PostToolUse" | "PostToolUseFailure">;

  constructor(ports: FollowUpPorts) {
    this.#ports = ports;
    this.#sessions = ports.memory.part("guard-follow-ups", { schema: followed, empty: { chains: [] } });
    this.handler = {
      name: "follow-ups",
      events: ["PostToolUse", "PostToolUseFailure"],
      budget: 50,
      answer: (event, { program } = defaultHookContext) => {
        // The calls of a script are not the agent's: only the script's own output enters the context.
        if (!isNestedCall(event) && ports.isOn(event.cwd ?? null)) this.#take(event, program);
        return null;
      },
    };
  }

  /** Follows a shortened output from now on. */
  made(event: EventNamed<"PostToolUse">, { hit, text, isSuccess }: MadeSmaller): void {
    const call = ranCallOf(event);
    const use = useOf(event);
    const gave = likeness(text);
    const added = { hit, use, call, gave, hasFailed: !isSuccess, hasEdited: false, calls: 0 };
    this.#setOpen(event, [...this.#openOf(event), added].slice(-maxOpen));
  }

  #take(event: Ended, program: HookCaller): void {
    const { onProblem } = this.#ports;
    const text = outputOf(event, program);
    this.#fetched(event, text).then(
      (isFetched) => {
        if (!isFetched) this.#compare(event, text);
      },
      (error: unknown) => onProblem(`What followed a shortened output is not known: ${String(error)}`),
    );
  }

  async #fetched(event: Ended, text: string | null): Promise<boolean> {
    const named = await this.#storedIn(event);
    const hits = await Promise.all([...new Set(named)].map(async (id) => await this.#ports.hitOf(id)));
    this.#record(
      event,
      hits.flatMap((hit) => (hit === null ? [] : { hit, how: "fetched" as const })),
      text,
    );
    return named.length > 0;
  }

  async #storedIn(event: Ended): Promise<readonly string[]> {
    const call = toolCallOf(event);
    if (call.kind === "command" && call.command !== null)
      return mayNameStored(call.command) ? await this.#ports.storedOutputsIn(call.command) : [];
    const file = call.kind === "read" ? call.file : null;
    const id = file === null ? undefined : /[\\/]outputs[\\/](?<id>\w{6})\.txt$/u.exec(file)?.groups?.["id"];
    return id === undefined ? [] : [id];
  }

  #compare(event: Ended, text: string | null): void {
    const open = this.#openOf(event);
    if (open.length === 0) return;
    const { kind } = toolCallOf(event);
    const hasFailed = event.hook_event_name === "PostToolUseFailure";
    const call = ranCallOf(event);
    const use = useOf(event);
    const gave = text === null ? null : likeness(text);
    const found = open.flatMap((output) => {
      if (use !== null && output.use === use) return [];
      const how = howFollowed(output, { call, gave });
      return how === null ? [] : { hit: output.hit, how };
    });
    this.#record(event, found, text);
    const left = open.map((output) =>
      use !== null && output.use === use
        ? output
        : {
            ...output,
            calls: output.calls + 1,
            hasEdited: output.hasEdited || (kind === "edit" && !hasFailed),
          },
    );
    this.#setOpen(
      event,
      left.filter(({ calls }) => calls < followedFor),
    );
  }

  #record(event: Ended, found: readonly Pick<FollowUpEntry, "hit" | "how">[], text: string | null): void {
    if (found.length === 0) return;
    const at = this.#ports.now();
    const { session_id: sessionId, agent_id: agentId = null, tool_use_id: callId = null } = event;
    this.#ports.record(
      found.map(({ hit, how }) => ({
        kind: "guard-follow-up",
        // The same call reported twice is one.
        id: `${callId ?? `${sessionId}@${at}`}:${hit}`,
        hit,
        how,
        sessionId,
        agentId,
        at,
        callId,
        bytes: text === null ? null : Buffer.byteLength(text),
      })),
    );
  }

  #openOf({ session_id: session, agent_id: agent = "" }: Ended): readonly OpenOutput[] {
    return this.#sessions.of(session).chains.find((each) => each.agent === agent.slice(0, 300))?.open ?? [];
  }

  #setOpen({ session_id: session, agent_id: agent = "" }: Ended, open: OpenOutput[]): void {
    const own = agent.slice(0, 300);
    const others = this.#sessions.of(session).chains.filter((each) => each.agent !== own);
    const chains = open.length === 0 ? others : [...others, { agent: own, open }];
    this.#sessions.set(session, { chains: chains.slice(-maxChains) });
  }
}

function howFollowed(
  output: OpenOutput,
  { call, gave }: { readonly call: RanCall; readonly gave: string | null },
): "again" | "narrower" | "error" | null {
  const isSame = call.whole === output.call.whole;
  if (isSame && gave !== null && gave !== output.gave) return null;
  if (isSame && output.hasFailed) return "error";
  if (output.hasEdited) return null;
  if (isSame) return "again";
  const { programs, things } = output.call;
  const hasAll = (own: readonly string[], other: readonly string[]) =>
    own.every((each) => other.includes(each));
  if (programs.length === 0 || !hasAll(programs, call.programs) || !hasAll(things, call.things)) return null;
  return "narrower";
}

/** What outputs are compared by: their different lines without digits, so that times and their order do not count. */
function likeness(text: string): string {
  const lines = new Set(text.slice(0, maxCompared).replaceAll(/\d+/gu, "").split("\n"));
  return sha256Base64Url([...lines].sort().join("\n"), 10);
}

function outputOf(event: Ended, program: HookCaller): string | null {
  if (event.hook_event_name === "PostToolUseFailure") return event.error ?? null;
  const isCommand = toolCallOf(event).kind === "command";
  const known = (isCommand ? replaceableOutput : replaceableToolOutput)(event, program);
  if (known !== null) return known.text;
  const { tool_response: response } = event;
  return typeof response === "string" ? response : response === undefined ? null : JSON.stringify(response);
}

function ranCallOf(event: Ended): RanCall {
  const { whole, kind, programs, things } = callKeyOf(event);
  if (kind === "command") return { whole, programs: [...programs], things: [...things] };
  const { tool_name: tool = "", tool_input: input } = event;
  const members = typeof input === "object" && input !== null ? Object.entries(input) : [];
  return {
    whole,
    programs: [sha256Base64Url(tool, 10)],
    things: members.slice(0, maxParts).map((member) => sha256Base64Url(JSON.stringify(member), 10)),
  };
}

function useOf({ tool_use_id: use }: Ended): string | null {
  return use?.slice(0, 200) ?? null;
}
