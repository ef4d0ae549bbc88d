import { isDeepStrictEqual } from "node:util";
import * as z from "zod/mini";
import type { EditorSettings } from "./precedence.ts";
import { readSettings, unreadable } from "./shape.ts";
import { pathText, values, type WindowSettings } from "./editor-window.ts";
import { sentence, type Sentence } from "../base/language.ts";

const layer = z.object({
  editor: z.union([z.literal(""), pathText]),
  workspace: z.nullable(pathText),
  folder: z.nullable(pathText),
  changedAt: z.number(),
  /** At most a day before the last report. Milliseconds since the epoch. */
  seenAt: z.number(),
  settings: values,
});

export interface WindowLayer extends EditorSettings {
  readonly editor: string;
  readonly workspace: string | null;
  readonly seenAt: number;
}

const file = z.object({ schema: z.literal(1), layers: z.array(z.unknown()) });

/** Layers that are unreported for longest are dropped first. */
const maxLayers = 300;
/** A removed editor cannot report that. Milliseconds. */
const maxUnseenMs = 90 * 24 * 60 * 60_000;
/** Between two updates of `seenAt` alone. Milliseconds. */
const seenStep = 24 * 60 * 60_000;

/** Settings from an unknown editor. */
const anywhere = { editor: "", workspace: null, folder: null, changedAt: 0, seenAt: 0 };

/** Another version of purser, or somebody else, wrote the file. */
function isOtherSchema(value: unknown): boolean {
  return typeof value === "object" && value !== null && ("layers" in value || "schema" in value);
}

/** An invalid entry is dropped and reported. */
export function readWindowFile(value: unknown): {
  readonly layers: readonly WindowLayer[];
  readonly problems: readonly Sentence[];
} {
  const read = file.safeParse(value);
  // Before editors were distinguished, the file contained the settings that were reported last.
  if (!read.success) {
    if (isOtherSchema(value))
      return {
        layers: [{ ...anywhere, settings: unreadable }],
        problems: [
          sentence(
            "it is of another version; until a window writes it again, guard rules on safety, secrets and protected files are on",
          ),
        ],
      };
    const { settings, problems } = readSettings(value);
    return { layers: Object.keys(settings).length === 0 ? [] : [{ ...anywhere, settings }], problems };
  }
  const found = read.data.layers.map((each) => layer.safeParse(each));
  const good = found.flatMap(({ data }) => (data === undefined ? [] : [data]));
  const layers = good.map((each) => ({ each, read: readSettings(each.settings) }));
  return {
    layers: layers.map(({ each, read: { settings } }) => ({ ...each, settings })),
    problems: [
      ...layers.flatMap(({ read: { problems } }) => problems),
      ...(good.length < found.length ? [sentence("{0} entries are none", found.length - good.length)] : []),
    ],
  };
}

export function windowFileText(layers: readonly WindowLayer[]): string {
  return `${JSON.stringify({ schema: 1, layers }, null, 2)}\n`;
}

/** The same array if nothing needs to be written. */
export function withWindow(
  stored: readonly WindowLayer[],
  { editor, workspace, user, folders }: WindowSettings,
  now: number,
): { readonly layers: readonly WindowLayer[]; readonly problems: readonly Sentence[] } {
  const all = [
    { workspace: null, folder: null, values: user },
    ...folders.map(({ path, settings }) => ({ workspace, folder: path, values: settings })),
  ];
  const given = all.map(({ values, ...where }) => ({ ...where, read: readSettings(values) }));
  const latest = stored.reduce((most, { changedAt }) => Math.max(most, changedAt), -Infinity);
  // A clock that was set back must not make this change older than earlier ones.
  const changedAt = Math.max(now, latest + 1);
  const fresh = given.flatMap(({ read: { settings }, ...where }): WindowLayer[] => {
    const before = stored.find((one) => one.editor === editor && isSameFolder(one, where));
    if (Object.keys(settings).length === 0) return [];
    if (before === undefined || !isDeepStrictEqual(before.settings, settings))
      return [{ ...where, settings, editor, changedAt, seenAt: now }];
    return Math.abs(now - before.seenAt) < seenStep ? [before] : [{ ...before, seenAt: now }];
  });
  const isGiven = (one: WindowLayer) =>
    one.editor === "" ||
    (one.editor === editor &&
      (given.some((each) => isSameFolder(one, each)) || (workspace !== null && one.workspace === workspace)));
  const newest = stored.reduce((most, { seenAt }) => Math.max(most, seenAt), -Infinity);
  // Limited by the newest entry, as a clock that jumped ahead makes all layers look old.
  const limit = Math.min(now, newest) - maxUnseenMs;
  const others = stored.filter((one) => !isGiven(one) && one.seenAt > limit);
  const layers = [...others, ...fresh].toSorted((a, b) => a.seenAt - b.seenAt).slice(-maxLayers);
  const problems = given.flatMap(({ read }) => read.problems);
  return { layers: isSameSet(layers, stored) ? stored : layers, problems };
}

function isSameFolder(
  one: Pick<WindowLayer, "workspace" | "folder">,
  other: Pick<WindowLayer, "workspace" | "folder">,
): boolean {
  return one.folder === other.folder && one.workspace === other.workspace;
}

function isSameSet(one: readonly WindowLayer[], other: readonly WindowLayer[]): boolean {
  return one.length === other.length && one.every((each) => other.includes(each));
}
