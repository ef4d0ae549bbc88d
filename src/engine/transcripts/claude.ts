/** Reads the transcripts of Claude Code. */
export { claudeRoot, claudeRoots } from "./claude/claude-roots.ts";
export { findTranscripts, identify, type TranscriptFile } from "./claude/claude-files.ts";
export { anyRow, askedContent, userRow } from "./claude/claude-row-schema.ts";
export { FlatSubagents } from "./claude/claude-session-finder.ts";
export { hookMark, hookRunsIn, isTaskNotification, type HookRun } from "./claude/hook-rows.ts";
export { addTo, objectAt, objectsAt, textAt, type Parts, type RowObject } from "./claude/message-parts.ts";
export { readRow, readRowValue } from "./claude/read-row.ts";
export {
  isInterruption,
  readOrigin,
  readReplyDetails,
  readSurrounding,
  readToolResults,
  readTools,
  type ReplyDetails,
  type Surrounding,
  type ToolCall,
  type ToolResult,
} from "./claude/row-details.ts";
export { readSubagentMeta, type SubagentMeta } from "./claude/subagent-meta.ts";
export {
  readBlobRow,
  readRequestRow,
  readShapeRow,
  readWork,
  type HashedParts,
  type RequestRow,
  type RowWork,
  type WorkCall,
} from "./claude/work.ts";
