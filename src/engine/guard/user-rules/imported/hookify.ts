import { ownValue } from "../../own-value.ts";
import { tooLong } from "../fault-text.ts";
import { sentence, type Sentence } from "../../../base/language.ts";
import { cleanText } from "../../../base/text.ts";
import { whyNoPattern } from "../../calls/patterns.ts";
import type { RuleAction } from "../../calls/rule-action.ts";
import type { GuardFault } from "../config.ts";
import { readFrontMatter, type FrontMatter, type HeadField } from "./front-matter.ts";
import { textOperators, type TextRule, type TextTest } from "./text-rule.ts";

/** A file of hookify as far as guard rules can do the same. */
export interface ImportedFile {
  /** Null where the rule is disabled, or has a fault. */
  readonly rule: TextRule | null;
  /** Reasons why it is not a guard rule. */
  readonly faults: readonly GuardFault[];
}

const [longestFile, longestMessage, longestPattern, mostTests, longestName] = [64_000, 1000, 2000, 20, 60];

const [onCalls, onOther] = [
  ["bash", "file", "all"],
  ["stop", "prompt"],
] as const;

const fieldNames: Readonly<Record<string, TextTest["field"]>> = {
  command: "command",
  file_path: "file",
  new_text: "text",
  new_string: "text",
  content: "text",
};

const deeds: Readonly<Record<string, RuleAction>> = { warn: "advise", ask: "ask", block: "deny" };

/**
 * Reads a rule of Anthropic's hookify plugin, `.claude/hookify.NAME.local.md`. Such a file is its user's own, kept out of the repository by
 * its name, so that its `block` denies. The rule tests the call's text, as hookify does: text that is only quoted counts too.
 *
 * @param name the file's name without its folder
 */
export function readHookify(text: string, name: string): ImportedFile {
  if (text.length > longestFile) return faulty(1, tooLong(text.length, longestFile));
  const head = readFrontMatter(text);
  if (head === null) return faulty(1, sentence("it has no head between two lines of ---"));
  if (head.fields.get("enabled")?.text.toLowerCase() === "false") return { rule: null, faults: [] };
  const event = head.fields.get("event")?.text ?? "all";
  const faults = [...faultsOfHead(head, event)];
  const { tests, faults: unread } = testsOf(head, event);
  faults.push(...unread);
  const { message, isEmpty } = messageOf(head, name);
  if (isEmpty) faults.push({ line: 1, message: sentence("it says nothing after its head") });
  const isOnCommand = tests.some(({ field }) => field === "command");
  if (isOnCommand && tests.some(({ field }) => field !== "command"))
    faults.push({ line: 1, message: sentence("no call has both a command and a file") });
  if (faults.length > 0) return { rule: null, faults };
  const rule = {
    id: idOf(head.fields.get("name")?.text ?? name),
    family: "safety" as const,
    action: ownValue(deeds, head.fields.get("action")?.text ?? "warn") ?? ("advise" as const),
    match: [],
    message,
    remedy: "",
    fires: [],
    passes: [],
  };
  return { rule: { rule, on: isOnCommand ? "command" : "edit", tests }, faults: [] };
}

function faulty(line: number, message: Sentence): ImportedFile {
  return { rule: null, faults: [{ line, message }] };
}

function faultsOfHead({ fields }: FrontMatter, event: string): GuardFault[] {
  const line = fields.get("event")?.line ?? 1;
  const action = fields.get("action");
  const matcher = fields.get("tool_matcher");
  const isOf = (list: readonly string[]): boolean => list.includes(event);
  return [
    ...(isOf(onOther)
      ? [{ line, message: sentence("guard rules are about calls of tools, not about {0}", event) }]
      : isOf(onCalls)
        ? []
        : [
            {
              line,
              message: sentence("there is no event {0}; bash, file and all are imported", cleanText(event)),
            },
          ]),
    ...(action === undefined || Object.hasOwn(deeds, action.text)
      ? []
      : [
          {
            line: action.line,
            message: sentence("there is no action {0}; warn, ask or block", cleanText(action.text)),
          },
        ]),
    ...(matcher === undefined || matcher.text === "*"
      ? []
      : [
          {
            line: matcher.line,
            message: sentence("tool_matcher is not imported: the event says which tools"),
          },
        ]),
  ];
}

