import { sentence, plural, t } from "../../base/language.ts";
import { throughService, servicePorts } from "../service/service-access.ts";
import path from "node:path";
import * as z from "zod/mini";
import { cleanText } from "../../base/text.ts";
import { fail, type Result } from "../../base/result.ts";
import { type TaskName, taskNames, learnedItems, allTasks, readsFiles } from "../../continuity/learning.ts";
import { helpAtMost, helpsTooLittle } from "../../guard/delivery.ts";
import type { GuardAdvice } from "../../ledger/ledger-answers.ts";
import { sentTexts } from "../../ledger/learned.ts";
import { connectService } from "../../service/client.ts";
import type { Requester } from "../../jobs/all-requests.ts";
import { answer, type Invocation } from "../answer.ts";
import { folder, jsonOf, quoted, wrongUsage } from "../args.ts";
import { command } from "../command.ts";
import type { CommandInput } from "../declaration.ts";
import { readLedger } from "../ledger/ledger-access.ts";
import type { CliHost } from "../cli-ports.ts";
import { styleFor } from "../style.ts";
import { learnedText, statusText, type LearnJson } from "./print-learn.ts";

type AdviceView = NonNullable<LearnJson["told"]>[number];

export const learnCommand = command({
  name: "learn",
  title: "what past sessions of all agents teach about a project",
  terms: { TASK: taskNames.join(", ") },
  options: { project: folder("only what was learned about this project"), json: jsonOf("learn") },
  subcommands: {
    status: {
      does: "how much was read and learned, and what learning is waiting for",
      argument: {},
      takes: ["json"],
      run: status,
    },
    run: { words: "[TASK]", does: "run all tasks now, or one of them", argument: {}, takes: ["json"], run },
    show: {
      words: "[ID] [--project DIR]",
      does: "what was learned, with the sessions and prompts it is based on",
      argument: {},
      takes: ["project", "json"],
      run: show,
    },
    forget: {
      words: "ID",
      does: "never show or tell it again, whatever is learned later",
      argument: { isMissing: sentence("missing ID; purser learn show lists them") },
      takes: ["json"],
      run: forget,
    },
    wake: {
      words: "KIND",
      does: `tell agents again what fell silent because it did not help: ${sentTexts.join(", ")}`,
      argument: { isMissing: sentence("missing KIND: one of {0}", sentTexts.join(", ")) },
      takes: ["json"],
      run: wake,
    },
  },
  notes: `
Learning reads the agents' own transcripts, calls no model, and stores neither file contents nor anything that looks like a secret. The
service learns while no agent works, unless the setting learn is false. Learning alone tells agents nothing, and nothing that was learned
in one project is told in another.
`,
});

async function status({ options }: CommandInput, host: CliHost): Promise<Result<number>> {
  const read = await readLedger(host, async (ledger) => ({
    ids: await ledger.ask("learnCursors", null),
    counted: await ledger.ask("sentTexts", null),
    learned: learnedItems(await ledger.ask("learnedBook", null)),
  }));
  if (!read.ok) return read;
  const { ids, counted, learned } = read.value ?? { ids: [], counted: [], learned: [] };
  const tasks = allTasks.map((task): NonNullable<LearnJson["tasks"]>[number] => ({
    task: task.name,
    files: readsFiles(task)
      ? ids.filter((cursor) => cursor.tasks?.split(",").includes(task.name) === true).length
      : null,
    projects:
      task.conclude === undefined ? null : ids.filter(({ id }) => id.startsWith(`${task.name}@`)).length,
  }));
  const service = await connectService(servicePorts(host));
  let state: LearnJson["service"] = null;
  if (service.ok) {
    const reply = await service.value.ask("learnStatus", {});
    service.value.dispose();
    if (reply.ok) state = reply.value.status;
  }
  const context = { style: styleFor(host), now: host.now() };
  const told = counted.map(adviceView);
  const text = (json: LearnJson) => statusText(json, learned, context);
  return answer<LearnJson>({ schema: 1, service: state, tasks, told }, text, { options, host });
}

function adviceView({ rule, helped, failed }: GuardAdvice): AdviceView {
  const counts = { helped, failed };
  const kind = z.enum(sentTexts).parse(rule);
  return {
    kind,
    helped,
    ignored: failed,
    helpsAtMost: helpAtMost(counts),
    isSilent: helpsTooLittle(counts),
  };
}

