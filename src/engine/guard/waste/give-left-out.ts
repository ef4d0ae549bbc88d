import {
  mayReplace,
  type HookEvent,
  type EventNamed,
  type HookAnswer,
  isNestedCall,
  toolCallOf,
} from "../../hooks/event.ts";
import type { HookContext } from "../../hooks/hooks-handler.ts";
import type { HookCaller } from "../../hooks/program.ts";
import { deliveredText } from "./delivered-text.ts";
import { absolutePath } from "./file-command.ts";
import {
  answeredByAgent,
  givenInFull,
  leftOutOf,
  withGiven,
  withGivenTexts,
  type AnsweredByAgent,
} from "./left-out.ts";
import { chainOf } from "./own-context.ts";
import { withoutFile, type WasteState } from "./waste-state.ts";

interface Ports {
  readonly sessions: { readonly of: (session: string) => WasteState };
  readonly change: (event: Pick<HookEvent, "session_id">, how: (state: WasteState) => WasteState) => void;
  /** Returns a file's text; null where it cannot be read quickly. */
  readonly textOf: (file: string) => Promise<string | null>;
  /** Finds the first of some calls with an output that certainly is in the context. */
  readonly stillInContext: (
    event: EventNamed<"PostToolUse">,
    calls: readonly { readonly call: string | null }[],
    program: HookCaller,
  ) => Promise<{ readonly call: string | null } | null>;
}

interface LeftOutTexts {
  /** Gives the text that a pointer stands for, where the agent answered the repeated read by itself. */
  readonly give: (
    event: EventNamed<"PostToolUse">,
    asked: AnsweredByAgent,
    about: HookContext,
  ) => Promise<HookAnswer | null>;
  /** Gives it while guards are off, too: the agent was promised it while they were on. */
  readonly whileOff: (event: EventNamed<"PostToolUse">, about: HookContext) => Promise<HookAnswer | null>;
}

export function leftOutTexts({ sessions, change, textOf, stillInContext }: Ports): LeftOutTexts {
  const give: LeftOutTexts["give"] = async (event, asked, { program }) => {
    const chain = chainOf(event);
    const found = leftOutOf(sessions.of(event.session_id), chain, asked);
    if (found.length === 0 || !mayReplace("output", event, program)) return null;
    for (const { given } of found) {
      if (given?.chain === chain) continue;
      const calls = given === null ? [] : [given];
      if ((await stillInContext(event, calls, program)) !== null) continue;
      const output = givenInFull(asked, found, await textOf(asked.file));
      change(event, (state) => withGivenTexts(state, found, { chain, call: event.tool_use_id }));
      return { output };
    }
    return null;
  };
  return {
    give,
    whileOff: async (event, about) => {
      if (sessions.of(event.session_id).leftOut.length === 0 || isNestedCall(event)) return null;
      const call = toolCallOf(event);
      if (call.kind === "edit") {
        const file = call.file === null ? null : absolutePath(call.file, event.cwd ?? null);
        change(event, (state) => withoutFile(state, file));
        return null;
      }
      const asked = answeredByAgent(event);
      if (asked !== null) return await give(event, asked, about);
      const read = deliveredText(event, []);
      const shown = { chain: chainOf(event), call: event.tool_use_id };
      if (read !== null) change(event, (state) => withGiven(state, { ...read, ...shown }));
      return null;
    },
  };
}
