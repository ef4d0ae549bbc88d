import { groupBy } from "../../base/numbers.ts";
import { cleanText } from "../../base/text.ts";
import type { SessionSnapshot } from "../../sessions/snapshot.ts";
import { describeTime } from "../terminal-text.ts";
import { cutCellsEnd } from "../text-cells.ts";

type Named = Pick<SessionSnapshot, "id" | "title" | "cwd" | "branch" | "lastActivity">;

/** Enough to find a session by. Characters. */
const leastId = 8;
/** Room for a name in a narrow table. Names that begin with the same get an id. Cells. */
const narrow = 16;

/** Returns a name for each session, by id: its title, else project, branch and time. */
export function sessionNames(sessions: readonly Named[], now: number): ReadonlyMap<string, string> {
  const ids = shortIds(sessions.map(({ id }) => id));
  const names = sessions.map((session) => ({ id: session.id, name: nameOf(session, now) }));
  const begins = groupBy(names, ({ name }) => cutCellsEnd(name, narrow));
  return new Map(
    names.map(({ id, name }) => {
      const short = ids.get(id) ?? "";
      const isAlone = begins.get(cutCellsEnd(name, narrow))?.length === 1;
      return [id, name === "" ? short : isAlone ? name : `${short} ${name}`];
    }),
  );
}

/** Returns beginnings of the ids, all of one length, that tell them apart. */
export function shortIds(ids: readonly string[]): ReadonlyMap<string, string> {
  const longest = Math.max(leastId, ...ids.map((id) => id.length));
  let length = leastId;
  const distinct = new Set(ids).size;
  while (length < longest && new Set(ids.map((id) => id.slice(0, length))).size < distinct) length += 1;
  return new Map(ids.map((id) => [id, cleanText(id.slice(0, length))]));
}

/** Empty if nothing is known. */
function nameOf({ title, cwd, branch, lastActivity }: Named, now: number): string {
  if (title !== null && title.trim() !== "") return cleanText(title);
  if (cwd === null) return "";
  const project = cwd.split(/[/\\]/u).findLast((part) => part !== "") ?? cwd;
  const time = lastActivity === null ? null : inShort(describeTime(lastActivity, now), now);
  return cleanText([project, branch, time].filter((part) => part !== null).join(" · "));
}

/** Without seconds, and without this year. */
function inShort(time: string, now: number): string {
  const year = `${new Date(now).getFullYear()}-`;
  return (time.startsWith(year) ? time.slice(year.length) : time).replace(/:\d\d$/u, "");
}
