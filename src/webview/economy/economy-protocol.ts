import * as z from "zod/mini";
import { economyView } from "../../engine/recurring/recurring-answers.ts";

/**
 * Messages between the Economy panel and its host. Both sides validate what they receive with these schemas. The host always sends the whole view.
 */

const project = z.nullable(z.string().check(z.maxLength(4096)));
/** Spans that the panel shows. Days. */
const days = z.literal([7, 30, 90]);
export type Days = z.infer<typeof days>;

export const panelMessage = z.discriminatedUnion("type", [
  /** The panel's script has started. `project` is the one it last showed; null for all. */
  z.object({ type: z.literal("ready"), days, project }),
  /** Shows another span, or another project. */
  z.object({ type: z.literal("narrow"), days, project }),
  /** Shows a session in Usage. */
  z.object({ type: z.literal("openSession"), id: z.string().check(z.minLength(1), z.maxLength(200)) }),
  /** Opens the file of an agent of a project. */
  z.object({
    type: z.literal("openAgent"),
    project: z.string().check(z.maxLength(4096)),
    agent: z.string().check(z.minLength(1), z.maxLength(200)),
  }),
  z.object({ type: z.literal("getStarted") }),
  z.object({ type: z.literal("retry") }),
  z.object({ type: z.literal("showLog") }),
]);
export type PanelMessage = z.infer<typeof panelMessage>;

export const hostMessage = z.discriminatedUnion("type", [
  z.object({ type: z.literal("economy"), days, project, view: economyView }),
  z.object({ type: z.literal("error"), message: z.string() }),
  z.object({ type: z.literal("offline"), message: z.string() }),
]);
export type HostMessage = z.infer<typeof hostMessage>;

/** The state that outlives a hidden panel and a reload of the window. */
export const panelState = z.object({
  scroll: z.number(),
  days: z.catch(days, 30),
  project: z._default(project, null),
});
export type PanelState = z.infer<typeof panelState>;

export const firstState: PanelState = { scroll: 0, days: 30, project: null };
