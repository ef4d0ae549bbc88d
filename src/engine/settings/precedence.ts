import * as z from "zod";
import { defaults, type Settings, type ToldSettings } from "./shape.ts";

/** What an editor's user has set in one place: for all folders, or for one. */
export interface EditorSettings {
  /** Null for what holds in all folders. */
  readonly folder: string | null;
  /** When it became what it is. Milliseconds since the epoch. */
  readonly changedAt: number;
  readonly settings: ToldSettings;
}

export interface SettingsSources {
  /** What the user wrote into `settings.json`. */
  readonly own: ToldSettings;
  readonly editors: readonly EditorSettings[];
}

/**
 * The settings that hold for a session, by where it began. Everybody asks here: the status bar, the terminal, the skill, and whatever
 * answers hooks. Key by key, the first that sets it:
 *
 * 1. an editor's folder that the session is in, the deepest first;
 * 2. an editor's user;
 * 3. `settings.json`;
 * 4. the default.
 *
 * Where two editors, or two workspaces, set the same of the same folder or user, the one that was changed last holds. Models are put
 * together: of one that several places tell of, each figure by itself.
 *
 * @param isIn whether the session is in a folder
 */
export function settingsFor({ own, editors }: SettingsSources, isIn: (folder: string) => boolean): Settings {
  const byAge = editors.toSorted((a, b) => a.changedAt - b.changedAt);
  const users = byAge.filter(({ folder }) => folder === null);
  const folders = byAge
    .filter(({ folder }) => folder !== null && isIn(folder))
    .toSorted((a, b) => depth(a) - depth(b));
  const told = [...users, ...folders].map(({ settings }) => settings);
  return [own, ...told].reduce<Settings>(over, defaults);
}

/** Of two folders that a session is in, the longer name is the deeper. */
function depth({ folder }: EditorSettings): number {
  return folder?.length ?? 0;
}

function over(below: Settings, told: ToldSettings): Settings {
  const set = Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined));
  const models = told.models === undefined ? below.models : bothModels(below.models, told.models);
  return { ...below, ...set, models };
}

const figures = z.record(z.string(), z.unknown());

function bothModels(below: Settings["models"], told: Settings["models"]): Settings["models"] {
  const both = Object.entries(told).map(([model, entry]) => {
    const [lower, upper] = [figures.safeParse(below[model]), figures.safeParse(entry)];
    return [model, lower.success && upper.success ? { ...lower.data, ...upper.data } : entry] as const;
  });
  return { ...below, ...Object.fromEntries(both) };
}
