import type { FindingDelivery } from "../../guard/delivery.ts";
import { type HookAnswer, type EventNamed, isHonoured } from "../../hooks/event.ts";
import { defaultHookContext, type HookContext, type HookHandler } from "../../hooks/hooks-handler.ts";
import { maxSessions } from "../../base/per-session.ts";
import { systemTimer, type Timer } from "../../base/timing.ts";
import type { LedgerEntry } from "../../ledger/entries.ts";
import { matchPrompt, type KnownHere, type PromptMatch } from "./advice-for.ts";

interface PromptAdvicePorts {
  readonly delivery: Pick<FindingDelivery, "isWatching" | "deliver">;
  /**
   * Returns what is known about a folder's project. Null if it cannot be read. Only a project's first prompt
   * waits, and not for long.
   */
  readonly knownHere: (folder: string) => KnownHere | null | Promise<KnownHere | null>;
  readonly record: (entries: readonly LedgerEntry[]) => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Whether the lessons can be read at once: a service that has just started opens its ledger first. */
  readonly isOpen: () => boolean;
  readonly timer?: Timer;
}

const events = ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse"] as const;
type Event = EventNamed<(typeof events)[number]>;

/** Maximum wait of a prompt for a read in progress. Milliseconds. */
const maxWaitMs = 100;
/** Keeps advice that a busy machine delayed. Milliseconds. */
const patience = 800;

/**
 * Sends an agent at a prompt what earlier sessions of the project learned about it. At most one text, within
 * the advice budget, in the mode of the guard family `learned`. If reading takes too long, the next hook that
 * finds the text sends it.
 */
export function promptAdviceHandler({
  delivery,
  knownHere,
  record,
  now,
  isOpen,
  timer = systemTimer,
}: PromptAdvicePorts): HookHandler<(typeof events)[number]> {
  /** Texts for each session's last prompt, once known. */
  const pending = new Map<string, { match: PromptMatch | null }>();

  const answer = (
    event: Event,
    about: HookContext = defaultHookContext,
  ): HookAnswer | null | Promise<HookAnswer | null> => {
    switch (event.hook_event_name) {
      case "UserPromptSubmit":
        return advise(event, about);
      case "SessionStart":
        // Starts the read so that the first prompt need not wait for it. A failed read was reported.
        if (event.cwd !== undefined && delivery.isWatching("learned", event.cwd)) void knownHere(event.cwd);
        return null;
      case "PreToolUse":
      case "PostToolUse":
        return adviseLater(event, about);
    }
  };

  const advise = async (
    event: EventNamed<"UserPromptSubmit">,
    about: HookContext,
  ): Promise<HookAnswer | null> => {
    const { cwd, prompt, agent_id: agentId, session_id: session } = event;
    if (cwd === undefined || prompt === undefined || agentId !== undefined) return null;
    pending.delete(session);
    if (!delivery.isWatching("learned", cwd)) return null;
    const known = knownHere(cwd);
    const asked: { match: PromptMatch | null } = { match: null };
    const isRead = Promise.resolve(known).then((read) => {
      asked.match = read === null ? null : matchPrompt(prompt, read);
    });
    if (known instanceof Promise && !(isOpen() && (await isDoneWithin(isRead, timer)))) {
      keep(session, asked);
      return null;
    }
    await isRead;
    return asked.match === null ? null : tell(event, asked.match, about);
  };

  const keep = (session: string, asked: { match: PromptMatch | null }): void => {
    pending.set(session, asked);
    const [oldest] = pending.keys();
    if (pending.size > maxSessions && oldest !== undefined) pending.delete(oldest);
  };

  const adviseLater = (
    event: EventNamed<"PreToolUse" | "PostToolUse">,
    about: HookContext,
  ): HookAnswer | null => {
    const { session_id: session, hook_event_name: name, agent_id: agentId } = event;
    const match = pending.get(session)?.match ?? null;
    if (match === null || agentId !== undefined || !isHonoured("context", name, about.program)) return null;
    pending.delete(session);
    return tell(event, match, about);
  };

  const tell = (event: Event, { id, finding }: PromptMatch, about: HookContext): HookAnswer | null => {
    const sentText = delivery.deliver(event, [finding], about);
    const { session_id: sessionId } = event;
    if (sentText !== null) record([{ kind: "learned-use", id, sessionId, rule: finding.rule, at: now() }]);
    return sentText;
  };

  return { name: "prompt-advice", events, budget: 20, patience, answer };
}

async function isDoneWithin(work: Promise<void>, timer: Timer): Promise<boolean> {
  const done = work.then(() => true);
  const late = new Promise<false>((resolve) => {
    const limit = timer.after(maxWaitMs, () => resolve(false));
    void done.then(() => limit.dispose());
  });
  return await Promise.race([done, late]);
}
