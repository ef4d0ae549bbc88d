import type { RowObject } from "../row-fields.ts";

/** The members of rows of type `user` and `assistant` that tested versions write. */
const knownMembers: ReadonlySet<string> = new Set(
  (
    "agentColor agentId agentName apiBlockIndex apiError apiErrorStatus apiErrorType attributionAgent attributionMcpServer attributionMcpTool " +
    "attributionPlugin attributionSkill cwd detachedToolUseIds effort entrypoint error errorDetails failedResponseHadNoToolCall forkedFrom " +
    "gitBranch hiddenToolUseIds hostContent hostHiddenToolUseIds imagePasteIds isApiErrorMessage isCompactSummary isMeta isSidechain isVirtual " +
    "isVisibleInTranscriptOnly logicalParentUuid madeBy mcpMeta message origin parentUuid perTurnEffort permissionDecision permissionMode " +
    "planContent promptCacheRequested promptId promptSource ranByToolUseId remoteToolResult replacesSpan requestId requestRef requestSessionId " +
    "requestedModel rowSource sandboxed sentAtMs serverClassifierRequest sessionId slug source sourceToolAssistantUUID sourceToolUseID " +
    "summarizeMetadata summarizedTurnPromptUuids teamName thinkingMetadata timestamp todos toolInputStreamMs toolUseResult turnCompanion " +
    "turnOrigin turnPosition type userType uuid version visibleToRemoteClients"
  ).split(" "),
);

/** Returns the names of a row's own members that no tested version writes. */
export function unknownMembers(row: RowObject): string[] {
  if (row["type"] !== "user" && row["type"] !== "assistant") return [];
  return Object.keys(row).filter((name) => !knownMembers.has(name));
}
