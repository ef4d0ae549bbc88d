import { objectAt, textAt } from "../../claude/message-parts.ts";
import type { RowNames } from "../../records.ts";
import { findRollouts } from "../codex-files.ts";
import { readRolloutLine } from "../rollout-row.ts";
import { unknownRolloutMembers } from "./tested-members.ts";

export const rowNames: RowNames = {
  files: (roots) => findRollouts(roots).files,
  unknownIn(row, line) {
    const read = readRolloutLine(line);
    return { type: read.kind === "unknown" ? read.type : null, members: unknownRolloutMembers(row) };
  },
  versionIn: (row) => textAt(objectAt(row, "payload"), "cli_version"),
};
