import { compose, t } from "../../base/language.ts";
import { dayOption } from "../day-argument.ts";
import { dash } from "../../base/format.ts";
import { cleanText, printedJson } from "../../base/text.ts";
import { hookPrograms, type HookProgram } from "../../hooks/program.ts";
import { abilitiesOf, abilities } from "../../hooks/abilities.ts";
import { hookScopes, type HookScope } from "../../hooks/install.ts";
import { choiceIn, flag, folder, oneOf, type ParsedOptions } from "../args.ts";
import { command } from "../command.ts";
import type { Run } from "../declaration.ts";
import type { CliHost } from "../cli-ports.ts";
import { install, status, uninstall, type HooksRequest, type HooksDone } from "./hooks-actions.ts";
import { profileHooks } from "./profile.ts";
import type { HookFileJson, HooksJson } from "./hooks-schema.ts";
import { agentNames } from "../../transcripts/agents.ts";
import { repairHere } from "./repair-hooks.ts";
import { abilityWords, describePolicy, eventReasons, remedyFor } from "./describe-hooks.ts";
import { styleFor, type Style } from "../style.ts";
import { alignColumns, type Column } from "../table.ts";
import { asLine } from "../terminal-text.ts";
import { wrapCells } from "../text-cells.ts";

type Action = (request: HooksRequest, host: CliHost) => HooksDone;
type ActionName = HooksJson["act"];

const actions: Readonly<Record<ActionName, Action>> = { install, uninstall, status };
const agents: Readonly<Record<string, HookProgram>> = {
  claude: "claude-code",
  codex: "codex",
  copilot: "copilot",
  gemini: "gemini",
};

export const hooksCommand = command({
  name: "hooks",
  title: "connect agents to purser, so that it can warn them and hold them to budgets",
  options: {
    since: dayOption("DAY", "for profile: a day such as 2026-11-21, today, yesterday, or 7d (default: 7d)"),
    agent: oneOf(
      Object.keys(agents),
      "A",
      "claude, codex, copilot or gemini (default: claude; for status: all)",
    ),
    scope: oneOf(
      hookScopes,
      "S",
      "user (everywhere), project (shared with everybody who works on it) or local (only you, in this project; claude only) (default: user; for status: all)",
    ),
    cwd: folder("project folder, or a folder in it (default: the working folder)"),
    "status-line": flag(
      "also get context figures and plan limits from the agent's status line (claude only); your own status line keeps working. Same as the setting statusLine in ~/.purser/settings.json",
    ),
    "dry-run": flag("show what would change, without changing anything"),
    diff: flag("show each line that changes"),
    yes: flag("do not ask for confirmation"),
    anyway: flag("install even if no Node is found to run hooks that are commands"),
    json: flag(
      "print JSON (schema: media/schemas/hooks.schema.json; profile: hook-profile.schema.json; repair: hook-repair.schema.json)",
    ),
  },
  subcommands: {
    install: {
      does: "add purser's hooks to an agent's settings, or update them",
      takes: ["agent", "scope", "cwd", "status-line", "dry-run", "diff", "yes", "anyway", "json"],
      run: running("install"),
    },
    uninstall: {
      does: "remove them; unless others changed the file, it is restored byte for byte",
      takes: ["agent", "scope", "cwd", "dry-run", "diff", "yes", "json"],
      run: running("uninstall"),
    },
    status: {
      does: "where hooks are installed, what keeps them from running, and what they can do with each agent",
      takes: ["agent", "scope", "cwd", "json"],
      run: running("status"),
    },
    repair: {
      does: "fix hooks that point to missing files; VS Code and the service do this for your own settings",
      takes: ["dry-run", "json"],
      run: ({ options }, host) => repairHere(options, host),
    },
    profile: {
      does: "what hooks cost, purser's and others': time, and tokens added to contexts",
      takes: ["since", "json"],
      run: ({ options }, host) => profileHooks(options, host),
    },
  },
  notes: `
Claude Code's hooks come with the skill check-tokens, which lets the agent see what is left of its context and budgets.
A change is described first, and --diff, or d at the question, shows each of its lines. The previous version of a file is kept beside it (settings.json.purser-backup-1).
CLAUDE_CONFIG_DIR (its first folder), CODEX_HOME, COPILOT_HOME and GEMINI_CLI_HOME are respected.

Exit codes: 0 done; 1 failed or declined; 2 usage error.
`,
});

function running(name: ActionName): Run {
  return ({ options }, host) => {
    const program = agents[options.value("agent") ?? ""] ?? null;
    return changeHooks(
      name,
      { program, scope: choiceIn(options, "scope", hookScopes) ?? null },
      options,
      host,
    );
  };
}

async function changeHooks(
  name: ActionName,
  { program, scope }: { program: HookProgram | null; scope: HookScope | null },
  options: ParsedOptions,
  host: CliHost,
): Promise<number> {
  const isAll = name === "status";
  const programs = program === null ? (isAll ? hookPrograms : (["claude-code"] as const)) : [program];
  const scopes = scope === null ? (isAll ? hookScopes : (["user"] as const)) : [scope];
  const files: HookFileJson[] = [];
  const faults: HooksJson["faults"] = [];
  let isWrong = false;
  for (const each of programs)
    for (const one of scopes) {
      const request = {
        program: each,
        scope: one,
        cwd: options.value("cwd") ?? "",
        isDry: options.has("dry-run"),
        isDiff: options.has("diff"),
        isYes: options.has("yes"),
        isJson: options.has("json"),
        isLined: options.has("status-line"),
        isAnyway: options.has("anyway"),
      };
      const done = await actions[name](request, host);
      if (done.ok) files.push(done.value);
      // Without a given scope, scopes that do not exist are left out.
      else if (done.reason !== "no_such_scope" || scope !== null) {
        const { reason, detail } = done;
        isWrong ||= reason === "not_asked" || reason === "no_such_scope";
        const isRefused = reason !== "not_asked" && reason !== "declined";
        const text = isRefused ? compose`${detail}; ${remedyFor(reason)}` : detail;
        faults.push({ agent: agentOf(each), scope: one, reason, detail: text });
      }
    }
  const outcome: HooksJson = {
    schema: 1,
    act: name,
    files,
    reasons: isAll ? reasonsFor(files) : [],
    agents: isAll ? whatWorks(programs) : [],
    faults,
  };
  if (options.has("json")) host.stdout.write(`${printedJson(outcome, 2)}\n`);
  else print(outcome, host);
  return isWrong ? 2 : faults.length > 0 ? 1 : 0;
}

