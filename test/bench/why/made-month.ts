/** A made-up month of ordinary work after four ordinary weeks, with one planted cause on each of some days. */
import type { LedgerEntry } from "../../../src/engine/ledger/entries/entries-entry.ts";
import type { WhyCause } from "../../../src/engine/ledger/why-answers.ts";
import { formatDay } from "../../../src/engine/usage/local-day.ts";
import { noUsage } from "../../../src/engine/usage/token-counts.ts";
import { seededRandom, type SeededRandom } from "../../engine/support/seeded-random.ts";
import { logNormal } from "../made-sessions.ts";

const plantable = [
  "read-after-compaction",
  "cache-rebuilt",
  "read-again",
  "long-output",
  "dearer-model",
  "more-than-usual",
  "loop",
  "large-context",
  "subagents",
  "benchmark",
] as const satisfies readonly WhyCause[];
type Planted = (typeof plantable)[number];

interface MadeDay {
  readonly day: string;
  readonly planted: Planted | null;
  /** The session that has the cause; null where it is the day's. */
  readonly session: string | null;
}

export interface MadeMonth {
  readonly entries: readonly LedgerEntry[];
  /** The days of the month, the ordinary weeks before left out. */
  readonly days: readonly MadeDay[];
}

const [weeksBefore, daysOfMonth] = [28, 30];
const [usual, dear, codex] = ["claude-sonnet-4-6", "claude-opus-4-1", "gpt-5.3-codex"] as const;
const homes = [
  { program: "claude-code", project: "/work/harbor-map", model: usual },
  { program: "claude-code", project: "/work/tide-api", model: usual },
  { program: "codex", project: "/work/harbor-map", model: codex },
] as const;
/** Tokens. */
const threshold = 167_000;

/** @param first a local day, the first of the ordinary weeks */
export function makeMonth(seed: number, planted: number, first = new Date(2026, 8, 28)): MadeMonth {
  const random = seededRandom(seed);
  const entries: LedgerEntry[] = [];
  const kinds = random.shuffled(plantable).slice(0, planted);
  // Planted days are three apart, and workdays.
  const places = new Map<number, Planted>();
  let place = weeksBefore + 1;
  for (const kind of kinds) {
    while (isWeekend(dayAt(first, place))) place += 1;
    places.set(place, kind);
    place += 3;
  }
  const days: MadeDay[] = [];
  for (let index = 0; index < weeksBefore + daysOfMonth; index += 1) {
    const date = dayAt(first, index);
    const kind = places.get(index) ?? null;
    const session = addDay(entries, random, { date, kind });
    if (index >= weeksBefore) days.push({ day: formatDay(date), planted: kind, session });
  }
  return { entries, days };
}

function dayAt(first: Date, index: number): Date {
  return new Date(first.getFullYear(), first.getMonth(), first.getDate() + index);
}

function isWeekend(date: Date): boolean {
  return date.getDay() === 0 || date.getDay() === 6;
}

/** @returns the session that has the planted cause */
function addDay(
  entries: LedgerEntry[],
  random: SeededRandom,
  { date, kind }: { date: Date; kind: Planted | null },
): string | null {
  const day = formatDay(date);
  const count = isWeekend(date) ? random.below(2) : 4 + random.below(4);
  let number = 0;
  const start = () => date.getTime() + (8 + random.next() * 10) * 3_600_000;
  const add = (make: (session: MadeSession) => void, about: Partial<SessionPlace> = {}) => {
    const home = homes[random.next() < 0.45 ? 0 : random.next() < 0.5 ? 1 : 2];
    const id = `${day}-${number++}`;
    const session = new MadeSession(entries, random, { id, at: start(), ...home, ...about });
    make(session);
    session.end();
    return id;
  };
  const model = kind === "dearer-model" ? { model: dear, program: "claude-code" } : {};
  for (let each = 0; each < count; each += 1) add((session) => session.work(), model);
  if (kind === null || kind === "dearer-model") return null;
  if (kind === "more-than-usual") {
    for (let each = 0; each < 16; each += 1) add((session) => session.work(), homes[2]);
    return null;
  }
  return add((session) => session.plant(kind), homes[0]);
}

interface SessionPlace {
  readonly id: string;
  readonly program: string;
  readonly project: string;
  readonly model: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

interface Step {
  /** Tokens that the tool's result adds to the context. */
  readonly result: number;
  readonly tool: string;
  readonly path?: string;
  readonly isError?: boolean;
  /** Minutes before the call. */
  readonly pause?: number;
}

/** One session, call by call: each reads its context from the cache, and writes what is new. */
class MadeSession {
  readonly #entries: LedgerEntry[];
  readonly #random: SeededRandom;
  readonly #place: SessionPlace;
  readonly #reads: string[] = [];
  #at: number;
  #agent: string | null = null;
  #context = 0;
  #cached = 0;
  #calls = 0;

  constructor(entries: LedgerEntry[], random: SeededRandom, place: SessionPlace) {
    this.#entries = entries;
    this.#random = random;
    this.#place = place;
    this.#at = place.at;
    this.#begin();
  }

  #begin(): void {
    this.#context = 18_000 + this.#random.next() * 8000;
    this.#cached = 0;
  }

