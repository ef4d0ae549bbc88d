import { knownMembers, unknownMembersAt } from "../../records/known-members.ts";
import type { ChatRow } from "../chat-row.ts";

const header =
  "directories kind lastUpdated memoryScratchpad messages projectHash sessionId startTime summary firstUserMessage";

const known = knownMembers({
  header,
  $set: header,
  message: "content displayContent id model thoughts timestamp tokens toolCalls type",
  "message.tokens": "cached input output thoughts tool total",
});

/** Returns the names of members that no tested version of Gemini CLI writes into such a row. */
export function unknownChatMembers(read: ChatRow): string[] {
  if (read.kind === "message") return unknownMembersAt(known, "message", read.message);
  if (read.kind !== "header") return [];
  return unknownMembersAt(known, read.isUpdate ? "$set" : "header", read.header);
}
