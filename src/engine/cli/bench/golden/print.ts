import { dash } from "../../../base/text/format.ts";
import { cleanText } from "../../../base/text/text.ts";
import { suiteHash } from "../../../bench/suite/suite.ts";
import type { CliHost } from "../../ports.ts";
import type { GoldenDone } from "./actions.ts";
import type { GoldenJson } from "./schema.ts";
import { styleFor } from "../../style.ts";
import { alignColumns, type Column } from "../../table.ts";

/** Prints the result of a subcommand for a person. */
export function printGolden(act: GoldenJson["act"], done: GoldenDone, host: CliHost): void {
  if (act === "list") {
    printList(done, host);
    printDrafts(done, host);
  } else if (act === "check") printAudits(done, host);
  else if (act === "install" || act === "uninstall") {
    const did = act === "install" ? "Wrote" : "Removed";
    for (const file of done.files) host.stdout.write(`${did} ${cleanText(file)}\n`);
    for (const each of done.remaining) host.stdout.write(`${cleanText(each)}\n`);
    if (done.files.length === 0) host.stdout.write("Nothing was changed\n");
  } else {
    for (const file of done.files) host.stdout.write(`Wrote ${cleanText(file)}\n`);
    if (done.remaining.length > 0) host.stdout.write("Next steps:\n");
    for (const each of done.remaining) host.stdout.write(`- ${cleanText(each)}\n`);
  }
}

const shownHash = 12; // hexadecimal digits

function printDrafts({ drafts }: GoldenDone, host: CliHost): void {
  if (drafts.length === 0) return;
  host.stdout.write(`${styleFor(host).bold("Drafts")}, not used until finished\n`);
  for (const { file, agent, title, remaining } of drafts) {
    host.stdout.write(`${cleanText(`${title} (${agent}): ${file}`)}\n`);
    for (const each of remaining) host.stdout.write(`- ${cleanText(each)}\n`);
  }
}

function printList({ suite }: GoldenDone, host: CliHost): void {
  if (suite === null) return;
  const style = styleFor(host);
  const { files, hash, folder } = suite.fixture;
  host.stdout.write(
    `${cleanText(suite.folder)}: ${counted(suite.agents.length, "agent")}, ${counted(suite.tasks.length, "task")}\n`,
  );
  host.stdout.write(
    `Fixture ${hash.slice(0, shownHash)}: ${counted(files, "file")} in ${cleanText(folder)}\n\n`,
  );
  const columns: readonly Column[] = [
    { title: "Task" },
    { title: "Weight", isFigure: true },
    { title: "Hash", dropped: 1 },
    { title: "Title", fit: "end", least: 24 },
  ];
  for (const { name } of suite.agents) {
    const rows = suite.tasks
      .filter(({ agent }) => agent === name)
      .map((task) => [task.id, String(task.weight), task.hash.slice(0, shownHash), cleanText(task.title)]);
    host.stdout.write(`${style.bold(name)}, suite ${suiteHash(suite, name).slice(0, shownHash)}\n`);
    host.stdout.write(rows.length === 0 ? "No tasks.\n\n" : `${alignColumns(columns, rows, style)}\n`);
  }
}

function printAudits({ audits }: GoldenDone, host: CliHost): void {
  const columns: readonly Column[] = [
    { title: "Task", fit: "middle" },
    { title: "Untouched" },
    { title: "Solution" },
    { title: "Wrong solutions" },
    { title: "Longest", isFigure: true },
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
      `${wrong.filter((each) => each === "failed").length} of ${wrong.length} failed`,
      `${(Math.max(0, ...trials.map(({ durationMs }) => durationMs)) / 1000).toFixed(1)} s`,
    ];
  });
  host.stdout.write(alignColumns(columns, rows, styleFor(host)));
  const faults = audits.flatMap((audit) => audit.faults);
  for (const { detail } of faults) host.stdout.write(`${cleanText(detail)}\n`);
  const trials = audits.reduce((sum, audit) => sum + audit.trials.length, 0);
  const tasks = counted(audits.length, "task");
  host.stdout.write(
    faults.length === 0
      ? `${tasks}: all checks work, tested in ${trials} runs\n`
      : `${tasks}: ${faults.length} problems found\n`,
  );
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
