import assert from "node:assert/strict";
import { builtInCatalogue } from "../../../src/engine/usage/catalogue/catalogue.ts";
import { localDays } from "../../../src/engine/usage/local-day.ts";
import type { SessionPage } from "../../../src/engine/ledger/ledger-answers.ts";
import type { Collected } from "./collected.ts";
import type { Expected, ExpectedSession, Sum } from "./expected.ts";
import { subagentType, type ExpectedRun } from "./expected-runs.ts";
import { sumUsage } from "./expected.ts";

const basis = { catalogue: builtInCatalogue, dayOf: localDays() };

/** Asserts that everything was read and nothing was rejected. */
export function checkCollected({ freshness, complaints }: Collected): void {
  assert.deepEqual(complaints, []);
  const { asOf, files, done, problems } = freshness;
  assert.ok(asOf !== null);
  assert.deepEqual({ files, done, problems }, { files: 0, done: 0, problems: [] });
}

/** The ledger's usage by model: responses and tokens of each kind. */
export function usageByModel({ ledger }: Collected): Record<string, Sum> {
  const { rows } = ledger.ask("usage", { by: "model", since: null, until: null }, basis);
  return Object.fromEntries(
    rows.map(({ key, responses, usage }): [string, Sum] => [key, { responses, ...usage }]),
  );
}

/**
 * Asserts that each session holds its own requests and its subagents', and that a fork's copied history counts once.
 */
export function checkSessions(expected: Expected, collected: Collected): void {
  const ids = collected.ledger.ask("sessions", {}).map(({ id }) => id);
  assert.deepEqual(ids.toSorted(), expected.sessions.map(({ id }) => id).toSorted());
  for (const session of expected.sessions) checkSession(session, pageOf(collected, session.id));
}

function checkSession(expected: ExpectedSession, page: SessionPage): void {
  const { sum, subagents, compactions } = expected;
  assert.equal(page.session.program, "claude-code");
  const main = page.turns.filter(({ agentId }) => agentId === null);
  assert.deepEqual(sumUsage(main.map(({ usage }) => usage)), sum);
  assert.deepEqual(
    page.subagents
      .map(({ agentId, type, responses, usage }) => ({ agentId, type, responses, ...usage }))
      .sort(byId),
    subagents.map(({ agentId, sum: own }) => ({ agentId, type: subagentType, ...own })).sort(byId),
  );
  assert.deepEqual(
    page.compactions.map(({ trigger, preTokens, postTokens }) => ({ trigger, preTokens, postTokens })),
    compactions,
  );
}

/** Asserts one row for each finished turn, with its cost and outcome. */
export function checkRuns(expected: readonly ExpectedRun[], collected: Collected): void {
  const held = collected.ledger.ask("sessions", {}).flatMap(({ id: sessionId }) =>
    pageOf(collected, sessionId).runs.map(
      ({ agent, model, processingTokens, toolCalls, filesReread, completed }) => ({
        sessionId,
        agent,
        model,
        processingTokens,
        toolCalls,
        filesReread,
        completed,
      }),
    ),
  );
  assert.deepEqual(held.map(textOf).sort(), expected.map(textOf).sort());
}

/** Asserts that usage by tool adds up to the total and that every tool call is counted. */
export function checkTools(calls: Readonly<Record<string, number>>, { ledger }: Collected): void {
  const { totals, tools } = ledger.ask("overview", everything, basis);
  assert.deepEqual(sumUsage(tools.map(({ usage }) => usage)), { ...totals.usage, responses: tools.length });
  const held = tools.flatMap(({ key, calls: made }): [string, number][] =>
    key === null ? [] : [[key, made]],
  );
  assert.deepEqual(Object.fromEntries(held), calls);
  for (const { key, inputChars, resultChars, errors } of tools)
    assert.deepEqual(
      [inputChars > 0, resultChars > 0, errors],
      [key !== null, key !== null, 0],
      key ?? "none",
    );
}

const everything = { since: null, until: null, project: null, program: null };

/**
 * Asserts that none of the `never` texts is in the ledger's files; finding the `surely` texts proves that the search
 * works.
 */
export async function checkNoTexts(
  collected: Collected,
  { never, surely }: { readonly never: readonly string[]; readonly surely: readonly string[] },
): Promise<void> {
  const held = await collected.bytes();
  assert.ok(never.length > 0 && surely.length > 0);
  assert.deepEqual(
    never.filter((text) => held.includes(text)),
    [],
  );
  assert.deepEqual(
    surely.filter((text) => !held.includes(text)),
    [],
  );
}

function pageOf({ ledger }: Collected, id: string): SessionPage {
  const page = ledger.ask("sessionPage", id, basis);
  assert.ok(page !== null, `a page of session ${id}`);
  return page;
}

function byId(one: { readonly agentId: string }, other: { readonly agentId: string }): number {
  return one.agentId.localeCompare(other.agentId);
}

/** Values the ledger does not know are null. */
type Stored<Told> = { readonly [Key in keyof Told]: Told[Key] | null };

/** A run as one line, for readable diffs. */
function textOf(run: Stored<ExpectedRun>): string {
  const { sessionId, agent, model, processingTokens, toolCalls, filesReread, completed } = run;
  return JSON.stringify({ sessionId, agent, model, processingTokens, toolCalls, filesReread, completed });
}
