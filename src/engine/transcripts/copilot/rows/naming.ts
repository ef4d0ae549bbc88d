import { objectAt, textAt } from "../../claude/message-parts.ts";
import type { RowNames } from "../../records.ts";
import { isQuiet } from "../event-types.ts";
import { findEventFiles } from "../copilot-files.ts";
import { unknownEventMembers } from "./tested-members.ts";

export const rowNames: RowNames = {
  files: (roots) => roots.flatMap((root) => findEventFiles(root).files),
  unknownIn(row) {
    const type = textAt(row, "type");
    return { type: type === null || isQuiet(type) ? null : type, members: unknownEventMembers(row) };
  },
  versionIn: (row) => textAt(objectAt(row, "data"), "copilotVersion"),
};
