import { sha256Hex } from "../../base/hash.ts";
import { isCode } from "../verification/debt.ts";
import type { EventNamed } from "../../hooks/event.ts";
import { actionOf, type Action } from "./ended-action.ts";
import type { ActionKind } from "./work-state.ts";
import type { EndedCall, WorkEvent } from "./step.ts";
import { subsystemOf } from "../work.ts";

/** The hooks that report a session's work. */
export const workEvents = [
  "SessionStart",
  "UserPromptSubmit",
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "PostToolBatch",
  "PreCompact",
  "PostCompact",
  "Stop",
  "SessionEnd",
] as const;
type WorkHook = EventNamed<(typeof workEvents)[number]>;

export interface ReadPorts {
  /** Tests whether a command line checks edits: by tests, types, a linter or a build. */
  readonly isCheck: (command: string) => boolean;
  /** The project of the hook's folder; null if unknown. */
  readonly root: string | null;
}

/** Returns what a hook reports about its session's work: nothing, one event, or the ends of several calls. */
export function readWork(event: WorkHook, ports: ReadPorts): WorkEvent[] {
  const isSubagent = event.agent_id !== undefined;
  const prompt = event.prompt_id ?? null;
  switch (event.hook_event_name) {
    case "PostToolUse":
    case "PostToolUseFailure":
      return [endOf(event, ports)];
    case "PostToolBatch":
      // This repeats the reports of single calls. Without ids, repeats cannot be recognised.
      return (event.tool_calls ?? []).flatMap((call) =>
        call.tool_use_id === undefined
          ? []
          : [endOf({ ...event, ...call, hook_event_name: "PostToolUse", duration_ms: undefined }, ports)],
      );
    case "PreToolUse":
      return isSubagent ? [] : [{ kind: "start", prompt }];
    case "UserPromptSubmit":
      return isSubagent ? [] : [{ kind: "prompt", prompt }];
    case "SessionStart":
      if (event.source === "clear") return [{ kind: "cleared" }];
      return event.source === "compact" ? [{ kind: "compacted" }] : [];
    case "PostCompact":
      return isSubagent ? [] : [{ kind: "compacted" }];
    case "PreCompact":
    case "Stop":
    case "SessionEnd":
      return isSubagent ? [] : [{ kind: "stopped" }];
  }
}

function endOf(event: EventNamed<"PostToolUse" | "PostToolUseFailure">, ports: ReadPorts): WorkEvent {
  const call = endedCall(event, ports);
  return event.agent_id === undefined
    ? { kind: "ended", prompt: event.prompt_id ?? null, call }
    : { kind: "ended-in-subagent", call };
}

function endedCall(
  event: EventNamed<"PostToolUse" | "PostToolUseFailure">,
  { isCheck, root }: ReadPorts,
): EndedCall {
  const action = actionOf(event);
  const { tool, subject, failure } = action;
  // An interrupted call shows nothing about the work.
  const isInterrupted = event.hook_event_name === "PostToolUseFailure" && event.is_interrupt === true;
  const file = action.kind === "edit" || action.kind === "read" ? subject : null;
  const actionKind = actionKindOf(action, isCheck);
  return {
    use: event.tool_use_id ?? null,
    key: sha256Hex(JSON.stringify([tool, subject]), 16),
    outcome: isInterrupted ? "unknown" : action.outcome,
    failure: isInterrupted ? null : failure,
    actionKind: isInterrupted ? "other" : actionKind,
    file: actionKind === "edit" ? file : null,
    isProse: file !== null && !isCode(file),
    subsystem: file === null ? null : subsystemOf(file, root),
  };
}

function actionKindOf({ tool, kind, subject }: Action, isCheck: ReadPorts["isCheck"]): ActionKind {
  switch (kind) {
    case "edit":
      return "edit";
    case "read":
    case "search":
    case "list":
      return "look";
    case "command":
      return subject !== null && isCheck(subject) ? "check" : "other";
    case "other":
      return tool.startsWith("mcp__") && /diagnostics|test|build|lint/iu.test(tool) ? "check" : "other";
  }
}