function reasonsFor(files: readonly HookFileJson[]): HooksJson["reasons"] {
  const events = new Set(files.flatMap((file) => file.events));
  return Object.entries(eventReasons).flatMap(([event, reason]) =>
    events.has(event) ? [{ event, reason }] : [],
  );
}

function agentOf(program: HookProgram): HooksJson["agents"][number]["agent"] {
  return program === "claude-code" ? "claude" : program;
}

/** VS Code's own chat runs the hooks of Copilot CLI. */
function whatWorks(programs: readonly HookProgram[]): HooksJson["agents"] {
  const callers = [...programs, ...(programs.includes("copilot") ? (["vscode"] as const) : [])];
  return callers.map((caller) => {
    const works = abilitiesOf(caller);
    const lacks = abilities.filter((ability) => !works.includes(ability));
    return { agent: caller === "vscode" ? caller : agentOf(caller), works, lacks };
  });
}

function print(outcome: HooksJson, host: CliHost): void {
  const { act: name, files, faults } = outcome;
  if (name === "status") printStatus(outcome, host);
  else for (const file of files) host.stdout.write(`${cleanText(describeDone(name, file))}\n`);
  for (const { detail } of faults) host.stderr.write(`purser hooks ${name}: ${asLine(detail)}\n`);
}

function describeDone(name: ActionName, { agent, file, change, events }: HookFileJson): string {
  const program = agentNames.of(agents[agent] ?? "claude-code");
  if (change?.isNeeded !== true)
    return name === "install"
      ? t("{0} already has purser's hooks; nothing was changed", file)
      : t("{0} has no purser hooks; nothing was changed", file);
  if (!change.isMade) return t("Nothing was changed");
  const copy = change.backup === null ? "" : `; ${t("the previous version is in {0}", change.backup)}`;
  if (name === "uninstall") return `${t("{0} no longer has purser's hooks in {1}", program, file)}${copy}`;
  return `${t("{0} has purser's hooks for {1} events in {2}", program, events.length, file)}${copy}`;
}

const states = { absent: dash, installed: t("installed"), outdated: t("outdated; install again") };

/** An agent that does not run the hooks comes before every other state. */
function stateOf({ state, policies, skipped, events }: HookFileJson): string {
  if (state === "absent") return states.absent;
  if (policies.some(({ effect }) => effect === "no_hooks")) return t("not run: switched off");
  if (skipped === null) return states[state];
  const { unreviewed, changed, off, isProjectUntrusted } = skipped;
  const count = unreviewed.length + changed.length + off.length;
  if (isProjectUntrusted) return t("not run: untrusted project");
  return count < events.length ? t("{0} not run: unreviewed", count) : t("not run: unreviewed");
}

function printStatus({ files, reasons, agents: all }: HooksJson, host: CliHost): void {
  const columns: readonly Column[] = [
    { title: t("Agent") },
    { title: t("Scope") },
    { title: t("Hooks"), fit: "wrap" },
    { title: t("Way") },
    { title: t("Events"), isFigure: true },
    { title: t("File"), fit: "middle", minWidth: 24 },
  ];
  const rows = files.map((each) => [
    each.agent,
    each.scope,
    stateOf(each),
    each.state === "absent" ? dash : wayNames[each.way],
    each.events.length === 0 ? dash : String(each.events.length),
    cleanText(each.file),
  ]);
  host.stdout.write(alignColumns(columns, rows, styleFor(host)));
  const style = styleFor(host);
  const messages = files.flatMap(({ agent, policies, notes }) => [
    ...policies.map((policy) => describePolicy(policy, agents[agent] ?? "claude-code")),
    ...notes,
  ]);
  for (const line of new Map(messages.map((each) => [each.text, each])).values())
    host.stdout.write(`${wrapCells(asLine(line), style.width).join("\n")}\n`);
  if (reasons.length > 0) host.stdout.write(`\n${reasonTable(reasons, style)}`);
  host.stdout.write(`\n${abilityTable(all, style)}`);
}

const wayNames: Readonly<Record<HookFileJson["way"], string>> = { http: "HTTP", curl: "curl", node: "Node" };

function reasonTable(reasons: HooksJson["reasons"], style: Style): string {
  const columns: readonly Column[] = [{ title: t("Event") }, { title: t("Why it has a hook"), fit: "wrap" }];
  const rows = reasons.map(({ event, reason }) => [cleanText(event), reason]);
  return alignColumns(columns, rows, style);
}

function abilityTable(all: HooksJson["agents"], style: Style): string {
  const columns: readonly Column[] = [
    { title: t("What hooks can do"), fit: "wrap", minWidth: 24 },
    ...all.map(({ agent }) => ({ title: agent })),
  ];
  const rows = abilities.map((ability) => [
    abilityWords[ability],
    ...all.map(({ works }) => (works.includes(ability) ? "✓" : dash)),
  ]);
  return alignColumns(columns, rows, style);
}
