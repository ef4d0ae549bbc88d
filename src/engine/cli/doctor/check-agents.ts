import { sentence, compose, joinSentences } from "../../base/language.ts";
import {
  describeWithoutHttp,
  statusOf,
  type HookChoice,
  type RunStatus,
  readAgentVersion,
  findNode,
  hookScopes,
  type HookFile,
} from "../../hooks/install.ts";
import { repairInstalled, type Repair, type RepairContext } from "../../hooks/repair-hooks.ts";
import { hookPrograms, type HookProgram } from "../../hooks/program.ts";
import { findRivalHooks } from "../../guard/guard-files.ts";
import { agentNames } from "../../transcripts/agents.ts";
import {
  describeLacks,
  describeNotJson,
  describeNode,
  describePolicy,
  describeSkipped,
  remedyFor,
} from "../hooks/describe-hooks.ts";
import type { CliHost } from "../cli-ports.ts";
import { note, ok, problem } from "./diagnosis.ts";
import { aboutFile, checkLive, type LiveInput } from "./check-live.ts";
import type { Finding } from "./doctor-schema.ts";

export interface AgentsInput extends Omit<LiveInput, "context"> {
  readonly context: RepairContext;
  /** Whether outputs are also shortened if other programs' hooks may replace them. */
  readonly isBesideHooks: boolean;
}

type Installed = HookChoice & RunStatus;

export async function checkAgents(input: AgentsInput): Promise<Finding[]> {
  const { context, host, cwd } = input;
  // In parallel: each may take a while.
  const versions = new Map(
    await Promise.all(
      hookPrograms.map(async (program) => [program, await readAgentVersion(program, context.run)] as const),
    ),
  );
  const repairs = await repairInstalled(context, true);
  const findings: Finding[] = repairs.map(describeRepair);
  let isNodeNeeded = false;
  for (const program of hookPrograms) {
    const files = await filesOf(program, context);
    const installed = files.flatMap((each) => ("file" in each ? [each] : []));
    isNodeNeeded ||= installed.length > 0;
    const unread = files.flatMap((each) => ("level" in each ? [each] : []));
    findings.push(...unread);
    // An unread file may have hooks.
    if (installed.length > 0 || unread.length === 0)
      findings.push(...describeAgent(program, versions.get(program) ?? null, installed));
    for (const each of installed) {
      const isBroken = repairs.some(({ file }) => context.isSame(file, each.file.file));
      const live = isBroken || isOff(each) ? [] : await checkLive(each.file, input);
      const isDead = isBroken || live.some(({ level }) => level === "problem");
      findings.push(...describeFile(each, isDead), ...live);
    }
  }
  return [
    ...findings,
    ...(isNodeNeeded ? await checkNode(context) : []),
    ...describeRivals(cwd, input.isBesideHooks, host),
  ];
}

async function filesOf(program: HookProgram, context: RepairContext): Promise<(Installed | Finding)[]> {
  const all: (Installed | Finding)[] = [];
  for (const scope of hookScopes) {
    const found = await statusOf(program, scope, context);
    if (found.ok) {
      if (found.value.state !== "absent") all.push(found.value);
    } else if (found.reason !== "no_such_scope")
      all.push(
        problem(
          "hooks-file",
          found.detail,
          sentence("Its hooks cannot be determined: {0}.", remedyFor(found.reason)),
          agentNames.of(program),
        ),
      );
  }
  return all;
}

function describeAgent(
  program: HookProgram,
  version: string | null,
  installed: readonly Installed[],
): Finding[] {
  const agent = agentNames.of(program);
  const [first, second] = installed;
  if (first === undefined)
    return version === null
      ? [ok("agent", sentence("It is not in the PATH, and has no hooks."), agent)]
      : [
          note(
            "hooks-absent",
            sentence("Version {0} has no purser hooks.", version),
            installCommand(program),
            agent,
          ),
        ];
  const twice =
    second === undefined
      ? []
      : [
          note(
            "hooks-twice",
            sentence(
              "{0} and {1} both have hooks: events here are reported twice.",
              first.file.file,
              second.file.file,
            ),
            `purser hooks uninstall${scopeOption(second.file)}`,
            agent,
          ),
        ];
  if (version === null)
    return [
      note(
        "agent-missing",
        sentence("It has hooks but is not in the PATH."),
        sentence("If it was uninstalled: purser hooks uninstall."),
        agent,
      ),
      ...twice,
    ];
  const lacks = describeLacks(first);
  const old =
    lacks.length === 0
      ? []
      : [note("agent-old", joinSentences(lacks, " "), sentence("Update {0}.", agent), agent)];
  return [ok("agent", sentence("Version {0} is in the PATH.", version), agent), ...old, ...twice];
}

