import { cleanText, cutMiddle } from "../../../base/text.ts";

export interface PromptSource {
  readonly message: string;
  /** The issue's own text; null if it is not at hand. */
  readonly issue: string | null;
  /** The commit's patches in git's format: of the tests, and of the work. */
  readonly tests: string;
  readonly work: string;
}

export interface TaskPrompt {
  readonly title: string;
  readonly prompt: string;
}

const maxPromptLength = 3500;
const maxIssueLength = 1500;
const maxTitles = 12;
const maxNames = 12;
const minWords = 3;
/** A shorter line of code may be in any text. Characters. */
const minCodeLength = 10;

/**
 * Writes a task's prompt from its issue and commit, in the words of the project. It leaves out what gives the work away:
 * lines of the solution, trailers, and references that lead to it. Names that the tests need and the project does not
 * have yet are named, since nobody could guess them. Null if too little is left to know what is asked.
 */
export function promptOf({ message, issue, tests, work }: PromptSource): TaskPrompt | null {
  const solution = addedLines(work)
    .map((line) => line.trim())
    .filter((line) => line.length >= minCodeLength);
  const [first = "", ...rest] = withoutTrailers(message).split("\n");
  const subject = subjectOf(first);
  const titles = shownTitles(tests);
  if (subject.split(/\s+/u).length < minWords && titles.length === 0) return null;
  const names = newNames(tests, work);
  const parts = [
    `${subject}${/[.!?]$/u.test(subject) ? "" : "."}`,
    withoutSolution(rest.join("\n"), solution),
    issue === null ? "" : withoutSolution(issue, solution).slice(0, maxIssueLength),
    titles.length === 0
      ? ""
      : `The project's tests will check this, among others:\n${titles.map((title) => `- ${title}`).join("\n")}`,
    names.length === 0 ? "" : `Names that the tests use: ${names.map((name) => `\`${name}\``).join(", ")}.`,
    "Do all of it in this project. What its tests check today stays as it is.",
  ];
  const prompt = parts
    .map((part) => seenOnly(part).trim())
    .filter((part) => part !== "")
    .join("\n\n");
  const safe = prompt.startsWith("-") ? `Task: ${prompt}` : prompt;
  return {
    title: cutMiddle(cleanText(subject), 80) || "A commit",
    // The cut may split a surrogate pair.
    prompt: seenOnly(safe.slice(0, maxPromptLength)).trim(),
  };
}

/** `fix(parser)!: accept tabs (#12)` → `Accept tabs`. */
function subjectOf(line: string): string {
  const plain = line
    .replace(/^\s*(?:\[[^\]]{1,40}\]\s*)?(?:[a-z]{2,12}(?:\([^)]{1,60}\))?!?:\s+)?/u, "")
    .replace(/^:[a-z_]+:\s*/u, "");
  const clean = cleanText(withoutReferences(plain));
  return clean.charAt(0).toUpperCase() + clean.slice(1);
}

function withoutReferences(text: string): string {
  return text
    .replaceAll(/\b(?:close[sd]?|fix(?:es|ed)?|resolve[sd]?|refs?|see):? (?=[\w./-]{0,80}#\d)/giu, "")
    .replaceAll(/\(?(?:[\w.-]{1,40}\/[\w.-]{1,40})?#\d{1,9}\)?/gu, "")
    .replaceAll(/https?:\/\/\S+/gu, "")
    .replaceAll(/\b[0-9a-f]{7,40}\b/gu, (word) => (/\d/u.test(word) && /[a-f]/u.test(word) ? "" : word))
    .replaceAll(/[ \t]{2,}/gu, " ")
    .trimEnd();
}

function withoutTrailers(message: string): string {
  return message
    .split("\n")
    .filter(
      (line) =>
        !/^\s*(?:[A-Z][a-z]+(?:-[A-Za-z]+)+: |git-svn-id:|cherry picked from|\(cherry picked)/u.test(line),
    )
    .join("\n");
}

/** Leaves out blocks and lines of code that the solution has. */
function withoutSolution(text: string, solution: readonly string[]): string {
  const plain = withoutReferences(
    text.replaceAll(/```[\s\S]*?```/gu, (block) =>
      solution.some((line) => block.includes(line)) ? "" : block,
    ),
  );
  return plain
    .split("\n")
    .filter(
      (line) =>
        !/^[+-]{1}[^+\- ]/u.test(line) &&
        !solution.some((each) => line.includes(each)) &&
        !hasCode(line, solution),
    )
    .join("\n")
    .replaceAll(/\n{3,}/gu, "\n\n");
}

/** Whether a text quotes a call or an access, such as `text.trim()`, that the solution adds. */
function hasCode(line: string, solution: readonly string[]): boolean {
  const pieces = line.match(/[\w$]{1,60}(?:\.[\w$]{1,60}){1,5}\(?|`[^`]{6,200}`/gu) ?? [];
  return pieces.some((piece) => solution.some((each) => each.includes(piece.replaceAll("`", ""))));
}

function addedLines(patch: string): string[] {
  return patch
    .split("\n")
    .filter((line) => line.startsWith("+") && !line.startsWith("+++ "))
    .map((line) => line.slice(1));
}

const titleForms = [
  /^\s*(?:await\s+)?(?:\w+\.)?(?:it|test|describe|specify|scenario)(?:\.\w+)*\(\s*(["'`])((?:(?!\1).){4,160})\1/u,
  /^\s*(?:async\s+)?def\s+()(test_\w{3,120})\s*\(/u,
  /^\s*func\s+()(Test\w{2,120})\s*\(/u,
  /^\s*fn\s+()(\w{4,120})\s*\(\)\s*\{/u,
];

/** The titles of the tests that a patch adds, as their programs know them. */
export function testTitles(patch: string): string[] {
  const titles = addedLines(patch).flatMap(
    (line) => titleForms.map((form) => form.exec(line)?.[2]).find((each) => each !== undefined) ?? [],
  );
  return [...new Set(titles)];
}

function shownTitles(patch: string): string[] {
  return testTitles(patch)
    .map((title) => cleanText(title.startsWith("test_") ? title.replaceAll("_", " ") : title))
    .slice(0, maxTitles);
}

const wordForm = /[A-Za-z_$][\w$]{3,60}/gu;

/** Words of the new tests that the work adds, and that neither had before. */
function newNames(tests: string, work: string): string[] {
  const words = (lines: readonly string[]) => new Set(lines.flatMap((line) => line.match(wordForm) ?? []));
  const before = (patch: string) => patch.split("\n").filter((line) => /^[ -]/u.test(line));
  const old = words([...before(tests), ...before(work)]);
  const ofWork = words(addedLines(work));
  const isName = (word: string) =>
    /[a-z][A-Z]|_|\$/u.test(word) ||
    new RegExp(`\\.${word.replaceAll("$", "\\$")}\\b|\\b${word.replaceAll("$", "\\$")}\\(`, "u").test(tests);
  return [...words(addedLines(tests))]
    .filter((word) => ofWork.has(word) && !old.has(word) && isName(word))
    .slice(0, maxNames);
}

function seenOnly(text: string): string {
  return text.replaceAll(/[^\P{C}\n\t]|[\u2028\u2029]/gu, "");
}
