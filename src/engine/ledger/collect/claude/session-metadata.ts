import { promptName } from "../../../transcripts/agent-session.ts";
import * as z from "zod/mini";
import { scrubStart } from "../../../base/scrub.ts";
import { cleanText, cutEnd } from "../../../base/text.ts";
import type { LedgerEntry } from "../../entries/entries-entry.ts";
import type { EntryFile } from "../collect-source.ts";
import { branchOrNull, nameOrNull } from "../fitting.ts";

const text = z.nullable(z.string());
const time = z.nullable(z.number());

export const sessionState = z.object({
  cwd: text,
  branch: text,
  title: text,
  firstPrompt: text,
  firstAt: time,
  lastAt: time,
  parentId: text,
  officialUsd: z.nullable(z.number()),
});
export type SessionState = z.infer<typeof sessionState>;

const nothing: SessionState = {
  cwd: null,
  branch: null,
  title: null,
  firstPrompt: null,
  firstAt: null,
  lastAt: null,
  parentId: null,
  officialUsd: null,
};

/** Characters. */
const maxTitleLength = 80;

/** Facts about the session as a whole. A subagent's file contributes only the times of its activity. */
export class ClaudeSession {
  readonly #file: EntryFile;
  readonly #known: SessionState;
  #isChanged = false;

  constructor(file: EntryFile, state: SessionState | null) {
    this.#file = file;
    this.#known = { ...(state ?? nothing) };
  }

  /** The folder the session began in: its project. */
  get cwd(): string | null {
    return this.#known.cwd;
  }

  get branch(): string | null {
    return this.#known.branch;
  }

  seen(at: number): void {
    const { firstAt, lastAt } = this.#known;
    if (firstAt === null || at < firstAt) this.#set("firstAt", at);
    if (lastAt === null || at > lastAt) this.#set("lastAt", at);
  }

  setFolder(cwd: string, branch: string | null): void {
    if (this.#known.cwd === null) this.#set("cwd", nameOrNull(cwd));
    this.#set("branch", branchOrNull(branch));
  }

  titled(title: string): void {
    const shown = shortened(title);
    if (shown !== null) this.#set("title", shown);
  }

  /** A subagent's prompt is the input of a tool call, which is not stored. */
  prompted(prompt: string): void {
    if (this.#file.agentId === null && this.#known.firstPrompt === null)
      this.#set("firstPrompt", shortened(promptName(prompt)));
  }

  forkedFrom(parentId: string): void {
    if (parentId !== this.#file.sessionId) this.#set("parentId", nameOrNull(parentId));
  }

  cost(usd: number): void {
    this.#set("officialUsd", usd);
  }

  /** The session's entry, if something has changed since the last call. */
  take(): LedgerEntry[] {
    if (!this.#isChanged) return [];
    this.#isChanged = false;
    const { title, firstPrompt, firstAt, lastAt, ...own } = this.#known;
    const entry = {
      kind: "session" as const,
      id: this.#file.sessionId,
      program: "claude-code",
      firstAt,
      lastAt,
    };
    if (this.#file.agentId !== null) return [entry];
    return [{ ...entry, ...own, title: title ?? firstPrompt }];
  }

  state(): SessionState {
    return this.#known;
  }

  #set<Key extends keyof SessionState>(key: Key, value: SessionState[Key]): void {
    if (value === null || this.#known[key] === value) return;
    this.#known[key] = value;
    this.#isChanged = true;
  }
}

/** Null for a title without visible text, and for the agent's own texts in angle brackets: commands and notices. */
function shortened(raw: string): string | null {
  // Before it is cut to a title: half a secret is not recognized.
  const cleaned = scrubStart(cleanText(raw.slice(0, 40 * maxTitleLength)), 20 * maxTitleLength);
  return cleaned === "" || cleaned.startsWith("<") ? null : cutEnd(cleaned, maxTitleLength);
}
