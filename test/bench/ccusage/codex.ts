import { zstdCompressSync } from "node:zlib";
import {
  count,
  idAt,
  meta,
  response,
  settings,
  start,
  turn,
  vector,
} from "../../engine/transcripts/codex/rollout-rows.ts";
import { linesOf, madeUp, type CompareCase } from "./case.ts";

const [parentId, childId] = [idAt(0), idAt(10)];
const day = "sessions/2026/11/02";
const parentFile = `${day}/${rolloutName(parentId, 0)}`;
const childFile = `${day}/${rolloutName(childId, 10)}`;

function rolloutName(id: string, second: number): string {
  const time = new Date(start + second * 1000).toISOString().slice(0, 19).replaceAll(":", "-");
  return `rollout-${time}-${id}.jsonl`;
}

const a = vector(100, 0, 10);
const b = vector(150, 90, 20);
const afterB = vector(250, 90, 30);
const own = vector(70, 7, 5);
const afterOwn = vector(320, 97, 35);
const restarted = vector(50, 5, 40);
const full = { ...vector(0, 0, 0), total_tokens: 258_400 };

const sentTier = { input: 200_000, output: 10_000 };
const sentA = { input: 100, output: 10 };
const sentB = { input: 60, output: 20, cacheRead: 90 };
const sentOwn = { input: 63, output: 5, cacheRead: 7 };
const sentRestarted = { input: 45, output: 40, cacheRead: 5 };
const family = [sentA, sentB, sentOwn];

const head = meta(0, { id: parentId });
const began = [head, turn(1, idAt(1))];
const parent = [...began, count(1, a, a), turn(2, idAt(2)), count(3, afterB, b)];
const fork = { id: childId, forked_from_id: parentId };
const source = { subagent: { thread_spawn: { parent_thread_id: parentId } } };
/** The parent's lines as a child's file repeats them: all at once, with a new time. */
const repeated = [
  meta(10, { id: parentId }),
  turn(10, idAt(1)),
  count(10, a, a),
  turn(10, idAt(2)),
  count(10, afterB, b),
];
const ownTurn = [turn(12, idAt(12)), count(13, afterOwn, own)];
const program = "codex";

const early = "it leaves out what a fork writes in its first five seconds";

export const codexCases: readonly CompareCase[] = [
  madeUp({
    program,
    name: "an older total is written again",
    sent: [sentA, sentB, sentA, sentB],
    files: {
      [parentFile]: linesOf([
        ...began,
        count(1, a, a),
        count(2, afterB, b),
        count(3, a, a),
        count(4, vector(350, 90, 40), a),
        count(5, vector(500, 180, 60), b),
      ]),
    },
    why: "it counts the older total as another response",
  }),
  madeUp({
    program,
    name: "a resumed file begins at the total that it inherits",
    sent: [sentA, sentB, sentOwn],
    files: { [parentFile]: linesOf(parent), [childFile]: linesOf([meta(10, { id: childId }), ...ownTurn]) },
  }),
  madeUp({
    program,
    name: "two counters take turns",
    sent: [sentA, sentB, sentA],
    files: {
      [parentFile]: linesOf([
        ...began,
        count(1, a, a),
        count(2, vector(80_000_150, 70_000_090, 100_020), b),
        count(3, vector(200, 0, 20), a),
      ]),
    },
  }),
  madeUp({
    program,
    name: "the totals are repeated to refresh the plan's limits",
    sent: [sentA, sentB],
    files: {
      [parentFile]: linesOf([
        ...began,
        count(1, a, a),
        count(2, a, a),
        count(3, afterB, b),
        count(4, afterB, b),
        count(5, afterB, b),
      ]),
    },
  }),
  madeUp({
    program,
    name: "a fork repeats its parent's history",
    sent: family,
    files: {
      [parentFile]: linesOf(parent),
      [childFile]: linesOf([meta(10, fork), ...repeated, ...ownTurn]),
    },
    codeburn: early,
  }),
  madeUp({
    program,
    name: "a subagent repeats its parent's history",
    sent: family,
    files: {
      [parentFile]: linesOf(parent),
      [childFile]: linesOf([meta(10, { ...fork, source }), ...repeated, ...ownTurn]),
    },
    codeburn: early,
  }),
  madeUp({
    program,
    name: "a fork repeats it over several seconds, without turn ids",
    sent: family,
    files: {
      [parentFile]: linesOf([head, count(1, a, a), count(3, afterB, b)]),
      [childFile]: linesOf([meta(10, fork), count(12, a, a), count(13, afterB, b), count(60, afterOwn, own)]),
    },
  }),
  madeUp({
    program,
    name: "a fork repeats nothing, but continues its parent's total",
    sent: family,
    files: { [parentFile]: linesOf(parent), [childFile]: linesOf([meta(10, fork), ...ownTurn]) },
    codeburn: early,
  }),
  madeUp({
    program,
    name: "a response in each service tier: standard, fast and flexible",
    sent: [sentTier, sentTier, sentTier],
    usd: 5.2,
    files: {
      [parentFile]: linesOf([
        head,
        turn(1, idAt(1), "gpt-5.5"),
        ...["default", "priority", "flex"].flatMap((tier, index) => [
          settings(2 + index, tier),
          count(
            3 + index,
            vector(200_000 * (index + 1), 0, 10_000 * (index + 1)),
            vector(200_000, 0, 10_000),
          ),
        ]),
      ]),
    },
    why: "it knows the fast tier alone",
    codeburn: "its prices do not depend on the service tier",
  }),
  madeUp({
    program,
    name: "the totals restart",
    sent: [sentA, sentRestarted],
    files: { [parentFile]: linesOf([...began, count(1, a, a), count(9, restarted, restarted)]) },
  }),
  madeUp({
    program,
    name: "the totals restart, and only totals are reported",
    sent: [sentA, sentB, sentRestarted],
    files: { [parentFile]: linesOf([...began, count(1, a), count(3, afterB), count(9, restarted)]) },
    why: "it treats each counter separately: one that fell counts as nothing, one that rose counts by its difference",
    codeburn: "it adds the difference of two totals, also where it is negative",
  }),
  madeUp({
    program,
    name: "the context is full, reported as a total that was not used",
    sent: [sentA, { input: 90, output: 4, cacheRead: 10 }],
    files: {
      [parentFile]: linesOf([
        ...began,
        count(1, a, a),
        count(2, full, { ...full, total_tokens: 258_290 }),
        count(3, { ...vector(100, 10, 4), total_tokens: 258_504 }, vector(100, 10, 4)),
      ]),
    },
  }),
  madeUp({
    program,
    name: "the agent was killed between a response's record and its total",
    sent: [sentA, sentB],
    files: {
      [parentFile]: linesOf([
        ...began,
        response(1, parentId, "resp_1", a),
        count(1, a, a),
        response(2, parentId, "resp_2", b),
      ]),
    },
    why: "it does not read the responses' own records",
    codeburn: "it does not read the responses' own records",
  }),
  madeUp({
    program,
    name: "a session is archived, and its file is still there",
    sent: [sentA, sentB],
    files: {
      [parentFile]: linesOf(parent),
      [`archived_sessions/${rolloutName(parentId, 0)}`]: linesOf(parent),
    },
    why: "its report by session counts the session once for each of its two files",
  }),
  madeUp({
    program,
    name: "an old session is compressed",
    sent: [sentA, sentB],
    files: { [`${parentFile}.zst`]: zstdCompressSync(Buffer.from(linesOf(parent))) },
    why: "it does not read compressed files",
    codeburn: "it does not read compressed files",
  }),
];
