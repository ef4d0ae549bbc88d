import type { RowNames } from "../../records.ts";
import { findTranscripts } from "../claude-files.ts";
import { readRowValue } from "../read-row.ts";
import { textAt, objectAt, type RowObject } from "../message-parts.ts";
import { isObject } from "../../../base/parse.ts";
import { knownMembers, unknownMembersAt } from "../../records/known-members.ts";

/** The members of rows of type `user` and `assistant`. */
const rowMembers =
  "agentColor agentId agentName apiBlockIndex apiError apiErrorStatus apiErrorType attributionAgent attributionMcpServer attributionMcpTool " +
  "attributionPlugin attributionSkill cwd detachedToolUseIds effort entrypoint error errorDetails failedResponseHadNoToolCall forkedFrom " +
  "gitBranch hiddenToolUseIds hostContent hostHiddenToolUseIds imagePasteIds isApiErrorMessage isCompactSummary isMeta isSidechain isVirtual " +
  "isVisibleInTranscriptOnly logicalParentUuid madeBy mcpMeta message origin parentUuid perTurnEffort permissionDecision permissionMode " +
  "planContent promptCacheRequested promptId promptSource ranByToolUseId remoteToolResult replacesSpan requestId requestRef requestSessionId " +
  "requestedModel rowSource sandboxed sentAtMs serverClassifierRequest sessionId session_id slug source sourceToolAssistantUUID sourceToolUseID " +
  "summarizeMetadata summarizedTurnPromptUuids teamName thinkingMetadata timestamp todos toolInputStreamMs toolUseResult turnCompanion " +
  "turnOrigin turnPosition type userType uuid version visibleToRemoteClients";

const known = knownMembers({
  row: rowMembers,
  message:
    "container content context_management diagnostics id model role stop_details stop_reason stop_sequence type usage",
  "message.usage":
    "cache_creation cache_creation_input_tokens cache_read_input_tokens fallback_credit inference_geo input_tokens iterations " +
    "output_tokens output_tokens_details server_tool_use service_tier speed",
  "message.usage.cache_creation": "ephemeral_1h_input_tokens ephemeral_5m_input_tokens",
  "message.usage.server_tool_use":
    "web_fetch_requests web_search_requests code_execution_requests tool_search_requests",
});

/** Returns the names of members that no tested version of Claude Code writes into such a row. */
function unknownRowMembers(row: RowObject): string[] {
  if (row["type"] !== "user" && row["type"] !== "assistant") return [];
  const own = unknownMembersAt(known, "row", row).map((name) => name.slice("row.".length));
  const message = objectAt(row, "message");
  return isObject(message) ? [...own, ...unknownMembersAt(known, "message", message)] : own;
}

export const rowNames: RowNames = {
  files: (roots) => findTranscripts(roots).files,
  unknownIn(row) {
    const reading = readRowValue(row, { sessionId: "" });
    return { type: reading.outcome === "unknown" ? reading.type : null, members: unknownRowMembers(row) };
  },
  versionIn: (row) => textAt(row, "version"),
};
