import { KeyTable } from "./key-table.ts";

/** How a member of a row is read, and the slot that stores its value. */
export type Shape =
  | { readonly kind: "count" | "flag" | "mark"; readonly slot: number }
  /**
   * Where `wanted` is given, rows with another text need not be read. The first such member decides, if nothing nested
   * precedes it.
   */
  | { readonly kind: "text"; readonly slot: number; readonly wanted?: readonly string[] }
  /** A list of texts, stored as whether one of them begins with `prefix`. */
  | { readonly kind: "list"; readonly slot: number; readonly prefix: Buffer }
  | ObjectShape;

/** An object. Its members' slots follow its own, up to but not including `end`. */
export interface ObjectShape {
  readonly kind: "object";
  readonly slot: number;
  readonly end: number;
  readonly members: KeyTable<Shape>;
  /** The slot, if any, that marks members not among these, except for those that are plain. */
  readonly others?: number | undefined;
}

/** A message's slots, relative to its own. */
export const inMessage = {
  id: 1,
  model: 2,
  usage: 3,
  input: 4,
  output: 5,
  created: 6,
  read: 7,
  breakdown: 8,
  created5m: 9,
  created1h: 10,
  /** Whether the usage may have more than counts. */
  more: 11,
} as const;

const messageEnd = 12;

/** A row's slots. */
export const inRow = {
  type: 1,
  subtype: 2,
  requestId: 3,
  timestamp: 4,
  sessionId: 5,
  cwd: 6,
  requestedModel: 7,
  isSidechain: 8,
  isApiErrorMessage: 9,
  isCopy: 10,
  message: 11,
  compactMetadata: 23,
  trigger: 24,
  preTokens: 25,
  postTokens: 26,
  params: 27,
  longContextBeta: 28,
  attachment: 29,
  attachmentType: 30,
  identity: 31,
  modelId: 32,
  data: 33,
  nested: 34,
  nestedRequestId: 35,
  nestedTimestamp: 36,
  nestedUuid: 37,
  nestedMessage: 38,
  uuid: 38 + messageEnd,
} as const;
export const rowEnd = inRow.uuid + 1;

/** Types of rows that are read, and of attachments. */
export const wantedTypes = ["assistant", "progress", "system", "api-request", "attachment"];
export const wantedAttachments = ["model"];

const text = (slot: number): Shape => ({ kind: "text", slot });
const count = (slot: number): Shape => ({ kind: "count", slot });
const flag = (slot: number): Shape => ({ kind: "flag", slot });
const object = (
  slot: number,
  end: number,
  members: Readonly<Record<string, Shape>>,
  others?: number,
): ObjectShape => ({ kind: "object", slot, end, members: new KeyTable(members), others });

function message(slot: number): ObjectShape {
  const breakdown = object(slot + inMessage.breakdown, slot + inMessage.more, {
    ephemeral_5m_input_tokens: count(slot + inMessage.created5m),
    ephemeral_1h_input_tokens: count(slot + inMessage.created1h),
  });
  const counts = {
    input_tokens: count(slot + inMessage.input),
    output_tokens: count(slot + inMessage.output),
    cache_creation_input_tokens: count(slot + inMessage.created),
    cache_read_input_tokens: count(slot + inMessage.read),
    cache_creation: breakdown,
  };
  const usage = object(slot + inMessage.usage, slot + messageEnd, counts, slot + inMessage.more);
  return object(slot, slot + messageEnd, {
    id: text(slot + inMessage.id),
    model: text(slot + inMessage.model),
    usage,
  });
}

/** The parts of a transcript row that the bulk scan reads. Everything else is skipped. */
export const rowShape = object(0, rowEnd, {
  type: { kind: "text", slot: inRow.type, wanted: wantedTypes },
  subtype: text(inRow.subtype),
  uuid: text(inRow.uuid),
  requestId: text(inRow.requestId),
  timestamp: text(inRow.timestamp),
  sessionId: text(inRow.sessionId),
  cwd: text(inRow.cwd),
  requestedModel: text(inRow.requestedModel),
  isSidechain: flag(inRow.isSidechain),
  isApiErrorMessage: flag(inRow.isApiErrorMessage),
  // Set on a fork's copy of its parent's row.
  requestSessionId: { kind: "mark", slot: inRow.isCopy },
  forkedFrom: { kind: "mark", slot: inRow.isCopy },
  message: message(inRow.message),
  compactMetadata: object(inRow.compactMetadata, inRow.params, {
    trigger: text(inRow.trigger),
    preTokens: count(inRow.preTokens),
    postTokens: count(inRow.postTokens),
  }),
  params: object(inRow.params, inRow.attachment, {
    betas: { kind: "list", slot: inRow.longContextBeta, prefix: Buffer.from("context-1m") },
  }),
  attachment: object(inRow.attachment, inRow.data, {
    type: { kind: "text", slot: inRow.attachmentType, wanted: wantedAttachments },
    identity: object(inRow.identity, inRow.data, { modelId: text(inRow.modelId) }),
  }),
  // Old `progress` rows contain the subagent's own row.
  data: object(inRow.data, inRow.uuid, {
    message: object(inRow.nested, inRow.uuid, {
      uuid: text(inRow.nestedUuid),
      requestId: text(inRow.nestedRequestId),
      timestamp: text(inRow.nestedTimestamp),
      message: message(inRow.nestedMessage),
    }),
  }),
});
