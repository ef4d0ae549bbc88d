import { dash, dollars, wholeNumber } from "../../engine/base/text/format.ts";
import type { JobView } from "../../engine/jobs/answers/bench.ts";
import type { ComparisonView } from "../../engine/jobs/answers/compare.ts";
import type { ExportFormat } from "../../webview/compare/protocol.ts";
import { inMarkdown } from "../editor/outside-text.ts";

export interface ComparisonFile {
  /** The file name proposed to the user. */
  readonly name: string;
  readonly format: ExportFormat;
  readonly text: string;
}

/** A sentence that contains names is longer than a name. Characters. */
const [longestSentence, longestName] = [1000, 200];

/** A comparison's result as a file; undefined before there is one. Of several changes, those that are settled. */
export function exportComparison(view: JobView, format: ExportFormat): ComparisonFile | undefined {
  const { id, comparison } = view;
  if (comparison === undefined) return undefined;
  const results = (comparison.arms ?? [comparison]).flatMap(({ title, result }) =>
    result === null ? [] : [{ title, result }],
  );
  if (results.length === 0) return undefined;
  return format === "markdown"
    ? {
        name: `${id}.md`,
        format,
        text: results.map(({ title, result }) => comparisonText(title, result)).join("\n"),
      }
    : { name: `${id}.json`, format, text: `${JSON.stringify(facts(view, comparison), null, 2)}\n` };
}

/** The verdict, both sides, and the receipt with everything it is based on. */
function comparisonText(title: string, result: ComparisonView): string {
  const { sentence, sides, receipt } = result;
  return [
    `# ${inMarkdown(title, longestName)}`,
    "",
    inMarkdown(sentence, longestSentence),
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
    inMarkdown(label, longestName),
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
