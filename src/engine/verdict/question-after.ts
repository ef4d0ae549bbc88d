import type { Question } from "./verdict.ts";

/** Returns the question about an experiment's own rounds as one about all of them. @param earlier rounds pooled with its own */
export function questionAfter(question: Question, earlier: number): Question {
  const { maxRounds, plannedRounds = maxRounds, firstLook } = question;
  const look = firstLook === undefined ? {} : { firstLook: earlier + firstLook };
  return { ...question, ...look, maxRounds: earlier + maxRounds, plannedRounds };
}
