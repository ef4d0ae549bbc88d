import { contentChars } from "../claude/message-parts.ts";
import type { AgentActivity, AgentCompaction, Origin } from "../agent-session.ts";
import { WorkLists, WorkLog } from "../work-log.ts";
import { calledBy, callIn, updateFromEvent, updateFromItem, updateFromOutput } from "./tool-calls.ts";
import {
  compactedRow,
  endEvent,
  itemEvent,
  messageEvent,
  outputItem,
  toolEvent,
  type ItemEvent,
} from "./work-rows.ts";

interface Moment {
  readonly at: number | null;
  readonly origin: Origin;
}

type OpenCompaction = { -readonly [Key in keyof AgentCompaction]: AgentCompaction[Key] };

/** The turns, tools and compactions of a rollout. Lines of an unexpected form are ignored. */
export class RolloutWork {
  readonly #lists = new WorkLists();
  readonly #log = new WorkLog(null, this.#lists);
  readonly #compactions: OpenCompaction[] = [];
  /** Tokens in the context before the last response, as Codex counts them, and that response. */
  #before: { readonly response: string | null; readonly tokens: number | null } | null = null;
  /** The compaction that no response has followed yet. */
  #fresh: OpenCompaction | null = null;

  context(turnId: string | null, moment: Moment): void {
    if (turnId !== null) this.#log.nameTurn(turnId, moment);
  }

  /**
   * Handles a response, or the growth of a total.
   *
   * @param record index in the session's records
   * @param held tokens in the context before it
   */
  used(record: number, moment: Moment & { response: string | null; held: number | null }): void {
    this.#log.addResponse(record, moment);
    this.#before = { response: moment.response, tokens: moment.held };
    this.#fresh = null;
  }

  /** Handles a count of the context that belongs to no response. */
  counted(tokens: number | null): void {
    if (this.#fresh !== null) this.#fresh.postTokens = tokens;
    this.#fresh = null;
  }

  item(payload: unknown, moment: Moment): void {
    const call = callIn(payload);
    if (call !== undefined) {
      // Copied history belongs to the parent session: neither the call nor its result is recorded here.
      if (moment.origin !== "copied") this.#log.addCall(calledBy(call), moment);
      return;
    }
    const output = outputItem.safeParse(payload);
    if (!output.success) return;
    this.#log.updateCall(output.data.call_id, updateFromOutput(output.data));
    this.#log.addResult(moment.at);
  }

  event(type: string, payload: unknown, moment: Moment): void {
    switch (type) {
      case "task_started":
      case "turn_started":
        this.#log.startTurn(endEvent.safeParse(payload).data?.turn_id ?? null, moment);
        break;
      case "task_complete":
      case "turn_complete":
      case "turn_aborted":
        this.#ended(payload, moment, type === "turn_aborted");
        break;
      case "user_message":
        this.#log.addPrompt(messageEvent.safeParse(payload).data?.message?.length ?? 0, moment);
        break;
      case "agent_message":
        this.#log.addReply((messageEvent.safeParse(payload).data?.message ?? "") !== "", moment.at);
        break;
      case "item_completed":
        this.#item(itemEvent.safeParse(payload).data, moment);
        break;
      case "mcp_tool_call_end":
      case "exec_command_end":
      case "patch_apply_end":
      case "dynamic_tool_call_response": {
        const parsed = toolEvent.safeParse(payload);
        if (parsed.success) this.#log.updateCall(parsed.data.call_id, updateFromEvent(parsed.data));
      }
    }
  }

  /** @param held tokens in the context, as Codex counts them */
  compacted(payload: unknown, moment: Moment & { model: string | null; held: number | null }): void {
    const row = compactedRow.safeParse(payload).data;
    const { at, origin, model, held } = moment;
    // The response that wrote the summary had read everything before it, and a little more.
    const own = row?.compaction_response_id ?? null;
    const isOwn = own !== null && this.#before?.response === own;
    this.#fresh = {
      at,
      origin,
      model,
      agentId: null,
      turn: this.#log.turn,
      trigger: "unknown",
      postTokens: null,
      id: row?.window_id ?? `#${this.#compactions.length}`,
      preTokens: isOwn ? (this.#before?.tokens ?? null) : held,
    };
    this.#compactions.push(this.#fresh);
  }

  activity(): AgentActivity {
    const { turns, calls } = this.#lists.snapshot();
    const compactions = this.#compactions.map((compaction): AgentCompaction => {
      const turn = turns[compaction.turn ?? -1];
      // A manual compaction is a turn of its own, without a prompt.
      const isAsked = turn?.promptChars === null && turn.isBounded && turn.hasStopped;
      const isFollowed = turn?.promptChars !== null && turn?.isBounded === true;
      return { ...compaction, trigger: isAsked ? "manual" : isFollowed ? "auto" : "unknown" };
    });
    return { turns, calls, compactions, parts: [] };
  }

  #ended(payload: unknown, { at }: Moment, isInterrupted: boolean): void {
    const end = endEvent.safeParse(payload).data;
    const { turn_id: id = null, duration_ms: durationMs = null, error } = end ?? {};
    if ((end?.last_agent_message ?? "") !== "") this.#log.addReply(true, at);
    if (error !== undefined && error !== null) this.#log.markFailed(at);
    this.#log.endTurn({ id, at, durationMs, isInterrupted });
  }

  #item(event: ItemEvent | undefined, moment: Moment): void {
    if (event === undefined) return;
    const { type, id, content } = event.item;
    if (type === "UserMessage") this.#log.addPrompt(contentChars(content), moment);
    else if (type === "AgentMessage") this.#log.addReply(contentChars(content) > 0, moment.at);
    else if (typeof id === "string") this.#log.updateCall(id, updateFromItem(event));
  }
}
