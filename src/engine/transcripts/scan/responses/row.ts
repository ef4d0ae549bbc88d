/** One copy of a response, as it is added to a table. Reused from row to row. Texts are interner numbers. */
export interface ResponseRow {
  message: number;
  /** Bounds of the request id; `requestEnd` is -1 when the row has none. */
  requestBytes: Uint8Array;
  requestStart: number;
  requestEnd: number;
  /** -1 when the row has none. */
  cwd: number;
  model: number;
  session: number;
  /** The part of the corpus it was read from: of equal copies, the one from the lowest part is stored. */
  unit: number;
  isSidechain: boolean;
  /** A fork's copy of its parent's row. */
  isCopy: boolean;
  /** Milliseconds since the epoch, or `NaN`. */
  at: number;
  input: number;
  output: number;
  cacheCreation5m: number;
  cacheCreation1h: number;
  cacheRead: number;
  /** The code of the price's terms. */
  terms: number;
  /** The last call's context; `NaN` where usage is one call's, -1 where unknown. */
  lastContext: number;
  lastOutput: number;
}

/** A row to be filled in repeatedly. */
export function emptyRow(): ResponseRow {
  return {
    message: -1,
    requestBytes: Buffer.alloc(0),
    requestStart: 0,
    requestEnd: -1,
    cwd: -1,
    model: -1,
    session: -1,
    unit: 0,
    isSidechain: false,
    isCopy: false,
    at: Number.NaN,
    input: 0,
    output: 0,
    cacheCreation5m: 0,
    cacheCreation1h: 0,
    cacheRead: 0,
    terms: 0,
    lastContext: Number.NaN,
    lastOutput: 0,
  };
}
