import { faultText } from "./fault-text.ts";
import type { Result } from "../../base/result.ts";
import type { GuardRuleBook, GuardRuleView } from "../answers.ts";
import { actionOf } from "../calls/rule-action.ts";
import type { GuardRule } from "../calls/rule.ts";
import type { CodedRule } from "../guard-rules/coded-rule.ts";
import type { ShellContext } from "../commands/invocation.ts";
import { ConfigFile, checksOf, loadCatalogue, type GuardFile } from "./config-file.ts";
import type { GuardException } from "./config.ts";
import type { WithException } from "./with-exception.ts";

/** Describes all rules for people, with what the user's file says: rules of their own, and exceptions. */
export async function describeRules(file: GuardFile, context: ShellContext): Promise<GuardRuleBook> {
  const rules = await loadCatalogue();
  const own = new ConfigFile(file, "user");
  await own.refresh(rules, context, () => undefined);
  const [fault] = own.faults;
  const { set, rules: ownRules, exceptions } = own.config;
  return {
    rules: [
      ...ownRules.map((rule) => viewOf(rule, { isOff: false, isOwn: true, isChosen: true })),
      ...rules.catalogue.map((rule) => {
        const chosen = set[rule.id];
        const isOff = chosen === "off";
        const action = chosen === undefined || isOff ? actionOf(rule) : chosen;
        return viewOf({ ...rule, action }, { isOff, isOwn: false, isChosen: chosen !== undefined });
      }),
      ...rules.codedRules.map((rule) => codedView(rule, set[rule.id])),
    ],
    file: file.name,
    problem: fault === undefined ? null : faultText(fault),
    exceptions: [...exceptions],
  };
}

/** Returns the text of the user's file with one more exception; what `withException` says of it otherwise. */
export async function textWithException(
  text: string,
  exception: GuardException,
  context: ShellContext,
): Promise<Result<WithException>> {
  const { withException } = await import("./editor.ts");
  return withException(text, exception, checksOf(await loadCatalogue(), { scope: "user", context }));
}

type Chosen = Pick<GuardRuleView, "isOff" | "isOwn" | "isChosen">;

function viewOf(rule: GuardRule, chosen: Chosen): GuardRuleView {
  const { id, family, message, remedy, fires, passes } = rule;
  return { id, family, action: actionOf(rule), message, remedy, fires, passes, ...chosen };
}

function codedView(
  { id, family, message, remedy, example }: CodedRule,
  set: string | undefined,
): GuardRuleView {
  const words = { id, family, message, remedy, fires: [example], passes: [] };
  return { ...words, action: "advise", isOff: set === "off", isOwn: false, isChosen: set !== undefined };
}
