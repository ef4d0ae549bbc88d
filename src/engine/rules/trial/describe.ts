import { fewestSessions } from "../../verdict/power/trial.ts";
import type { RuleFinding } from "./analyse.ts";
import type { LeftOut } from "./eligible.ts";

/** Says why no figure rests on a session. */
export function describeLeftOut(why: LeftOut): string {
  switch (why) {
    case "no_prompt":
      return "no completed prompt";
    case "late":
      return "the answer to its first hook came too late";
    case "running":
      return "still running";
    case "golden":
      return "ran a golden task";
    case "no_hook":
      return "none of its hooks reached purser";
    case "fork":
      return "forked from another session";
    case "not_drawn":
      return "began before purser was ready, or as another agent";
  }
}

/** Says why a rule is undecided; null for one that is decided. */
export function describeReason(reason: RuleFinding["reason"]): string | null {
  switch (reason) {
    case null:
      return null;
    case "few_sessions":
      return `fewer than ${fewestSessions} sessions`;
    case "not_shown":
      return "not shown yet";
    case "more_undone":
    case "more_corrections":
      return `it saves, but ${describeBrokenGuard(reason)}`;
  }
}

export function describeBrokenGuard(guard: "more_undone" | "more_corrections"): string {
  return guard === "more_undone"
    ? "it is not shown that no more prompts are interrupted or fail"
    : "it is not shown that no more prompts correct the agent";
}
