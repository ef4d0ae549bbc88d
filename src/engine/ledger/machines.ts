/** The rows that a user's machines exchange. */
export { cursorIn } from "./machines/cursor.ts";
export { LineSplitter, readSharedLine, sharedFormat, type SharedHeader } from "./machines/shared-lines.ts";
