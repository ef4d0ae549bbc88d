import * as z from "zod";

/** Path of a file or a folder, or a name for one. */
export const pathText = z.string().min(1).max(4096);
/** Settings as written, by their names in `shape.ts`. Each is validated where it is used. */
export const values = z.record(z.string(), z.unknown());

/** A window's report of its user's settings: only those that were set. */
export const windowSettings = z.object({
  /** Identifies the user's editor by the folder of its own data. */
  editor: pathText,
  /** Path of the workspace file, if the window has one: its settings apply to the window's folders. */
  workspace: pathText.nullable(),
  /** Whether the window's user trusts its folders; absent from older windows. */
  isTrusted: z.boolean().optional(),
  /** Settings for all folders. */
  user: values,
  /** Settings for the window's own folders, if they are trusted. */
  folders: z.array(z.object({ path: pathText, settings: values })).max(256),
});
export type WindowSettings = Readonly<z.infer<typeof windowSettings>>;
