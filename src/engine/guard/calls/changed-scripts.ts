import type { HookAnswer } from "../../hooks/event.ts";
import { defaultHookContext, type HookHandler } from "../../hooks/hooks-handler.ts";
import { hitEntry, type GuardHitEntry } from "../hit-entry.ts";
import { guardedCall, type CallGuardPorts } from "./calls-handler.ts";
import type { Hit } from "./rule-set.ts";
import { actionOf } from "./rule-action.ts";

export interface ChangedScriptPorts extends Pick<
  CallGuardPorts,
  "judge" | "modeOf" | "isOn" | "contextOf" | "now"
> {
  /** Returns the scripts that changed between the look at a call and its end, and forgets the look. */
  readonly changedSince: (use: string) => readonly string[];
  /** Records the guard's actions, in the background. */
  readonly record: (entries: readonly GuardHitEntry[]) => void;
}

/**
 * Judges a call again after it ran if its scripts changed since the look: another process, or the call itself, wrote what ran. It is
 * recorded as not judged and told to the agent. The next run is judged by what the disk then has.
 */
export function changedScriptHandler(
  ports: ChangedScriptPorts,
): HookHandler<"PostToolUse" | "PostToolUseFailure"> {
  return {
    name: "changed-scripts",
    events: ["PostToolUse", "PostToolUseFailure"],
    budget: 200,
    answer: (event, { program } = defaultHookContext) => {
      const { cwd: folder = null, tool_use_id: use } = event;
      const changed = use === undefined ? [] : ports.changedSince(use);
      const call = changed.length > 0 && ports.isOn(folder) ? guardedCall(event) : null;
      if (call?.kind !== "command") return null;
      const tell = (hits: readonly Hit[]): HookAnswer | null => {
        const stopping = hits.filter(({ rule }) => actionOf(rule) !== "advise");
        const [first] = stopping;
        if (first === undefined) return null;
        const modes = stopping.map(({ rule }) => ports.modeOf(rule.family, folder, null));
        if (modes.every((mode) => mode === "off")) return null;
        const facts = { rule: "not-judged", family: "safety", action: "ask", done: "unjudged" } as const;
        ports.record([
          hitEntry(event, {
            ...facts,
            excerpt: `${changed[0] ?? ""}: ${first.excerpt}`,
            program,
            at: ports.now(),
          }),
        ]);
        if (!modes.includes("on")) return null;
        const { id, message } = first.rule;
        return {
          rule: facts.rule,
          context: `Context Purser (not-judged): ${changed.join(", ")} changed after this call was checked, so what ran was not checked. As it is now (${id}): ${message} Tell the user, and look at what it did.`,
        };
      };
      const hits = ports.judge(call, ports.contextOf(folder));
      return hits instanceof Promise ? hits.then(tell) : tell(hits);
    },
  };
}
