import { wholeNumber } from "../../base/format.ts";
import type { Action, Trajectory } from "./trajectory.ts";
import { sentence, type Sentence } from "../../base/language.ts";

/** Shorter output is not worth a rule. Characters. */
const longOutput = 8000;
/** Maximum words to search for, spread over the output. */
const maxWords = 300;
const word = /[\p{L}_$][\p{L}\p{N}_$-]{6,60}/gu;
const maxFound = 3;

/**
 * Finds long output with no distinctive word in the model's later texts and calls. Such output was not needed
 * at that length; it may still have been informative.
 */
function findUnused({ actions, texts }: Trajectory): Finding[] {
  const found: Finding[] = [];
  for (const action of actions) {
    const { result } = action;
    if (result === null || result.isError || result.chars < longOutput) continue;
    const before = texts
      .filter(({ line }) => line <= action.line)
      .map(({ text }) => text)
      .join("\n");
    const after = texts
      .filter(({ line }) => line > action.line)
      .map(({ text }) => text)
      .join("\n");
    const own = spread([...new Set(result.text.match(word) ?? [])].filter((each) => !before.includes(each)));
    // The last output is for the person. Output without distinctive words proves nothing.
    if (after === "" || own.length < 20 || own.some((each) => after.includes(each))) continue;
    found.push({
      kind: "unused-output",
      what: sentence(
        "{0} characters of {1}, of which nothing came back later",
        wholeNumber(result.chars),
        action.target || action.tool,
      ),
      advice: "Ask long output only for what you need: head, tail or a pattern, or the lines of a file.",
      characters: result.chars,
      turns: [{ line: action.line, what: `${action.tool} ${action.target}`.trim() }],
    });
  }
  return found.toSorted((one, other) => other.characters - one.characters).slice(0, maxFound);
}

function spread(words: readonly string[]): readonly string[] {
  const step = Math.max(1, Math.ceil(words.length / maxWords));
  return words.filter((_, index) => index % step === 0);
}

/** Thresholds: how often something must happen, and how large its result must be, to be reported. */
const [minRepeats, minFailures, longNavigation] = [2, 2, 12];
const minOutputLength = 2000; // characters
const maxTurns = 8;

export function findWaste(trajectory: Trajectory): Finding[] {
  const { actions } = trajectory;
  return [
    ...repeats(actions, "read", (times, target, chars) => ({
      kind: "file-reread",
      what: sentence(
        "{0} was read {1} times without having changed: {2} characters again",
        target,
        times,
        wholeNumber(chars),
      ),
      advice: "Read a file once and work from what you saw; after an edit read only the changed lines again.",
    })),
    ...repeats(actions, "search", (times, target, chars) => ({
      kind: "repeated-search",
      what: sentence(
        "The search for {0} was made {1} times: {2} characters again",
        target,
        times,
        wholeNumber(chars),
      ),
      advice: "Search once with one pattern for all names you need, and keep what the search told you.",
    })),
    ...failures(actions),
    ...findUnused(trajectory),
    ...navigation(actions),
  ].toSorted((one, other) => other.characters - one.characters);
}

type Words = Pick<Finding, "kind" | "what" | "advice">;

function repeats(
  actions: readonly Action[],
  kind: "read" | "search",
  describe: (times: number, target: string, characters: number) => Words,
): Finding[] {
  const open = new Map<string, Action[]>();
  const closed: Action[][] = [];
  const close = (isClosed: (group: readonly Action[]) => boolean) => {
    for (const [key, group] of open)
      if (isClosed(group)) {
        closed.push(group);
        open.delete(key);
      }
  };
  for (const action of actions) {
    if (action.kind === "edit") close((group) => kind === "search" || group[0]?.file === action.file);
    // A command may change anything.
    else if (action.kind === "command" && mayWrite(action.target)) close(() => true);
    else if (action.kind === kind && action.result?.isError === false) {
      const group = open.get(action.key);
      if (group === undefined) open.set(action.key, [action]);
      else group.push(action);
    }
  }
  close(() => true);
  return closed.flatMap((group) => {
    const again = group.slice(1);
    const characters = again.reduce((sum, { result }) => sum + (result?.chars ?? 0), 0);
    const [first] = group;
    if (first === undefined || again.length === 0) return [];
    if (again.length < minRepeats && characters < minOutputLength) return [];
    return [
      {
        ...describe(group.length, first.target, characters),
        characters,
        turns: group.map(turnOf).slice(0, maxTurns),
      },
    ];
  });
}

/** Finds commands that failed again in the same way, with no edit in between. */
function failures(actions: readonly Action[]): Finding[] {
  const open = new Map<string, Action[]>();
  const closed: Action[][] = [];
  for (const action of actions) {
    if (action.kind === "edit") {
      closed.push(...open.values());
      open.clear();
    } else if (action.kind === "command" && action.result?.isError === true) {
      const key = `${action.key}\u0001${action.result.text.slice(0, 200)}`;
      const group = open.get(key);
      if (group === undefined) open.set(key, [action]);
      else group.push(action);
    }
  }
  return [...closed, ...open.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined || group.length < minFailures) return [];
    const characters = group.slice(1).reduce((sum, { result }) => sum + (result?.chars ?? 0), 0);
    return [
      {
        kind: "repeated-failure",
        what: sentence(
          "{0} failed {1} times in the same way, with nothing changed in between",
          first.target,
          group.length,
        ),
        advice: "When a command fails, read its error and change something before you run it again.",
        characters,
        turns: group.map(turnOf).slice(0, maxTurns),
      },
    ];
  });
}

function navigation(actions: readonly Action[]): Finding[] {
  const firstEdit = actions.findIndex(({ kind }) => kind === "edit");
  const before = (firstEdit < 0 ? [] : actions.slice(0, firstEdit)).filter(({ kind }) =>
    ["read", "search", "list"].includes(kind),
  );
  if (before.length < longNavigation) return [];
  const characters = before.reduce((sum, { result }) => sum + (result?.chars ?? 0), 0);
  return [
    {
      kind: "long-navigation",
      what: sentence(
        "{0} reads and searches before the first edit: {1} characters",
        before.length,
        wholeNumber(characters),
      ),
      advice: "Find the place to edit with one search for its names before you open files one after another.",
      characters,
      turns: before.map(turnOf).slice(0, maxTurns),
    },
  ];
}

/** Commands that only read. Any other command is assumed to write. */
const readsOnly =
  /^(?:cat|head|tail|ls|find|grep|rg|wc|pwd|git (?:log|show|diff|status|blame)|sed -n|npm (?:test|run (?:test|lint|check))|npx tsc|node --test|pytest|cargo (?:test|check))\b/u;

function mayWrite(command: string): boolean {
  if (!readsOnly.test(command) || /(?:^|[^2&])>|\btee\b/u.test(command)) return true;
  return /-i\b/u.test(command) && /\bsed\b/u.test(command);
}

function turnOf({ line, tool, target }: Action): ShownTurn {
  return { line, what: `${tool} ${target}`.trim() };
}

type FindingKind =
  "file-reread" | "repeated-search" | "repeated-failure" | "unused-output" | "long-navigation";

interface ShownTurn {
  /** Line of the transcript, counted from 1. */
  readonly line: number;
  readonly what: string;
}

export interface Finding {
  readonly kind: FindingKind;
  readonly what: Sentence;
  /** Characters that came into the context needlessly, as far as the transcript shows. */
  readonly characters: number;
  readonly turns: readonly ShownTurn[];
  /** Advice that would have avoided it. */
  readonly advice: string;
}
