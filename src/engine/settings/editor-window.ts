import * as z from "zod";

/** A file, a folder, or what names one. */
export const place = z.string().min(1).max(4096);
/** Settings as somebody wrote them, by the names in `shape.ts`: each is looked at where they are taken. */
export const values = z.record(z.string(), z.unknown());

/** What a window tells of its user's settings: what was set, and nothing of what was not. */
export const windowSettings = z.object({
  /** What tells one editor of the user from another: where it keeps its own. */
  editor: place,
  /** The workspace file, where the window has one: settings in it hold for its folders. */
  workspace: place.nullable(),
  /** For all folders. */
  user: values,
  /** For the window's own, where they are trusted. */
  folders: z.array(z.object({ path: place, settings: values })).max(256),
});
export type WindowSettings = Readonly<z.infer<typeof windowSettings>>;
