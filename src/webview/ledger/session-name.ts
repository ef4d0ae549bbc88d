import { html, type TemplateResult } from "lit";
import { t } from "../../engine/base/language.ts";
import type { Overview, SessionSummary } from "../../engine/ledger/ledger-answers.ts";
import { foreignProjectName } from "../../engine/base/text.ts";
import { outside } from "../components/outside.ts";
import { longestName } from "../components/table/table-cells.ts";
import { moment } from "../components/times.ts";

/** What a session may be named by. */
export interface NamedSession extends Pick<SessionSummary, "id" | "title"> {
  readonly cwd?: string | null;
  readonly branch?: string | null;
  readonly lastAt?: number | null;
  /** The other machine that it is from. */
  readonly machine?: string | undefined;
}

/** The branch that agents report when there is none. */
const detached = "HEAD";

/** Ids that are ordered by time begin alike: their ends tell them apart. Characters. */
const shortId = 8;

/** Names a session by its title, else by project, branch and time. */
export function sessionText({ machine, ...session }: NamedSession, now: number): string {
  const name = ownText(session, now);
  return machine === undefined ? name : t("{0} (on {1})", name, machine);
}

function ownText({ id, title, cwd, branch, lastAt }: Omit<NamedSession, "machine">, now: number): string {
  if (title !== null && title.trim() !== "") return title;
  const folder = cwd === undefined || cwd === null ? "" : (foreignProjectName(cwd) ?? cwd);
  const project = folder.split(/[/\\]/u).findLast((part) => part !== "") ?? "";
  const time = lastAt === undefined || lastAt === null ? "" : moment(lastAt, now);
  const parts = [project, branch === detached ? "" : (branch ?? ""), time].filter((part) => part !== "");
  return parts.length > 0 ? parts.join(" · ") : t("Session {0}", id.slice(-shortId));
}

/** The same for a page; the id is in the tooltip of a session without a title. */
export function sessionName(session: NamedSession, now: number, length = longestName): TemplateResult {
  const { id, title } = session;
  const name = outside(sessionText(session, now), length);
  return title === null || title.trim() === "" ? html`<span title=${id}>${name}</span>` : name;
}

/** The overview's summary of a session, else what the caller knows of it. */
export function namedIn({ sessions }: Pick<Overview, "sessions">, known: NamedSession): NamedSession {
  return sessions.find(({ id }) => id === known.id) ?? known;
}
