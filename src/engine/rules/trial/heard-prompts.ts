import type { LedgerEntry } from "../../ledger/entries.ts";
import type { RulesLedger } from "../book/rules-book-rows.ts";

export interface ReportedPrompt {
  readonly sessionId: string;
  /** The agent's own id of it. Null if not reported. */
  readonly id: string | null;
  readonly chars: number;
  readonly corrects: boolean;
}

interface PromptPorts {
  readonly ledger: RulesLedger;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly onProblem: (message: string) => void;
}

const maxSessions = 500;

/** Records the prompts of sessions that have drawn: the length of the first, and how many correct the agent. */
export class TrialPrompts {
  readonly #ports: PromptPorts;
  /** By session: trials that wait for the length of the first prompt. */
  readonly #awaited = new Map<string, readonly string[]>();
  /** By session: whether it has a draw. */
  readonly #drawn = new Map<string, boolean>();
  #hasTrials = false;
  #unnamed = 0;

  constructor(ports: PromptPorts) {
    this.#ports = ports;
  }

  /** @param hasTrials whether any trial was ever started: a session of a stopped one still has its rules */
  set(hasTrials: boolean): void {
    this.#hasTrials = hasTrials;
  }

  /** @param trialId a trial that waits for the first prompt; null for a continued session */
  begun(sessionId: string, trialId: string | null): void {
    keep(this.#drawn, sessionId, true);
    if (trialId !== null) keep(this.#awaited, sessionId, [...(this.#awaited.get(sessionId) ?? []), trialId]);
  }

  heard(prompt: ReportedPrompt): void {
    if (!this.#hasTrials) return;
    const { sessionId, chars } = prompt;
    const awaiting = this.#awaited.get(sessionId) ?? [];
    this.#awaited.delete(sessionId);
    for (const trialId of awaiting) this.#append({ kind: "draw", trialId, sessionId, promptChars: chars });
    // There is nothing yet that a first prompt could correct.
    const entry = this.#entryOf({ ...prompt, corrects: prompt.corrects && awaiting.length === 0 });
    const known = this.#drawn.get(sessionId);
    if (known === true) this.#append(entry);
    else if (known === undefined) this.#guard(this.#appendIfDrawn(sessionId, entry));
  }

  #entryOf({ sessionId, id, corrects }: ReportedPrompt): LedgerEntry {
    const at = this.#ports.now();
    // Agents do not use longer ids.
    const isNamed = id !== null && id !== "" && id.length <= 256;
    if (!isNamed) this.#unnamed += 1;
    return {
      kind: "trial-prompt",
      sessionId,
      id: isNamed ? id : `${at} ${this.#unnamed}`,
      at,
      corrects,
    };
  }

  async #appendIfDrawn(sessionId: string, entry: LedgerEntry): Promise<void> {
    const draws = await this.#ports.ledger.ask("drawsOf", sessionId);
    if (!draws.ok) return;
    const hasDrawn = draws.value.length > 0;
    // It may have got a draw in the meantime.
    if (this.#drawn.get(sessionId) === undefined) keep(this.#drawn, sessionId, hasDrawn);
    if (hasDrawn) this.#append(entry);
  }

  #append(entry: LedgerEntry): void {
    this.#guard(
      this.#ports.ledger.append([entry]).then((kept) => {
        if (!kept.ok) this.#failed(kept.detail.text);
      }),
    );
  }

  #guard(work: Promise<void>): void {
    work.catch((error: unknown) => this.#failed(String(error)));
  }

  #failed(detail: string): void {
    this.#ports.onProblem(`A trial's session is not recorded: ${detail}`);
  }
}

function keep<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > maxSessions && oldest !== undefined) map.delete(oldest);
}

/** Words that may come first. */
const leadIn =
  /^(?:(?:actually|and|argh|but|h?mm+|hey|oh|ok(?:ay)?|please|sorry|ugh|wait|well)[\s,.!…-]+){0,2}/u;

/**
 * Starts of prompts that correct the agent, after a lead-in. Few on purpose: a missed correction is missed
 * with and without a rule, while a new task that looks like one would add noise. English only.
 */
const beginnings: readonly RegExp[] = [
  // "No, the other file." Polite refusals answer a question.
  /^no(?:pe|o+)?(?:[,.!:;]+(?!\s*(?:thank|problem|worries|need\b))|$)/u,
  /^no,? (?:not|don't|do not|that|this|it|you|i (?:said|meant|asked))\b/u,
  // "Wrong." "That's wrong."
  /^wrong(?:[,.!:;]|$| (?:approach|branch|file|folder|function|one|place)\b)/u,
  /^(?:that|this|it|you)(?:'s| is|'re| are) (?:all |still |completely )?wrong\b/u,
  // "That's not what I asked for."
  /^(?:that|this)(?:'s|s| is) not\b/u,
  /^(?:that|this) isn't\b/u,
  /^not (?:what i|like (?:that|this)|that one)\b/u,
  // "Undo that." Of something older is a task.
  /^(?:undo|revert)(?:[,.!]|$| (?:all (?:of )?(?:that|this)|everything|it|that|this|what you|your|the last change)\b)/u,
  /^(?:roll|put|change|take) (?:it|that|this|everything) back\b/u,
  // "I said in one file."
  /^(?:as |like )?i (?:already )?(?:said|told you|meant)\b/u,
  /^i (?:asked (?:you )?(?:for|not to|to)|did(?:n't| not) (?:ask|want|mean)|never asked)\b/u,
  // "You forgot the test."
  /^you (?:broke|deleted|forgot|ignored|misread|missed|misunderstood|removed|(?:did|have|were|should)(?:n't| not))\b/u,
  // "Still broken."
  /^(?:(?:it|that|this)(?:'s| is)? )?still (?:broken|does(?:n't| not)|fail(?:s|ing)|is(?:n't| not)|not|the same|wrong)\b/u,
  /^(?:(?:it|that|this) )?(?:does|did)(?:n't| not) (?:help|work)\b/u,
  /^again:/u,
  /^stop(?:[,.!]|$| (?:that|this|doing)\b)/u,
  /^(?:don't|do not) do (?:it|that|this)\b/u,
];

/** Maximum length of a first line's start that is read. Characters. */
const maxStartLength = 80;

/** Whether a prompt asks the agent to correct its work, judged by its start. */
export function asksForCorrection(prompt: string): boolean {
  const [line = ""] = prompt
    .slice(0, 2 * maxStartLength)
    .trimStart()
    .split("\n", 1);
  const start = line.slice(0, maxStartLength).trimEnd().toLowerCase().replaceAll("’", "'");
  const withoutLeadIn = start.replace(leadIn, "");
  return beginnings.some((beginning) => beginning.test(withoutLeadIn) || beginning.test(start));
}
