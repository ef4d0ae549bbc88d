import { objectAt, textAt } from "../../claude/message-parts.ts";
import type { RowNames } from "../../records.ts";
import { isQuiet } from "../copilot-row-schema.ts";
import { findEventFiles } from "../copilot-files.ts";
import { knownMembers, unknownMembersAt } from "../../records/known-members.ts";

/** By the event's type: those that purser reads. From the schema in the package of 1.0.102. */
const known = knownMembers({
  row: "agentId data ephemeral id parentId timestamp type",
  "assistant.message":
    "apiCallId chunkCount chunkIndex citations clientRequestId content encryptedContent fusion interactionId messageId " +
    "model originatingMessageId outputTokens parentToolCallId phase providerId reasoningBlocks reasoningOpaque " +
    "reasoningText reasoningWireField requestId rte serverTools serviceRequestId toolRequests turnId",
  "session.compaction_complete":
    "activeWorkflowSummary behaviorModelId checkpointNumber checkpointPath compactionAttemptId compactionTokensUsed " +
    "conversationTokens customInstructions error failureReason initialModel messagesRemoved model outcome outcomeReason " +
    "postCompactionTokens preCompactionMessagesLength preCompactionTokens requestId responsesReasoning serviceRequestId " +
    "statusCode success summaryContent switchTargetModel systemTokens targetPromptTokenLimit tokenAccountingBasis " +
    "tokenLimit tokensRemoved toolDefinitionsTokens trigger",
  "session.compaction_complete.compactionTokensUsed":
    "aiCreditsStatus cacheReadTokens cacheWriteTokens copilotUsage duration inputTokens model modelDisplayName outputTokens " +
    "provider requestCount",
  "session.context_changed":
    "baseCommit branch cwd gitRoot headCommit hostType pendingGitContext repository repositoryHost",
  "session.model_change":
    "autoTier autoTierManaged cause contextTier contextTierManaged newModel previousAutoTier previousModel " +
    "previousProviderId previousReasoningEffort previousReasoningSummary previousVerbosity providerId reasoningEffort " +
    "reasoningEffortManaged reasoningEffortModel reasoningSummary source verbosity",
  "session.resume":
    "alreadyInUse autoTier autoTierManaged context contextTier contextTierManaged continuePendingWork eventCount " +
    "eventsFileSizeBytes providerId reasoningEffort reasoningEffortManaged reasoningEffortModel reasoningSummary " +
    "remoteSteerable resumeTime selectedModel sessionLimits sessionWasActive verbosity",
  "session.resume.context":
    "baseCommit branch cwd gitRoot headCommit hostType pendingGitContext repository repositoryHost",
  "session.shutdown":
    "accountingSnapshot agentMetrics codeChanges conversationTokens currentModel currentTokens errorReason " +
    "eventsFileSizeBytes modelMetrics providerModelMetrics sessionStartTime shutdownType systemTokens tokenDetails " +
    "toolDefinitionsTokens toolUsageRequestIds totalApiDurationMs totalNanoAiu totalPremiumRequests " +
    "usageAccountingWatermarks",
  "session.start":
    "alreadyInUse autoTier autoTierManaged context contextTier contextTierManaged copilotVersion " +
    "detachedFromSpawningParentSessionId githubMcpToolConfig producer providerId reasoningEffort reasoningEffortManaged " +
    "reasoningEffortModel reasoningSummary remoteSteerable selectedModel sessionId sessionLimits startTime verbosity " +
    "version",
  "session.start.context":
    "baseCommit branch cwd gitRoot headCommit hostType pendingGitContext repository repositoryHost",
  "session.title_changed": "title",
  "session.usage_record": "usage",
  "session.usage_record.usage":
    "acceptedPredictionTokens accounting aiCreditsStatus apiCallId apiEndpoint availableToolCount byokKind " +
    "cacheDetailsReported cacheExpiresAt cacheReadTokens cacheTtlSeconds cacheWriteTokens contentFilterTriggered " +
    "copilotUsage cost customToolCallCount duration finishReason frontierSource fusion initiator inputTokens " +
    "interTokenLatencyMs interactionType isAuto isByok maxOutputTokens maxPromptTokens model modelDisplayName modelProvider " +
    "numToolCalls orphanToolCallCount outputTokens outputTtftMs parentToolCallId provider providerCallId providerType " +
    "quotaSnapshots reasoningEffort reasoningSummary reasoningTokens rejectedPredictionTokens requestBodyBytes " +
    "requestBodyCompressionFallback requestBodyCompressionFallbackFrom requestBodyCompressionRejectedStatus " +
    "requestBodyEncoding requestBodyWireBytes rte serviceRequestId thinkingDroppedBlocks thinkingDroppedReasons " +
    "timeToFirstTokenMs toolCounts toolTokenCount transport unmatchedToolResultCount websocketFallbackAfterMs " +
    "websocketFallbackCloseCode websocketFallbackErrorKind websocketFallbackReason websocketFallbackReconnectAttempted " +
    "websocketFallbackStartedThisCall websocketFallbackStatusCode",
});

/** Returns the names of members that no tested version of Copilot CLI writes into such an event. */
function unknownEventMembers(row: unknown): string[] {
  if (typeof row !== "object" || row === null) return [];
  const type = "type" in row ? row.type : null;
  return [
    ...unknownMembersAt(known, "row", row),
    ...(typeof type === "string" && "data" in row ? unknownMembersAt(known, type, row.data) : []),
  ];
}

export const rowNames: RowNames = {
  files: (roots) => roots.flatMap((root) => findEventFiles(root).files),
  unknownIn(row) {
    const type = textAt(row, "type");
    return { type: type === null || isQuiet(type) ? null : type, members: unknownEventMembers(row) };
  },
  versionIn: (row) => textAt(objectAt(row, "data"), "copilotVersion"),
};
