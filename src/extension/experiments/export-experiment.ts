import { printedJson } from "../../engine/base/text.ts";
import { inWords } from "../../engine/base/language.ts";
import type { ComparisonView } from "../../engine/jobs/compare-answers.ts";
import type { JobView } from "../../engine/jobs/bench-answers.ts";
import { dash, dollars, wholeNumber } from "../../engine/base/format.ts";
import type { ExportFormat } from "../../webview/experiments/experiments-protocol.ts";
import { inMarkdown } from "../editor/outside-text.ts";

/** A finished experiment as a file. */
export interface ExperimentFile {
  /** The file name proposed to the user. */
  readonly name: string;
  readonly format: ExportFormat;
  readonly text: string;
}

/** A sentence that contains names is longer than a name. Characters. */
const [maxSentenceLength, maxNameLength] = [1000, 200];

/**
 * A benchmark with its runs, or a comparison's result; undefined before there is one. Of several changes, those that are settled.
 */
export function exportedFile(view: JobView, format: ExportFormat): ExperimentFile | undefined {
  const { id, ask, comparison } = view;
  if (ask.kind !== "compare")
    return { name: `${id}.json`, format: "json", text: `${printedJson({ schema: 1, ...view }, 2)}\n` };
  if (comparison === undefined) return undefined;
  const results = (comparison.arms ?? [comparison]).flatMap(({ title, result }) =>
    result === null ? [] : [{ title, result }],
  );
  if (results.length === 0) return undefined;
  return format === "markdown"
    ? {
        name: `${id}.md`,
        format,
        text: results.map(({ title, result }) => comparisonText(inWords(title), result)).join("\n"),
      }
    : { name: `${id}.json`, format, text: `${printedJson(facts(view, comparison), 2)}\n` };
}

/** The verdict, both sides, and the receipt with everything it is based on. */
function comparisonText(title: string, result: ComparisonView): string {
  const { sentence, sides, receipt } = result;
  return [
    `# ${inMarkdown(title, maxNameLength)}`,
    "",
    inMarkdown(inWords(sentence), maxSentenceLength),
    "",
    "| Side | Tokens a run | Cache read | Passed | Turns | Seconds (advisory) | Cost (USD) |",
    "| :--- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ...sides.map(sideRow),
    "",
    // The receipt's headings move down one level.
    receipt.markdown.replace(/^(?=#+ )/gmu, "#"),
  ].join("\n");
}

function sideRow({ label, passed, figures }: ComparisonView["sides"][number]): string {
  const usd = figures?.usd ?? null;
  const cells = [
    inMarkdown(inWords(label), maxNameLength),
    figures === null ? dash : wholeNumber(figures.processingTokens),
    figures === null ? dash : wholeNumber(figures.cacheRead),
    `${passed.passed} of ${passed.runs}`,
    figures === null ? dash : figures.turns.toFixed(1),
    figures === null ? dash : figures.seconds.toFixed(0),
    usd === null ? dash : dollars(usd).replace("$", ""),
  ];
  return `| ${cells.join(" | ")} |`;
}

/** Omits the texts of the compared files: they are the user's, and may be long. */
function facts(
  { id, ask, runs, spent }: JobView,
  { looks, result, title, arms }: NonNullable<JobView["comparison"]>,
) {
  const { agent, driver, model, effort } =
    ask.kind === "compare" ? ask : { agent: null, driver: ask.driver, model: ask.model, effort: ask.effort };
  return { schema: 1, id, title, agent, driver, model, effort, spent, result, looks, arms, runs };
}
