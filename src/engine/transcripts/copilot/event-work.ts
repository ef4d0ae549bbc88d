import { isObject } from "../../base/parse.ts";
import type { AgentActivity, AgentCompaction } from "../agent-session.ts";
import { contentChars, textAt } from "../claude/message-parts.ts";
import { sizeOf } from "../row-values.ts";
import { WorkLists, WorkLog, type NewCall } from "../work-log.ts";
import {
  anyData,
  assistantMessage,
  compactionComplete,
  subagentEvent,
  toolComplete,
  toolRequest,
  toolStart,
  userMessage,
  userTool,
} from "./work-rows.ts";

interface Moment {
  readonly at: number | null;
  readonly id: string | null;
  readonly agentId: string | null;
  readonly model: string | null;
}

/** One conversation: the main one, or a subagent's. */
interface Thread {
  readonly log: WorkLog;
  /** The response of the agent's current step, if the version records steps. */
  step: { record: number | null } | null;
}

/** Characters. */
const maxToolLength = 100;
const shells: ReadonlySet<string> = new Set(["bash", "powershell", "shell", "read_bash", "write_bash"]);

/** The turns, tools and compactions in a session's events. Events of an unexpected form are ignored. */
export class EventWork {
  readonly #lists = new WorkLists();
  readonly #threads = new Map<string | null, Thread>();
  readonly #compactions: AgentCompaction[] = [];
  readonly #types = new Map<string, string | null>();
  /** By the API's id of a call: the response, and the subagent it belongs to. */
  readonly #responses = new Map<string, number>();
  readonly #agents = new Map<string, string | null>();
  readonly #began = new Map<string, number>();
  readonly #users = new Set<string>();

