import type { EventNamed } from "../../hooks/event/event.ts";
import { toolCallOf } from "../../hooks/event/tool-call.ts";
import type { Invocation } from "../commands/invocation.ts";
import type { Finding } from "../voice.ts";
import { actionOf } from "../work/ended-action.ts";
import { textHash } from "./delivered-text.ts";
import { failsAgain, mayChange } from "./may-change.ts";
import { rulesOfWaste } from "./waste-rules.ts";
import { withFailure, withoutFailures, type WasteState } from "./waste-state.ts";

/** Returns the state after a call: what may have changed something makes all failures worth another try. */
export function afterCall(
  state: WasteState,
  event: EventNamed<"PostToolUse" | "PostToolUseFailure">,
  { invocations, chain, now }: { invocations: readonly Invocation[]; chain: string; now: number },
): WasteState {
  const call = toolCallOf(event);
  const command = call.kind === "command" ? call.command : null;
  const hasFailed = actionOf(event).outcome === "failed";
  const isStopped = event.hook_event_name === "PostToolUseFailure" && event.is_interrupt === true;
  const isFailure = command !== null && hasFailed && !isStopped && failsAgain(invocations);
  const changes = mayChange(call, invocations);
  if (!isFailure) return changes ? withoutFailures(state) : state;
  // What it changed itself has not helped it before.
  const kept = changes ? sameCommand(state, command) : state.failures;
  const failed = { chain, command: textHash(plain(command)), exitCode: exitCodeOf(event), at: now };
  return withFailure({ ...state, failures: kept }, failed);
}

/** Returns the failures of one command, in all contexts. */
function sameCommand({ failures }: WasteState, command: string): WasteState["failures"] {
  const hash = textHash(plain(command));
  return failures.filter((each) => each.command === hash);
}

/** Finds that a command is to be run that has failed, with nothing changed since. */
export function failedBefore({ failures }: WasteState, chain: string, command: string): Finding | null {
  const hash = textHash(plain(command));
  const before = failures.findLast((each) => each.chain === chain && each.command === hash);
  if (before === undefined) return null;
  const { id, family } = rulesOfWaste.failedAgain;
  const how = before.exitCode === null ? "failed" : `failed with exit code ${before.exitCode}`;
  return {
    rule: id,
    family,
    about: hash,
    excerpt: command,
    text:
      `this same command ${how} before, and no edit or other command of this session has changed anything since, so it will fail the ` +
      "same way. Work from the error above, or change its cause first.",
  };
}

function plain(command: string): string {
  return command.trim().replaceAll(/[ \t]+/gu, " ");
}

function exitCodeOf(event: EventNamed<"PostToolUse" | "PostToolUseFailure">): number | null {
  const text =
    event.hook_event_name === "PostToolUseFailure"
      ? (event.error ?? "").slice(0, 100)
      : typeof event.tool_response === "string"
        ? event.tool_response.slice(-300)
        : "";
  const code = /exit(?:ed with exit)? code:? (?<code>\d{1,3})\b/iu.exec(text)?.groups?.["code"];
  return code === undefined ? null : Number(code);
}
