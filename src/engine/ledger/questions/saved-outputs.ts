import { characterScale, tokensOfCharacters } from "../../base/format.ts";
import type { LedgerBasis } from "../basis.ts";
import { formatName, type FollowUpCost, type OutputSaving, type SavedOutputs } from "../ledger-answers.ts";
import { maybeNumberIn, textIn } from "../store/cell.ts";
import type { Database } from "../store/database.ts";
import type { FollowUp, SavedOutput, SessionSavings } from "../sums/savings.ts";
import { selectCharactersPerToken } from "./rule-book.ts";

interface Sources {
  readonly db: Database;
  readonly rollup: {
    eachSavings(
      basis: LedgerBasis,
      visit: (session: string, value: SessionSavings) => void,
      isWanted: (session: string) => boolean,
    ): void;
  };
  readonly basis: LedgerBasis;
}

type Sum = { -readonly [Key in keyof OutputSaving]: OutputSaving[Key] };

/** Kinds of outputs that the user switched on again, each with the time. */
function selectWakes(db: Database): ReadonlyMap<string, number> {
  return new Map(
    db.rows(
      "SELECT rule, max(at) FROM guard_wakes WHERE rule LIKE 'smaller-output-%' GROUP BY rule",
      [],
      ([rule, at]) => [textIn(rule), maybeNumberIn(at) ?? 0] as const,
    ),
  );
}

/** Returns the savings of shortened outputs since a time, and the cost of the calls that followed them. */
export function selectSavedOutputs({ db, rollup, basis }: Sources, since: number): SavedOutputs {
  const scale = characterScale(selectCharactersPerToken(db));
  const wakes = selectWakes(db);
  const wanted = new Set(
    db.rows(
      "SELECT session_id FROM guard_hits WHERE done = 'replaced' UNION SELECT session_id FROM guard_follow_ups",
      [],
      ([session]) => textIn(session),
    ),
  );
  const outputs = new Map<string, SavedOutput & { readonly session: string }>();
  const followUps: (FollowUp & { readonly session: string })[] = [];
  rollup.eachSavings(
    basis,
    (session, saved) => {
      for (const output of saved.outputs) outputs.set(output.hit, { ...output, session });
      for (const each of saved.followUps) followUps.push({ ...each, session });
    },
    (session) => wanted.has(session),
  );
  const causes = causesOf(outputs, followUps);
  const repeats = new Set(Array.from(causes, ([each]) => placeOf(each)).filter((place) => place !== null));
  const sums = new Map<string, Sum>();
  const sumsOfHits = new Map<string, Sum>();
  for (const output of outputs.values()) {
    // Without the output before it, the call would not have been made: its own saving is none.
    const place = placeOf(output);
    if ((output.at ?? 0) < since || (place !== null && repeats.has(place))) continue;
    const sum = sumFor(sums, output, { basis, wakes });
    sumsOfHits.set(output.hit, sum);
    addOutput(sum, output, tokensOfCharacters(output.bytes, scale));
  }
  for (const [follower, hit] of causes) {
    const sum = sumsOfHits.get(hit);
    if (sum !== undefined) addFollowUp(sum, follower, tokensOfCharacters(follower.bytes, scale));
  }
  return {
    savings: [...sums.values()],
    wakes: Array.from(wakes, ([format, at]) => ({ format, at })),
  };
}

type Placed = Pick<SavedOutput, "call"> & { readonly session: string };

function placeOf({ call, session }: Placed): string | null {
  return call === null ? null : JSON.stringify([session, call]);
}

/** The hit that each call followed: the first of several. A call that was made together with the output's own followed nothing. */
function causesOf(
  outputs: ReadonlyMap<string, SavedOutput & { readonly session: string }>,
  followUps: readonly (FollowUp & { readonly session: string })[],
): ReadonlyMap<FollowUp & { readonly session: string }, string> {
  const byCall = new Map<string, (typeof followUps)[number][]>();
  for (const each of followUps) {
    const output = outputs.get(each.hit);
    if (output === undefined) continue;
    const isSameChain = output.session === each.session && output.agent === each.agent;
    if (isSameChain && output.maker >= 0 && each.maker >= 0 && each.maker <= output.maker) continue;
    const key = placeOf(each) ?? JSON.stringify([each.session, each.at, each.hit]);
    byCall.set(key, [...(byCall.get(key) ?? []), each]);
  }
  const causes = new Map<(typeof followUps)[number], string>();
  for (const same of byCall.values()) {
    const timeOf = ({ hit }: FollowUp) => outputs.get(hit)?.at ?? Infinity;
    const [first] = same.toSorted(
      (one, other) =>
        Number(other.how === "fetched") - Number(one.how === "fetched") || timeOf(one) - timeOf(other),
    );
    if (first !== undefined) causes.set(first, first.hit);
  }
  return causes;
}

function sumFor(
  sums: Map<string, Sum>,
  output: SavedOutput & { readonly session: string },
  { basis, wakes }: Pick<Sources, "basis"> & { readonly wakes: ReadonlyMap<string, number> },
): Sum {
  const { session, rule, tool, program } = output;
  const command = output.command ?? tool ?? "";
  const at = output.at ?? 0;
  const day = basis.dayOf(at);
  const wokenAt = Math.max(wakes.get(rule) ?? -Infinity, wakes.get(formatName(rule, command)) ?? -Infinity);
  const isEvidence = at > wokenAt;
  const key = JSON.stringify([session, day, rule, command, tool, program, isEvidence]);
  const known = sums.get(key);
  if (known !== undefined) return known;
  const sum: Sum = {
    session,
    day,
    rule,
    command,
    tool,
    program,
    isEvidence,
    at,
    outputs: 0,
    pending: 0,
    tokens: 0,
    requests: 0,
    gross: 0,
    atRisk: 0,
    fetched: none,
    again: none,
    narrower: none,
    error: none,
    grossUsd: 0,
    minusUsd: 0,
    unpriced: 0,
  };
  sums.set(key, sum);
  return sum;
}

const none: FollowUpCost = { calls: 0, tokens: 0 };

function addOutput(sum: Sum, { requests, worth, usd, request }: SavedOutput, tokens: number): void {
  if (requests === null) {
    sum.pending += 1;
    return;
  }
  sum.outputs += 1;
  sum.tokens += tokens;
  sum.requests += requests;
  sum.gross += tokens * worth;
  sum.atRisk += request + tokens * worth;
  if (usd === null) sum.unpriced += 1;
  else sum.grossUsd += tokens * usd;
}

function addFollowUp(sum: Sum, { how, worth, usd, request, requestUsd }: FollowUp, tokens: number): void {
  const { calls, tokens: before } = sum[how];
  sum[how] = { calls: calls + 1, tokens: before + request + tokens * worth };
  if (usd === null || requestUsd === null) sum.unpriced += 1;
  else sum.minusUsd += requestUsd + tokens * usd;
}
