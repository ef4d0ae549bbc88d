import { SumsReader, SumsWriter } from "../sums/usage-buckets.ts";

/** Causes of a session's cost, as bits: a part of a cost may have several. */
export const causeBits = {
  benchmark: 1,
  loop: 2,
  "cache-rebuilt": 4,
  "read-after-compaction": 8,
  "read-again": 16,
  "long-output": 32,
  "large-context": 64,
  subagents: 128,
} as const;
export type SessionCause = keyof typeof causeBits;
function isSessionCause(name: string): name is SessionCause {
  return Object.hasOwn(causeBits, name);
}
export const sessionCauses: readonly SessionCause[] = Object.keys(causeBits).filter(isSessionCause);

/** A session's cost that agrees in all of these fields. Its cells add up to the session's cost. */
export interface CostCell {
  /** Null for responses without a readable time. */
  readonly day: string | null;
  readonly cwd: string | null;
  readonly model: string;
  /** The causes that it has, as bits; 0 for none. */
  readonly causes: number;
  /** Billionths of a dollar. */
  nanos: number;
}

export interface CauseTurn {
  readonly messageId: string;
  /** Its place in the main conversation, from 1; null in a subagent's. */
  readonly number: number | null;
  /** Billionths of a dollar. */
  nanos: number;
}

/** Proof of a cause on one day of a session, in one folder. */
export interface FoundCause {
  /** `any` is about the whole cost, with its dearest responses only. */
  readonly cause: SessionCause | "any";
  readonly day: string | null;
  readonly cwd: string | null;
  /** Calls of the model, or for a loop of tools; for a long output, those that carried the largest one. */
  calls: number;
  /** Tokens of all of them; for a long output, of the largest one. */
  tokens: number;
  /** Saving of the best change; negative if it costs more. Billionths of a dollar. */
  saved: number;
  /** Files, tools, models, types of subagents or golden tasks, by name. */
  readonly labels: Map<string, { times: number; nanos: number }>;
  /** The dearest responses, the dearest first. */
  turns: CauseTurn[];
}

export interface SessionCosts {
  readonly cells: readonly CostCell[];
  readonly found: readonly FoundCause[];
}

export function writeSessionCosts({ cells, found }: SessionCosts): string {
  const writer = new SumsWriter();
  writer.numbers(cells.length);
  for (const { day, cwd, model, causes, nanos } of cells) {
    writer.name(day);
    writer.name(cwd);
    writer.name(model);
    writer.numbers(causes, nanos);
  }
  writer.numbers(found.length);
  for (const { cause, day, cwd, calls, tokens, saved, labels, turns } of found) {
    writer.name(cause);
    writer.name(day);
    writer.name(cwd);
    writer.numbers(calls, tokens, saved, labels.size);
    for (const [label, { times, nanos }] of labels) {
      writer.name(label);
      writer.numbers(times, nanos);
    }
    writer.numbers(turns.length);
    for (const { messageId, number, nanos } of turns) {
      writer.name(messageId);
      writer.numbers(number ?? 0, nanos);
    }
  }
  return writer.text();
}

export function parseSessionCosts(text: string): SessionCosts {
  const reader = new SumsReader(text);
  const cells = times(reader.number(), (): CostCell => {
    const [day, cwd, model] = [reader.maybeName(), reader.maybeName(), reader.name()];
    return { day, cwd, model, causes: reader.number(), nanos: reader.number() };
  });
  const found = times(reader.number(), (): FoundCause => {
    const cause = causeNamed(reader.name());
    const [day, cwd] = [reader.maybeName(), reader.maybeName()];
    const [calls, tokens, saved] = [reader.number(), reader.number(), reader.number()];
    const labels = new Map(
      times(
        reader.number(),
        () => [reader.name(), { times: reader.number(), nanos: reader.number() }] as const,
      ),
    );
    const turns = times(reader.number(), (): CauseTurn => {
      const [messageId, number] = [reader.name(), reader.number()];
      return { messageId, number: number === 0 ? null : number, nanos: reader.number() };
    });
    return { cause, day, cwd, calls, tokens, saved, labels, turns };
  });
  return { cells, found };
}

function times<Value>(count: number, read: () => Value): Value[] {
  return Array.from({ length: count }, read);
}

function causeNamed(name: string): FoundCause["cause"] {
  if (name === "any" || isSessionCause(name)) return name;
  throw new Error(`The sums of a session have no cause ${name}`);
}
