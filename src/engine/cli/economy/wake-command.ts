import { plainSentence, compose, type Sentence, sentence, t } from "../../base/language.ts";
import { purserPaths } from "../../base/paths.ts";
import { cleanText, printedJson } from "../../base/text.ts";
import { fail, succeed, type Failure, type Result } from "../../base/result.ts";
import { findAgentProgram, displayNameOf } from "../../continuity/handover.ts";
import {
  readAgreement,
  agree,
  readDefinitions,
  projectOf,
  hasUnagreedCommand,
  readOverview,
  overviewPorts,
  type OwnAgent,
  readState,
  type WakeRequest,
  type WakePlan,
  planWake,
  wakeOf,
  runWake,
} from "../../recurring/agents.ts";
import { wakeSources, type WakeSource } from "../../ledger/woken.ts";
import { humanOutput } from "../answer.ts";
import { choiceIn, flag, jsonOf, oneOf, option, type ParsedOptions, wrongUsage } from "../args.ts";
import { command } from "../command.ts";
import type { CommandInput, Done } from "../declaration.ts";
import { canAsk, confirmed, keepTerminalOpen } from "../confirm.ts";
import type { CliHost } from "../cli-ports.ts";
import { styleFor } from "../style.ts";
import { openAgent } from "./economy-access.ts";
import { shownText } from "./agent-text.ts";
import type { WakeJson } from "./economy-schema.ts";
import { WakeService } from "./wake-service.ts";
import { doneText, planText, wakeToJson } from "./wake-text.ts";
import { asLine } from "../terminal-text.ts";

export const wakeCommand = keepTerminalOpen(
  command({
    name: "run",
    title: "wake a recurring agent once, or each that is due",
    words: "AGENT [--task ID] [--source S] [--fresh] [--dry-run] [--yes]",
    more: [{ words: "--due [--dry-run] [--yes]" }],
    argument: {},
    terms: { AGENT: "an agent of this project; purser agent list shows them" },
    options: {
      task: option(
        "ID",
        "a task's id",
        "the task to work on (default: the cause of a mention or an assignment, else the one it works on, else the first of its inbox)",
      ),
      source: oneOf(wakeSources, "S", `what wakes it: ${wakeSources.join(", ")} (default: manual)`),
      fresh: flag("begin a new session, although the last one could go on"),
      due: flag(
        "every agent of this project whose schedule has come, for your own cron or systemd timer; only those whose file you agreed to as it is now (purser agent agree)",
      ),
      "dry-run": flag("print what would be done, with its price, and spend nothing"),
      yes: flag(
        "do not ask: agree to the agent's file as it is now, and to the plan (with --due it agrees to nothing)",
      ),
      json: jsonOf("wake"),
    },
    notes: `
A wake goes on with the session of its task, so that the agent knows what it knew and the provider's cache holds. A new session begins only with
--fresh, for another task, folder, program or model, where the last session is gone, or where it became too long, too old or too dear; each wake
says which. Quota and network failures are no failures of the task.
`,
    run,
  }),
);

async function run({ options: given, first }: CommandInput, host: CliHost): Promise<Done> {
  if (wakeOf(host.env) !== null)
    return fail("in_wake", sentence("a wake cannot wake agents; write a task for the other agent instead"));
  const isDue = given.has("due");
  if (isDue === (first !== ""))
    return wrongUsage(
      isDue
        ? sentence("--due wakes every agent that is due; leave AGENT out")
        : sentence("AGENT or --due is needed"),
    );
  if (isDue && ["task", "source", "fresh"].some((name) => given.has(name)))
    return wrongUsage(sentence("--task, --source and --fresh need an AGENT"));
  const source = choiceIn(given, "source", wakeSources) ?? "manual";
  const service = new WakeService(host, { starts: !given.has("dry-run") });
  try {
    return isDue ? await wakeDue(given, host, service) : await wakeOne(first, source, given, host, service);
  } finally {
    service.dispose();
  }
}

async function wakeOne(
  name: string,
  source: WakeSource,
  options: ParsedOptions,
  host: CliHost,
  service: WakeService,
): Promise<Done> {
  const own = openAgent(name, host);
  if (!own.ok) return own;
  const request = requestOf(own.value, {
    taskId: options.value("task") ?? null,
    source,
    isForced: options.has("fresh"),
    slot: null,
  });
  const woken = await wake(own.value, request, { options, host, service, isAttended: true });
  if (!woken.ok) return woken;
  print({ schema: 1, wakes: [woken.value], skipped: [] }, options, host);
  return exitCode([woken.value]);
}

async function wakeDue(options: ParsedOptions, host: CliHost, service: WakeService): Promise<Done> {
  const project = projectOf(host.cwd);
  const wakes: WakeJson["wakes"] = [];
  const skipped: WakeJson["skipped"] = [];
  const { now, pid } = host;
  for (const found of await readDefinitions(project)) {
    if (host.signal.aborted) break;
    const { name, file } = found;
    // Read one by one: each wake takes its time.
    const overview = await readOverview(found, project, overviewPorts(purserPaths(host).wakes, { now, pid }));
    const { agent, dueSince: slot } = overview;
    if (agent === null) {
      skipped.push({
        agent: name,
        reason: "bad_definition",
        detail: found.read.ok ? plainSentence(file) : compose`${file}, ${found.read.detail}`,
      });
      continue;
    }
    if (agent.schedule === undefined) continue;
    const own = openAgent(name, host);
    if (!own.ok) continue;
    // An earlier wake of this loop may have changed the file: what is read now is what runs.
    if (isNewFile(own.value)) {
      const isNew = readAgreement(own.value.place) === null;
      const agreeing = `purser agent agree ${name}`;
      skipped.push({
        agent: name,
        reason: "not_agreed",
        detail: isNew
          ? sentence("{0} was not agreed to: {1}", file, agreeing)
          : sentence("{0} changed since it was agreed to: {1}", file, agreeing),
      });
      continue;
    }
    if (slot === null) continue;
    const request = requestOf(own.value, { taskId: null, source: "timer", isForced: false, slot });
    const woken = await wake(own.value, request, { options, host, service, isAttended: false });
    if (woken.ok) wakes.push(woken.value);
    else skipped.push({ agent: name, reason: woken.reason, detail: woken.detail });
  }
  print({ schema: 1, wakes, skipped }, options, host);
  return exitCode(wakes);
}

