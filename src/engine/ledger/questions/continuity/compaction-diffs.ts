import { readJson } from "../../../base/parse.ts";
import type { CompactionDiff, CompactionHead } from "../../answers.ts";
import { diffItems, type DiffItem } from "../../entries/compaction-diffs.ts";
import { maybeNumberIn, maybeTextIn, textIn } from "../../store/cell.ts";
import type { Database } from "../../store/database.ts";

/** Returns the facts that each of a session's compactions kept and lost, newest first. Unreadable ones are left out. */
export function selectCompactionDiffs(db: Database, sessionId: string): CompactionDiff[] {
  const back = new Map(
    db.rows(
      "SELECT diff_id, item_id, given_at FROM put_backs WHERE session_id = ?",
      [sessionId],
      ([diff, item, given]): [string, "chosen" | "given"] => [
        keyOf(textIn(diff), textIn(item)),
        maybeNumberIn(given) === null ? "chosen" : "given",
      ],
    ),
  );
  return db.rows(
    `SELECT id, at, program, "trigger", items FROM compaction_diffs WHERE session_id = ? ORDER BY at DESC, rowid DESC`,
    [sessionId],
    ([id, at, program, trigger, items]): CompactionDiff => {
      const all = itemsIn(maybeTextIn(items));
      return {
        id: textIn(id),
        at: maybeNumberIn(at),
        program: maybeTextIn(program),
        trigger: maybeTextIn(trigger),
        kept: all.filter(({ fate }) => fate === "kept").map(withoutFate),
        lost: all
          .filter(({ fate }) => fate !== "kept")
          .map((item) => ({
            ...withoutFate(item),
            back: item.fate === "told" ? "told" : (back.get(keyOf(textIn(id), item.id)) ?? null),
          })),
      };
    },
  );
}

/** Returns the newest compactions of all sessions that lost or kept any facts, without those facts. */
export function selectRecentCompactions(db: Database, most: number): CompactionHead[] {
  const newest = db.rows(
    `SELECT compaction_diffs.session_id, compaction_diffs.id, title, cwd FROM compaction_diffs
     LEFT JOIN sessions ON sessions.id = compaction_diffs.session_id
     ORDER BY compaction_diffs.at DESC, compaction_diffs.rowid DESC LIMIT ?`,
    [most],
    ([session, id, title, cwd]) => ({
      sessionId: textIn(session),
      id: textIn(id),
      title: maybeTextIn(title),
      cwd: maybeTextIn(cwd),
    }),
  );
  const whole = new Map(
    [...new Set(newest.map(({ sessionId }) => sessionId))]
      .flatMap((session) => selectCompactionDiffs(db, session))
      .map((diff) => [diff.id, diff]),
  );
  return newest.flatMap((head) => {
    const diff = whole.get(head.id);
    if (diff === undefined) return [];
    const { at, kept, lost } = diff;
    const back = lost.filter((item) => item.back === "told" || item.back === "given").length;
    return [{ ...head, at, kept: kept.length, lost: lost.length, back }];
  });
}

function keyOf(diff: string, item: string): string {
  return JSON.stringify([diff, item]);
}

function withoutFate({ id, kind, text, turn }: DiffItem): Omit<DiffItem, "fate"> {
  return { id, kind, text, turn };
}

function itemsIn(text: string | null): DiffItem[] {
  return readJson(diffItems, text) ?? [];
}
