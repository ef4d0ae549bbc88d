import {
  anyObject,
  headerRow,
  message,
  rewindRow,
  setRow,
  type GeminiHeader,
  type GeminiMessage,
} from "./gemini-row-schema.ts";

/** A row of a session's file. */
export type ChatRow =
  | { readonly kind: "message"; readonly message: GeminiMessage }
  /** `isUpdate` for members that replace those in the header. */
  | { readonly kind: "header"; readonly header: GeminiHeader; readonly isUpdate: boolean }
  /** This message and all later ones are taken back. */
  | { readonly kind: "rewind"; readonly to: string }
  | { readonly kind: "unknown"; readonly type: string }
  | { readonly kind: "malformed" };

export function chatRow(row: unknown): ChatRow {
  const read = message.safeParse(row);
  if (read.success) return { kind: "message", message: read.data };
  const set = setRow.safeParse(row);
  if (set.success) return { kind: "header", header: set.data.$set, isUpdate: true };
  const head = headerRow.safeParse(row);
  if (head.success) return { kind: "header", header: head.data, isUpdate: false };
  const rewind = rewindRow.safeParse(row);
  if (rewind.success) return { kind: "rewind", to: rewind.data.$rewindTo };
  const type = anyObject.safeParse(row).data?.type;
  return typeof type === "string" && type !== "gemini" ? { kind: "unknown", type } : { kind: "malformed" };
}