function isOff({ policies, leniencies }: Installed): boolean {
  const isUnread = leniencies.comments || leniencies.trailingCommas;
  return isUnread || policies.some(({ effect }) => effect === "no_hooks");
}

/** `isDead`: another finding already reports that they lead nowhere. */
function describeFile(installed: Installed, isDead: boolean): Finding[] {
  const { file, policies, leniencies, state, events, skipped, withoutHttp } = installed;
  const agent = agentNames.of(file.program);
  const about = aboutFile(file);
  const findings: Finding[] = policies.flatMap((policy) =>
    policy.effect === "no_http"
      ? []
      : [
          problem(
            "hooks-off",
            compose`${describePolicy(policy, file.program)}.`,
            policy.isManaged
              ? sentence("Your administrator can change it.")
              : sentence("Change that setting."),
            about,
          ),
        ],
  );
  if (leniencies.comments || leniencies.trailingCommas)
    findings.push(
      problem(
        "hooks-unread",
        describeNotJson(leniencies, agent),
        leniencies.comments ? sentence("Take the comments out.") : sentence("Take the commas out."),
        about,
      ),
    );
  findings.push(
    ...describeSkipped(skipped, installed).map((words) =>
      problem("hooks-untrusted", words, sentence("/hooks in Codex shows and trusts them."), about),
    ),
  );
  if (state === "outdated" && !isDead)
    findings.push(
      note(
        "hooks-outdated",
        sentence("The hooks are not those that this version installs."),
        installCommand(file.program, file),
        about,
      ),
    );
  if (findings.length === 0 && !isDead) {
    const how = installed.hasSecret
      ? sentence("Hooks for {0} events are installed, and are posted where they may be.", events.length)
      : sentence(
          "Hooks for {0} events are installed: commands that use {1}.",
          events.length,
          installed.way === "curl" ? "curl" : "Node",
        );
    const what = withoutHttp === null ? how : compose`${how} ${describeWithoutHttp(withoutHttp)}`;
    findings.push(ok("hooks", what, about));
  }
  return findings;
}

function describeRepair({ program, scope, file, outcome, detail }: Repair): Finding {
  const isMended = outcome === "repaired";
  return problem(
    "hooks-broken",
    sentence("The hooks do not work: {0}", detail),
    isMended ? "purser hooks repair" : installCommand(program, { program, scope }),
    aboutFile({ program, file }),
  );
}

async function checkNode({ shim, run }: RepairContext): Promise<Finding[]> {
  const node = await findNode(shim.runtime, run);
  if (node.kind === "found") return [ok("node", sentence("Node, which runs command hooks, is in the PATH."))];
  return [
    problem(
      "node",
      sentence("In this PATH: {0}.", describeNode(node)),
      sentence("Install Node, or put it in the agents' PATH."),
    ),
  ];
}

function describeRivals(cwd: string, isBesideHooks: boolean, host: CliHost): Finding[] {
  if (isBesideHooks) return [];
  return findRivalHooks(cwd, host).map(({ file, matcher }) =>
    note(
      "rival-hooks",
      sentence(
        "A hook of another program after {0} may replace outputs: purser leaves them as they are.",
        matcher,
      ),
      sentence('If it replaces none, set "guardOutputsBesideHooks": true in ~/.purser/settings.json.'),
      file,
    ),
  );
}

function installCommand(
  program: HookProgram,
  file: Pick<HookFile, "program" | "scope"> = { program, scope: "user" },
): string {
  return `purser hooks install${scopeOption(file)}`;
}

function scopeOption({ program, scope }: Pick<HookFile, "program" | "scope">): string {
  const agent = program === "claude-code" ? "claude" : program;
  return ` --agent ${agent}${scope === "user" ? "" : ` --scope ${scope}`}`;
}
