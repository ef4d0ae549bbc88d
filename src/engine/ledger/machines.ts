/** The rows that a user's machines exchange. */
export { cursorIn } from "./machines/cursor.ts";
