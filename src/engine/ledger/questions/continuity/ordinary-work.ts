import { maybeTextIn, numberIn, textIn } from "../../store/cell.ts";
import { usageColumns, usageIn } from "../../store/counted-row.ts";
import type { TokenUsage } from "../../../usage/token-counts.ts";
import type { Database } from "../../store/database.ts";
import type { LedgerBasis } from "../../basis.ts";
import { foldersOfProject } from "../../project-folders.ts";

export interface OrdinaryWorkQuery {
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** Null for all. */
  readonly project: string | null;
}

/** Sessions of people, without wakes of recurring agents, of one program. */
export interface OrdinarySessions {
  /** Null where unknown. */
  readonly program: string | null;
  readonly sessions: number;
  /** Sessions that a person returned to after a pause. */
  readonly returned: number;
  /** Number of returns. */
  readonly returns: number;
  /** Tokens that main conversations sent and received, by model. */
  readonly usage: readonly { readonly model: string; readonly usage: TokenUsage }[];
}

/**
 * Minimum pause. A later prompt in the same stretch of work comes sooner, and finds the provider's cache. Milliseconds.
 */
const pause = 60 * 60_000;

const chosen = `FROM responses JOIN sessions ON sessions.id = responses.session_id
  WHERE responses.is_counted = 1 AND responses.is_sidechain = 0 AND responses.at >= ?1
    AND (?2 IS NULL OR sessions.cwd IN (SELECT value FROM json_each(?2)))
    AND responses.session_id NOT IN (SELECT session_id FROM wakes WHERE session_id IS NOT NULL)`;

/** How people return to sessions of ordinary work, by program: the program with the most sessions first. */
export function selectOrdinaryWork(
  db: Database,
  { since, project }: OrdinaryWorkQuery,
  basis: Pick<LedgerBasis, "projectOf">,
): OrdinarySessions[] {
  const folders = foldersOfProject(db, { project, column: "sessions.cwd", hasSubfolders: true }, basis);
  const usage = db.rows(
    `SELECT sessions.program, responses.model, ${usageColumns
      .split(", ")
      .map((column) => `sum(${column})`)
      .join(", ")} ${chosen} GROUP BY 1, 2 ORDER BY 1, 2`,
    [since, folders],
    (cells) => ({ program: maybeTextIn(cells[0]), model: textIn(cells[1]), usage: usageIn(cells, 2) }),
  );
  return db
    .rows(
      `SELECT program, count(*), sum(returns > 0), sum(returns) FROM (
         SELECT program, id, sum(gap > ?3) AS returns FROM (
           SELECT sessions.program, sessions.id,
             responses.at - lag(responses.at, 1, responses.at) OVER (PARTITION BY sessions.id ORDER BY responses.at) AS gap
           ${chosen}
         ) GROUP BY id
       ) GROUP BY program ORDER BY count(*) DESC, program`,
      [since, folders, pause],
      (cells) => ({
        program: maybeTextIn(cells[0]),
        sessions: numberIn(cells[1]),
        returned: numberIn(cells[2]),
        returns: numberIn(cells[3]),
      }),
    )
    .map((each) => ({
      ...each,
      usage: usage
        .filter(({ program }) => program === each.program)
        .map(({ model, usage: sums }) => ({ model, usage: sums })),
    }));
}