function requestOf(
  { agent, project, place }: OwnAgent,
  request: Pick<WakeRequest, "taskId" | "source" | "isForced" | "slot">,
): WakeRequest {
  return { agent, project, place, ...request, by: "terminal" };
}

interface Doing {
  readonly options: ParsedOptions;
  readonly host: CliHost;
  readonly service: WakeService;
  /** A scheduled wake was agreed to before. */
  readonly isAttended: boolean;
}

type Woken = WakeJson["wakes"][number];

async function wake(own: OwnAgent, request: WakeRequest, doing: Doing): Promise<Result<Woken>> {
  const { options, host, service, isAttended } = doing;
  const ports = service.portsFor(own.place);
  if (options.has("dry-run")) {
    const planned = await planWake(request, readState(own.place.state).state, ports);
    return planned.ok ? succeed(wakeToJson(planned.value, null, [])) : planned;
  }
  const { program } = own.agent;
  const { name, file } = await findAgentProgram(program, { env: host.env, platform: process.platform });
  if (file === null)
    return fail(
      "no_program",
      sentence("{0} was not found (no {1} in the PATH)", displayNameOf(program), name),
    );
  const output = humanOutput({ options, host });
  if (isAttended && needsAgreementFirst(own, options)) {
    const agreed = await agreeToFile(own, options, output);
    if (!agreed.ok) return agreed;
  }
  const refusal: { detail: Sentence | null } = { detail: null };
  const done = await runWake(request, ports, {
    signal: host.signal,
    agree: async (plan) => {
      output.stdout.write(planText(plan));
      if (!isAttended) return true;
      const agreed = await consent(own, plan, options, output);
      if (!agreed.ok) refusal.detail = agreed.detail;
      return agreed.ok;
    },
  });
  if (done.ok) return succeed(wakeToJson(done.value.plan, done.value.row, done.value.said));
  return done.reason === "declined" ? fail("declined", refusal.detail ?? done.detail) : done;
}

/** --yes agrees at once, and a plan would run a command of the file. */
function needsAgreementFirst({ agent, place }: OwnAgent, options: ParsedOptions): boolean {
  return options.has("yes") ? isNewFile({ agent, place }) : hasUnagreedCommand(agent, place);
}

function isNewFile({ agent, place }: Pick<OwnAgent, "agent" | "place">): boolean {
  return readAgreement(place)?.definition !== agent.hash;
}

async function agreeToFile(own: OwnAgent, options: ParsedOptions, output: CliHost): Promise<Result<null>> {
  const { agent, file, place } = own;
  showFile(own, output);
  if (!options.has("yes")) {
    if (!canAsk(output)) return notAsked(own);
    if (!(await confirmed(t("Agree to this, and run its command for the tasks?"), output)))
      return fail("not_agreed", sentence("declined; nothing was run"));
  }
  const agreed = agree(place, { definition: agent.hash, checks: [], at: output.now() });
  if (agreed.ok) output.stdout.write(`${t("Agreed to {0} as it is now.", cleanText(file))}\n`);
  return agreed;
}

function showFile({ agent, project }: OwnAgent, output: CliHost): void {
  output.stdout.write(
    `\n${shownText(agent, { schema: 1, project, agents: [] }, output.now(), styleFor(output))}\n`,
  );
}

function notAsked(own: OwnAgent): Failure<"not_asked"> {
  return fail(
    "not_asked",
    isNewFile(own)
      ? sentence("no terminal to ask in; --yes agrees to {0} as it is now, and spends it", own.file)
      : sentence("no terminal to ask in; --yes spends it without asking"),
  );
}

async function consent(
  own: OwnAgent,
  { thread }: WakePlan,
  options: ParsedOptions,
  output: CliHost,
): Promise<Result<null>> {
  const { agent, place } = own;
  if (!options.has("yes")) {
    if (!canAsk(output)) return notAsked(own);
    if (isNewFile(own)) showFile(own, output);
    if (!(await confirmed(t("Wake {0}?", agent.name), output)))
      return fail("not_agreed", sentence("declined; nothing was spent"));
  }
  const check = thread?.task.check ?? null;
  return agree(place, { definition: agent.hash, checks: check === null ? [] : [check], at: output.now() });
}

function print(json: WakeJson, options: ParsedOptions, { stdout }: CliHost): void {
  if (options.has("json")) {
    stdout.write(`${printedJson(json, 2)}\n`);
    return;
  }
  const none = json.wakes.length + json.skipped.length === 0 ? [t("No agent is due.")] : [];
  const skipped = json.skipped.map(({ agent, detail }) =>
    t("{0} was not woken: {1}", cleanText(agent), asLine(detail)),
  );
  stdout.write(`${[...json.wakes.map(doneText), ...skipped, ...none].join("\n")}\n`);
}

function exitCode(wakes: WakeJson["wakes"]): number {
  if (wakes.some(({ wake: row }) => row?.outcome === "cancelled")) return 130;
  return wakes.every(({ wake: row }) => row === null || row.outcome === "completed") ? 0 : 1;
}
