import * as z from "zod/mini";
import {
  addedException,
  guardExceptionScopes,
  guardRuleBook,
  guardView,
} from "../../engine/guard/guard-answers.ts";
import { guardReplay } from "../../engine/guard/guard-answers.ts";
import { trialView } from "../../engine/rules/trial-answers.ts";

/**
 * Messages between the Guard panel and its host. Both sides validate what they receive with these schemas. The host always sends whole
 * snapshots.
 */

const { families } = guardView.shape.modes.shape;
const { keyType: family, valueType: mode } = families.def;
const hitId = z.string().check(z.minLength(1), z.maxLength(1000));
const ruleId = z.string().check(z.minLength(1), z.maxLength(200));

/** Spans that the panel can show. Days, today included. */
const span = z.literal([7, 30, 90]);
export type Span = z.infer<typeof span>;

/** The chosen parts of an exception: its scope, and its days, today included. The hit supplies the rest. */
const wish = z.object({ scope: z.enum(guardExceptionScopes), days: z.literal([1, 30]) });
export type Wish = z.infer<typeof wish>;

/** The sessions that are played, and the rules that judge them; null for all families. */
const askedReplay = z.object({ days: span, family: z.nullable(family) });
export type AskedReplay = z.infer<typeof askedReplay>;

export const panelMessage = z.discriminatedUnion("type", [
  /** The panel's script has started. */
  z.object({ type: z.literal("ready"), days: span }),
  /** Shows another time. */
  z.object({ type: z.literal("show"), days: span }),
  /** Sets the mode of a family, or of all; a null mode is that of all. */
  z.object({ type: z.literal("setMode"), family: z.nullable(family), mode: z.nullable(mode) }),
  /** Turns guard on for some families; the others only watch. */
  z.object({ type: z.literal("turnOn"), families: z.array(family).check(z.minLength(1), z.maxLength(20)) }),
  /** "Allow…": writes an exception for calls like a hit. */
  z.object({ type: z.literal("except"), hit: hitId, wish }),
  /** Takes the last exception back. */
  z.object({ type: z.literal("undo"), id: z.string().check(z.minLength(1), z.maxLength(100)) }),
  /** Resumes a rule with advice that has fallen silent. */
  z.object({ type: z.literal("wake"), rule: ruleId }),
  /** Takes back that a format was switched on again at a time. */
  z.object({ type: z.literal("unwake"), rule: ruleId, at: z.number() }),
  /** Plays the user's own sessions to today's rules. */
  z.object({ type: z.literal("play"), asked: askedReplay }),
  z.object({ type: z.literal("cancelPlay") }),
  /** Starts a trial of some families, as the page has described it. */
  z.object({
    type: z.literal("startTrial"),
    families: z.array(z.string().check(z.maxLength(100))).check(z.minLength(1), z.maxLength(20)),
  }),
  z.object({ type: z.literal("stopTrial"), id: z.string().check(z.minLength(1), z.maxLength(200)) }),
  z.object({ type: z.literal("openSession"), id: z.string().check(z.minLength(1), z.maxLength(200)) }),
  /** Opens the user's rules, at a line, or the project's. */
  z.object({
    type: z.literal("openFile"),
    whose: z.enum(["user", "project"]),
    line: z.nullable(z.int().check(z.minimum(1))),
  }),
  z.object({ type: z.literal("showHooks") }),
  z.object({ type: z.literal("installHooks") }),
  z.object({ type: z.literal("retry") }),
  z.object({ type: z.literal("showLog") }),
]);
export type PanelMessage = z.infer<typeof panelMessage>;

const viewMessage = z.object({
  type: z.literal("view"),
  days: span,
  /** First and last local calendar day: `2026-11-21`. */
  from: z.iso.date(),
  to: z.iso.date(),
  view: guardView,
  /** Whether any agent has purser's hooks: without them no rule sees a call. */
  hasHooks: z.boolean(),
  /** When guard was turned on in an editor, in milliseconds since the epoch; null if unknown or not on. */
  onSince: z.nullable(z.number()),
});
export type ViewMessage = z.infer<typeof viewMessage>;

const replayState = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("playing"),
    asked: askedReplay,
    /** Null until files are found. */
    far: z.nullable(z.object({ files: z.int().check(z.nonnegative()), of: z.int().check(z.nonnegative()) })),
  }),
  z.object({ kind: z.literal("done"), asked: askedReplay, replay: guardReplay }),
  z.object({ kind: z.literal("failed"), asked: askedReplay, message: z.string() }),
]);
export type ReplayState = z.infer<typeof replayState>;

/** A trial of guards, without its sessions. */
export const guardTrial = z.omit(trialView, { drawn: true, undrawn: true, undrawnCount: true });
export type GuardTrial = z.infer<typeof guardTrial>;

export const hostMessage = z.discriminatedUnion("type", [
  viewMessage,
  /** All rules. `hasProject`: the window has a folder, which may have its own rules. */
  z.object({ type: z.literal("rules"), book: guardRuleBook, hasProject: z.boolean() }),
  /** An exception was written for a hit. */
  z.object({ type: z.literal("excepted"), hit: hitId, added: addedException }),
  /** It was taken back. */
  z.object({ type: z.literal("undone") }),
  /** The state of the replay; null before the first. */
  z.object({ type: z.literal("replay"), state: z.nullable(replayState) }),
  /** Trials of guards that run, else the last one; empty before the first. */
  z.object({ type: z.literal("trials"), trials: z.array(guardTrial) }),
  z.object({ type: z.literal("error"), message: z.string() }),
  z.object({ type: z.literal("offline"), message: z.string() }),
]);
export type HostMessage = z.infer<typeof hostMessage>;

/** The state that outlives a hidden panel and a reload of the window. */
export const panelState = z.object({
  scroll: z.number(),
  days: span,
  /** The family of the listed hits; null for all. */
  family: z.nullable(family),
  /** The day of the listed hits, such as `2026-11-30`; null for all. */
  day: z._default(z.nullable(z.string().check(z.maxLength(10))), null),
  /** What the rows of nets are. */
  netBy: z._default(z.enum(["programs", "formats", "tools"]), "programs"),
  /** Text that listed rules contain. */
  search: z.string().check(z.maxLength(200)),
  /** The rule on the open page. */
  rule: z.nullable(ruleId),
  /** The last choice of a replay. */
  replay: askedReplay,
});
export type PanelState = z.infer<typeof panelState>;

export const firstState: PanelState = {
  scroll: 0,
  days: 7,
  family: null,
  day: null,
  netBy: "programs",
  search: "",
  rule: null,
  replay: { days: 30, family: null },
};
