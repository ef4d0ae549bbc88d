import {
  lengthOr,
  listOf,
  name,
  objectOf,
  ProjectedReader,
  whole,
  type Projected,
} from "../../../transcripts/projection/reader.ts";

const lifetimes = objectOf((ephemeral_5m_input_tokens, ephemeral_1h_input_tokens) => ({
  ephemeral_5m_input_tokens,
  ephemeral_1h_input_tokens,
}));
const usage = objectOf(
  (
    input_tokens,
    output_tokens,
    cache_creation_input_tokens,
    cache_read_input_tokens,
    cache_creation,
    speed,
    inference_geo,
    service_tier,
    server_tool_use,
    iterations,
  ) => ({
    input_tokens,
    output_tokens,
    cache_creation_input_tokens,
    cache_read_input_tokens,
    cache_creation,
    speed,
    inference_geo,
    service_tier,
    server_tool_use,
    iterations,
  }),
  { cache_creation: lifetimes },
);

const length = lengthOr(whole);
const resultBlock = objectOf((type, text) => ({ type, text }), { type: name(), text: length });
const input = objectOf(
  (file_path, notebook_path, skill, command) => ({ file_path, notebook_path, skill, command }),
  {},
  true,
);
const block = objectOf(
  (type, id, name, text, thinking, signature, data, tool_use_id, is_error, content, input) => ({
    type,
    id,
    name,
    text,
    thinking,
    signature,
    data,
    tool_use_id,
    is_error,
    content,
    input,
  }),
  {
    type: name(),
    name: name(),
    thinking: length,
    signature: length,
    data: length,
    content: lengthOr(resultBlock),
    input,
  },
);
const message = objectOf(
  (id, model, stop_reason, usage, content) => ({ id, model, stop_reason, usage, content }),
  { model: name(), stop_reason: name(), usage, content: listOf(block) },
);
const toolUseResult = objectOf((agentId, agentType, durationMs, totalDurationMs) => ({
  agentId,
  agentType,
  durationMs,
  totalDurationMs,
}));

const row = objectOf(
  (
    type,
    uuid,
    sessionId,
    timestamp,
    cwd,
    gitBranch,
    isSidechain,
    isMeta,
    isCompactSummary,
    turnOrigin,
    isApiErrorMessage,
    requestId,
    requestRef,
    requestedModel,
    advisorModel,
    requestSessionId,
    forkedFrom,
    attributionAgent,
    attributionSkill,
    message,
    toolUseResult,
  ) => ({
    type,
    uuid,
    sessionId,
    timestamp,
    cwd,
    gitBranch,
    isSidechain,
    isMeta,
    isCompactSummary,
    turnOrigin,
    isApiErrorMessage,
    requestId,
    requestRef,
    requestedModel,
    advisorModel,
    requestSessionId,
    forkedFrom,
    attributionAgent,
    attributionSkill,
    message,
    toolUseResult,
  }),
  {
    type: name(["assistant", "user"]),
    sessionId: name(),
    cwd: name(),
    gitBranch: name(),
    requestedModel: name(),
    advisorModel: name(),
    turnOrigin: name(),
    message,
    toolUseResult,
  },
);

const reader = new ProjectedReader(row);

/**
 * Returns the members of a row of type `assistant` or `user` that `ClaudeEntries` uses; null for any other row. Nearly
 * all bytes of a transcript are texts, and only their length counts.
 */
export function readProjectedRow(line: Buffer): Projected | null {
  return reader.read(line);
}
