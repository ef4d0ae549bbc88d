import { fewestSessions } from "../../verdict/power/trial.ts";
import type { RuleFinding } from "./analyse.ts";
import type { LeftOut } from "./eligible.ts";
import { english } from "../../base/text/english.ts";

/** Says why no figure rests on a session. */
export function describeLeftOut(why: LeftOut): string {
  switch (why) {
    case "no_prompt":
      return english("no completed prompt");
    case "late":
      return english("the answer to its first hook came too late");
    case "running":
      return english("still running");
    case "golden":
      return english("ran a golden task");
    case "no_hook":
      return english("none of its hooks reached purser");
    case "fork":
      return english("forked from another session");
    case "not_drawn":
      return english("began before purser was ready, or as another agent");
  }
}

/** Says why a rule is undecided; null for one that is decided. */
export function describeReason(reason: RuleFinding["reason"]): string | null {
  switch (reason) {
    case null:
      return null;
    case "few_sessions":
      return english("fewer than {0} sessions", fewestSessions);
    case "not_shown":
      return english("not shown yet");
    case "more_undone":
    case "more_corrections":
      return english("it saves, but {saidWhy}", { saidWhy: describeBrokenGuard(reason) });
  }
}

export function describeBrokenGuard(guard: "more_undone" | "more_corrections"): string {
  return guard === "more_undone"
    ? english("it is not shown that no more prompts are interrupted or fail")
    : english("it is not shown that no more prompts correct the agent");
}
