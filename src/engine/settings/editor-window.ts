import * as z from "zod/mini";

/** Of a file or a folder, or a name for one. */
export const pathText = z.string().check(z.minLength(1), z.maxLength(4096));
export const values = z.record(z.string(), z.unknown());

/** Only settings that the user has set. Each is validated where it is used. */
export const windowSettings = z.object({
  /** Folder of the editor's own data. */
  editor: pathText,
  /** Workspace file. Its settings apply to the window's folders. */
  workspace: z.nullable(pathText),
  /** Absent from older windows. */
  isTrusted: z.optional(z.boolean()),
  user: values,
  /** Of the window's own folders, if they are trusted. */
  folders: z.array(z.object({ path: pathText, settings: values })).check(z.maxLength(256)),
});
export type WindowSettings = Readonly<z.infer<typeof windowSettings>>;
