import type { RowNames } from "../../records/row-names.ts";
import { findTranscripts } from "../files.ts";
import { readRowValue } from "../read-row.ts";
import { textAt } from "../row-fields.ts";
import { unknownRowMembers } from "./tested-members.ts";

export const rowNames: RowNames = {
  files: (roots) => findTranscripts(roots).files,
  unknownIn(row) {
    const reading = readRowValue(row, { sessionId: "" });
    return { type: reading.outcome === "unknown" ? reading.type : null, members: unknownRowMembers(row) };
  },
  versionIn: (row) => textAt(row, "version"),
};
