import * as z from "zod/mini";

/** Path of a file or a folder, or a name for one. */
export const pathText = z.string().check(z.minLength(1), z.maxLength(4096));
/** Settings as written, by their names in `shape.ts`. Each is validated where it is used. */
export const values = z.record(z.string(), z.unknown());

/** A window's report of its user's settings: only those that were set. */
export const windowSettings = z.object({
  /** Identifies the user's editor by the folder of its own data. */
  editor: pathText,
  /** Path of the workspace file, if the window has one: its settings apply to the window's folders. */
  workspace: z.nullable(pathText),
  /** Whether the window's user trusts its folders; absent from older windows. */
  isTrusted: z.optional(z.boolean()),
  /** Settings for all folders. */
  user: values,
  /** Settings for the window's own folders, if they are trusted. */
  folders: z.array(z.object({ path: pathText, settings: values })).check(z.maxLength(256)),
});
export type WindowSettings = Readonly<z.infer<typeof windowSettings>>;
