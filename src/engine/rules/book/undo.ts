import { fail, succeed, type Result } from "../../base/result.ts";
import type { RuleAction } from "../action.ts";
import type { Rule } from "../rule.ts";
import type { Rules } from "./stored.ts";
import { bySetting } from "./rules-book-view.ts";
import { english } from "../../base/text/english.ts";

/** Takes back a rule's last step, if its user or a setting of theirs took it. */
export function undoOf({ stepsOf }: Rules, { id }: Rule): Result<RuleAction, "not_possible"> {
  const last = stepsOf(id).at(-1);
  if (last?.who !== "user" && last?.who !== bySetting)
    return fail("not_possible", english("the last step is not yours to take back"));
  return succeed({ kind: "undo", last });
}
