import type { GuardVoice } from "../../guard/voice.ts";
import type { HookAnswer } from "../../hooks/event/hooks-answer.ts";
import type { EventNamed } from "../../hooks/event/event.ts";
import { defaultHookContext, type HookContext, type HookHandler } from "../../hooks/hooks-handler.ts";
import type { LedgerEntry } from "../../ledger/entries/entries-entry.ts";
import { matchPrompt, type KnownHere } from "./advice-for.ts";

export interface PromptAdvicePorts {
  readonly voice: Pick<GuardVoice, "listens" | "tell">;
  /** Returns what is known of a folder's project; null where it cannot be read. Only the first prompt of a project waits for it. */
  readonly knownHere: (folder: string) => KnownHere | null | Promise<KnownHere | null>;
  /** Records in the background that something was told. */
  readonly record: (entries: readonly LedgerEntry[]) => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Time in which a ledger is opened, and what was learned of a project is read. Milliseconds. */
const patience = 800;

/**
 * Tells an agent at a prompt what was learned about it in earlier sessions of the project: one thing at most, within the budget of speech,
 * and in the mode of the guards' family `learned`.
 */
export function promptAdviceHandler({
  voice,
  knownHere,
  record,
  now,
}: PromptAdvicePorts): HookHandler<"SessionStart" | "UserPromptSubmit"> {
  const answer = (
    event: EventNamed<"SessionStart" | "UserPromptSubmit">,
    about: HookContext = defaultHookContext,
  ): HookAnswer | null | Promise<HookAnswer | null> => {
    const { cwd } = event;
    if (event.hook_event_name === "UserPromptSubmit") return advise(event, about);
    // The first prompt need not wait for what is read now. A failed reading was reported.
    if (cwd !== undefined && voice.listens("learned", cwd)) void knownHere(cwd);
    return null;
  };
  const advise = async (
    event: EventNamed<"UserPromptSubmit">,
    about: HookContext,
  ): Promise<HookAnswer | null> => {
    const { cwd, prompt, agent_id: agentId, session_id: sessionId } = event;
    if (cwd === undefined || prompt === undefined || agentId !== undefined) return null;
    if (!voice.listens("learned", cwd)) return null;
    const known = await knownHere(cwd);
    const match = known === null ? null : matchPrompt(prompt, known);
    if (match === null) return null;
    const said = voice.tell(event, [match.finding], about);
    if (said !== null)
      record([{ kind: "learned-use", id: match.id, sessionId, rule: match.finding.rule, at: now() }]);
    return said;
  };
  return {
    name: "prompt-advice",
    events: ["SessionStart", "UserPromptSubmit"],
    budget: 20,
    patience,
    answer,
  };
}
