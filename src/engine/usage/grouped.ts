import { Sum, type UsageSum } from "./sum.ts";

interface UsageRow extends UsageSum {
  /**
   * The day, session id, folder or other value that the report is grouped by; `unknown` if the response does not
   * have it.
   */
  readonly key: string;
  readonly model: string;
  /** Milliseconds since the epoch of the last response, or null. */
  readonly lastAt: number | null;
}

export interface UsageReport {
  /** Sorted by key and model. Days ascend, sessions by their last response, others by name. */
  readonly rows: readonly UsageRow[];
  readonly totals: UsageSum;
  /** Responses left out because there is a limit and they have no readable time. */
  readonly undated: number;
}

/** Running sums by key and model. */
export class UsageGroups {
  readonly #groups = new Map<string, Map<string, Sum>>();

  sumOf(key: string, model: string): Sum {
    let models = this.#groups.get(key);
    if (models === undefined) this.#groups.set(key, (models = new Map<string, Sum>()));
    let sum = models.get(model);
    if (sum === undefined) models.set(model, (sum = new Sum()));
    return sum;
  }

  /** @param totals sum of all responses, if one may be in several groups. Default: sum of all groups. */
  report({ by, undated, totals }: { by: string; undated: number; totals?: Sum }): UsageReport {
    const all = new Sum();
    const rows = [...this.#groups].flatMap(([key, models]) => {
      const lastOfKey = Math.max(...[...models.values()].map(({ lastAt }) => lastAt));
      return Array.from(models, ([model, sum]) => {
        all.include(sum);
        const lastAt = sum.lastAt === -Infinity ? null : sum.lastAt;
        return { lastOfKey, row: { key, model, ...sum.sum(), lastAt } };
      });
    });
    rows.sort((one, other) => {
      const byTime = by === "session" ? compare(one.lastOfKey, other.lastOfKey) : 0;
      return byTime || compare(one.row.key, other.row.key) || compare(one.row.model, other.row.model);
    });
    return { rows: rows.map(({ row }) => row), totals: (totals ?? all).sum(), undated };
  }
}

function compare<Value extends string | number>(one: Value, other: Value): number {
  return one < other ? -1 : Number(one > other);
}
