import { lineText, type LineRole } from "../markdown-section.ts";
import { partOfLine, wholeLines, type LintFinding } from "./found-text.ts";
import { sentence, type Sentence, compose } from "../../base/language.ts";

/** A line of a Markdown file, without its ending, and its role. */
export interface RoledLine {
  readonly text: string;
  readonly role: LineRole;
}

const month =
  "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|januar|februar|märz|mai|juni|juli|oktober|dezember)\\.?";
const date = `(?:\\d{4}[-/]\\d{1,2}[-/]\\d{1,2}|\\d{1,2}[./]\\d{1,2}[./]\\d{2,4}|${month} \\d{1,2}(?:st|nd|rd|th)?,? \\d{4}|\\d{1,2}\\.? ${month},? \\d{4})`;
const weekday =
  "(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|sonnabend),? (?:the |der |den )?";
const stamped =
  "last[ -](?:updated?|modified|changed|reviewed|edited|generated|synced|checked|verified)|(?:updated|modified|reviewed|generated|synced|exported)(?: (?:on|at))?|status as of|today(?:['’]s date)?(?: is)?|it is now|the date is|current (?:date|time)(?: is)?|" +
  "zuletzt (?:aktualisiert|geändert|bearbeitet|geprüft|überprüft)(?: am)?|(?:aktualisiert|geprüft) am|heute ist(?: der)?|heutiges datum(?: ist(?: der)?)?|aktuelles datum";
/**
 * A date that marks when the text was true, and is changed again and again. Other dates are history, which
 * stays unchanged.
 */
const stamp = new RegExp(
  `(?:\\b(?:${stamped})|^\\W{0,4}(?:date|as of|datum|stand(?: vom)?))\\b[\\s:*_()]{1,8}(?:by [^:]{1,40}: ?)?\`?(?:${weekday})?${date}`,
  "iu",
);
/** The same in Japanese and Chinese, which put no spaces between words. */
const japaneseStamp =
  /(?:最終更新日?|更新日|本日|今日|現在の日付|今天|当前日期)(?:は|是|[:：])?\s?(?:\d{4}年\d{1,2}月\d{1,2}日|\d{4}[-/]\d{1,2}[-/]\d{1,2})/u;

const units =
  "(?:unit |integration |e2e )?(?:tests?|test cases|specs|files|commits|lines(?: of code)?|loc|modules|packages|endpoints|routes|tables|migrations|components|issues|pull requests|prs|users|contributors|stars|downloads)";
const number = "~?\\d[\\d,.]*k?\\+?";
/** Counts of what a project grows by. */
const counters: readonly RegExp[] = [
  new RegExp(
    `\\b(?:currently|so far|at present|to date|right now)\\b[^.\\n]{0,40}?\\b${number} ${units}\\b`,
    "iu",
  ),
  new RegExp(
    `\\b(?:there are|we have|has|have|contains|consists of) (?:about |over |around |roughly )?~?(?:\\d{2,}|\\d{1,3}(?:,\\d{3})+|\\d+k)\\+? ${units}\\b`,
    "iu",
  ),
  /\b(?:build|revision|deploy(?:ment)?) #\d+/iu,
  /\b\d+ ?\/ ?\d+ (?:tests?|tasks?|items?|done|completed?|passing)\b/iu,
  /(?<![\w,])[1-9][\d,]* tests? (?:are |is |now )?(?:passing|passed|failing|failed|pass|fail)\b/iu,
  /\b(?!100 ?%)\d{1,2} ?% (?:done|migrated|converted)\b/iu,
  /\b(?:test )?coverage (?:is |of |at |: ?)(?:about |currently |~)?\d{1,3}(?:\.\d+)? ?%/iu,
];
/** Limits, conditions and examples name numbers that stay as they are. */
const steady =
  /\b(?:at least|at most|minimum|maximum|must|should|keep|require[sd]?|threshold|never|below|above|fewer|more than|less than|until|when|if|for example|e\.g|such as)\b/iu;

const gitStates: readonly RegExp[] = [
  /(?:\bHEAD(?: is)?(?: now)?(?: at)?|\b(?:as of|(?:now|currently|is|stands) at|latest|last|current) (?:commit|revision|sha))\W{1,4}(?:is )?`?(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}\b/iu,
  /^(?:# ?)?(?:On branch \S+|Your branch is |HEAD detached |Changes (?:not staged|to be committed)|Untracked files:)/u,
  /^\s*(?:modified|new file|deleted|renamed): {3,}\S/u,
  /^\W{0,6}(?:current|active|working) branch(?:\*\*)?(?: is `[\w./-]+`|:(?:\*\*)? ?`?[\w./-]+`?$)/iu,
  /\b(?:ahead of|behind) '?origin\//u,
];

interface Changing {
  readonly kind: "date" | "counter" | "git-state";
  readonly patterns: readonly RegExp[];
  readonly isCode: boolean;
  readonly message: (found: string) => Sentence;
  readonly remedy: Sentence;
}

const cached = sentence(
  "With each change, the provider reads everything behind it again instead of from its cache.",
);

const changing: readonly Changing[] = [
  {
    kind: "date",
    patterns: [stamp, japaneseStamp],
    isCode: false,
    message: (found) => compose`${sentence("“{0}” changes with every edit.", found)} ${cached}`,
    remedy: sentence("Remove the date: git knows when the file was changed."),
  },
  {
    kind: "counter",
    patterns: counters,
    isCode: false,
    message: (found) => compose`${sentence("“{0}” is a count that is soon wrong.", found)} ${cached}`,
    remedy: sentence("Remove the number, or say how to count."),
  },
  {
    kind: "git-state",
    patterns: gitStates,
    isCode: true,
    message: (found) =>
      compose`${sentence("“{0}” is a state of git, which the agent can ask for.", found)} ${cached}`,
    remedy: sentence("Remove it: the agent runs git itself when it matters."),
  },
];

/** Finds dates, counts and states of git that change while the instructions stay the same: one of each kind a line. */
export function changingTexts(lines: readonly RoledLine[]): LintFinding[] {
  return lines.flatMap(({ text, role }, line) =>
    changing.flatMap(({ kind, patterns, isCode, message, remedy }) => {
      if (role !== "text" && role !== "heading" && !(isCode && role === "code")) return [];
      if (kind === "counter" && steady.test(text)) return [];
      const found = patterns.map((pattern) => pattern.exec(text)).find((match) => match !== null);
      if (found === undefined) return [];
      const [words] = found;
      const isAlone = lineWords(text) - lineWords(words) <= maxOther;
      return [
        {
          kind,
          span: partOfLine(line, found.index, words.length),
          message: message(words.trim()),
          remedy,
          text: isAlone ? text : words,
          fix: isAlone
            ? { title: sentence("Remove This Line"), span: wholeLines(line, line + 1), text: "" }
            : null,
        },
      ];
    }),
  );
}

/** A line with at most this many other words is removed with the finding. */
const maxOther = 2;

function lineWords(text: string): number {
  return text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
}

/** Returns the lines with their roles. @param lines as from `linesOf` */
export function roledLines(lines: readonly string[], roles: readonly LineRole[]): RoledLine[] {
  return lines.map((line, index) => ({ text: lineText(line), role: roles[index] ?? "text" }));
}
