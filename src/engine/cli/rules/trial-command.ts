import path from "node:path";
import * as z from "zod/mini";
import { sentence, t } from "../../base/language.ts";
import { throughService } from "../service/service-access.ts";
import { existsSync } from "node:fs";
import { fail, type Result } from "../../base/result.ts";
import { maxHoldOut, minHoldOut, plannedSessions, usualHoldOut } from "../../rules/trial.ts";
import { triedFamilies } from "../../settings/guard.ts";
import { claudeRoot } from "../../transcripts/claude.ts";
import type { Requester } from "../../jobs/all-requests.ts";
import { answer } from "../answer.ts";
import { flag, folder, folderIn, jsonOf, number, numberIn, option, wrongUsage } from "../args.ts";
import { command } from "../command.ts";
import type { CommandInput, Subcommand } from "../declaration.ts";
import { canAsk, confirmed } from "../confirm.ts";
import type { CliHost } from "../cli-ports.ts";
import { styleFor } from "../style.ts";
import { listLines, planLines, statusLines } from "./trial-lines.ts";
import { asLine } from "../terminal-text.ts";
import { described, sentenceSchema } from "../../base/sentence-schema.ts";
import {
  everyAgent,
  plannedGuardSessions,
  trialHead,
  trialPlan,
  trialView,
} from "../../rules/trial-answers.ts";

export const trialJson = z.object({
  schema: z.literal(1),
  plan: described(z.optional(trialPlan), "What was approved, or would be: start."),
  trial: described(z.optional(trialView), "Sessions and figures: status."),
  admitted: described(
    z.optional(z.object({ id: z.string(), why: sentenceSchema, memory: z.nullable(sentenceSchema) })),
    "A rule let into its agent's memory; memory says why that was not written, or null: admit.",
  ),
  trials: described(
    z.optional(z.array(trialHead)),
    "Newest first: list; the one begun or stopped: start, stop.",
  ),
});
type TrialJson = z.infer<typeof trialJson>;

type TrialInput = CommandInput & { readonly host: CliHost };

type Answer = Promise<Result<number>>;

function running(run: (input: TrialInput, service: Requester) => Answer): Pick<Subcommand, "run"> {
  return { run: (given, host) => throughService(host, (service) => run({ ...given, host }, service)) };
}

export const trialCommand = command({
  name: "trial",
  title: "try rules or guards on your own work, assigned at random to new sessions",
  options: {
    project: folder("only sessions in this folder (default: all folders)"),
    rules: option(
      "IDS",
      "IDs of approved rules, comma-separated",
      "approved rules, at most 15, comma-separated (default: all approved rules)",
    ),
    guards: option(
      "FAMILIES",
      "families of guards, comma-separated",
      `families of guards that act or only observe, comma-separated: ${triedFamilies.join(", ")}`,
    ),
    sessions: number(
      "N",
      `sessions after which a trial of guards should have decided, 20 to 1000 (default: ${plannedGuardSessions}); one of rules runs until its stop`,
      { from: 20, to: 1000 },
    ),
    "hold-out": number(
      "N",
      `percent of sessions that go on without a rule that saves, ${100 * minHoldOut} to ${100 * maxHoldOut} (default: ${100 * usualHoldOut})`,
      { from: 100 * minHoldOut, to: 100 * maxHoldOut },
    ),
    "switch-off": flag("evict a rule without asking, once it probably costs tokens"),
    yes: flag("start without asking"),
    json: jsonOf("trial"),
  },
  subcommands: {
    start: {
      words: "AGENT [--rules ID,ID…] | --guards FAMILIES",
      does: "show what new sessions would get, and ask before starting",
      argument: { offers: "agents" },
      takes: ["project", "rules", "guards", "sessions", "hold-out", "switch-off", "yes", "json"],
      ...running(start),
    },
    status: {
      words: "[ID]",
      does: "sessions and what each had, and figures for each rule or family of guards",
      argument: {},
      takes: ["json"],
      ...running(status),
    },
    admit: {
      words: "RULE",
      does: "add a rule that a trial has shown to save to its agent's memory",
      argument: { isMissing: sentence("missing RULE; purser trial status shows them") },
      takes: ["json"],
      ...running(admit),
    },
    stop: {
      words: "ID",
      does: "stop a trial at once",
      argument: { isMissing: sentence("missing ID; purser trial list shows them") },
      takes: ["json"],
      ...running(stop),
    },
    list: { does: "list all trials", takes: ["json"], ...running(list) },
  },
  notes: `
Each new session gets each rule on trial with the probability that it saves: at first in half of the sessions, later from 5% up to all
but the hold-out. Rules of AGENT that you approve later join. A trial of rules runs until you stop it.
Guards on trial act in about half of the new sessions, and only observe in the others. Guards that protect, and budgets, always act.
AGENT is main for ordinary sessions, or the name of the agent that sessions are started with (claude --agent NAME). Rules reach sessions
through purser's hooks (purser hooks install). The start of an ID or RULE is enough. Savings may be shown by real work alone, or by real
work and the rule's benchmark together; purser trial status shows both.
`,
});

