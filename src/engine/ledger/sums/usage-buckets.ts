import { priceUsage } from "../../usage/price.ts";
import { Sum } from "../../usage/sum.ts";
import { maybeTextIn, textIn } from "../store/cell.ts";
import { afterCounted, countedColumns, countedIn } from "../store/counted-row.ts";
import type { Database } from "../store/database.ts";
import type { LedgerBasis } from "../basis.ts";
import { mainAgentId } from "../store/run-conditions.ts";
import type { SessionFacts } from "../store/session-facts.ts";
import { parseJson } from "../../base/parse.ts";

/**
 * The stored form of sums: repeated texts are written once and then referred to by number, everything else is a number.
 * Only sums of this version are read back: their basis includes the version.
 */
export class SumsWriter {
  readonly #names = new Map<string, number>();
  readonly #numbers: number[] = [];

  name(text: string | null): void {
    if (text === null) {
      this.#numbers.push(-1);
      return;
    }
    let index = this.#names.get(text);
    if (index === undefined) this.#names.set(text, (index = this.#names.size));
    this.#numbers.push(index);
  }

  numbers(...some: readonly number[]): void {
    this.#numbers.push(...some);
  }

  text(): string {
    return JSON.stringify([[...this.#names.keys()], this.#numbers]);
  }
}

export class SumsReader {
  readonly #names: readonly unknown[];
  readonly #numbers: readonly unknown[];
  #index = 0;

  constructor(text: string) {
    const lists = parseJson(text);
    if (!Array.isArray(lists)) throw new Error("The sums of a session are not lists");
    this.#names = Array.isArray(lists[0]) ? lists[0] : [];
    this.#numbers = Array.isArray(lists[1]) ? lists[1] : [];
  }

  get isOver(): boolean {
    return this.#index >= this.#numbers.length;
  }

  number(): number {
    const value = this.#numbers[this.#index];
    this.#index += 1;
    if (typeof value !== "number") throw new Error("The sums of a session are not numbers");
    return value;
  }

  maybeName(): string | null {
    const index = this.number();
    const name = this.#names[index];
    if (index === -1) return null;
    if (typeof name !== "string") throw new Error("Sums of a session have no such name");
    return name;
  }

  name(): string {
    return this.maybeName() ?? "";
  }
}

/** Usage of one session's responses that agree in all of these fields; every breakdown adds up such buckets. */
export interface UsageBucket {
  /** Null for responses without a readable time. */
  readonly day: string | null;
  readonly cwd: string | null;
  readonly model: string;
  /** The response's branch, or its session's if it has none. */
  readonly branch: string | null;
  /**
   * The subagent's type, `unknown` if not reported, or null for the main conversation, unless it is a named agent's.
   */
  readonly subagent: string | null;
  /** The id of the machine; empty for this one. */
  readonly machine: string;
  readonly sum: Sum;
}

const selected = `SELECT ${countedColumns}, agent_id, branch, machine FROM responses WHERE is_counted = 1 AND session_id = ?`;

export function readUsageBuckets(
  db: Database,
  { catalogue, dayOf }: LedgerBasis,
  { id, branch }: Pick<SessionFacts, "id" | "branch">,
): UsageBucket[] {
  const buckets: UsageBucket[] = [];
  const types = readSubagentTypes(db, id);
  db.each(selected, [id], (cells) => {
    const response = countedIn(cells);
    const agentId = maybeTextIn(cells[afterCounted]);
    const sum = sumIn(buckets, {
      day: response.at === null ? null : dayOf(response.at),
      cwd: response.cwd,
      model: response.model,
      branch: maybeTextIn(cells[afterCounted + 1]) ?? branch,
      subagent: agentId === null ? (types.get(mainAgentId) ?? null) : (types.get(agentId) ?? "unknown"),
      machine: textIn(cells[afterCounted + 2]),
    });
    sum.add(response, priceUsage(response, catalogue));
  });
  return buckets;
}

function sumIn(buckets: UsageBucket[], wanted: Omit<UsageBucket, "sum">): Sum {
  // Searches from the end: responses of one bucket mostly come together.
  const known = buckets.findLast(
    (each) =>
      each.day === wanted.day &&
      each.cwd === wanted.cwd &&
      each.model === wanted.model &&
      each.branch === wanted.branch &&
      each.subagent === wanted.subagent &&
      each.machine === wanted.machine,
  );
  if (known !== undefined) return known.sum;
  const sum = new Sum();
  buckets.push({ ...wanted, sum });
  return sum;
}

function readSubagentTypes(db: Database, session: string): ReadonlyMap<string, string | null> {
  const sql = "SELECT agent_id, type FROM subagents WHERE session_id = ?";
  return new Map(db.rows(sql, [session], (cells) => [textIn(cells[0]), maybeTextIn(cells[1])]));
}

export function writeUsageBuckets(buckets: readonly UsageBucket[]): string {
  const writer = new SumsWriter();
  for (const { day, cwd, model, branch, subagent, machine, sum } of buckets) {
    for (const name of [day, cwd, model, branch, subagent, machine]) writer.name(name);
    writer.numbers(...sum.parts());
  }
  return writer.text();
}

export function parseUsageBuckets(text: string): UsageBucket[] {
  const reader = new SumsReader(text);
  const buckets: UsageBucket[] = [];
  while (!reader.isOver)
    buckets.push({
      day: reader.maybeName(),
      cwd: reader.maybeName(),
      model: reader.name(),
      branch: reader.maybeName(),
      subagent: reader.maybeName(),
      machine: reader.name(),
      sum: Sum.of(() => reader.number()),
    });
  return buckets;
}
