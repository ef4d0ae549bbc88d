import * as z from "zod/mini";
import { defaults, type Settings, type PartialSettings } from "./shape.ts";
import { sentence, type Sentence } from "../base/language.ts";
import type { ContextSettings } from "./contexts.ts";

type AdviceThresholds = Pick<ContextSettings, "wrapUpAt" | "endTurnAt">;
interface BothThresholds {
  readonly wrapUpAt: number;
  readonly endTurnAt: number;
}

/** Percent; used for the other one if a person sets only one. */
const usual: BothThresholds = { wrapUpAt: 50, endTurnAt: 40 };

const [share, points] = [0.8, 10];

/** At 0, no advice to end the turn is sent. */
function isInOrder({ wrapUpAt, endTurnAt }: BothThresholds): boolean {
  return endTurnAt < wrapUpAt || endTurnAt === 0;
}

/**
 * Both kinds of advice are then sent. The usual value gives way to a person's. If both are set, wrapping up is advised earlier, because an early
 * warning is better than none.
 */
function orderedThresholds(set: AdviceThresholds): AdviceThresholds {
  if (set.wrapUpAt === null && set.endTurnAt === null) return { wrapUpAt: null, endTurnAt: null };
  const thresholds = {
    wrapUpAt: set.wrapUpAt ?? usual.wrapUpAt,
    endTurnAt: set.endTurnAt ?? usual.endTurnAt,
  };
  const { wrapUpAt, endTurnAt } = thresholds;
  if (isInOrder(thresholds)) return { wrapUpAt, endTurnAt };
  if (set.endTurnAt !== null && endTurnAt >= 100) return { wrapUpAt: 100, endTurnAt: 100 - points };
  return set.endTurnAt !== null
    ? { wrapUpAt: Math.min(100, endTurnAt + points), endTurnAt }
    : { wrapUpAt, endTurnAt: Math.round(wrapUpAt * share * 10) / 10 };
}

/** Undefined for a good order. */
function orderProblem(set: AdviceThresholds, used: AdviceThresholds): Sentence | undefined {
  if (used.wrapUpAt === null || used.endTurnAt === null) return undefined;
  const values = {
    wrapUpAt: set.wrapUpAt ?? usual.wrapUpAt,
    endTurnAt: set.endTurnAt ?? usual.endTurnAt,
    usedWrapUpAt: used.wrapUpAt,
    usedEndTurnAt: used.endTurnAt,
  };
  if (values.wrapUpAt === used.wrapUpAt && values.endTurnAt === used.endTurnAt) return undefined;
  return sentence(
    "endTurnAt ({endTurnAt}) must be below wrapUpAt ({wrapUpAt}); {usedWrapUpAt} is used for wrapUpAt and {usedEndTurnAt} for endTurnAt",
    values,
  );
}

export interface EditorSettings {
  /** Null for all folders. */
  readonly folder: string | null;
  /** Milliseconds since the epoch. */
  readonly changedAt: number;
  readonly settings: PartialSettings;
}

export interface SettingsSources {
  readonly own: PartialSettings;
  readonly editors: readonly EditorSettings[];
}

/**
 * By where a session started. Each key comes from the first of these that sets it: an editor's folder that contains the session, deepest first; an
 * editor's user; `settings.json`; the default. Where two editors, or two workspaces, set the same key for the same folder or user, the latest change
 * applies. Models are merged: for a model in several places, figure by figure. Thresholds of the advice in the wrong order are corrected.
 */
export function settingsFor(sources: SettingsSources, isIn: (folder: string) => boolean): Settings {
  const set = layersFor(sources, isIn).reduce<Settings>(over, defaults);
  return { ...set, ...orderedThresholds(set) };
}

export function problemFor(
  sources: SettingsSources,
  isIn: (folder: string) => boolean,
): Sentence | undefined {
  const set = layersFor(sources, isIn).reduce<Settings>(over, defaults);
  return orderProblem(set, settingsFor(sources, isIn));
}

/** Strongest last. */
function layersFor({ own, editors }: SettingsSources, isIn: (folder: string) => boolean): PartialSettings[] {
  const byAge = editors.toSorted((a, b) => a.changedAt - b.changedAt);
  const users = byAge.filter(({ folder }) => folder === null);
  const folders = byAge
    .filter(({ folder }) => folder !== null && isIn(folder))
    .toSorted((a, b) => depth(a) - depth(b));
  return [own, ...[...users, ...folders].map(({ settings }) => settings)];
}

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
