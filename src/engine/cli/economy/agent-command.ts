import { sentence, t } from "../../base/language.ts";
import { purserPaths, insideProject } from "../../base/paths.ts";
import { existsSync } from "node:fs";
import { cleanText } from "../../base/text.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import { handoverWords } from "../../continuity/handover.ts";
import {
  projectOf,
  definitionsFolder,
  definitionFile,
  readDefinition,
  isRecurringName,
  type FoundDefinition,
  readDefinitions,
  definitionText,
  writeDefinition,
  agree,
  type AgentOverview,
  readOverview,
  overviewPorts,
  wakerOf,
  wakeOf,
  turnLimitOf,
} from "../../recurring/agents.ts";
import { answer, humanOutput } from "../answer.ts";
import { choiceIn, flag, jsonOf, oneOf, option, wrongUsage } from "../args.ts";
import { command } from "../command.ts";
import type { CommandInput } from "../declaration.ts";
import { canAsk, confirmed, keepTerminalOpen } from "../confirm.ts";
import { folderTrust, settingsStore } from "../settings-access.ts";
import type { CliHost } from "../cli-ports.ts";
import { styleFor } from "../style.ts";
import { openAgent } from "./economy-access.ts";
import { listText, shownText } from "./agent-text.ts";
import type { AgentJson, ListedAgent } from "./economy-schema.ts";
import { asLine } from "../terminal-text.ts";

const missingName = sentence("missing NAME; purser agent list shows them");

export const agentCommand = keepTerminalOpen(
  command({
    name: "agent",
    title: "recurring agents of this project, which purser run wakes",
    terms: { NAME: "lower-case letters, digits and hyphens" },
    options: {
      program: oneOf(handoverWords, "P", handoverWords.join(", ")),
      model: option("M", "a model", "the model, by the program's own name for it"),
      yes: flag("do not ask"),
      json: jsonOf("agent"),
    },
    subcommands: {
      list: {
        does: "the project's agents, with their next wake and how the last one ended",
        takes: ["json"],
        run: list,
      },
      show: {
        words: "NAME",
        does: "one agent: its definition, sessions and last wakes",
        argument: { isMissing: missingName },
        takes: ["json"],
        run: show,
      },
      add: {
        words: "NAME --program P --model M [--yes]",
        does: "write .purser/agents/NAME.md for you to complete",
        argument: { isMissing: sentence("missing NAME") },
        takes: ["program", "model", "yes", "json"],
        run: add,
      },
      check: {
        does: "check every file of .purser/agents, with the lines of what is wrong",
        takes: ["json"],
        run: check,
      },
      agree: {
        words: "NAME [--yes]",
        does: "let wakes that nobody watches (purser run --due) run this agent as its file is now",
        argument: { isMissing: missingName },
        takes: ["yes", "json"],
        run: agreeTo,
      },
    },
    notes: `
An agent's file has a head (schema: media/schemas/agent-definition.schema.json) with its program, model, schedule, budget, skills and tools; the
text below it is what a new session is told once. It belongs into git. Whoever changes it has to be agreed with again before it runs unattended.
`,
  }),
);

async function list({ options }: CommandInput, host: CliHost): Promise<Result<number>> {
  const project = projectOf(host.cwd);
  const found = await readDefinitions(project);
  const agents = await Promise.all(found.map((each) => listed(each, project, host)));
  const text = (json: AgentJson) => listText(json, host.now(), styleFor(host));
  return answer<AgentJson>({ schema: 1, project, agents }, text, { options, host });
}

async function show({ options, first }: CommandInput, host: CliHost): Promise<Result<number>> {
  const own = openAgent(first, host);
  if (!own.ok) return own;
  const { project, file, agent } = own.value;
  const overview = await overviewOf({ name: first, file, read: succeed(agent) }, project, host);
  const wakes = overview.wakes.slice(0, 20);
  const json: AgentJson = { schema: 1, project, agents: [listedOf(overview, host)], wakes };
  return answer(json, shownText(agent, json, host.now(), styleFor(host)), { options, host });
}

async function check({ options }: CommandInput, host: CliHost): Promise<Result<number>> {
  const project = projectOf(host.cwd);
  const found = await readDefinitions(project);
  if (found.length === 0)
    return fail(
      "no_agents",
      sentence("there is no agent in {0}; purser agent add makes one", definitionsFolder(project)),
    );
  const agents = await Promise.all(found.map((each) => listed(each, project, host)));
  const isFine = agents.every(({ faults }) => faults.length === 0);
  const texts = agents.map(({ name, file, faults }) =>
    faults.length === 0
      ? `${t("{0}: no problem found", name)}\n`
      : faults.map(({ line, message }) => `${cleanText(file)}:${line}: ${asLine(message)}\n`).join(""),
  );
  const printed = answer<AgentJson>({ schema: 1, project, agents }, texts.join(""), { options, host });
  return isFine ? printed : succeed(1);
}