async function start({ options, first: agent, host }: TrialInput, service: Requester): Answer {
  const guards = listIn(options.value("guards"));
  if (guards === undefined && agent === "")
    return wrongUsage(
      sentence(
        "missing AGENT: main, or the name that sessions are started with (claude --agent); or --guards FAMILIES",
      ),
    );
  if (guards !== undefined && (agent !== "" || options.has("rules")))
    return wrongUsage(
      sentence("--guards tries guards in the sessions of all agents: name neither an agent nor rules"),
    );
  const planned =
    numberIn(options, "sessions") ?? (guards === undefined ? plannedSessions : plannedGuardSessions);
  if (guards !== undefined && (options.has("hold-out") || options.has("switch-off")))
    return wrongUsage(sentence("--hold-out and --switch-off are for trials of rules, not of guards"));
  const project = folderIn(options, "project", host.cwd);
  // The separator at its end distinguishes a folder from a file.
  if (project !== null && !existsSync(`${project}${path.sep}`))
    return wrongUsage(sentence("there is no folder {0}", project));
  const input = {
    agent: guards === undefined ? agent : everyAgent,
    project,
    ruleIds: listIn(options.value("rules")) ?? null,
    planned,
    holdOut: (numberIn(options, "hold-out") ?? 100 * usualHoldOut) / 100,
    switchesOff: options.has("switch-off"),
    ...(guards === undefined ? {} : { guards }),
  };
  const isJson = options.has("json");
  const shown = await service.ask("trialStart", { ...input, isApproved: false }, host.signal);
  if (!shown.ok) return shown;
  const { plan } = shown.value;
  if (!isJson) host.stdout.write(planLines(plan));
  if (!options.has("yes")) {
    if (isJson || !canAsk(host))
      return fail(
        "not_asked",
        sentence("no terminal to ask in, so no trial was started; --yes starts it without asking"),
      );
    if (!(await confirmed(t("Start this trial?"), host)))
      return fail("declined", sentence("declined; no trial was started"));
  }
  // Exactly the rules that were shown.
  const ruleIds = guards === undefined ? plan.rules.map(({ id }) => id) : null;
  const startedTrial = await service.ask("trialStart", { ...input, ruleIds, isApproved: true }, host.signal);
  if (!startedTrial.ok) return startedTrial;
  const { trial } = startedTrial.value;
  const trials = trial === null ? [] : [trial];
  const text = `${t("Trial {0} runs.", trial?.id ?? "")}\n`;
  return answer<TrialJson>({ schema: 1, plan, trials }, text, { options, host });
}

function listIn(text: string | undefined): string[] | undefined {
  return text
    ?.split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");
}

async function status({ options, first, host }: TrialInput, service: Requester): Answer {
  const read = await service.ask(
    "trialStatus",
    { id: first === "" ? null : first, isWhole: true },
    host.signal,
  );
  if (!read.ok) return read;
  const { trial } = read.value;
  return answer<TrialJson>({ schema: 1, trial }, statusLines(trial, styleFor(host), host.now()), {
    options,
    host,
  });
}

async function admit({ options, first, host }: TrialInput, service: Requester): Answer {
  const done = await service.ask("trialLetIn", { ruleId: first, root: claudeRoot(host) }, host.signal);
  if (!done.ok) return done;
  const { id, why, memory } = done.value;
  const unwritten = memory === null ? "" : `${t("Its memory could not be written: {0}", asLine(memory))}\n`;
  const undo = t("{0} undoes it.", `purser rules undo ${id}`);
  const text = `${t("Rule {0} is {1}.", id, asLine(why))}\n${unwritten}${undo}\n`;
  return answer<TrialJson>({ schema: 1, admitted: done.value }, text, { options, host });
}

async function stop({ options, first, host }: TrialInput, service: Requester): Answer {
  const done = await service.ask("trialStop", { id: first }, host.signal);
  if (!done.ok) return done;
  const { trial } = done.value;
  const shows = `purser trial status ${trial.id}`;
  const text =
    trial.agent === everyAgent
      ? t(
          "Trial {0} is stopped; its guards act in all sessions again. {1} shows its results.",
          trial.id,
          shows,
        )
      : t(
          "Trial {0} is stopped; new sessions no longer get its rules. {1} shows its results.",
          trial.id,
          shows,
        );
  return answer<TrialJson>({ schema: 1, trials: [trial] }, `${text}\n`, { options, host });
}

async function list({ options, host }: TrialInput, service: Requester): Answer {
  const read = await service.ask("trialList", {}, host.signal);
  if (!read.ok) return read;
  const { trials } = read.value;
  return answer<TrialJson>({ schema: 1, trials }, listLines(trials, styleFor(host), host.now()), {
    options,
    host,
  });
}