function testsOf(
  { fields }: FrontMatter,
  event: string,
): { readonly tests: readonly TextTest[]; readonly faults: readonly GuardFault[] } {
  const conditions = fields.get("conditions");
  const tests: TextTest[] = [];
  const faults: GuardFault[] = [];
  for (const { read, fault } of conditionsOf(conditions, fields.get("pattern"), event)) {
    if (read !== null) tests.push(read);
    if (fault !== null) faults.push(fault);
  }
  const line = conditions?.line ?? fields.get("pattern")?.line ?? 1;
  if (tests.length + faults.length === 0)
    faults.push({ line, message: sentence("it has neither a pattern nor conditions") });
  if (tests.length > mostTests)
    faults.push({ line, message: sentence("more than {0} conditions", mostTests) });
  return { tests, faults };
}

interface ReadTest {
  readonly read: TextTest | null;
  readonly fault: GuardFault | null;
}

function conditionsOf(
  conditions: HeadField | undefined,
  pattern: HeadField | undefined,
  event: string,
): ReadTest[] {
  if (conditions !== undefined && conditions.entries.length > 0)
    return conditions.entries.map(({ values, line }) => {
      const field = values.get("field") ?? "";
      const operator = values.get("operator") ?? "regex_match";
      return testOf({ field, operator, pattern: values.get("pattern") ?? "" }, line, event);
    });
  if (pattern === undefined || pattern.text === "") return [];
  const field = event === "bash" ? "command" : "new_text";
  return [testOf({ field, operator: "regex_match", pattern: pattern.text }, pattern.line, event)];
}

function testOf(
  written: { readonly field: string; readonly operator: string; readonly pattern: string },
  line: number,
  event: string,
): ReadTest {
  const refused = (message: Sentence): ReadTest => ({ read: null, fault: { line, message } });
  const field = ownValue(fieldNames, written.field);
  const operator = textOperators.find((each) => each === written.operator);
  if (field === undefined)
    return refused(
      sentence(
        "the field {0} is not known to guard rules; {1} are",
        cleanText(written.field),
        Object.keys(fieldNames).join(", "),
      ),
    );
  if (operator === undefined)
    return refused(sentence("there is no operator {0}", cleanText(written.operator)));
  if ((event === "bash") !== (field === "command") && event !== "all")
    return refused(sentence("an event {0} has no field {1}", event, written.field));
  if (written.pattern.length > longestPattern)
    return refused(sentence("a pattern has at most {0} characters", longestPattern));
  if (operator !== "regex_match") return { read: { ...written, field, operator }, fault: null };
  // Python's end of a text has another name.
  const pattern = written.pattern.replaceAll(/(?<!\\)((?:\\\\)*)\\Z/gu, String.raw`$1\z`);
  const why = whyNoPattern(pattern);
  if (why !== null)
    return refused(
      sentence(
        "its pattern is Python's, and no linear regular expression (no lookaround, no backreference): {why}",
        { why: why },
      ),
    );
  return { read: { field, operator, pattern }, fault: null };
}

function messageOf({ body }: FrontMatter, name: string) {
  const lines = body.split("\n").map(cleanText);
  const text = lines.filter((line) => line !== "").join("\n");
  return {
    message: text.length > longestMessage ? `${text.slice(0, longestMessage)}… (${name})` : text,
    isEmpty: text === "",
  };
}

function idOf(name: string): string {
  const words = name
    .replace(/^hookify\.|\.local\.md$/gu, "")
    .toLowerCase()
    .split(/[^a-z0-9]+/u)
    .filter((word) => word !== "");
  return ["hookify", ...(words.length === 0 ? ["rule"] : words)].join("-").slice(0, longestName);
}
