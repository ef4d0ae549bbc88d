import type { RowNames } from "../../records.ts";
import { chatRow, type ChatRow } from "../gemini-row-schema.ts";
import { findGeminiSessions } from "../gemini-files.ts";
import { knownMembers, unknownMembersAt } from "../../records/known-members.ts";

const header =
  "directories kind lastUpdated memoryScratchpad messages projectHash sessionId startTime summary firstUserMessage";

const known = knownMembers({
  header,
  $set: header,
  message: "content displayContent id model thoughts timestamp tokens toolCalls type",
  "message.tokens": "cached input output thoughts tool total",
});

/** Returns the names of members that no tested version of Gemini CLI writes into such a row. */
function unknownChatMembers(read: ChatRow): string[] {
  if (read.kind === "message") return unknownMembersAt(known, "message", read.message);
  if (read.kind !== "header") return [];
  return unknownMembersAt(known, read.isUpdate ? "$set" : "header", read.header);
}

/** Its rows do not name a version. */
export const rowNames: RowNames = {
  files: (roots) => findGeminiSessions(roots).files,
  unknownIn(row) {
    const read = chatRow(row);
    return { type: read.kind === "unknown" ? read.type : null, members: unknownChatMembers(read) };
  },
  versionIn: () => null,
};
