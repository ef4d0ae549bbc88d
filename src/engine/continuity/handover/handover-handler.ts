import type { EventNamed } from "../../hooks/event.ts";
import { defaultHookContext, type HookHandler } from "../../hooks/hooks-handler.ts";
import { handoverIn } from "./identity.ts";

export interface HandoverHandlerPorts {
  /** Called for a prompt that starts with a document. Works in the background. */
  readonly noteSession: (session: {
    readonly id: string;
    readonly program: string;
    readonly prompt: string;
  }) => void;
}

/** Reports which session starts with a handover document. Adds no text. */
export function handoverHandler({ noteSession }: HandoverHandlerPorts): HookHandler<"UserPromptSubmit"> {
  const answer = (event: EventNamed<"UserPromptSubmit">, { program } = defaultHookContext): null => {
    const { session_id: id, agent_id: agentId, prompt } = event;
    // A subagent's prompt is its agent's text.
    if (agentId === undefined && prompt !== undefined && handoverIn(prompt) !== null)
      noteSession({ id, program, prompt });
    return null;
  };
  return { name: "handover", events: ["UserPromptSubmit"], budget: 50, answer };
}
