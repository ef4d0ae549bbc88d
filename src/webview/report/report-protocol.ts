import * as z from "zod/mini";
import { reportView } from "../../engine/rules/rules-answers.ts";

/**
 * Messages between the Status panel and its host. Both sides validate what they receive with these schemas. The host
 * always sends the whole report.
 */

const project = z.nullable(z.string().check(z.maxLength(4096)));

export const panelMessage = z.discriminatedUnion("type", [
  /** The panel's script has started. `project` is the one it last showed; null for all. */
  z.object({ type: z.literal("ready"), project }),
  /** Shows the runs of one project, or of all. */
  z.object({ type: z.literal("narrow"), project }),
  /** Shows Rule Review, optionally with a rule. */
  z.object({ type: z.literal("review"), id: z.nullable(z.string().check(z.minLength(1), z.maxLength(200))) }),
  z.object({ type: z.literal("openBenchmark") }),
  /** Saves what is shown to a file. */
  z.object({ type: z.literal("export") }),
  z.object({ type: z.literal("getStarted") }),
  z.object({ type: z.literal("retry") }),
  z.object({ type: z.literal("showLog") }),
]);
export type PanelMessage = z.infer<typeof panelMessage>;

export const hostMessage = z.discriminatedUnion("type", [
  /** The same report that `purser report --json` prints. */
  z.object({ type: z.literal("report"), report: reportView }),
  z.object({ type: z.literal("error"), message: z.string() }),
  z.object({ type: z.literal("offline"), message: z.string() }),
]);
export type HostMessage = z.infer<typeof hostMessage>;

/** The state that outlives a hidden panel and a reload of the window. */
export const panelState = z.object({
  scroll: z.number(),
  /** Agents with their learning shown as a table. */
  tables: z.array(z.string()).check(z.maxLength(1000)),
  project: z._default(project, null),
});
export type PanelState = z.infer<typeof panelState>;

export const firstState: PanelState = { scroll: 0, tables: [], project: null };
