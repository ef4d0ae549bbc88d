import type { Rule } from "../rule.ts";
import { measuresModel } from "../../bench/run-facts.ts";
import { maxTogether } from "../../verdict/joint.ts";
import { type Question, jointQuestion } from "../../verdict/verdict.ts";
import type { SelectRequest } from "../rules-selection.ts";
import { confirmRounds } from "./set.ts";

type Driven = Pick<SelectRequest, "driver">;

export function isTogether(rules: readonly unknown[], { driver }: Driven): boolean {
  return rules.length > 1 && measuresModel(driver);
}

/** Shares rules out evenly among as few groups as there can be. */
export function batchesOf(rules: readonly Rule[], { driver }: Driven): Rule[][] {
  const limit = measuresModel(driver) ? maxTogether : 1;
  const size = Math.ceil(rules.length / Math.max(1, Math.ceil(rules.length / limit)));
  const starts = rules.map((_, index) => index).filter((index) => index % size === 0);
  return starts.map((start) => rules.slice(start, start + size));
}

export function kindOf({ status }: Pick<Rule, "status">): "candidate" | "re-audit" {
  return status === "active" ? "re-audit" : "candidate";
}

/** Returns the question about each rule of a batch, in their order, as it is planned without any limit. */
function questionsOf(batch: readonly Rule[]) {
  const asked = { count: Math.max(1, candidatesIn(batch)), affordable: null };
  return batch.map((rule) => jointQuestion(kindOf(rule), 0, asked));
}

/**
 * Returns the rounds of a batch before its first look. Null for a look after each, as without a seed.
 * Machines that make parts of these rounds do not need each other's results.
 */
export function firstLookOf(
  batch: readonly Rule[],
  { draw = null }: Pick<SelectRequest, "draw">,
): number | null {
  if (draw === null) return null;
  const questions = questionsOf(batch);
  const highest = Math.max(1, ...questions.map(({ maxRounds }) => maxRounds));
  const planned = Math.max(1, ...questions.map(({ plannedRounds }) => plannedRounds));
  return Math.min(highest, draw.rounds ?? Math.ceil(planned / 2));
}

function candidatesIn(batch: readonly Rule[]): number {
  return batch.filter((rule) => kindOf(rule) === "candidate").length;
}

/** Returns the question with its first look after so many rounds. Unchanged if there is a look after each. */
export function lookedFirst<Asked extends Question>(question: Asked, firstLook: number | null): Asked {
  if (firstLook === null) return question;
  return { ...question, firstLook, maxRounds: Math.max(question.maxRounds, firstLook) };
}

/** Returns the maximum rounds for measuring these rules separately. A round is each task once per side. */
export function mostRounds(rules: readonly Rule[], about: Driven): number {
  return batchesOf(rules, about).reduce(
    (sum, batch) => sum + Math.max(0, ...questionsOf(batch).map(({ maxRounds }) => maxRounds)),
    0,
  );
}

/**
 * Returns the maximum rounds for confirming the found rules as a whole. 0 if no two rules can be found with
 * the same runs.
 */
export function maxRoundsOfSet(rules: readonly Rule[], about: Driven): number {
  return isTogether(rules, about) && candidatesIn(rules) > 1 ? confirmRounds : 0;
}
