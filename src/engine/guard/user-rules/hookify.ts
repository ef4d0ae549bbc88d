import { sentence, type Sentence } from "../../base/language.ts";
import { cleanText } from "../../base/text.ts";
import { whyNoPattern } from "../calls/patterns.ts";
import type { RuleAction } from "../calls/rule-action.ts";
import { ownValue } from "../own-value.ts";
import { tooLong, type GuardFault } from "./config.ts";
import { textOperators, type TextRule, type TextTest } from "./text-rule.ts";

/** A rule of hookify as a guard rule. */
interface ImportedFile {
  /** Null if the rule is disabled or has a fault. */
  readonly rule: TextRule | null;
  /** Reasons why it cannot be imported. */
  readonly faults: readonly GuardFault[];
}

const [maxFileLength, maxMessageLength, maxPatternLength, maxTests, maxNameLength] = [
  64_000, 1000, 2000, 20, 60,
];

const fieldNames: Readonly<Record<string, TextTest["field"]>> = {
  command: "command",
  file_path: "file",
  new_text: "text",
  new_string: "text",
  content: "text",
};

const actions: Readonly<Record<string, RuleAction>> = { warn: "advise", ask: "ask", block: "deny" };

/**
 * Reads a rule of Anthropic's hookify plugin, `.claude/hookify.NAME.local.md`. Its name keeps the file out of the repository, so
 * it is the user's and its `block` denies. Like hookify, the rule tests the call's text, including quoted text.
 * @param name the file's name without its folder
 */
export function readHookify(text: string, name: string): ImportedFile {
  if (text.length > maxFileLength) return faulty(1, tooLong(text.length, maxFileLength));
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
    action: ownValue(actions, head.fields.get("action")?.text ?? "warn") ?? ("advise" as const),
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
  const faults: GuardFault[] = [];
  if (["stop", "prompt"].includes(event))
    faults.push({ line, message: sentence("guard rules are about calls of tools, not about {0}", event) });
  else if (!["bash", "file", "all"].includes(event)) {
    const message = sentence("there is no event {0}; bash, file and all are imported", cleanText(event));
    faults.push({ line, message });
  }
  if (action !== undefined && !Object.hasOwn(actions, action.text)) {
    const message = sentence("there is no action {0}; warn, ask or block", cleanText(action.text));
    faults.push({ line: action.line, message });
  }
  if (matcher !== undefined && matcher.text !== "*") {
    const message = sentence("tool_matcher is not imported: the event says which tools");
    faults.push({ line: matcher.line, message });
  }
  return faults;
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
  if (tests.length > maxTests) faults.push({ line, message: sentence("more than {0} conditions", maxTests) });
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
  if (written.pattern.length > maxPatternLength)
    return refused(sentence("a pattern has at most {0} characters", maxPatternLength));
  if (operator !== "regex_match") return { read: { ...written, field, operator }, fault: null };
  // Python calls the end of a text `\Z`.
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
    message: text.length > maxMessageLength ? `${text.slice(0, maxMessageLength)}… (${name})` : text,
    isEmpty: text === "",
  };
}

function idOf(name: string): string {
  const words = name
    .replace(/^hookify\.|\.local\.md$/gu, "")
    .toLowerCase()
    .split(/[^a-z0-9]+/u)
    .filter((word) => word !== "");
  return ["hookify", ...(words.length === 0 ? ["rule"] : words)].join("-").slice(0, maxNameLength);
}

/** The fields of a file's head: texts, and lists of texts by name. */
interface FrontMatter {
  readonly fields: ReadonlyMap<string, HeadField>;
  /** The text after the head. */
  readonly body: string;
}

interface HeadField {
  /** Empty if entries follow. */
  readonly text: string;
  readonly entries: readonly HeadEntry[];
  /** Begins with 1. */
  readonly line: number;
}

interface HeadEntry {
  readonly values: ReadonlyMap<string, string>;
  readonly line: number;
}

interface OpenField {
  readonly text: string;
  readonly line: number;
  readonly entries: { readonly values: Map<string, string>; readonly line: number }[];
}

/**
 * Reads the head of a hookify file. It looks like YAML, but a value is the rest of its line without surrounding quotes, so that
 * patterns need no escapes. Null without a head.
 */
function readFrontMatter(text: string): FrontMatter | null {
  const lines = text.replace(/^\uFEFF/u, "").split(/\r?\n/u);
  if (lines[0]?.trim() !== "---") return null;
  const end = lines.indexOf("---", 1);
  if (end === -1) return null;
  const fields = new Map<string, OpenField>();
  let open: OpenField | undefined;
  for (const [index, line] of lines.slice(0, end).entries()) {
    const content = line.trim();
    if (index === 0 || content === "" || content.startsWith("#")) continue;
    const number = index + 1;
    if (content.startsWith("-")) {
      open?.entries.push({ values: new Map(entryPairs(content.slice(1).trim())), line: number });
      continue;
    }
    const pair = pairOf(content);
    if (pair === null) continue;
    if (/^\s/u.test(line)) open?.entries.at(-1)?.values.set(...pair);
    else {
      open = { text: pair[1], line: number, entries: [] };
      fields.set(pair[0], open);
    }
  }
  const body = lines
    .slice(end + 1)
    .join("\n")
    .trim();
  return { fields, body };
}

type Pair = [name: string, value: string];

/** An entry may have all its values on its first line. */
function entryPairs(text: string): Pair[] {
  const parts = /^\w+:[^,]*,\s*\w+:/u.test(text) ? text.split(",") : [text];
  return parts.flatMap((part) => {
    const pair = pairOf(part);
    return pair === null ? [] : [pair];
  });
}

function pairOf(text: string): Pair | null {
  const colon = text.indexOf(":");
  if (colon === -1) return null;
  const value = text.slice(colon + 1).trim();
  return [text.slice(0, colon).trim(), value.replace(/^"+|(?<!")"+$/gu, "").replace(/^'+|(?<!')'+$/gu, "")];
}
