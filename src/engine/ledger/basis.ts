import type { Catalogue } from "../usage/catalogue.ts";
import { textIn } from "./store/cell.ts";
import type { Database } from "./store/database.ts";

/** The functions and prices behind days, costs and projects. Sums made under one basis are invalid under another. */
export interface LedgerBasis {
  readonly catalogue: Catalogue;
  /** The local calendar day of a time. */
  readonly dayOf: (at: number) => string;
  readonly projectOf: (folder: string) => string;
  /**
   * Names the time zone behind `dayOf`, identically in every process. Without it another process cannot reuse sums by
   * day.
   */
  readonly zone?: string;
  /** This machine's label. */
  readonly ownLabel?: string;
}

/**
 * Returns a project's folders in a table as a JSON list for `json_each`: its subfolders, worktrees and other paths to
 * it. Null for all projects.
 *
 * @param project any folder in it; null for all
 */
export function foldersOfProject(
  db: Database,
  {
    project,
    column,
    hasSubfolders = false,
  }: {
    readonly project: string | null;
    readonly column: "sessions.cwd" | "runs.project";
    /** Whether all folders below this one count too, whatever project they belong to. */
    readonly hasSubfolders?: boolean;
  },
  { projectOf }: Pick<LedgerBasis, "projectOf">,
): string | null {
  if (project === null) return null;
  const wanted = projectOf(project);
  const [table] = column.split(".");
  const folders = db.rows(
    `SELECT DISTINCT ${column} FROM ${table} WHERE ${column} IS NOT NULL`,
    [],
    ([folder]) => textIn(folder),
  );
  const isBelow = (folder: string) =>
    hasSubfolders && (folder.startsWith(`${project}/`) || folder.startsWith(`${project}\\`));
  return JSON.stringify(folders.filter((folder) => projectOf(folder) === wanted || isBelow(folder)));
}