  end(): void {
    const { id, program, project, at } = this.#place;
    this.#entries.push({
      kind: "session",
      id,
      program,
      cwd: project,
      title: `Work of ${id}`,
      firstAt: Math.round(at),
      lastAt: Math.round(this.#at),
    });
  }

  /** Ordinary work: reads, edits and commands, some failures, some pauses, compactions. @param growth of the context, relative */
  work(calls = Math.round(logNormal(this.#random, 55, 0.35)), growth = 1): void {
    for (let each = 0; each < calls; each += 1) this.#ordinary(growth);
  }

  #ordinary(growth: number): void {
    const random = this.#random;
    const pause = random.next() < 0.012 ? 6 + random.next() * 30 : 0;
    const draw = random.next();
    const result = growth * logNormal(random, 900, 0.8);
    if (draw < 0.35) {
      const path = this.#file();
      this.call({ tool: "Read", result: growth * logNormal(random, 1800, 0.6), path, pause });
    } else if (draw < 0.65) this.call({ tool: "Edit", result: result / 3, pause });
    else this.call({ tool: "Bash", result, isError: random.next() < 0.15, pause });
  }

  #file(): string {
    const [old] = this.#random.next() < 0.15 ? this.#random.shuffled(this.#reads) : [];
    return old ?? `${this.#place.project}/src/part-${this.#random.below(300)}.ts`;
  }

  plant(kind: Planted): void {
    switch (kind) {
      case "read-after-compaction": {
        const paths = [1, 2, 3, 4].map((number) => `${this.#place.project}/src/large-${number}.ts`);
        for (let round = 0; round < 6; round += 1) {
          for (const path of paths) this.call({ tool: "Read", result: 20_000, path });
          this.work(30, 0.4);
          this.#compact();
        }
        return;
      }
      case "cache-rebuilt":
        this.call({ tool: "Read", result: 90_000, path: `${this.#place.project}/docs/all.md` });
        for (let each = 0; each < 22; each += 1) this.call({ tool: "Edit", result: 300, pause: 9 });
        return;
      case "read-again": {
        const paths = [1, 2, 3].map((number) => `${this.#place.project}/src/core-${number}.ts`);
        for (let round = 0; round < 3; round += 1)
          for (const path of paths) {
            this.call({ tool: "Read", result: 13_000, path });
            this.work(2, 0.1);
          }
        this.work(130, 0.1);
        return;
      }
      case "long-output":
        for (let round = 0; round < 2; round += 1) {
          this.call({ tool: "Bash", result: 95_000 });
          this.work(80, 0.25);
          this.#compact();
        }
        return;
      case "loop":
        this.call({ tool: "Read", result: 60_000, path: `${this.#place.project}/docs/plan.md` });
        for (let each = 0; each < 110; each += 1) this.call({ tool: "Bash", result: 350, isError: true });
        return;
      case "large-context":
        // A window of a million tokens.
        for (let each = 0; each < 200; each += 1)
          this.call({ tool: "Bash", result: 2200 + each, isWide: true });
        return;
      case "subagents":
        this.work(12);
        for (let agent = 0; agent < 9; agent += 1) this.#delegate(`agent-${agent}`);
        return;
      case "benchmark":
        this.work(170);
        this.#task();
        return;
      case "dearer-model":
      case "more-than-usual":
        return;
    }
  }

  #delegate(agent: string): void {
    const main = { context: this.#context, cached: this.#cached };
    this.#entries.push({ kind: "subagent", sessionId: this.#place.id, agentId: agent, type: "Explore" });
    this.#agent = agent;
    this.#begin();
    this.work(35);
    this.#agent = null;
    [this.#context, this.#cached] = [main.context, main.cached];
  }

  #task(): void {
    this.#entries.push({
      kind: "run",
      id: `${this.#place.id}:task`,
      sessionId: this.#place.id,
      agent: "main",
      input: 1,
      output: 1,
      cacheCreation: 1,
      cacheRead: 1,
      completed: true,
      taskHash: "a-task",
    });
  }

  #compact(): void {
    const { id } = this.#place;
    this.#at += 30_000;
    this.#entries.push({
      kind: "compaction",
      id: `${id}-compaction-${this.#calls}`,
      sessionId: id,
      agentId: this.#agent,
      at: Math.round(this.#at),
      trigger: "auto",
      isSidechain: false,
      longContext: false,
      preTokens: Math.round(this.#context),
    });
    this.#context = 26_000;
    this.#cached = 0;
  }

  call({
    result,
    tool,
    path,
    isError = false,
    pause = 0,
    isWide = false,
  }: Step & { isWide?: boolean }): void {
    const random = this.#random;
    const { id, model, project } = this.#place;
    if (this.#context > threshold && !isWide) this.#compact();
    this.#at += 10_000 + random.next() * 40_000 + pause * 60_000;
    const name = `${id}-${this.#agent ?? "main"}-${this.#calls++}`;
    const cacheRead = pause > 5 ? 0 : Math.round(this.#cached);
    const context = Math.round(this.#context);
    const output = Math.round(logNormal(random, 220, 0.7));
    const isCodex = model === codex;
    const fresh = context - cacheRead;
    const at = Math.round(this.#at);
    const about = { sessionId: id, agentId: this.#agent, at };
    this.#entries.push(
      {
        kind: "response",
        ...about,
        messageId: name,
        model,
        cwd: project,
        isSidechain: this.#agent !== null,
        usage: {
          ...noUsage,
          cacheRead,
          output,
          ...(isCodex ? { input: fresh } : { cacheCreation5m: fresh }),
        },
      },
      {
        kind: "tool-call",
        ...about,
        id: `call-${name}`,
        messageId: name,
        tool,
        inputChars: 40 + random.below(400),
        resultChars: Math.round(result * 4),
        isError,
      },
    );
    if (path !== undefined) {
      this.#reads.push(path);
      this.#entries.push({
        kind: "file-read",
        ...about,
        id: `call-${name}`,
        path,
        chars: Math.round(result * 4),
      });
    }
    this.#cached = context;
    this.#context = context + output + Math.round(result);
  }
}
