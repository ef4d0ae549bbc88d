import type { TracedCall } from "./session-trace.ts";

/** Fewer failures in a row, or equal calls, are ordinary work. */
const minFailures = 5;
const minEqual = 6;
/** Calls after which a loop should have been left. */
const enough = 3;

export interface CallLoop {
  readonly tool: string;
  readonly calls: readonly TracedCall[];
  /** Those that could have been saved. */
  readonly late: ReadonlySet<TracedCall>;
}

/**
 * Loops of one conversation: at least 5 failures of one tool with at most one other call between two of them, or at least
 * 6 calls in a row with the same tool and equal sizes of input and result.
 *
 * @param calls ordered by time
 */
export function findLoops(calls: readonly TracedCall[]): CallLoop[] {
  const failing = findFailing(calls);
  const used = new Set(failing.flatMap((loop) => loop.calls));
  return [...failing, ...findEqual(calls.filter((call) => !used.has(call)))];
}

function findFailing(calls: readonly TracedCall[]): CallLoop[] {
  const loops: CallLoop[] = [];
  let stretch: TracedCall[] = [];
  let gap: TracedCall[] = [];
  const end = () => {
    const failures = stretch.filter(({ isError }) => isError);
    if (failures.length >= minFailures) loops.push(loopOf(stretch, failures[enough]));
    [stretch, gap] = [[], []];
  };
  for (const call of calls) {
    if (gap.length > 0 && !isFailureLike(call, stretch[0])) {
      const between = gap;
      end();
      // The call between may begin a loop of another tool.
      stretch = between.filter(({ isError }) => isError);
    }
    if (isFailureLike(call, stretch[0])) {
      stretch.push(...gap, call);
      gap = [];
    } else if (stretch.length > 0) gap = [call];
  }
  end();
  return loops;
}

/** @param first the first failure of a loop; undefined if none has begun */
function isFailureLike(call: TracedCall, first: TracedCall | undefined): boolean {
  return call.isError && (first === undefined || call.tool === first.tool);
}

function findEqual(calls: readonly TracedCall[]): CallLoop[] {
  const loops: CallLoop[] = [];
  let stretch: TracedCall[] = [];
  const end = () => {
    if (stretch.length >= minEqual) loops.push(loopOf(stretch, stretch[enough]));
    stretch = [];
  };
  for (const call of calls) {
    const [last] = stretch;
    if (last !== undefined && !isEqual(call, last)) end();
    if (call.inputChars !== null && call.resultChars !== null) stretch.push(call);
  }
  end();
  return loops;
}

function isEqual(one: TracedCall, other: TracedCall): boolean {
  return (
    one.tool === other.tool &&
    one.path === other.path &&
    one.inputChars === other.inputChars &&
    one.resultChars === other.resultChars
  );
}

function loopOf(calls: readonly TracedCall[], firstLate: TracedCall | undefined): CallLoop {
  const start = firstLate === undefined ? calls.length : calls.indexOf(firstLate);
  return { tool: calls[0]?.tool ?? "unknown", calls, late: new Set(calls.slice(start)) };
}