async function add({ options, first: name }: CommandInput, host: CliHost): Promise<Result<number>> {
  const program = choiceIn(options, "program", handoverWords);
  const model = options.value("model");
  if (!isRecurringName(name))
    return wrongUsage(sentence("NAME must be lower-case letters, digits and hyphens, at most 64 of them"));
  if (program === undefined)
    return wrongUsage(sentence("--program is needed, one of {0}", handoverWords.join(", ")));
  if (model === undefined) return wrongUsage(sentence("--model is needed"));
  const project = projectOf(host.cwd);
  const file = definitionFile(project, name);
  // Check the path before anybody agrees to it.
  const inside = insideProject(file, project);
  if (!inside.ok) return inside;
  if (existsSync(file)) return fail("exists", sentence("{0} exists already; edit it instead", file));
  const text = definitionText({ name, program, model });
  const read = readDefinition(name, text);
  if (!read.ok) return read;
  const output = humanOutput({ options, host });
  output.stdout.write(`${cleanText(file)}\n\n${text.split("\n").map(cleanText).join("\n")}\n`);
  if (!options.has("yes")) {
    if (!canAsk(output)) return wrongUsage(sentence("no terminal to ask in; --yes writes it without asking"));
    if (!(await confirmed(t("Write this file?"), output, "yes")))
      return fail("not_agreed", sentence("declined; nothing was written"));
  }
  const wrote = writeDefinition(file, text, project);
  if (!wrote.ok) return wrote;
  const agents = [await listed({ name, file, read }, project, host)];
  const written = t(
    "Written. Say in it what {0} is responsible for, then: {1}",
    name,
    `purser run ${name} --dry-run`,
  );
  return answer<AgentJson>({ schema: 1, project, agents }, `${written}\n`, { options, host });
}

async function agreeTo({ options, first }: CommandInput, host: CliHost): Promise<Result<number>> {
  if (wakeOf(host.env) !== null)
    return fail("not_agreed", sentence("an agent cannot agree to what it may do"));
  const own = openAgent(first, host);
  if (!own.ok) return own;
  const { agent, project, file, place } = own.value;
  const agents = async () => [await listed({ name: first, file, read: succeed(agent) }, project, host)];
  const output = humanOutput({ options, host });
  output.stdout.write(
    shownText(agent, { schema: 1, project, agents: await agents() }, host.now(), styleFor(output)),
  );
  if (!options.has("yes")) {
    if (!canAsk(output)) return wrongUsage(sentence("no terminal to ask in; --yes agrees without asking"));
    if (!(await confirmed(t("Let {0} run unattended as its file is now?", first), output)))
      return fail("not_agreed", sentence("declined; nothing was changed"));
  }
  const agreed = agree(place, { definition: agent.hash, checks: [], at: host.now() });
  if (!agreed.ok) return agreed;
  const text = `${t("Agreed to {0}.", cleanText(file))}\n`;
  return answer<AgentJson>({ schema: 1, project, agents: await agents() }, text, { options, host });
}

async function listed(found: FoundDefinition, project: string, host: CliHost): Promise<ListedAgent> {
  return listedOf(await overviewOf(found, project, host), host);
}

function overviewOf(found: FoundDefinition, project: string, host: CliHost): Promise<AgentOverview> {
  const { now, pid } = host;
  return readOverview(found, project, overviewPorts(purserPaths(host).wakes, { now, pid }));
}

function listedOf(overview: AgentOverview, host: CliHost): ListedAgent {
  const isOn = settingsStore(host, () => undefined).now().wakes;
  const isTrusted = folderTrust(host).isTrusted(overview.project);
  const { waker, why } = wakerOf(overview, { isOn, isTrusted, now: host.now() });
  const { name, file, faults, agent, nextWake, isAgreed, running, sessions, wakes, learned } = overview;
  const [last] = wakes;
  return {
    name,
    file,
    faults: [...faults],
    program: agent?.program ?? null,
    model: agent?.model ?? null,
    schedule: agent?.schedule ?? null,
    nextWake,
    isAgreed,
    isRunning: running !== null,
    longestSession:
      agent === null
        ? null
        : {
            ...turnLimitOf(agent, learned),
            wakes: agent.rotation.turns === undefined ? (learned?.wakes ?? null) : null,
            sessions: agent.rotation.turns === undefined ? (learned?.sessions ?? null) : null,
          },
    wokenBy: waker,
    notWoken: why,
    lastWake: last === undefined ? null : { at: last.at, outcome: last.outcome, detail: last.detail },
    sessions: sessions.map(({ task, id, wakes: count, turns, startedAt, lastAt }) => ({
      task,
      id,
      wakes: count,
      turns,
      startedAt,
      lastAt,
    })),
  };
}