  read(type: string, data: unknown, event: Moment): void {
    const agentId = event.agentId ?? anyData.safeParse(data).data?.parentToolCallId ?? null;
    const moment = { ...event, agentId };
    switch (type) {
      case "user.message":
        this.#prompted(data, moment);
        break;
      case "assistant.turn_start":
        this.#step(moment);
        break;
      case "assistant.message":
        this.#addReply(data, moment);
        break;
      case "tool.user_requested":
        this.#users.add(userTool.safeParse(data).data?.toolCallId ?? "");
        break;
      case "tool.execution_start":
        this.#toolStarted(data, moment);
        break;
      case "tool.execution_complete":
        this.#toolCompleted(data, moment);
        break;
      case "subagent.started":
      case "subagent.completed":
      case "subagent.failed":
        this.#subagent(type, data, moment);
        break;
      case "session.compaction_complete":
        this.#compacted(data, moment);
        break;
      case "session.error":
        this.#of(agentId).log.markFailed(moment.at);
        break;
      case "abort":
      case "session.shutdown":
        for (const { log } of this.#threads.values())
          log.endTurn({ id: null, at: null, durationMs: null, isInterrupted: type === "abort" });
    }
  }

  /** The subagent whose message this API call produced. */
  agentOf(apiCallId: string | null): string | null {
    return (apiCallId === null ? null : this.#agents.get(apiCallId)) ?? null;
  }

  /** @param record the response's index in the session's records */
  used(
    record: number,
    response: { at: number | null; agentId: string | null; apiCallId: string | null },
  ): void {
    const { at, agentId, apiCallId } = response;
    const thread = this.#of(agentId);
    thread.log.addResponse(record, { at, origin: "own" });
    if (thread.step !== null) thread.step.record = record;
    if (apiCallId !== null) this.#responses.set(apiCallId, record);
  }

  activity(): AgentActivity {
    const parts = [...this.#types].map(([agentId, type]) => ({ agentId, type, description: null }));
    return { ...this.#lists.snapshot(), compactions: [...this.#compactions], parts };
  }

  #of(agentId: string | null): Thread {
    let known = this.#threads.get(agentId);
    if (known === undefined) {
      known = { log: new WorkLog(agentId, this.#lists), step: null };
      this.#threads.set(agentId, known);
      if (agentId !== null && !this.#types.has(agentId)) this.#types.set(agentId, null);
    }
    return known;
  }

  #prompted(data: unknown, { at, id, agentId }: Moment): void {
    const { content, delivery } = userMessage.safeParse(data).data ?? {};
    const { log } = this.#of(agentId);
    const isMore = delivery === "steering" || ((delivery ?? null) === null && log.isBusy) || agentId !== null;
    const moment = { at, origin: "own" } as const;
    if (!isMore) log.startTurn(id, moment, false);
    log.addPrompt(content?.length ?? 0, moment);
  }

  #step({ agentId }: Moment): void {
    const thread = this.#of(agentId);
    thread.step = { record: null };
    thread.log.forgetPending();
  }

  #addReply(data: unknown, { at, agentId }: Moment): void {
    const { content, apiCallId, toolRequests } = assistantMessage.safeParse(data).data ?? {};
    const { log, step } = this.#of(agentId);
    if (typeof apiCallId === "string") this.#agents.set(apiCallId, agentId);
    log.addReply((content ?? "") !== "", at);
    const record = this.#responses.get(apiCallId ?? "") ?? step?.record ?? null;
    for (const request of toolRequests ?? []) {
      const call = toolRequest.safeParse(request).data;
      if (call !== undefined && !log.knows(call.toolCallId))
        log.addCall(calledBy({ ...call, toolName: call.name }), { at, origin: "own" }, record);
    }
  }

  #toolStarted(data: unknown, { at, agentId }: Moment): void {
    const start = toolStart.safeParse(data).data;
    if (start === undefined || this.#users.has(start.toolCallId)) return;
    const { log, step } = this.#of(agentId);
    if (at !== null) this.#began.set(start.toolCallId, at);
    if (log.knows(start.toolCallId))
      log.updateCall(start.toolCallId, { server: start.mcpServerName ?? null });
    else log.addCall(calledBy(start), { at, origin: "own" }, step?.record ?? null);
  }

  #toolCompleted(data: unknown, { at, agentId }: Moment): void {
    const end = toolComplete.safeParse(data).data;
    if (end === undefined) return;
    const { log } = this.#of(agentId);
    const began = this.#began.get(end.toolCallId);
    this.#began.delete(end.toolCallId);
    if (!log.knows(end.toolCallId)) return;
    log.updateCall(end.toolCallId, {
      resultChars:
        end.result === null ? (end.error?.message?.length ?? null) : contentChars(end.result?.content),
      isError: typeof end.success === "boolean" ? !end.success : null,
      durationMs: at === null || began === undefined || at < began ? null : at - began,
    });
    log.addResult(at);
  }

  #subagent(type: string, data: unknown, { at, ...moment }: Moment): void {
    const event = subagentEvent.safeParse(data).data;
    const agentId = moment.agentId ?? event?.toolCallId ?? null;
    if (agentId === null) return;
    const { log } = this.#of(agentId);
    this.#types.set(agentId, event?.agentName ?? this.#types.get(agentId) ?? null);
    if (type === "subagent.started") {
      log.nameTurn("turn", { at, origin: "own" });
      return;
    }
    if (type === "subagent.failed") log.markFailed(at);
    log.endTurn({ id: null, at, durationMs: null, isInterrupted: false });
  }

  #compacted(data: unknown, { at, id, agentId, model }: Moment): void {
    const compaction = compactionComplete.safeParse(data).data;
    if (compaction === undefined || compaction.success === false) return;
    const { preCompactionTokens: pre, postCompactionTokens: post, trigger } = compaction;
    this.#compactions.push({
      agentId,
      origin: "own",
      turn: this.#of(agentId).log.turn,
      at,
      model,
      id: id ?? `#${this.#compactions.length}`,
      trigger: trigger === "manual" ? "manual" : typeof trigger === "string" ? "auto" : "unknown",
      preTokens: pre ?? null,
      postTokens: post ?? null,
    });
  }
}

function calledBy(call: {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly arguments?: unknown;
  readonly mcpServerName?: string | null | undefined;
}): NewCall {
  const { toolCallId, toolName, arguments: args, mcpServerName } = call;
  const input = isObject(args) ? args : null;
  const path = toolName === "view" ? textAt(input, "path") : null;
  return {
    id: toolCallId,
    tool: toolName.slice(0, maxToolLength),
    server: mcpServerName ?? null,
    skill: toolName === "skill" ? (textAt(input, "skill") ?? textAt(input, "name")) : null,
    inputChars: sizeOf(args),
    reads: shells.has(toolName) ? null : path === null ? [] : [path],
  };
}
