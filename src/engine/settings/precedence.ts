import * as z from "zod/mini";
import { defaults, type Settings, type PartialSettings } from "./shape.ts";
import { sentence, type Sentence } from "../base/language.ts";
import type { ContextSettings } from "./contexts.ts";

type AdviceThresholds = Pick<ContextSettings, "wrapUpAt" | "endTurnAt">;

/** Distance kept between the thresholds if they must be corrected, as in their defaults. */
const [share, points] = [0.8, 10];

/** Whether the advice to wrap up can come before the advice to end the turn. At 0 neither is sent. */
function isInOrder({ wrapUpAt, endTurnAt }: AdviceThresholds): boolean {
  return endTurnAt < wrapUpAt || endTurnAt === 0;
}

/**
 * Returns thresholds at which both kinds of advice are sent. A default gives way to a person's value. If both
 * are set, wrapping up is advised earlier, because an early warning is better than none.
 */
function orderedThresholds(
  thresholds: AdviceThresholds,
  isSet: (name: keyof AdviceThresholds) => boolean,
): AdviceThresholds {
  const { wrapUpAt, endTurnAt } = thresholds;
  if (isInOrder(thresholds)) return { wrapUpAt, endTurnAt };
  if (isSet("endTurnAt") && endTurnAt >= 100) return { wrapUpAt: 100, endTurnAt: 100 - points };
  return isSet("endTurnAt")
    ? { wrapUpAt: Math.min(100, endTurnAt + points), endTurnAt }
    : { wrapUpAt, endTurnAt: Math.round(wrapUpAt * share * 10) / 10 };
}

/** Describes the problem with the thresholds as set, and the values used. Undefined for a good order. */
function orderProblem(set: AdviceThresholds, used: AdviceThresholds): Sentence | undefined {
  if (set.wrapUpAt === used.wrapUpAt && set.endTurnAt === used.endTurnAt) return undefined;
  const values = {
    wrapUpAt: set.wrapUpAt,
    endTurnAt: set.endTurnAt,
    usedWrapUpAt: used.wrapUpAt,
    usedEndTurnAt: used.endTurnAt,
  };
  return sentence(
    "endTurnAt ({endTurnAt}) must be below wrapUpAt ({wrapUpAt}); {usedWrapUpAt} is used for wrapUpAt and {usedEndTurnAt} for endTurnAt",
    values,
  );
}

/** Settings of an editor's user in one scope: all folders, or one. */
export interface EditorSettings {
  /** Null for all folders. */
  readonly folder: string | null;
  /** Time of the last change. Milliseconds since the epoch. */
  readonly changedAt: number;
  readonly settings: PartialSettings;
}

export interface SettingsSources {
  /** Settings from `settings.json`. */
  readonly own: PartialSettings;
  readonly editors: readonly EditorSettings[];
}

/**
 * Returns the settings that apply to a session, by where it started, for everybody who needs them: the status bar, the terminal, the
 * skill, and the hook handlers. Each key comes from the first of these that sets it:
 *
 * 1. an editor's folder that contains the session, deepest first;
 * 2. an editor's user;
 * 3. `settings.json`;
 * 4. the default.
 *
 * Where two editors, or two workspaces, set the same key for the same folder or user, the latest change applies. Models are merged:
 * for a model in several places, figure by figure. Thresholds of the advice in the wrong order are corrected.
 *
 * @param isIn whether the session is in a folder
 */
export function settingsFor(sources: SettingsSources, isIn: (folder: string) => boolean): Settings {
  const layers = layersFor(sources, isIn);
  const set = layers.reduce<Settings>(over, defaults);
  return { ...set, ...orderedThresholds(set, (name) => layers.some((each) => each[name] !== undefined)) };
}

/** Describes the problem with values that several places set together. Undefined if there is none. */
export function problemFor(
  sources: SettingsSources,
  isIn: (folder: string) => boolean,
): Sentence | undefined {
  const set = layersFor(sources, isIn).reduce<Settings>(over, defaults);
  return orderProblem(set, settingsFor(sources, isIn));
}

/** The settings of all places that apply, the strongest last. */
function layersFor({ own, editors }: SettingsSources, isIn: (folder: string) => boolean): PartialSettings[] {
  const byAge = editors.toSorted((a, b) => a.changedAt - b.changedAt);
  const users = byAge.filter(({ folder }) => folder === null);
  const folders = byAge
    .filter(({ folder }) => folder !== null && isIn(folder))
    .toSorted((a, b) => depth(a) - depth(b));
  return [own, ...[...users, ...folders].map(({ settings }) => settings)];
}

/** Of two folders that contain the session, the one with the longer path is deeper. */
function depth({ folder }: EditorSettings): number {
  return folder?.length ?? 0;
}

function over(below: Settings, above: PartialSettings): Settings {
  const set = Object.fromEntries(Object.entries(above).filter(([, value]) => value !== undefined));
  const models = above.models === undefined ? below.models : bothModels(below.models, above.models);
  return { ...below, ...set, models };
}

const figures = z.record(z.string(), z.unknown());

function bothModels(below: Settings["models"], above: Settings["models"]): Settings["models"] {
  const both = Object.entries(above).map(([model, entry]) => {
    const [lower, upper] = [figures.safeParse(below[model]), figures.safeParse(entry)];
    return [model, lower.success && upper.success ? { ...lower.data, ...upper.data } : entry] as const;
  });
  return { ...below, ...Object.fromEntries(both) };
}
