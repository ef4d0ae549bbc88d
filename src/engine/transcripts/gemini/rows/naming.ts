import type { RowNames } from "../../records/row-names.ts";
import { chatRow } from "../chat-row.ts";
import { findGeminiSessions } from "../files.ts";
import { unknownChatMembers } from "./tested-members.ts";

/** Its rows name no version. */
export const rowNames: RowNames = {
  files: (roots) => findGeminiSessions(roots).files,
  unknownIn(row) {
    const read = chatRow(row);
    return { type: read.kind === "unknown" ? read.type : null, members: unknownChatMembers(read) };
  },
  versionIn: () => null,
};