async function wake({ options, first }: CommandInput, host: CliHost): Promise<Result<number>> {
  const kind = sentTexts.find((each) => each === first);
  if (kind === undefined)
    return wrongUsage(sentence("there is no kind {0}; one of {1}", quoted(first), sentTexts.join(", ")));
  return await throughService(host, async (service) => {
    const woken = await service.ask("guardWake", { rule: kind, at: host.now() });
    if (!woken.ok) return woken;
    const told = [adviceView({ rule: kind, helped: 0, failed: 0, wokenAt: host.now() })];
    return answer<LearnJson>(
      { schema: 1, told },
      () => `${t("Active again: {0}. Its earlier results no longer count.", kind)}\n`,
      {
        options,
        host,
      },
    );
  });
}

async function run({ options, first }: CommandInput, host: CliHost): Promise<Result<number>> {
  const task = taskNames.find((name) => name.toLowerCase() === first.toLowerCase()) ?? null;
  if (task === null && first !== "")
    return wrongUsage(sentence("there is no task {0}; one of {1}", quoted(first), taskNames.join(", ")));
  return await throughService(host, (service) => runTask(service, task, { options, host }));
}

async function runTask(service: Requester, task: TaskName | null, to: Invocation): Promise<Result<number>> {
  const done = await service.ask("learnRun", { task }, to.host.signal);
  if (!done.ok) return done;
  return answer<LearnJson>({ schema: 1, report: done.value }, describeReport, to);
}

function describeReport({ report }: LearnJson): string {
  const { files = 0, conclusions = 0 } = report ?? {};
  if (files === 0 && conclusions === 0) return `${t("Nothing new to learn.")}\n`;
  const read = plural(files, t("1 file read"), t("{0} files read", files));
  const drawn = plural(conclusions, t("1 conclusion updated"), t("{0} conclusions updated", conclusions));
  return `${t("{0}, {1}. purser learn show lists it.", read, drawn)}\n`;
}

async function show({ options, first }: CommandInput, host: CliHost): Promise<Result<number>> {
  const folder = options.value("project");
  const project = folder === undefined ? null : path.resolve(host.cwd, folder);
  const read = await readLedger(host, (ledger) => ledger.ask("learnedBook", project));
  if (!read.ok) return read;
  const book = read.value ?? { learned: [], deadEnds: [], workingSet: [], effectiveness: [] };
  const all = learnedItems(book).filter(({ state }) => state !== "forgotten");
  const learned = first === "" ? all : all.filter(({ id }) => id.startsWith(first));
  if (first !== "" && learned.length === 0)
    return fail(
      "unknown",
      sentence("nothing with the ID {0} was learned; purser learn show lists all", quoted(first)),
    );
  const files =
    first === ""
      ? book.workingSet.map(({ project: of, path: name, score, reads, edits, sessions }) => ({
          project: of,
          path: name,
          score,
          reads,
          edits,
          sessions,
        }))
      : [];
  return answer<LearnJson>({ schema: 1, learned, files }, (json) => learnedText(json, styleFor(host)), {
    options,
    host,
  });
}

async function forget({ options, first }: CommandInput, host: CliHost): Promise<Result<number>> {
  const read = await readLedger(host, (ledger) => ledger.ask("learnedBook", null));
  if (!read.ok) return read;
  const known = read.value === null ? [] : learnedItems(read.value);
  const [item, another] = known.filter(({ id }) => id.startsWith(first));
  if (item === undefined)
    return fail(
      "unknown",
      sentence("nothing with the ID {0} was learned; purser learn show lists all", quoted(first)),
    );
  if (another !== undefined) return fail("unknown", sentence("more than one begins with {0}", quoted(first)));
  return await throughService(host, async (service) => {
    const marked = await service.ask("learnMark", { id: item.id, state: "forgotten", text: null });
    if (!marked.ok) return marked;
    return answer<LearnJson>(
      { schema: 1, learned: [{ ...item, state: "forgotten" }] },
      () => `${t("Forgotten: {0}", cleanText(item.text))}\n`,
      { options, host },
    );
  });
}
