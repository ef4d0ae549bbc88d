import { decimalNumber } from "../../../base/local-format.ts";
import { plural, t } from "../../../base/language.ts";
import { dash } from "../../../base/format.ts";
import { cleanText, cutMiddle } from "../../../base/text.ts";
import { inWordsOf, type HistoryOutcome } from "../../../bench/golden.ts";
import { suiteHash } from "../../../bench/suite.ts";
import type { CliHost } from "../../cli-ports.ts";
import type { GoldenDone } from "./golden-actions.ts";
import type { GoldenJson } from "./golden-schema.ts";
import { styleFor } from "../../style.ts";
import { alignColumns, type Column } from "../../table.ts";
import { asLine } from "../../terminal-text.ts";

export function printGolden(act: GoldenJson["act"], done: GoldenDone, host: CliHost): void {
  if (act === "list") {
    printList(done, host);
    printDrafts(done, host);
  } else if (act === "check") printAudits(done, host);
  else if (act === "install" || act === "uninstall") {
    for (const file of done.files)
      host.stdout.write(
        `${act === "install" ? t("Wrote {0}", cleanText(file)) : t("Removed {0}", cleanText(file))}\n`,
      );
    for (const each of done.remaining) host.stdout.write(`${asLine(each)}\n`);
    if (done.files.length === 0) host.stdout.write(`${t("Nothing was changed")}\n`);
  } else {
    if (act === "draft") printCommits(done, host);
    for (const file of done.files) host.stdout.write(`${t("Wrote {0}", cleanText(file))}\n`);
    if (done.remaining.length > 0) host.stdout.write(`${t("Next steps:")}\n`);
    for (const each of done.remaining) host.stdout.write(`- ${asLine(each)}\n`);
  }
}

const shownHash = 12; // hexadecimal digits

function printDrafts({ drafts }: GoldenDone, host: CliHost): void {
  if (drafts.length === 0) return;
  host.stdout.write(`${styleFor(host).bold(t("Drafts"))}, ${t("not used until finished")}\n`);
  for (const { file, agent, title, remaining } of drafts) {
    host.stdout.write(`${cleanText(`${title} (${agent}): ${file}`)}\n`);
    for (const each of remaining) host.stdout.write(`- ${asLine(each)}\n`);
  }
}

function printList({ suite }: GoldenDone, host: CliHost): void {
  if (suite === null) return;
  const style = styleFor(host);
  host.stdout.write(
    `${cleanText(suite.folder)}: ${agentsCounted(suite.agents.length)}, ${tasksCounted(suite.tasks.length)}\n`,
  );
  const { fixture } = suite;
  if (fixture !== null) {
    const [hash, folder] = [fixture.hash.slice(0, shownHash), cleanText(fixture.folder)];
    host.stdout.write(
      `${plural(
        fixture.files,
        t("Fixture {0}: 1 file in {1}", hash, folder),
        t("Fixture {0}: {1} files in {2}", hash, fixture.files, folder),
      )}\n`,
    );
  }
  const atCommits = suite.tasks.filter((task) => task.fixture !== null).length;
  if (atCommits > 0)
    host.stdout.write(
      `${plural(atCommits, t("1 task begins at its own commit"), t("{0} tasks begin at their own commits", atCommits))}\n`,
    );
  host.stdout.write("\n");
  const columns: readonly Column[] = [
    { title: t("Task") },
    { title: t("Weight"), isFigure: true },
    { title: t("Hash"), dropped: 1 },
    { title: t("Title"), fit: "end", minWidth: 24 },
  ];
  for (const { name } of suite.agents) {
    const rows = suite.tasks
      .filter(({ agent }) => agent === name)
      .map((task) => [task.id, String(task.weight), task.hash.slice(0, shownHash), cleanText(task.title)]);
    host.stdout.write(`${style.bold(name)}, ${t("suite {0}", suiteHash(suite, name).slice(0, shownHash))}\n`);
    host.stdout.write(
      rows.length === 0 ? `${t("No tasks.")}\n\n` : `${alignColumns(columns, rows, style)}\n`,
    );
  }
}

function printAudits({ audits }: GoldenDone, host: CliHost): void {
  const columns: readonly Column[] = [
    { title: t("Task"), fit: "middle" },
    { title: t("Untouched") },
    { title: t("Solution") },
    { title: t("Wrong solutions") },
    { title: t("Longest"), isFigure: true },
  ];
  const rows = audits.map(({ taskId, trials }) => {
    const outcome = (name: (each: string) => boolean) =>
      trials.filter((trial) => name(trial.with)).map((trial) => trial.outcome);
    const isWrong = (name: string) => name !== "pristine" && !name.includes(".solution.");
    const wrong = outcome(isWrong);
    return [
      taskId,
      outcome((name) => name === "pristine").join() || dash,
      outcome((name) => name !== "pristine" && !isWrong(name)).join() || dash,
      t("{0} of {1} failed", wrong.filter((each) => each === "failed").length, wrong.length),
      t("{0} s", decimalNumber(Math.max(0, ...trials.map(({ durationMs }) => durationMs)) / 1000, 1)),
    ];
  });
  host.stdout.write(alignColumns(columns, rows, styleFor(host)));
  const faults = audits.flatMap((audit) => audit.faults);
  for (const { detail } of faults) host.stdout.write(`${asLine(detail)}\n`);
  const trials = audits.reduce((sum, audit) => sum + audit.trials.length, 0);
  const tasks = tasksCounted(audits.length);
  host.stdout.write(
    faults.length === 0
      ? `${t("{0}: all checks work, tested in {1} runs", tasks, trials)}\n`
      : `${t("{0}: {1} problems found", tasks, faults.length)}\n`,
  );
}

function agentsCounted(count: number): string {
  return plural(count, t("1 agent"), t("{0} agents", count));
}

function tasksCounted(count: number): string {
  return plural(count, t("1 task"), t("{0} tasks", count));
}

/** Names each commit whose tests were run, and counts the others by reason. */
function printCommits({ commits }: GoldenDone, host: CliHost): void {
  const counts = new Map<HistoryOutcome["reason"], number>();
  for (const { commit, subject, reason, output } of commits) {
    if (reason === "task") continue;
    if (output === null) {
      counts.set(reason, (counts.get(reason) ?? 0) + 1);
      continue;
    }
    const name = cutMiddle(cleanText(subject), maxSubjectLength);
    host.stdout.write(`${commit.slice(0, shownHash)} ${name}: ${asLine(inWordsOf(reason))}\n`);
  }
  for (const [reason, count] of [...counts].sort(([, one], [, other]) => other - one))
    host.stdout.write(
      `${plural(count, t("1 commit"), t("{0} commits", count))}: ${asLine(inWordsOf(reason))}\n`,
    );
}

const maxSubjectLength = 60;
